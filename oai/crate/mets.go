package crate

import (
	"context"

	"quire/metadata/xmlstream"
	"quire/oai/provider"
	"quire/oai/resource"
)

func (d *Disseminator) writeMETS(_ context.Context, _ *resource.Resource, _ *xmlstream.Writer) error {
	return provider.ErrNoFormat
}
