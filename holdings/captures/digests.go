package captures

import (
	"context"
	"io"

	"quire/preserve/capturelines"
	"quire/preserve/inspect"
)

// Digests reads the one record that r holds, in a pass like that over a container, and gives the digests by which its payload is known:
// those that were computed, and the stated one where a reading of the payload has it. Name is told in errors.
func Digests(ctx context.Context, r io.ReadSeeker, name string) (digests []string, err error) {
	m := capturelines.NewMaker("")
	defer func() { _ = m.Close() }() // nothing in it is wanted any more
	if err := m.Begin(); err != nil {
		return nil, err
	}
	if _, err := inspect.Reader(ctx, r, m.Options(inspect.Options{Name: name, MaxFindings: -1})); err != nil {
		return nil, err
	}
	err = m.Each(func(l *capturelines.Line) error {
		digests = append(digests, l.Digests...)
		return nil
	})
	return digests, err
}
