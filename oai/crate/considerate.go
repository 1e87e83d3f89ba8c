package crate

import (
	"context"
	"io"

	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/site"
)

// considerate limits the making of records to a pace that visitors allow.
type considerate struct {
	provider.Backend
	visitors *site.Visitors
}

// Write implements provider.Backend.
func (c *considerate) Write(ctx context.Context, h protocol.Header, prefix string, out io.Writer) error {
	work, err := c.visitors.Begin(ctx)
	if err != nil {
		return err
	}
	defer work.Rest(ctx)
	return c.Backend.Write(ctx, h, prefix, out)
}
