package antivirus

import (
	"context"
	"errors"
	"time"

	"quire/model"
)

// Stream is one payload on its way to clamd. Writing never fails: the verdict reports errors.
type Stream struct {
	pass    *Pass
	buffer  []byte    // the bytes so far, while the payload is short
	long    *exchange // the connection of a long payload
	settled *Verdict  // of a long payload with a connection that ended early
}

// Pending is a verdict that is not known yet.
type Pending struct {
	done    chan struct{}
	verdict Verdict
}

// Wait waits for the verdict.
func (p *Pending) Wait() Verdict {
	<-p.done
	return p.verdict
}

// Done reports whether the verdict is known.
func (p *Pending) Done() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Write adds to the payload. It never fails.
func (st *Stream) Write(p []byte) (int, error) {
	n := len(p)
	if st.long == nil && st.settled == nil {
		if len(st.buffer)+n <= bufferSize {
			if st.buffer == nil {
				st.buffer = st.pass.buffer()
			}
			st.buffer = append(st.buffer, p...)
			return n, nil
		}
		st.open()
	}
	for len(p) > 0 && st.settled == nil {
		part := p[:min(len(p), bufferSize)]
		if err := st.long.chunk(part); err != nil {
			st.settle(st.pass.broken(st.long, err))
		}
		p = p[len(part):]
	}
	return n, nil
}

// open starts sending a payload that has become long.
func (st *Stream) open() {
	p := st.pass
	if err := p.acquire(); err != nil {
		v := unreachable(err)
		st.settled = &v
		return
	}
	var verdict Verdict
	st.long, verdict = p.start(st.buffer)
	if st.long == nil {
		p.release()
		st.settled = &verdict
	}
	p.rest(st.buffer)
	st.buffer = nil
}

// settle ends the connection of a long payload.
func (st *Stream) settle(v Verdict) {
	st.settled = &v
	st.long.close()
	st.long = nil
	st.pass.release()
}

// Cancel abandons the payload without a verdict.
func (st *Stream) Cancel() {
	switch {
	case st.long != nil:
		st.settle(Verdict{}) // clamd discards a stream that disconnects
	case st.buffer != nil:
		st.pass.rest(st.buffer)
		st.buffer = nil
	}
}

// Close ends the payload, and returns the pending verdict. It is nil if nothing was written.
func (st *Stream) Close() *Pending {
	v := &Pending{done: make(chan struct{})}
	p := st.pass
	switch {
	case st.settled != nil:
		v.verdict = *st.settled
		close(v.done)
	case st.long != nil:
		x := st.long
		p.inBackground(v, func() Verdict { defer p.release(); return p.finish(x) })
	case len(st.buffer) == 0:
		return nil
	default:
		if err := p.acquire(); err != nil {
			v.verdict = unreachable(err)
			close(v.done)
			break
		}
		content := st.buffer
		p.inBackground(v, func() Verdict {
			defer func() { p.rest(content); p.release() }()
			return p.scanHeld(content)
		})
	}
	st.long, st.buffer = nil, nil
	return v
}

// inBackground computes a verdict while the reading continues.
func (p *Pass) inBackground(v *Pending, come func() Verdict) {
	p.working.Add(1)
	go func() {
		defer p.working.Done()
		defer close(v.done)
		v.verdict = come()
	}()
}

// scanHeld scans a payload that is held. If the connection breaks, it tries once more: clamd may have
// restarted.
func (p *Pass) scanHeld(content []byte) Verdict {
	x, v := p.start(content)
	if x == nil {
		return v
	}
	if v = p.finish(x); v.Away != nil && p.shouldRetry(v.Away) {
		if x, v = p.start(content); x != nil {
			v = p.finish(x)
		}
	}
	return v
}

// shouldRetry reports whether an error is worth another try. It is not after a timeout, or after the
// caller cancelled.
func (p *Pass) shouldRetry(err error) bool {
	var away *AwayError
	if !errors.As(err, &away) || isTimeout(away.Err) || p.ctx.Err() != nil {
		return false
	}
	return p.s.Ping(p.ctx) == nil && p.s.resetBackoff()
}

// resetBackoff allows using clamd at once.
func (s *Scanner) resetBackoff() bool {
	s.note(nil)
	return true
}

// start connects, and sends the beginning of a payload, twice if necessary. Without a connection
// the verdict states the reason.
func (p *Pass) start(content []byte) (*exchange, Verdict) {
	var v Verdict
	for try := range 2 {
		if err := p.s.ready(p.ctx); err != nil {
			return nil, unreachable(err)
		}
		x, err := p.s.dial(p.ctx)
		if err != nil {
			return nil, p.failed(err)
		}
		if err = x.command("INSTREAM"); err == nil && len(content) > 0 { // an empty chunk would end the stream
			err = x.chunk(content)
		}
		if err == nil {
			return x, Verdict{}
		}
		v = p.broken(x, err)
		x.close()
		if v.Away == nil || try > 0 || !p.shouldRetry(v.Away) {
			break
		}
	}
	return nil, v
}

// finish ends a stream, waits for the answer, and closes the connection.
func (p *Pass) finish(x *exchange) Verdict {
	defer x.close()
	if err := x.chunk(nil); err != nil {
		return p.broken(x, err)
	}
	answer, err := x.answer(p.s.o.Timeout)
	if err != nil {
		return p.failed(err)
	}
	v, err := judge(answer)
	if err != nil {
		return p.failed(err)
	}
	p.s.note(nil)
	return v
}

// broken returns the verdict on a stream that clamd did not read to its end. clamd may have
// answered with the reason. An OK does not count, because clamd has not seen the whole stream.
func (p *Pass) broken(x *exchange, err error) Verdict {
	answer, unanswered := x.answer(min(p.s.o.Patience, time.Second))
	if unanswered != nil || isTimeout(err) {
		return p.failed(err)
	}
	v, nonsense := judge(answer)
	if nonsense != nil || v.Outcome == model.ScanClean {
		return p.failed(err)
	}
	return v
}

// failed returns the verdict after an error of clamd, and remembers the error.
func (p *Pass) failed(err error) Verdict {
	away := p.s.away(p.ctx, err)
	if !errors.Is(away, context.Canceled) {
		p.s.note(away)
	}
	return unreachable(away)
}

// unreachable returns the verdict on a payload that was not sent to clamd.
func unreachable(why error) Verdict {
	return Verdict{Outcome: model.ScanNotDone, Reason: "clamd was away", Away: why}
}
