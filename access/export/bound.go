package export

import (
	"fmt"
	"io"

	"quire/internal/humanize"
)

// LimitError says that an export would become larger than who asked for it allows.
type LimitError struct{ Limit int64 } // in bytes

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the export would be larger than the %s that are allowed here", humanize.Size(e.Limit))
}

// bound counts what is written, until its context ends.
type bound struct {
	ended          func() error
	limit, written int64 // in bytes; of limit 0 is any number
}

// take says that n bytes are to be written.
func (b *bound) take(n int) error {
	if err := b.ended(); err != nil {
		return err
	}
	if b.written += int64(n); b.limit > 0 && b.written > b.limit {
		return &LimitError{b.limit}
	}
	return nil
}

// Bounded gives a writer to what an export holds in Scratch for a time: what a few bytes unpack to
// must not fill the disk, there either.
func (o *Output) Bounded(w io.Writer) io.Writer { return &bounded{w, o.beside} }

type bounded struct {
	to    io.Writer
	bound *bound
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if err := b.bound.take(len(p)); err != nil {
		return 0, err
	}
	return b.to.Write(p)
}
