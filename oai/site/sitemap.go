package site

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/metadata/xmlstream"
)

// sitemapNamespace is the namespace of sitemaps.org's protocol 0.9. A document may lack it.
const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// The limits of a sitemap: the protocol allows 50 MiB, uncompressed, and 50,000 entries. More is
// not read.
const (
	maxSitemapBytes   = 50 << 20
	maxSitemapEntries = 50_000
)

// errSitemapLong means that a sitemap is longer than the protocol allows.
var errSitemapLong = fmt.Errorf("it is longer than the limit of %d MiB or %d entries",
	maxSitemapBytes>>20, maxSitemapEntries)

// sitemapEntry is one entry of a sitemap or of a sitemap index.
type sitemapEntry struct {
	loc     string
	lastmod string // as written, without spaces
	sitemap bool   // the entry is a sitemap
}

// readSitemap reads a sitemap or a sitemap index, compressed or not, entry by entry. It skips
// elements of other vocabularies.
func readSitemap(in io.Reader, visit func(sitemapEntry) error) error {
	return readSitemapOf(in, maxSitemapBytes, visit)
}

// readSitemapOf reads a sitemap up to a size limit.
func readSitemapOf(in io.Reader, most int64, visit func(sitemapEntry) error) error {
	buffered := bufio.NewReader(in)
	in = buffered
	// The parser reports a shorter file.
	if magic, _ := buffered.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return err
		}
		in = z
	}
	unpacked := bufio.NewReader(in)
	if mark, _ := unpacked.Peek(3); string(mark) == "\ufeff" { // likewise
		_, _ = unpacked.Discard(3) // already peeked
	}
	bounded := &io.LimitedReader{R: unpacked, N: most + 1}
	r := xmlstream.NewReader(bounded, xmlstream.Limits{Depth: 16, Token: 64 << 10})
	r.OnUnknown = func(string) {}
	root, err := r.Root()
	if err == nil {
		err = readEntries(r, root, visit)
	}
	if err == nil {
		err = r.Finish()
	}
	if bounded.N <= 0 {
		return errSitemapLong
	}
	return err
}

func readEntries(r *xmlstream.Reader, root xmlstream.Element, visit func(sitemapEntry) error) error {
	var entry string
	switch {
	case root.Space != "" && !strings.Contains(root.Space, "sitemap"): // old sitemaps have Google's namespace
		return r.Errorf("%s is neither a sitemap nor a sitemap index", root.Local)
	case root.Local == "urlset":
		entry = "url"
	case root.Local == "sitemapindex":
		entry = "sitemap"
	default:
		return r.Errorf("%s is neither a sitemap nor a sitemap index", root.Local)
	}
	n := 0
	return r.Each(func(e xmlstream.Element) error {
		if e.Space != root.Space || e.Local != entry {
			return r.Unknown()
		}
		if n++; n > maxSitemapEntries {
			return errSitemapLong
		}
		it := sitemapEntry{sitemap: entry == "sitemap"}
		err := r.Each(func(e xmlstream.Element) error {
			switch {
			case e.Space == root.Space && e.Local == "loc":
				return r.TextTo(&it.loc)
			case e.Space == root.Space && e.Local == "lastmod":
				return r.TextTo(&it.lastmod)
			}
			return r.Unknown()
		})
		if err != nil {
			return err
		}
		it.loc, it.lastmod = strings.TrimSpace(it.loc), strings.TrimSpace(it.lastmod)
		return visit(it)
	})
}

// w3cDates are the forms of lastmod (W3C, Date and Time Formats), the most precise first.
var w3cDates = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", time.DateOnly, "2006-01", "2006"}

// lastmod parses the date of an entry; it returns false if the date is invalid.
func lastmod(s string) (time.Time, bool) {
	for _, form := range w3cDates {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// errNoSitemap means that the site has no sitemap.
var errNoSitemap = errors.New("the sitemap does not exist")
