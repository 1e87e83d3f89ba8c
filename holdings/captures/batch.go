package captures

import (
	"context"
)

// The bounds of one change of the index by a Batch. A change writes the list of all containers, so one for each
// package would be slow.
const (
	mostPackages = 256
	mostBytes    = 64 << 20 // of containers
)

// Batch adds packages to an index, many in each change.
type Batch struct {
	Index *Index
	Read  Reading
	// Added is called after each change, with its packages and the error of each.
	Added func(all []Addition, failed []error) error

	all   []Addition
	bytes int64
}

// Add adds a package, now or with later ones: see [Index.Add]. The error is one of Added.
func (b *Batch) Add(ctx context.Context, pkg string, containers []Container) error {
	b.all = append(b.all, Addition{pkg, containers})
	for i := range containers {
		b.bytes += containers[i].Size
	}
	if len(b.all) < mostPackages && b.bytes < mostBytes {
		return nil
	}
	return b.Flush(ctx)
}

// Flush adds the packages that wait. The error is one of Added, or of ctx.
func (b *Batch) Flush(ctx context.Context) error {
	all := b.all
	b.all, b.bytes = nil, 0
	if len(all) == 0 {
		return nil
	}
	failed := b.Index.AddAll(ctx, all, b.Read)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return b.Added(all, failed)
}
