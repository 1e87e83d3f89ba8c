package cdxserver

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/format/cdx"
	"quire/holdings"
	"quire/holdings/captures"
)

// Exported counts the captures of a repository by the result of an export: exported, or omitted for
// a reason.
type Exported struct {
	Captures int64            `json:"captures"` // written
	Kept     map[string]int64 `json:"kept"`     // omitted, by verdict
	Lost     int64            `json:"lost"`     // omitted: no copy has the container
	// omitted: a segmented record, of which other programs would show the first part as the whole
	Segmented int64 `json:"segmented,omitempty"`
	// omitted: the reader may not know of them; only operators may
	Hidden int64 `json:"hidden"`
}

// summed is an archive that counts its captures, including hidden ones: *holdings.Holdings.
type summed interface {
	Summary(ctx context.Context) (*captures.Summary, error)
}

// Place returns the path of the file that holds a container.
type Place func(ctx context.Context, pkg, container string) (string, error)

// Export writes an index of the captures open to a reader, for other programs that read containers
// in place. form is "cdxj", for pywb and wabac.js, or "cdx", for OutbackCDX and OpenWayback. Lines
// are sorted by bytes (LC_ALL=C), as these programs require. The index holds no rights: changes of
// rights take effect only in the next export.
func Export(ctx context.Context, w io.Writer, h Holdings, who holdings.Reader, form string, place Place) (*Exported,
	error) {
	out, err := newWriter(w, form)
	if err != nil {
		return nil, err
	}
	done := &Exported{Kept: map[string]int64{}}
	seen := int64(0)
	places := map[string]string{} // of containers; "" if unavailable
	for c, err := range h.Captures(ctx, who, captures.Query{}) {
		if err != nil {
			return done, err
		}
		seen++
		if !c.Allowed {
			done.Kept[string(c.Verdict)]++
			continue
		}
		if len(c.Record.Segments) > 0 {
			done.Segmented++
			continue
		}
		at := c.Record.Package + "\x00" + c.Record.Container
		file, known := places[at]
		if !known {
			if file, err = place(ctx, c.Record.Package, c.Record.Container); err != nil {
				if ctx.Err() != nil {
					return done, ctx.Err()
				}
				file = ""
			}
			places[at] = file
		}
		if file == "" {
			done.Lost++
			continue
		}
		if err := out.Write(entryOf(c.Capture, file, form)); err != nil {
			return done, err
		}
		done.Captures++
	}
	if all, ok := h.(summed); ok {
		sum, err := all.Summary(ctx)
		if err != nil {
			return done, err
		}
		done.Hidden = max(0, sum.Captures-seen)
	}
	return done, out.Close()
}

func newWriter(w io.Writer, form string) (*cdx.Writer, error) {
	switch form {
	case "cdxj":
		return cdx.NewJSONWriter(w, false), nil
	case "cdx":
		return cdx.NewWriter(w, cdx.Legend11)
	}
	return nil, fmt.Errorf("%q is not an index form: use cdxj or cdx", form)
}

// entryOf converts a capture to the line of other programs. It percent-encodes bytes that their
// form cannot hold.
func entryOf(c *captures.Capture, file, form string) cdx.Entry {
	e := cdx.Entry{Key: c.Key, URL: safe(c.URL), Timestamp: c.Timestamp, MIME: valueOf("mime", c), Status: c.Status,
		Digest: valueOf("digest", c),
		Length: c.Record.Stored, Offset: c.Record.Offset, File: file}
	if form == "cdx" { // pywb mistakes a redirect in CDXJ for a self-redirect
		e.Redirect, e.File = safe(c.Location), safe(file)
	} else if c.Method != "" {
		e.Extra = append(e.Extra, cdx.Extra{Name: "method", Value: c.Method})
	}
	return e
}

func safe(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !slices.ContainsFunc([]byte(s), func(b byte) bool { return b <= ' ' || b == 0x7f }) {
		return s
	}
	return string(appendColumn(nil, s))
}
