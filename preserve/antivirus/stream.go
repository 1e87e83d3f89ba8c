package antivirus

import (
	"context"
	"errors"
	"time"

	"quire/model"
)

// Stream is one payload on its way to clamd. What is written to it is never refused: what becomes
// of it, the verdict says.
type Stream struct {
	pass    *Pass
	buffer  []byte    // what was written so far, while it is short
	long    *exchange // the connection of a payload that is not
	settled *Verdict  // of a long payload whose connection is over before its end
}

// Pending is a verdict that is awaited.
type Pending struct {
	done    chan struct{}
	verdict Verdict
}

// Wait waits for the verdict.
func (p *Pending) Wait() Verdict {
	<-p.done
	return p.verdict
}

// Done says whether the verdict is there.
func (p *Pending) Done() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Write takes some of the payload. It never fails.
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

// open puts a payload that has become long under way.
func (st *Stream) open() {
	p := st.pass
	if err := p.take(); err != nil {
		v := unasked(err)
		st.settled = &v
		return
	}
	var verdict Verdict
	st.long, verdict = p.start(st.buffer)
	if st.long == nil {
		p.give()
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
	st.pass.give()
}

// Cancel gives the payload up: nobody wants a verdict.
func (st *Stream) Cancel() {
	switch {
	case st.long != nil:
		st.settle(Verdict{}) // clamd forgets a stream that breaks off
	case st.buffer != nil:
		st.pass.rest(st.buffer)
		st.buffer = nil
	}
}

// Close ends the payload, and gives the verdict to be. It is nil when nothing was written.
func (st *Stream) Close() *Pending {
	v := &Pending{done: make(chan struct{})}
	p := st.pass
	switch {
	case st.settled != nil:
		v.verdict = *st.settled
		close(v.done)
	case st.long != nil:
		x := st.long
		p.beside(v, func() Verdict { defer p.give(); return p.finish(x) })
	case len(st.buffer) == 0:
		return nil
	default:
		if err := p.take(); err != nil {
			v.verdict = unasked(err)
			close(v.done)
			break
		}
		content := st.buffer
		p.beside(v, func() Verdict {
			defer func() { p.rest(content); p.give() }()
			return p.whole(content)
		})
	}
	st.long, st.buffer = nil, nil
	return v
}

// beside lets a verdict come about while the reading goes on.
func (p *Pass) beside(v *Pending, come func() Verdict) {
	p.working.Add(1)
	go func() {
		defer p.working.Done()
		defer close(v.done)
		v.verdict = come()
	}()
}

// whole scans a payload that is held. A connection that breaks is tried once more: clamd may have
// been started anew.
func (p *Pass) whole(content []byte) Verdict {
	x, v := p.start(content)
	if x == nil {
		return v
	}
	if v = p.finish(x); v.Away != nil && p.again(v.Away) {
		if x, v = p.start(content); x != nil {
			v = p.finish(x)
		}
	}
	return v
}

// again says whether what went wrong is worth another try: not when clamd was waited for in vain,
// nor when nobody waits any more.
func (p *Pass) again(err error) bool {
	var away *AwayError
	if !errors.As(err, &away) || isTimeout(away.Err) || p.ctx.Err() != nil {
		return false
	}
	return p.s.Ping(p.ctx) == nil && p.s.forgive()
}

// forgive lets clamd be asked at once.
func (s *Scanner) forgive() bool {
	s.note(nil)
	return true
}

// start connects, and sends the beginning of a payload; twice, if need be. Without a connection the
// verdict says why.
func (p *Pass) start(content []byte) (*exchange, Verdict) {
	var v Verdict
	for try := range 2 {
		if err := p.s.ready(p.ctx); err != nil {
			return nil, unasked(err)
		}
		x, err := p.s.dial(p.ctx)
		if err != nil {
			return nil, p.failed(err)
		}
		if err = x.command("INSTREAM"); err == nil && len(content) > 0 { // a chunk of no bytes would end the stream
			err = x.chunk(content)
		}
		if err == nil {
			return x, Verdict{}
		}
		v = p.broken(x, err)
		x.close()
		if v.Away == nil || try > 0 || !p.again(v.Away) {
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

// broken is the verdict on a stream that clamd did not take to its end: it may have said why. That
// it was good is not believed, for it has not seen all of it.
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

// failed is the verdict when clamd could not be asked, and remembers that.
func (p *Pass) failed(err error) Verdict {
	away := p.s.away(p.ctx, err)
	if !errors.Is(away, context.Canceled) {
		p.s.note(away)
	}
	return unasked(away)
}

// unasked is the verdict on a payload about which clamd could not be asked.
func unasked(why error) Verdict {
	return Verdict{Outcome: model.ScanNotDone, Reason: "clamd was away", Away: why}
}
