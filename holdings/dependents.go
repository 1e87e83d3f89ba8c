package holdings

import (
	"context"

	"quire/holdings/captures"
)

// Dependents counts the revisits in other packages whose payload only this package has, by package. It
// reads all captures.
func (h *Holdings) Dependents(ctx context.Context, id string) (map[string]int64, error) {
	if err := h.Ready(ctx); err != nil {
		return nil, err
	}
	counts, elsewhere := map[string]int64{}, map[string]bool{}
	for _, unlisted := range []bool{false, true} {
		for c, err := range h.index.Captures(ctx, captures.Query{Unlisted: unlisted}) {
			if err != nil {
				return nil, err
			}
			if c.Package == id || c.Payload == nil || c.Payload.Package != id {
				continue
			}
			other, known := elsewhere[c.Digest]
			if !known && c.Digest != "" {
				if other, err = h.elsewhere(ctx, c.Digest, id); err != nil {
					return nil, err
				}
				elsewhere[c.Digest] = other
			}
			if !other {
				counts[c.Package]++
			}
		}
	}
	return counts, nil
}

// elsewhere reports whether a package beside one has a payload.
func (h *Holdings) elsewhere(ctx context.Context, digest, id string) (bool, error) {
	for c, err := range h.index.Holders(ctx, digest) {
		if err != nil || c.Package != id {
			return err == nil, err
		}
	}
	return false, nil
}

// Compact removes the lines of packages that are gone from the files of the index, and their points of entry, which
// have parts of their content.
func (h *Holdings) Compact(ctx context.Context) error {
	if err := h.Ready(ctx); err != nil {
		return err
	}
	if err := h.index.Sweep(ctx, h.store); err != nil {
		return err
	}
	if err := h.clearPoints(ctx); err != nil {
		return err
	}
	return h.index.Compact(ctx)
}
