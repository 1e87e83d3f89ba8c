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

// maxVouched limits the remembered verified payloads.
const maxVouched = 100_000

// verifiedPayload is a payload with a verified digest.
type verifiedPayload struct {
	pkg, container string
	version        int
	offset         int64
	digest         string
}

// verifyPayload verifies that a revisit's payload in another package has the digest that the revisit
// states. A package states the digests of its payloads itself (preserve/cdxj): that is sufficient
// for its own captures, but not for revisits in others. So the record is read once. A record that
// shares its member was already read for the index, because stored lines are not used for such
// records.
func (h *Holdings) verifyPayload(ctx context.Context, c *captures.Capture) error {
	p := c.Payload
	if p.Package == c.Package || c.Digest == "" || p.Stored <= 0 && len(p.Segments) == 0 {
		return nil
	}
	h.mu.RLock()
	known := h.packages[p.Package]
	v := verifiedPayload{pkg: p.Package, container: p.Container, offset: p.Offset, digest: c.Digest}
	if known != nil {
		v.version = int(known.head)
	}
	_, done := h.vouched[v]
	h.mu.RUnlock()
	if done {
		return nil
	}
	if len(p.Segments) > 0 {
		if err := h.verifyJoined(ctx, p, c.Digest); err != nil {
			return err
		}
		h.verified(v)
		return nil
	}
	err := h.readCopies(ctx, p, func(f *os.File) error {
		defer func() { _ = f.Close() }() // only read
		record := stored.Alone(f, &stored.Place{Offset: p.Offset, Stored: p.Stored})
		digests, err := captures.Digests(ctx, struct {
			*disk.Counted
			seeker
		}{&disk.Counted{Ctx: ctx, From: record}, record}, f.Name())
		if err == nil && !slices.Contains(digests, c.Digest) {
			err = fmt.Errorf("the record at byte %d, with the payload digest %s by its package, %w: it has %q",
				p.Offset, c.Digest, stored.ErrOther, digests)
		}
		return err
	})
	if err != nil {
		return err
	}
	h.verified(v)
	return nil
}

// verified remembers a verified payload.
func (h *Holdings) verified(v verifiedPayload) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.vouched == nil || len(h.vouched) >= maxVouched {
		h.vouched = map[verifiedPayload]struct{}{}
	}
	h.vouched[v] = struct{}{}
}

// seeker is the seeking part of a file.
type seeker interface {
	Seek(offset int64, whence int) (int64, error)
}
