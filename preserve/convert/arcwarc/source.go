package arcwarc

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"hash"
	"io"

	"quire/format/inflate"
)

// tap digests each byte of a file once, even when its readers go back to search a damaged stretch.
type tap struct {
	ctx      context.Context
	file     io.Reader
	at, high int64 // next byte; end of the digested bytes
	sum      hash.Hash
	copyTo   io.Writer // receives the digested bytes; may be nil
}

// seekTap is the tap of a seekable file.
type seekTap struct{ *tap }

// newTap returns a tap of a file. copyTo receives each byte once and in order; it may be nil.
func newTap(ctx context.Context, file io.Reader, copyTo io.Writer) *tap {
	return &tap{ctx: ctx, file: file, sum: sha512.New(), copyTo: copyTo}
}

// reader returns the input for the readers, which check whether it is an io.Seeker.
func (t *tap) reader() io.Reader {
	if _, ok := t.file.(io.Seeker); ok {
		return seekTap{t}
	}
	return t
}

// Read implements io.Reader.
func (t *tap) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := t.file.Read(p)
	if fresh := t.at + int64(n) - t.high; fresh > 0 {
		_, _ = t.sum.Write(p[int64(n)-fresh : n]) // a hash never fails
		t.high += fresh
		if t.copyTo != nil {
			if _, copyErr := t.copyTo.Write(p[int64(n)-fresh : n]); copyErr != nil {
				return 0, copyErr
			}
		}
	}
	t.at += int64(n)
	return n, err
}

// Seek implements io.Seeker. Offsets count from the position of the file when the tap was made.
func (t seekTap) Seek(offset int64, whence int) (int64, error) {
	before, err := t.file.(io.Seeker).Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	at, err := t.file.(io.Seeker).Seek(offset, whence)
	if err == nil {
		t.at += at - before
	}
	return at, err
}

// finish reads the rest of the file, so that size and digest cover the whole.
func (t *tap) finish() (size int64, sum string, err error) {
	if t.at < t.high {
		if _, err := (seekTap{t}).Seek(t.high-t.at, io.SeekCurrent); err != nil {
			return 0, "", err
		}
	}
	if _, err := io.Copy(io.Discard, struct{ io.Reader }{t}); err != nil {
		return 0, "", err
	}
	return t.high, hex.EncodeToString(t.sum.Sum(nil)), nil
}

// plain reads the inflated bytes of a file. Like the record reader, it skips damaged members and
// counts them.
type plain struct {
	in      *inflate.Reader
	damaged int64
}

// Read implements io.Reader.
func (p *plain) Read(b []byte) (int, error) {
	for {
		n, err := p.in.Read(b)
		var damage *inflate.Damage
		if !errors.As(err, &damage) {
			return n, err
		}
		p.damaged++
		if err := p.in.Resume(); err != nil {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
}
