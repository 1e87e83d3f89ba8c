package holdings

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // the digest of web archives
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"quire/format/warc"
	"quire/holdings/captures"
	"quire/repository/stored"
)

// joined opens the content of a segmented record. Small parts are verified when they are opened, and
// with compared all parts: so a damaged copy is skipped. A large part ends with an error if it is damaged.
func (h *Holdings) joined(ctx context.Context, out *Content, c *captures.Capture, p *captures.Place,
	compared bool) error {
	r, err := h.openJoined(ctx, p, compared)
	if err != nil {
		return err
	}
	at, err := p.At("")
	if err != nil {
		return errors.Join(err, r.Close())
	}
	if compared && at.Body > small { // a part may be damaged behind others that were served
		if _, err = io.Copy(io.Discard, r); err == nil {
			err = r.Close()
		} else {
			err = errors.Join(err, r.Close())
		}
		if err != nil {
			return err
		}
		if r, err = h.openJoined(ctx, p, compared); err != nil {
			return err
		}
	}
	out.take(r, c)
	return out.hold(r, &at, &bytes.Buffer{})
}

// openJoined opens the parts of a segmented record as one record.
func (h *Holdings) openJoined(ctx context.Context, p *captures.Place, verify bool) (*stored.Record, error) {
	return p.Join("", func(part *captures.Place) (rec *stored.Record, err error) {
		at, err := part.At("")
		if err != nil {
			return nil, err
		}
		open := stored.Opened
		if verify || at.Body <= small {
			open = stored.Verified
		}
		err = h.readCopies(ctx, part, func(f *os.File) error {
			rec, err = open(ctx, f, &at)
			return err
		})
		return rec, err
	})
}

// verifyJoined verifies that the payload of a segmented record has the digest that a revisit states.
func (h *Holdings) verifyJoined(ctx context.Context, p *captures.Place, digest string) error {
	r, err := h.openJoined(ctx, p, true)
	if err != nil {
		return err
	}
	sum1, sum256 := sha1.New(), sha256.New() //nolint:gosec // as above
	_, err = io.Copy(io.MultiWriter(sum1, sum256), r)
	if err = errors.Join(err, r.Close()); err != nil {
		return err
	}
	digests := []string{warc.FormatDigest("sha1", sum1.Sum(nil)), warc.FormatDigest("sha256", sum256.Sum(nil))}
	if !slices.Contains(digests, digest) {
		return fmt.Errorf("the record at byte %d, with the payload digest %s by its package, %w: it has %q",
			p.Offset, digest, stored.ErrOther, digests)
	}
	return nil
}
