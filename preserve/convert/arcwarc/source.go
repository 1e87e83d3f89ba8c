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

// tap sits on a file and digests each of its bytes once, even when the readers above go back to
// search a damaged stretch.
type tap struct {
	ctx      context.Context
	file     io.Reader
	at, high int64 // next byte; bytes digested so far
	sum      hash.Hash
	copyTo   io.Writer // gets what is digested; may be nil
}

// seekTap is the tap of a file in which one can go back.
type seekTap struct{ *tap }

// newTap makes a tap of a file. copyTo gets each of its bytes once and in order; it may be nil.
func newTap(ctx context.Context, file io.Reader, copyTo io.Writer) *tap {
	return &tap{ctx: ctx, file: file, sum: sha512.New(), copyTo: copyTo}
}

// reader is what the readers above read from: they look whether it is an io.Seeker.
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
		_, _ = t.sum.Write(p[int64(n)-fresh : n]) // a hash takes everything
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

// Seek implements io.Seeker. Readers count from where the file stood when they got it, and so do
// they seek.
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

// finish reads what nobody asked for, so that size and digest are of the whole file.
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

// plain reads the inflated bytes of a file as the reader of records does: over damaged members,
// which it counts.
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
