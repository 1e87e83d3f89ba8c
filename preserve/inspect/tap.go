package inspect

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"io"
)

// tap sits on the file and shows each of its bytes, once and in order, to the container digest and to whoever wants a copy,
// even when the readers above it go back to search a damaged stretch again.
type tap struct {
	ctx      context.Context
	file     io.ReadSeeker
	at, high int64 // next byte; bytes shown so far
	sha512   hash.Hash
	copyTo   io.Writer
	progress func(bytes int64)
	copyErr  error
}

func newTap(ctx context.Context, file io.ReadSeeker, o Options) *tap {
	return &tap{ctx: ctx, file: file, sha512: sha512.New(), copyTo: o.CopyTo, progress: o.Progress}
}

// Read implements io.Reader.
func (t *tap) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	if t.copyErr != nil {
		return 0, t.copyErr
	}
	n, err := t.file.Read(p)
	if fresh := t.at + int64(n) - t.high; fresh > 0 {
		t.show(p[int64(n)-fresh : n])
	}
	t.at += int64(n)
	if t.copyErr != nil {
		return n, t.copyErr
	}
	return n, err
}

func (t *tap) show(fresh []byte) {
	t.sha512.Write(fresh) // a hash never fails
	t.high += int64(len(fresh))
	if t.copyTo != nil {
		_, t.copyErr = t.copyTo.Write(fresh)
	}
	if t.progress != nil {
		t.progress(int64(len(fresh)))
	}
}

// Seek implements io.Seeker.
func (t *tap) Seek(offset int64, whence int) (int64, error) {
	at, err := t.file.Seek(offset, whence)
	if err == nil {
		t.at = at
	}
	return at, err
}

// finish reads whatever was not asked for, so that digest and copy are of the whole file.
func (t *tap) finish() error {
	if t.at < t.high {
		if _, err := t.Seek(t.high, io.SeekStart); err != nil {
			return err
		}
	}
	_, err := io.Copy(io.Discard, struct{ io.Reader }{t})
	return err
}

func (t *tap) sum() string { return hex.EncodeToString(t.sha512.Sum(nil)) }
