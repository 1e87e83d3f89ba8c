package antivirus

import (
	"context"
	"sync"
)

// bufferSize is how much of a payload is held, in bytes. One that is no longer goes over its
// connection in one piece and beside the reading, and again if the connection breaks; of a longer
// one this much is held until it is under way.
const bufferSize = 256 << 10

// spare is how many payloads may be written at the same time: one as it is stored, as it was sent,
// and as it would be served.
const spare = 3

// Pass scans the payloads of one reading, some at once. It is used by one goroutine, and stopped at
// last.
type Pass struct {
	s       *Scanner
	ctx     context.Context
	cancel  context.CancelFunc
	slots   chan struct{} // connections in use
	buffers chan []byte   // at rest
	working sync.WaitGroup
}

// Begin makes a Pass. It holds as many connections as Options says, and at least as many as
// payloads are written at the same time.
func (s *Scanner) Begin(ctx context.Context) *Pass {
	n := max(s.o.Connections, spare)
	p := &Pass{s: s, slots: make(chan struct{}, n), buffers: make(chan []byte, n+spare)}
	p.ctx, p.cancel = context.WithCancel(ctx)
	return p
}

// InHand is how many payloads the Pass has in hand at once, at most.
func (p *Pass) InHand() int { return cap(p.slots) }

// Stop ends what is under way, and waits for its end.
func (p *Pass) Stop() {
	p.cancel()
	p.working.Wait()
}

// Payload begins a payload. It is ended by Close or Cancel, and no more than three are open at the
// same time.
func (p *Pass) Payload() *Stream { return &Stream{pass: p} }

// buffer takes a buffer that is at rest, or makes one.
func (p *Pass) buffer() []byte {
	select {
	case b := <-p.buffers:
		return b[:0]
	default:
		return make([]byte, 0, 4<<10)
	}
}

func (p *Pass) rest(b []byte) {
	select {
	case p.buffers <- b:
	default:
	}
}

// take waits for a connection that may be used.
func (p *Pass) take() error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

func (p *Pass) give() { <-p.slots }
