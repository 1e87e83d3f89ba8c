package inspect

import (
	"context"
	"encoding/hex"
	"io"
)

// tap passes each byte of the file to the onlookers, once and in order, even when its readers go
// back to search a damaged stretch.
type tap struct {
	ctx       context.Context
	file      io.ReadSeeker
	at, high  int64 // next byte; end of the bytes passed on
	onlookers *onlookers
	copyErr   error
}

func newTap(ctx context.Context, file io.ReadSeeker, o Options) *tap {
	return &tap{ctx: ctx, file: file, onlookers: newOnlookers(o)}
}

// Read implements io.Reader.
func (t *tap) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	if t.copyFailed(); t.copyErr != nil {
		return 0, t.copyErr
	}
	n, err := t.file.Read(p)
	if fresh := t.at + int64(n) - t.high; fresh > 0 {
		t.onlookers.show(p[int64(n)-fresh : n])
		t.high += fresh
	}
	t.at += int64(n)
	if t.copyFailed(); t.copyErr != nil {
		return n, t.copyErr
	}
	return n, err
}

// copyFailed checks whether the copy has failed, which ends the pass.
func (t *tap) copyFailed() {
	select {
	case t.copyErr = <-t.onlookers.failed:
	default:
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

// finish reads the rest of the file, so that digest and copy cover the whole, and waits for them.
func (t *tap) finish() error {
	if t.at < t.high {
		if _, err := t.Seek(t.high, io.SeekStart); err != nil {
			return err
		}
	}
	if _, err := io.Copy(io.Discard, struct{ io.Reader }{t}); err != nil {
		return err
	}
	t.onlookers.close()
	t.copyFailed()
	if t.copyErr != nil {
		return t.copyErr
	}
	return t.ctx.Err() // a slow onlooker may have cancelled after the last byte was read
}

// sum returns the SHA-512 of the file, after finish.
func (t *tap) sum() string { return hex.EncodeToString(t.onlookers.sha512.Sum(nil)) }
