package http1

import (
	"errors"
	"io"

	"quire/format/fault"
)

// Payload passes a body on without its transfer framing: the bytes of the WARC payload digest (WARC
// 1.1, 6.9, WARC-Payload-Digest). It removes the chunked coding if the head declares it and the
// body has it; it passes every other body on unchanged. Content codings (gzip, br) are part of the
// payload and stay.
type Payload struct {
	Report fault.Sink // receives the faults of the framing; may be nil

	sink    io.Writer
	chunks  Dechunker
	chunked bool // declared, and not yet disproved
	broken  bool
	err     error
}

// NewPayload returns a Payload for the body after h. h is nil if the message has no head.
func NewPayload(h *Head, sink io.Writer) *Payload {
	p := &Payload{}
	p.Reset(h, sink)
	return p
}

// Reset makes p ready for another body. Report and buffers stay.
func (p *Payload) Reset(h *Head, sink io.Writer) {
	p.sink, p.err, p.broken = sink, nil, false
	p.chunked = h != nil && h.Chunked()
	p.chunks.Reset(sink)
}

// Dechunked reports whether chunked framing was declared and found. The result is final after
// Close.
func (p *Payload) Dechunked() bool { return p.chunked }

// Write processes the next bytes of the raw body. It fails only if the sink fails; all later calls
// then fail too. After damage in the chunked coding, the rest of the body cannot be separated from
// framing. Write accepts these bytes but does not pass them on.
func (p *Payload) Write(b []byte) (int, error) {
	switch {
	case p.err != nil:
		return 0, p.err
	case p.broken:
		return len(b), nil
	case !p.chunked:
		return p.raw(b)
	}
	if _, err := p.chunks.Write(b); err != nil {
		return p.after(err, b)
	}
	return len(b), nil
}

// after continues after the chunked coding failed at b.
func (p *Payload) after(err error, b []byte) (int, error) {
	var not *NotChunkedError
	var damage *ChunkError
	switch {
	case errors.As(err, &not):
		p.chunked = false
		if _, err = p.raw(not.Prefix); err != nil {
			return 0, err
		}
		return p.raw(b)
	case errors.As(err, &damage):
		p.broken = true
		return len(b), nil
	}
	p.err = err
	return 0, err
}

// Close ends the body and reports the faults. It returns a [*ChunkError] if a chunked body could
// not be decoded to its end, or the error of the sink.
func (p *Payload) Close() error {
	if p.err != nil {
		return p.err
	}
	p.chunks.Report = p.Report
	err := p.chunks.Close()
	var not *NotChunkedError
	if !errors.As(err, &not) {
		return err
	}
	if p.chunked { // the body ended within a possible chunk size
		p.chunked = false
		_, err = p.raw(not.Prefix)
		return err
	}
	return nil
}

func (p *Payload) raw(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	n, err := p.sink.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	p.err = err
	return n, err
}

var _ io.WriteCloser = (*Payload)(nil)
