package holdings

import (
	"bytes"
	"context"
	"crypto/sha1" // #nosec G505 -- of WARC records
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"quire/format/warc"
	"quire/holdings/captures"
	"quire/internal/disk"
)

// Metadata is a metadata record about a capture, from the same container.
type Metadata struct {
	*warc.Header
	Block []byte
}

// The bounds of the metadata of one capture.
const (
	maxMetadata      = 1000     // records
	maxMetadataBytes = 64 << 20 // of their blocks
)

// ReadMetadata returns the metadata records that follow a capture in its container and are
// concurrent to it (WARC-Concurrent-To). It ends at the first other record, at one that wanted
// refuses, and at 1,000 records or 64 MiB; complete is false if these bounds left out a record. The
// records can reveal the content of the capture. They are closed to a reader to whom the capture is
// closed: the error is then a *DeniedError.
func (h *Holdings) ReadMetadata(ctx context.Context, who Reader, c *captures.Capture,
	wanted func(*warc.Header) bool) (all []Metadata, complete bool, err error) {
	if d := h.Judge(who, c); !d.Allowed {
		return nil, false, &DeniedError{Decision: d}
	}
	p := &c.Record
	if p.Stored <= 0 || c.ID == "" { // records share a member: none of those that harvests write
		return nil, true, nil
	}
	err = h.readCopies(ctx, p, func(f *os.File) (err error) {
		all, complete, err = following(ctx, f, p.Offset+p.Stored, c.ID, wanted)
		return errors.Join(err, f.Close())
	})
	return all, complete, err
}

// following reads the metadata records from an offset on.
func following(ctx context.Context, f *os.File, at int64, id string, wanted func(*warc.Header) bool) (all []Metadata,
	complete bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	r := warc.NewReader(&disk.Counted{Ctx: ctx, From: io.NewSectionReader(f, at, info.Size()-at)})
	defer func() { _ = r.Close() }() // only read
	room := int64(maxMetadataBytes)
	for {
		rec, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return all, true, nil
		case err != nil:
			return nil, false, err
		case rec.Type() != warc.TypeMetadata || !concurrent(rec, id) || !wanted(&rec.Header):
			return all, true, nil
		case len(all) == maxMetadata:
			return all, false, nil
		}
		block, err := io.ReadAll(io.LimitReader(rec, room+1))
		if err != nil {
			return nil, false, err
		}
		if room -= int64(len(block)); room < 0 {
			return all, false, nil
		}
		if err := intact(rec, block); err != nil {
			return nil, false, err
		}
		all = append(all, Metadata{Header: warc.ParseHeader(bytes.Clone(rec.Raw())), Block: block})
	}
}

// concurrent reports whether a record is concurrent to the record with an id.
func concurrent(rec *warc.Record, id string) bool {
	return slices.Contains(rec.ConcurrentTo(), id)
}

// intact compares a block with its length and with its digest, if that is a SHA-1.
func intact(rec *warc.Record, block []byte) error {
	sum := sha1.Sum(block) // #nosec G401 -- see above
	digest := rec.Get(warc.FieldBlockDigest)
	if len(digest) > 5 && digest[:5] == "sha1:" && digest != warc.FormatDigest("sha1", sum[:]) {
		return fmt.Errorf("the metadata record at byte %d differs from its digest", rec.Offset)
	}
	return nil
}
