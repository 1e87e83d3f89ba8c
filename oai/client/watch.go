package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// minRate is the minimum average rate of an answer in bytes a second, beyond the patience.
// Otherwise a server that sends a byte a minute would never finish.
const minRate = 1 << 10

// responseTimer ends a request if its server is silent for too long. The total time of an answer has no
// limit while data arrive.
type responseTimer struct {
	ctx      context.Context
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	patience time.Duration
	began    time.Time
	read     int64
}

var errSilent = errors.New("the server was silent for too long")

func watch(ctx context.Context, patience time.Duration) *responseTimer {
	w := &responseTimer{patience: patience, began: time.Now()}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(patience, func() { w.cancel(errSilent) })
	return w
}

// came records received bytes.
func (w *responseTimer) came(n int) error {
	w.read += int64(n)
	w.timer.Reset(w.patience)
	if took := time.Since(w.began); took > w.patience+time.Duration(w.read/minRate)*time.Second {
		return fmt.Errorf("the answer is too slow: %d bytes in %s", w.read, took.Round(time.Second))
	}
	return nil
}

// why returns the reason if this client ended the request.
func (w *responseTimer) why(err error) error {
	if err != nil && errors.Is(context.Cause(w.ctx), errSilent) {
		return &transient{fmt.Errorf("%w: %s", errSilent, w.patience)}
	}
	return err
}

func (w *responseTimer) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// timedReader reads the received bytes.
type timedReader struct {
	from io.Reader
	*responseTimer
}

func (r timedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if slow := r.came(n); slow != nil && err == nil {
		err = slow
	}
	return n, err
}
