// Package longwork reports work that no command asked for and that can take minutes, such as an index that a new
// version of Quire needs. Short work stays silent.
package longwork

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Patience is the time after which a work is reported.
const Patience = 2 * time.Second

type key struct{}

// listener receives the reports of a context.
type listener struct {
	after time.Duration
	say   func(text string)
}

// With returns a context whose long works are reported by say, each when it took the given time, and at its end. say
// may be called from other goroutines.
func With(ctx context.Context, after time.Duration, say func(text string)) context.Context {
	return context.WithValue(ctx, key{}, &listener{after, say})
}

// Begin begins a work. text names it, and the reason for it. The caller calls end when it is done or failed.
func Begin(ctx context.Context, text string) (end func()) {
	l, ok := ctx.Value(key{}).(*listener)
	if !ok {
		return func() {}
	}
	w := &work{text: text, say: l.say, since: time.Now()}
	if l.after <= 0 {
		w.report()
		return w.end
	}
	w.timer = time.AfterFunc(l.after, w.report)
	return w.end
}

// work is a work under way.
type work struct {
	text  string
	say   func(string)
	since time.Time
	timer *time.Timer

	mu         sync.Mutex
	said, over bool
}

func (w *work) report() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.said = true
		w.say(w.text + "; this can take minutes")
	}
}

func (w *work) end() {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.said && !w.over {
		w.say(fmt.Sprintf("%s: ended after %s", w.text, time.Since(w.since).Round(time.Second)))
	}
	w.over = true
}
