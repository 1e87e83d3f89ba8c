package holdings

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"quire/holdings/captures"
	"quire/model"
	"quire/repository/store"
)

// QuarantinePassword is the password of the ZIP files of infected bytestreams: the usual one for
// exchanging malware. It prevents accidental execution, and removal by scanners in transit; it
// protects no secret.
const QuarantinePassword = "infected"

// ErrNotInfected reports that a capture has no known infection, so it needs no wrapping.
var ErrNotInfected = errors.New("no infection is known: read it normally")

// Quarantined writes an infected bytestream to w, safely wrapped: a ZIP file with capture.json, and
// with payload.bin under [QuarantinePassword] (docs/reference/530_access-rules.md). It is only for
// curators who assess virus findings; others get a *[DeniedError]. The export is first recorded as
// an event in the log of the package; if that fails, nothing is written.
func (h *Holdings) Quarantined(ctx context.Context, who Reader, c *captures.Capture, w io.Writer) error {
	if err := h.current(ctx); err != nil {
		return err
	}
	d := h.Judge(who, c)
	switch {
	case d.Hidden:
		return fmt.Errorf("%s of %s: %w", c.URL, c.Timestamp, captures.ErrNotFound)
	case who.In(c.Package) != Staff || !d.Infected && !d.Allowed:
		return &DeniedError{Decision: d}
	case !d.Infected:
		return fmt.Errorf("%s of %s: %w", c.URL, c.Timestamp, ErrNotInfected)
	}
	size, sum, err := h.measure(ctx, c)
	if err != nil {
		return err
	}
	_, err = h.store.Record(ctx, c.Package, store.Action{
		Type: model.Dissemination, By: who.Name,
		Detail: fmt.Sprintf("an infected bytestream was taken out, wrapped: %s, captured %s", shortened(c.URL),
			c.Timestamp),
		Notes: []string{fmt.Sprintf("%s, record %d, %d bytes", c.Record.Container, c.Record.Order, size), d.Why},
	})
	if err != nil {
		return fmt.Errorf("export refused, because its event cannot be recorded: %w", err)
	}
	return h.wrap(ctx, c, &d, size, sum, w)
}

// shortened truncates a text to a limit.
func shortened(s string) string {
	const most = 500
	if len(s) > most {
		return s[:most] + " …"
	}
	return s
}

// measure reads a payload once, to verify it before export.
func (h *Holdings) measure(ctx context.Context, c *captures.Capture) (size int64, sum uint32, err error) {
	content, err := h.content(ctx, c, false)
	if err != nil {
		return 0, 0, err
	}
	crc := crc32.NewIEEE()
	size, err = io.Copy(crc, content.Body)
	return size, crc.Sum32(), errors.Join(err, content.Body.Close())
}

// wrap writes the ZIP file.
func (h *Holdings) wrap(ctx context.Context, c *captures.Capture, d *Decision, size int64, sum uint32,
	w io.Writer) error {
	z := zip.NewWriter(w)
	now := h.options.Now()
	about, err := z.CreateHeader(&zip.FileHeader{Name: "capture.json", Method: zip.Deflate, Modified: now})
	if err != nil {
		return err
	}
	e := json.NewEncoder(about)
	e.SetIndent("", "  ")
	err = e.Encode(map[string]any{
		"url": c.URL, "timestamp": c.Timestamp, "type": c.Type, "media_type": c.MIME, "status": c.Status,
		"digest": c.Digest, "package": c.Package,
		"container": c.Record.Container, "record": c.Record.Order, "bytes": size, "why": d.Why,
		"taken_out": now.UTC().Format(time.RFC3339),
		"payload.bin": "the payload as captured, in its content codings; encrypted as ZIP files are (PKWARE), with " +
			"the password " + QuarantinePassword,
	})
	if err != nil {
		return err
	}
	content, err := h.content(ctx, c, false)
	if err != nil {
		return err
	}
	err = encrypted(z, &zip.FileHeader{Name: "payload.bin", Method: zip.Store, Modified: now, CRC32: sum,
		UncompressedSize64: uint64(size)}, content.Body)
	if err = errors.Join(err, content.Body.Close()); err != nil {
		return err
	}
	return z.Close()
}
