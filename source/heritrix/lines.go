package heritrix

import (
	"context"
	"errors"
	"io"

	"quire/internal/archivefs"
	"quire/internal/lines"
)

// scanLines visits the lines of a text, without line ends, with the offset of each, until visit
// returns false.
func scanLines(r io.Reader, visit func(line string, offset int64) bool) error {
	l := lines.NewReader(r)
	for l.Scan() {
		if !visit(string(l.Text), l.Offset) {
			return nil
		}
	}
	return l.Err()
}

// fileLines visits the lines of a file of the source.
func fileLines(ctx context.Context, t *archivefs.Tree, path string, visit func(line string, offset int64) bool) error {
	f, err := t.Open(path)
	if err != nil {
		return err
	}
	err = scanLines(f, func(line string, offset int64) bool { return ctx.Err() == nil && visit(line, offset) })
	return errors.Join(err, ctx.Err(), f.Close())
}
