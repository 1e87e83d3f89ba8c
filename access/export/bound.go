package export

import (
	"fmt"
	"io"

	"quire/internal/humanize"
)

// LimitError reports that an export would exceed the caller's limit.
type LimitError struct{ Limit int64 } // in bytes

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the export would be larger than the limit of %s", humanize.Size(e.Limit))
}

// bound counts the written bytes. It returns an error if its limit is exceeded or its context has
// ended.
type bound struct {
	ended          func() error
	limit, written int64 // in bytes; limit 0 means none
}

// take adds n bytes to be written to the count.
func (b *bound) take(n int) error {
	if err := b.ended(); err != nil {
		return err
	}
	if b.written += int64(n); b.limit > 0 && b.written > b.limit {
		return &LimitError{b.limit}
	}
	return nil
}

// Bounded returns a writer for temporary data of an export in Scratch. Its limit protects the disk
// from decompression bombs.
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
