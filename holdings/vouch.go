package holdings

import (
	"context"
	"fmt"
	"os"
	"slices"

	"quire/holdings/captures"
	"quire/internal/disk"
	"quire/repository/stored"
)

// maxVouched is how many payloads are remembered as looked at.
const maxVouched = 100_000

// vouched is a payload that was found to have a digest.
type vouched struct {
	pkg, container string
	version        int
	offset         int64
	digest         string
}

// vouch makes sure that the payload of a revisit has the digest that the revisit states, when it
// lies in another package. What the digests of payloads are, a package says of itself
// (preserve/cdxj): that is believed of what it holds, but not of what others stand for. So the
// record is read in a pass, once. A record that does not lie alone was read when it was indexed: no
// line says anything of it.
func (h *Holdings) vouch(ctx context.Context, c *captures.Capture) error {
	p := c.Payload
	if p.Package == c.Package || c.Digest == "" || p.Stored <= 0 {
		return nil
	}
	h.mu.RLock()
	known := h.packages[p.Package]
	v := vouched{pkg: p.Package, container: p.Container, offset: p.Offset, digest: c.Digest}
	if known != nil {
		v.version = known.card.Head
	}
	_, done := h.vouched[v]
	h.mu.RUnlock()
	if done {
		return nil
	}
	err := h.readCopies(ctx, p, func(f *os.File) error {
		defer func() { _ = f.Close() }() // it was only read
		record := stored.Alone(f, &stored.Place{Offset: p.Offset, Stored: p.Stored})
		digests, err := captures.Digests(ctx, struct {
			*disk.Counted
			seeker
		}{&disk.Counted{Ctx: ctx, From: record}, record}, f.Name())
		if err == nil && !slices.Contains(digests, c.Digest) {
			err = fmt.Errorf("the record at byte %d, of which the package says that its payload has the digest %s, "+
				"%w: it has %q", p.Offset, c.Digest, stored.ErrOther, digests)
		}
		return err
	})
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.vouched == nil || len(h.vouched) >= maxVouched {
		h.vouched = map[vouched]struct{}{}
	}
	h.vouched[v] = struct{}{}
	return nil
}

// seeker is the part of a file that goes elsewhere in it.
type seeker interface {
	Seek(offset int64, whence int) (int64, error)
}
