package gzipmember

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"quire/format/deflate"
)

// Window is how far back the data of a member may refer, in inflated bytes.
const Window = deflate.Window

// unread holds inflated bytes that Read has not returned yet, after the bytes that the data may
// still refer to.
type unread struct {
	buf  []byte // made by the first Read
	at   int    // after the last inflated byte
	rest []byte // of buf, not returned yet
}

// Read returns the inflated bytes of the current member, and io.EOF at its end. If a member cannot
// be inflated or is cut off, Read returns all bytes before the damage and then a *Damage. A wrong
// checksum or size is a fault, not an error: the bytes are available.
func (r *Reader) Read(p []byte) (int, error) {
	u := &r.unread
	var err error
	if len(u.rest) == 0 {
		switch {
		case u.buf == nil:
			u.buf = make([]byte, 2*Window)
		case u.at == len(u.buf):
			u.at = copy(u.buf, u.buf[len(u.buf)-Window:])
		}
		var n int
		n, err = r.ReadInto(u.buf, u.at)
		u.rest = u.buf[u.at:][:n]
		u.at += n
	}
	n := copy(p, u.rest)
	if u.rest = u.rest[n:]; len(u.rest) > 0 {
		return n, nil // the error returns with the next call
	}
	return n, err
}

// ReadInto is like Read, into buf[at:], without copying. buf[:at] must end with the bytes of this
// member read so far: all of them, or the last Window bytes. A member begun with ReadInto must be
// read to its end with ReadInto.
func (r *Reader) ReadInto(buf []byte, at int) (int, error) {
	if r.state != inside {
		if r.err != nil {
			return 0, r.err
		}
		return 0, io.EOF
	}
	r.boundary = Boundary{}
	n, err := r.inflate(buf, at)
	fresh := buf[at : at+n]
	r.crc = crc32.Update(r.crc, crc32.IEEETable, fresh)
	r.member.Inflated += int64(n)
	r.content.Note(fresh)
	if err == nil {
		return n, nil
	}
	switch {
	case r.src.Err() != nil:
		return n, r.readError()
	case errors.Is(err, io.EOF):
		return n, r.finish()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, r.fail(damage(FaultTruncated, r.member.Offset,
			"the file ends within the member, after %d inflated bytes", r.member.Inflated))
	}
	return n, r.fail(damage(FaultDeflate, r.member.Offset,
		"the compressed data is corrupt before byte %d of the file, after %d inflated bytes", r.src.Offset(),
		r.member.Inflated))
}

// inflate inflates the bytes read ahead, and reads more only if they yield nothing.
func (r *Reader) inflate(buf []byte, at int) (int, error) {
	from := at - int(min(int64(at), r.member.Inflated)) // data never refers to bytes before the member
	for {
		src, err := r.src.Peek(r.src.Buffered())
		if err != nil {
			return 0, err
		}
		begin := r.src.Offset()
		n, used, err := r.decoder.Continue(buf[from:], at-from, src)
		if b, passed := r.decoder.Boundary(); passed {
			r.boundary = Boundary{Bits: 8*begin + b.Bits, Inflated: r.member.Inflated + int64(b.Out-(at-from))}
		}
		if _, err := r.src.Discard(used); err != nil {
			return n, err
		}
		switch {
		case err == nil:
			return n, io.EOF
		case errors.Is(err, deflate.ErrShortOutput), n > 0 && errors.Is(err, deflate.ErrTruncated):
			return n, nil
		case !errors.Is(err, deflate.ErrTruncated):
			return n, err
		}
		if err := r.readOn(); err != nil {
			return 0, err
		}
	}
}

// readOn reads more of the file after the few bytes that the decoder left unused. At the end of the
// file it skips them.
func (r *Reader) readOn() error {
	left := r.src.Buffered()
	_, err := r.src.Peek(left + 1)
	if !errors.Is(err, io.EOF) {
		return err
	}
	if _, err := r.src.Discard(left); err != nil {
		return fmt.Errorf("cannot skip the last bytes: %w", err)
	}
	return io.ErrUnexpectedEOF
}
