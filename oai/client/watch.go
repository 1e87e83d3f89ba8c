package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// minRate is how many bytes a second an answer must bring on the whole, beyond what patience
// allows: a server that sends a byte a minute would otherwise never be done.
const minRate = 1 << 10

// watching ends a request whose server is silent for too long. There is no limit to how long an
// answer takes as a whole, as long as it comes.
type watching struct {
	ctx      context.Context
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	patience time.Duration
	began    time.Time
	read     int64
}

var errSilent = errors.New("the server was silent for too long")

func watch(ctx context.Context, patience time.Duration) *watching {
	w := &watching{patience: patience, began: time.Now()}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(patience, func() { w.cancel(errSilent) })
	return w
}

// came takes note of bytes that came.
func (w *watching) came(n int) error {
	w.read += int64(n)
	w.timer.Reset(w.patience)
	if took := time.Since(w.began); took > w.patience+time.Duration(w.read/minRate)*time.Second {
		return fmt.Errorf("the answer comes too slowly: %d bytes in %s", w.read, took.Round(time.Second))
	}
	return nil
}

// why says what ended the request, where that was us.
func (w *watching) why(err error) error {
	if err != nil && errors.Is(context.Cause(w.ctx), errSilent) {
		return &transient{fmt.Errorf("%w: %s", errSilent, w.patience)}
	}
	return err
}

func (w *watching) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// watched reads what comes.
type watched struct {
	from io.Reader
	*watching
}

func (r watched) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if slow := r.came(n); slow != nil && err == nil {
		err = slow
	}
	return n, err
}
