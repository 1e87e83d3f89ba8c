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

// sitemapNamespace is that of sitemaps.org's protocol 0.9, in documents that say one.
const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// The bounds of a sitemap: the protocol allows 50 MiB, not compressed, and 50,000 entries, and of
// more nobody needs to read on.
const (
	maxSitemapBytes   = 50 << 20
	maxSitemapEntries = 50_000
)

// errSitemapLong says that a sitemap is longer than the protocol allows.
var errSitemapLong = fmt.Errorf("it is longer than the %d MiB or %d entries that a sitemap may have",
	maxSitemapBytes>>20, maxSitemapEntries)

// sitemapEntry is one entry of a sitemap, or of an index of sitemaps.
type sitemapEntry struct {
	loc     string
	lastmod string // as it stands there, without blanks
	sitemap bool   // it is a sitemap
}

// readSitemap reads a sitemap or an index of sitemaps, compressed or not, entry by entry. What is
// of other vocabularies is passed over.
func readSitemap(in io.Reader, visit func(sitemapEntry) error) error {
	return readSitemapOf(in, maxSitemapBytes, visit)
}

// readSitemapOf reads one of so many bytes at most.
func readSitemapOf(in io.Reader, most int64, visit func(sitemapEntry) error) error {
	buffered := bufio.NewReader(in)
	in = buffered
	// a shorter one is none, and the parser says what it is
	if magic, _ := buffered.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return err
		}
		in = z
	}
	unpacked := bufio.NewReader(in)
	if mark, _ := unpacked.Peek(3); string(mark) == "\ufeff" { // likewise
		_, _ = unpacked.Discard(3) // which were there
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
	case root.Space != "" && !strings.Contains(root.Space, "sitemap"): // old ones have Google's namespace
		return r.Errorf("%s is no sitemap, nor an index of sitemaps", root.Local)
	case root.Local == "urlset":
		entry = "url"
	case root.Local == "sitemapindex":
		entry = "sitemap"
	default:
		return r.Errorf("%s is no sitemap, nor an index of sitemaps", root.Local)
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

// w3cDates are the forms of lastmod (W3C, Date and Time Formats), the most exact first.
var w3cDates = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", time.DateOnly, "2006-01", "2006"}

// lastmod reads the date of an entry; false where it is none.
func lastmod(s string) (time.Time, bool) {
	for _, form := range w3cDates {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// errNoSitemap says that there is none.
var errNoSitemap = errors.New("there is no sitemap")
