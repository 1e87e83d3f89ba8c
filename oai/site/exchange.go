package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// exchange is the ResponseWriter of one internal request. It passes the handler's output to the
// reader of the answer piece by piece, without a copy of the whole. Like net/http's writer, it
// delays the head until the first bytes, detects a missing Content-Type from them, and enforces the
// declared length.
type exchange struct {
	headOnly bool
	header   http.Header // the handler's

	answered chan struct{} // closed when status and head are final
	once     sync.Once
	status   int
	head     http.Header
	broken   error // reason for an incomplete answer

	added []string // names of the fields in head that a server adds behind the handler's, in order

	declared int64 // Content-Length; -1 if missing
	written  int64
	in       *io.PipeReader
	out      *io.PipeWriter
}

func newExchange(headOnly bool) *exchange {
	in, out := io.Pipe()
	return &exchange{headOnly: headOnly, header: http.Header{}, answered: make(chan struct{}), declared: -1, in: in,
		out: out}
}

// serve runs the handler. The exchange always ends, whatever the handler does.
func (x *exchange) serve(next http.Handler, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			x.fail(fmt.Errorf("%w: %v", errPanic, p))
		}
	}()
	next.ServeHTTP(x, r)
	x.publish(nil)
	switch {
	case r.Context().Err() != nil: // it was cancelled: its output is incomplete
		x.fail(context.Cause(r.Context()))
	case !x.headOnly && x.declared >= 0 && x.written < x.declared:
		x.fail(errCut)
	default:
		_ = x.out.Close() // never fails
	}
}

// fail ends the exchange early.
func (x *exchange) fail(err error) {
	x.once.Do(func() {
		x.status, x.broken = 0, err
		close(x.answered)
	})
	_ = x.out.CloseWithError(err) // never fails
}

// abandon signals the handler that the reader has stopped. It may be called at any time.
func (x *exchange) abandon(err error) { _ = x.out.CloseWithError(err) } // never fails

// Header implements http.ResponseWriter.
func (x *exchange) Header() http.Header { return x.header }

// WriteHeader implements http.ResponseWriter. It ignores informational responses.
func (x *exchange) WriteHeader(status int) {
	if status < 200 || x.head != nil {
		return
	}
	x.status = status
	x.head = maps.Clone(x.header)
	if n, err := strconv.ParseInt(x.head.Get("Content-Length"), 10, 64); err == nil && n >= 0 {
		x.declared = n
	}
}

// Write implements http.ResponseWriter.
func (x *exchange) Write(p []byte) (int, error) {
	if x.head == nil {
		x.WriteHeader(http.StatusOK)
	}
	x.publish(p)
	if x.headOnly {
		return len(p), nil
	}
	if x.status == http.StatusNoContent || x.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	over := false
	if x.declared >= 0 && x.written+int64(len(p)) > x.declared {
		p, over = p[:x.declared-x.written], true
	}
	n, err := x.out.Write(p)
	x.written += int64(n)
	if err == nil && over {
		err = http.ErrContentLength
	}
	return n, err
}

// Flush implements http.Flusher. It does nothing, because written bytes have already arrived.
func (x *exchange) Flush() {
	if x.head == nil {
		x.WriteHeader(http.StatusOK)
	}
	x.publish(nil)
}

// publish makes the head available when the first bytes of the body are known.
func (x *exchange) publish(first []byte) {
	x.once.Do(func() {
		if x.head == nil {
			x.WriteHeader(http.StatusOK)
		}
		_, typed := x.head["Content-Type"]
		if !typed && x.head.Get("Content-Encoding") == "" && len(first) > 0 {
			x.head.Set("Content-Type", http.DetectContentType(first))
			x.added = []string{"Content-Type"}
		}
		if x.head.Get("Date") == "" {
			x.head.Set("Date", time.Now().UTC().Format(http.TimeFormat))
			x.added = append([]string{"Date"}, x.added...)
		}
		close(x.answered)
	})
}

// answer is the answer of an exchange: status and head, and the body to read. Close ends it and
// releases the handler.
type answer struct {
	*exchange
	ctx    context.Context
	cancel context.CancelCauseFunc
	stop   func() bool
	wait   time.Duration
	raw    *rawHead // of an upstream server's answer

	read   int64
	waited time.Duration // total wait for the handler
}

// Read implements io.Reader. A body that is too slow, or endless, ends with an error.
func (a *answer) Read(p []byte) (int, error) {
	began := time.Now()
	slow := time.AfterFunc(a.wait, func() { a.cancel(errSlow) })
	n, err := a.in.Read(p)
	slow.Stop()
	a.read += int64(n)
	a.waited += time.Since(began)
	switch {
	case a.read > maxBody:
		err = errEndless
	case err == nil && a.waited > a.wait+time.Duration(a.read/minRate)*time.Second:
		err = errSlow
	}
	if err != nil && !errors.Is(err, io.EOF) {
		a.cancel(err)
	}
	return n, err
}

// Close implements io.Closer.
func (a *answer) Close() error {
	a.stop()
	a.abandon(io.ErrClosedPipe)
	a.cancel(nil)
	return nil
}
