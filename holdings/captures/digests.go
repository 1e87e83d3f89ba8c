package captures

import (
	"context"
	"io"
)

// Digests reads the single record in r, like the pass over a container, and returns the digests of
// its payload: the computed ones, and the stated one if it matches a reading of the payload. The
// name identifies the record in errors.
func Digests(ctx context.Context, r io.ReadSeeker, name string) (digests []string, err error) {
	err = Read(ctx, r, &Container{Path: name}, nil, func(l *Line) error {
		digests = append(digests, l.Digests...)
		return nil
	})
	return digests, err
}
