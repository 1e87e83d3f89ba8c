package extract

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"quire/preserve/pages"
)

// Limits of the links kept of one page.
const (
	maxLinks     = 1000
	maxLinkBytes = 256 << 10 // of all
)

// scanners are readers of pages, for the next page.
var scanners = sync.Pool{New: func() any { return pages.New(pages.Options{}) }}

// Link is an address that a page links to.
type Link struct {
	URL string // absolute, on the web
	// Own marks an address without a host in the page: it leads to the host of the page, also where the
	// same bytes have another address.
	Own bool `json:",omitempty"`
}

// links keeps the addresses that a page links to, each once, sorted: of hyperlinks, frames and
// refreshes. Links to mail, scripts and data are left out.
func (t *Text) links(page []byte, c Content) {
	var found, pictures addresses
	o := pages.Options{ContentType: c.MIME, Language: c.Language, Link: found.keep}
	if c.Pictures {
		o.Embedded = func(l pages.Link) error {
			if !isPictureTag(page, l) {
				return nil
			}
			return pictures.keep(l)
		}
	}
	p, _ := scanners.Get().(*pages.Page)
	defer scanners.Put(p)
	p.Reset(o)
	_, _ = p.Write(page) // fails only with the error of keep
	declared, err := p.Close()
	if err != nil {
		return
	}
	resolver, own := declared.Resolver(c.URL), origin(c.URL)
	found.each(resolver, func(href []byte, url string) {
		t.Links = append(t.Links, Link{url, !namesHost(href) && origin(url) == own})
	})
	pictures.each(resolver, func(_ []byte, url string) { t.Pictures = append(t.Pictures, url) })
	slices.SortFunc(t.Links, func(a, b Link) int {
		if a.URL == b.URL && a.Own != b.Own {
			if a.Own {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.URL, b.URL)
	})
	t.Links = slices.CompactFunc(t.Links, func(a, b Link) bool { return a.URL == b.URL })
	slices.Sort(t.Pictures)
	t.Pictures = slices.Compact(t.Pictures)
}

// addresses are those of one kind in a page, as written.
type addresses struct {
	all  [][]byte
	size int
}

// keep keeps an address, up to a limit.
func (a *addresses) keep(l pages.Link) error {
	if !l.Cut && len(a.all) < 4*maxLinks && a.size < 2*maxLinkBytes {
		a.all, a.size = append(a.all, bytes.Clone(l.Href)), a.size+len(l.Href)
	}
	return nil
}

// each passes on the addresses on the web, up to a limit.
func (a *addresses) each(r *pages.Resolver, take func(href []byte, url string)) {
	size, taken := 0, 0
	for _, href := range a.all {
		to, ok := r.Resolve(href)
		if !ok || !isWeb(to.URL) || size+len(to.URL) > maxLinkBytes || taken >= maxLinks {
			continue
		}
		size, taken = size+len(to.URL), taken+1
		take(href, to.URL)
	}
}

// isPictureTag reports whether the tag of an embedded file is an img element.
func isPictureTag(page []byte, l pages.Link) bool {
	const tag = "<img"
	end := l.Begin + int64(len(tag))
	return l.Begin >= 0 && end <= int64(len(page)) && strings.EqualFold(string(page[l.Begin:end]), tag)
}

// namesHost reports whether an address has a host of its own.
func namesHost(href []byte) bool {
	href = bytes.TrimLeft(href, " \t\r\n\f")
	if bytes.HasPrefix(href, []byte("//")) {
		return true
	}
	scheme, _, ok := bytes.Cut(href, []byte(":"))
	return ok && len(bytes.Trim(scheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-")) == 0
}

// origin returns an address as far as the end of its host.
func origin(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest
}

// isWeb reports whether a link leads to a website.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "ftp://")
}
