package http1

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
)

// Message is a message read from a stream. It is the pull interface of this package.
type Message struct {
	Head       *Head         // nil if the message has no head, as in HTTP/0.9
	HeadLength int64         // in bytes: the offset of the first body byte
	Body       io.Reader     // the body as sent; read it or Payload, not both
	Faults     []fault.Fault // faults of the head and, as far as it is read, of Payload
}

// ReadMessage reads the head of a message from r. The body can be read until the caller closes r.
// For an empty stream, the error is io.EOF. For a stream without a head, it returns a Message
// without Head. Other errors come from r.
func ReadMessage(r io.Reader, kind Kind) (*Message, error) {
	m := &Message{}
	var body bytes.Buffer
	s := NewSplitter(kind, func(*Head) io.Writer { return &body })
	s.Report = m.add
	piece := make([]byte, 4096)
	var taken int64
	for !s.inBody {
		n, err := r.Read(piece)
		taken += int64(n)
		if _, werr := s.Write(piece[:n]); werr != nil {
			return nil, werr
		}
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("http1: reading the head: %w", err)
		case taken == 0:
			return nil, io.EOF
		default:
			if cerr := s.Close(); cerr != nil {
				return nil, cerr
			}
		}
	}
	m.Head, m.HeadLength = s.Head(), s.HeadLength()
	m.Body = io.MultiReader(&body, r)
	return m, nil
}

func (m *Message) add(f fault.Fault) { m.Faults = append(m.Faults, f) }

// Payload returns the body without its transfer framing, as [Payload] does. Reading ends with a
// [*ChunkError] instead of io.EOF if a chunked body cannot be decoded to its end.
func (m *Message) Payload() io.Reader {
	p := &payloadReader{body: m.Body, piece: make([]byte, 32<<10)}
	p.unframe = NewPayload(m.Head, &p.ready)
	p.unframe.Report = m.add
	return p
}

type payloadReader struct {
	body    io.Reader
	piece   []byte
	ready   bytes.Buffer
	unframe *Payload
	err     error
}

func (p *payloadReader) Read(b []byte) (int, error) {
	for p.ready.Len() == 0 && p.err == nil {
		p.fill()
	}
	if p.ready.Len() == 0 {
		return 0, p.err
	}
	return p.ready.Read(b)
}

func (p *payloadReader) fill() {
	n, err := p.body.Read(p.piece)
	if _, werr := p.unframe.Write(p.piece[:n]); werr != nil {
		p.err = werr
		return
	}
	if errors.Is(err, io.EOF) {
		if cerr := p.unframe.Close(); cerr != nil {
			err = cerr
		}
	}
	p.err = err
}
