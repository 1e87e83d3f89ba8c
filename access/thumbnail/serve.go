package thumbnail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
)

// empty is the picture for a capture without a thumbnail: a sheet with lines, in a gray that is seen
// on light and on dark pages.
const empty = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200" viewBox="0 0 320 200">` +
	`<g fill="none" stroke="#808080" stroke-opacity=".45" stroke-width="4"><path d="M122 48h56l20 20v84h-76z"/>` +
	`<path d="M136 84h48M136 104h48M136 124h30"/></g></svg>`

// Serve answers a request for the thumbnail of a capture. Captures that the reader may not see are
// reported as missing, like captures that do not exist. For a capture without a thumbnail, the answer
// is a drawn sheet.
func (t *Thumbnails) Serve(w http.ResponseWriter, r *http.Request, who holdings.Reader, at address.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, no-cache") // rights change, and differ by reader
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	content, err := t.at(r.Context(), who, at)
	kind := "image/jpeg"
	switch {
	case errors.Is(err, captures.ErrNotFound):
		h.Set("Cache-Control", "no-store")
		http.Error(w, "no such thumbnail", http.StatusNotFound)
		return
	case errors.Is(err, ErrLater), errors.Is(err, ErrNone):
		h.Set("Cache-Control", "no-store")
		kind, content = "image/svg+xml", []byte(empty)
	case r.Context().Err() != nil: // the reader has gone
		return
	case err != nil:
		h.Set("Cache-Control", "no-store")
		if t.options.Problem != nil {
			t.options.Problem(fmt.Errorf("the thumbnail of %s of %s: %w", at.URL, at.Timestamp, err))
		}
		http.Error(w, "the thumbnail cannot be read", http.StatusInternalServerError)
		return
	default:
		sum := sha256.Sum256(content)
		tag := `"` + hex.EncodeToString(sum[:12]) + `"`
		h.Set("ETag", tag)
		if IsDrawn(content) {
			kind = "image/svg+xml"
			h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		}
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(content) // the reader may have gone
	}
}

// at returns the thumbnail of a capture at exactly this second.
func (t *Thumbnails) at(ctx context.Context, who holdings.Reader, at address.Request) ([]byte, error) {
	packages, known := t.h.InCollection(at.In.Collection)
	if !known || len(at.Timestamp) != 14 {
		return nil, captures.ErrNotFound
	}
	q := captures.Query{URL: at.URL, From: at.Timestamp, To: at.Timestamp, Packages: packages}
	var best *captures.Capture
	n := 0
	for c, err := range t.h.Captures(ctx, who, q) {
		if err != nil {
			return nil, err
		}
		// The same second may have the redirect from http:, too.
		if c.Allowed && (best == nil || worth(c.Capture, at.URL) > worth(best, at.URL)) {
			own := *c.Capture
			best = &own
		}
		if n++; n == maxTried {
			break
		}
	}
	if best == nil {
		return nil, captures.ErrNotFound
	}
	return t.Of(ctx, who, packages, best)
}

// worth ranks the captures of one second: those with content first, then those with this very URL.
func worth(c *captures.Capture, url string) (n int) {
	if c.Status == 0 || c.Status >= 200 && c.Status < 300 {
		n = 2
	}
	if c.URL == url {
		n++
	}
	return n
}
