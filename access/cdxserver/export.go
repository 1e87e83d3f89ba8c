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

// Exported says what became of the captures of a repository.
type Exported struct {
	Captures int64            `json:"captures"` // written
	Kept     map[string]int64 `json:"kept"`     // not: by verdict
	Lost     int64            `json:"lost"`     // not: their container lies in no copy
	// not: the reader is not to know of them. Whoever runs the repository is
	Hidden int64 `json:"hidden"`
}

// summed is an archive that knows how many captures it has, hidden ones too: *holdings.Holdings.
type summed interface {
	Summary(ctx context.Context) (*captures.Summary, error)
}

// Place gives the path of the file in which a container lies.
type Place func(ctx context.Context, pkg, container string) (string, error)

// Export writes an index of what a reader may have, for other programs that read containers where
// they lie: form is "cdxj", for pywb and wabac.js, or "cdx", for OutbackCDX and OpenWayback. It is
// sorted as they want it (by bytes, LC_ALL=C). Whoever reads by it knows nothing of rights: what
// was written stays to be had until it is written again.
func Export(ctx context.Context, w io.Writer, h Holdings, who holdings.Reader, form string, place Place) (*Exported,
	error) {
	out, err := newWriter(w, form)
	if err != nil {
		return nil, err
	}
	done := &Exported{Kept: map[string]int64{}}
	seen := int64(0)
	places := map[string]string{} // of containers; "" is nowhere
	for c, err := range h.Captures(ctx, who, captures.Query{}) {
		if err != nil {
			return done, err
		}
		seen++
		if !c.Allowed {
			done.Kept[string(c.Verdict)]++
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
	return nil, fmt.Errorf("%q is no form of index: cdxj or cdx", form)
}

// entryOf is a capture as other programs want it. Bytes that their form cannot hold are
// percent-encoded.
func entryOf(c *captures.Capture, file, form string) cdx.Entry {
	e := cdx.Entry{Key: c.Key, URL: safe(c.URL), Timestamp: c.Timestamp, MIME: valueOf("mime", c), Status: c.Status,
		Digest: valueOf("digest", c),
		Length: c.Record.Stored, Offset: c.Record.Offset, File: file}
	if form == "cdx" { // pywb takes a redirect in CDXJ for one to itself
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
