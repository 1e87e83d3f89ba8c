package antivirus

import (
	"context"
	"sync"
)

// bufferSize is how much of a payload is held, in bytes. A payload that fits is sent in one piece,
// in parallel to the reading, and again if the connection breaks. A longer payload is held up to
// this size, and then streamed.
const bufferSize = 256 << 10

// spare is how many payloads may be written at the same time: one as stored, as sent, and as it
// would be served.
const spare = 3

// Pass scans the payloads of one reading, several at once. One goroutine uses it, and calls Stop at
// the end.
type Pass struct {
	s       *Scanner
	ctx     context.Context
	cancel  context.CancelFunc
	slots   chan struct{} // connections in use
	buffers chan []byte   // unused
	working sync.WaitGroup
}

// Begin returns a Pass. It has as many connections as Options states, but at least one for each
// payload that may be written at the same time.
func (s *Scanner) Begin(ctx context.Context) *Pass {
	n := max(s.o.Connections, spare)
	p := &Pass{s: s, slots: make(chan struct{}, n), buffers: make(chan []byte, n+spare)}
	p.ctx, p.cancel = context.WithCancel(ctx)
	return p
}

// InHand returns the greatest number of payloads that the Pass scans at once.
func (p *Pass) InHand() int { return cap(p.slots) }

// Stop cancels the running scans, and waits for their end.
func (p *Pass) Stop() {
	p.cancel()
	p.working.Wait()
}

// Payload begins a payload. The caller ends it with Close or Cancel; at most three may be open at
// the same time.
func (p *Pass) Payload() *Stream { return &Stream{pass: p} }

// buffer returns an unused buffer, or makes one.
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

// acquire waits for a free connection.
func (p *Pass) acquire() error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

func (p *Pass) release() { <-p.slots }
