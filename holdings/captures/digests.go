package captures

import (
	"context"
	"io"
)

// Digests reads the one record that r holds, in a pass like that over a container, and gives the
// digests by which its payload is known: those that were computed, and the stated one where a
// reading of the payload has it. Name is told in errors.
func Digests(ctx context.Context, r io.ReadSeeker, name string) (digests []string, err error) {
	err = Read(ctx, r, &Container{Path: name}, nil, func(l *Line) error {
		digests = append(digests, l.Digests...)
		return nil
	})
	return digests, err
}
