package httpblock

import (
	"bytes"
	"errors"
	"io"

	"quire/format/fault"
	"quire/format/http1"
)

// unframed reads a body without its chunked framing.
type unframed struct {
	body    io.Reader
	payload http1.Payload
	piece   []byte
	ready   bytes.Buffer
	err     error
}

func (u *unframed) reset(head *http1.Head, body io.Reader, report fault.Sink) {
	if u.piece == nil {
		u.piece = make([]byte, 16<<10)
	}
	u.body, u.err = body, nil
	u.ready.Reset()
	u.payload.Report = report
	u.payload.Reset(head, &u.ready)
}

// Read implements io.Reader.
func (u *unframed) Read(p []byte) (int, error) {
	for u.ready.Len() == 0 && u.err == nil {
		u.fill()
	}
	if u.ready.Len() == 0 {
		return 0, u.err
	}
	return u.ready.Read(p)
}

func (u *unframed) fill() {
	n, err := u.body.Read(u.piece)
	if _, werr := u.payload.Write(u.piece[:n]); werr != nil {
		u.err = werr
		return
	}
	switch {
	case errors.Is(err, io.EOF):
		if cerr := u.payload.Close(); cerr != nil {
			err = cerr
		}
	case errors.Is(err, io.ErrUnexpectedEOF): // the block is incomplete: this explains the error of the framing
		_ = u.payload.Close()
	}
	u.err = err
}
