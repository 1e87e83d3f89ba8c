package holdings

import (
	"context"
	"encoding/hex"

	"quire/holdings/captures"
)

// Lines yields the lines of a container, of any version of a package (see [captures.Index.Stored]).
func (h *Holdings) Lines(ctx context.Context, c *captures.Container, line func(*captures.Line) error) error {
	return h.index.Stored(h.store, nil, h.problem)(ctx, c, line)
}

// stockedAs reports whether the captures of a version are in the index.
func (p *pkg) stockedAs(inventory string) bool {
	return p != nil && p.notified && p.trouble() == nil && p.inventory == inventoryOf(inventory)
}

// HasIndexed reports whether the index has all captures of a package version that a list of records
// needs. inventory identifies the version. left has the numbers of captures without a line, by
// reason.
func (h *Holdings) HasIndexed(ctx context.Context, id, inventory string) (left map[string]int64, ok bool, err error) {
	if p := h.known(id); !p.stockedAs(inventory) {
		return nil, false, nil
	}
	in, err := h.index.Containers(ctx, id)
	left = map[string]int64{}
	for i := range in {
		for why, n := range in[i].Left {
			left[why] += n
		}
	}
	return left, sufficient(in), err
}

// HasPayload reports whether a record of the repository has the payload of a digest, as stated by
// its package.
func (h *Holdings) HasPayload(ctx context.Context, digest string) (bool, error) {
	for _, err := range h.index.Holders(ctx, digest) {
		return err == nil, err
	}
	return false, nil
}

// Indexed returns the indexed packages, each with a text that changes with its content; "" if its
// content is unknown at the moment.
func (h *Holdings) Indexed(ctx context.Context) (map[string]string, error) {
	if err := h.follower.Await(ctx, func() bool { return h.follower.Shown() > 0 }); err != nil {
		return nil, err
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	all := map[string]string{}
	for id, p := range h.packages {
		switch {
		case p.notified && p.trouble() == nil:
			all[id] = hex.EncodeToString(p.inventory[:])
		case !p.isCollection:
			all[id] = ""
		}
	}
	return all, nil
}
