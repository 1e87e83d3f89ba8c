package disk

import (
	"context"
	"io"
)

// Counted reads until the context ends, and reports its progress.
type Counted struct {
	Ctx      context.Context
	From     io.Reader
	Progress func(bytes int64) // may be nil
}

// Read implements io.Reader.
func (c *Counted) Read(p []byte) (int, error) {
	if err := c.Ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.From.Read(p)
	if c.Progress != nil {
		c.Progress(int64(n))
	}
	return n, err
}
