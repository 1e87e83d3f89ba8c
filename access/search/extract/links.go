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
	var found [][]byte
	size := 0
	keep := func(l pages.Link) error {
		if !l.Cut && len(found) < 4*maxLinks && size < 2*maxLinkBytes {
			found, size = append(found, bytes.Clone(l.Href)), size+len(l.Href)
		}
		return nil
	}
	p, _ := scanners.Get().(*pages.Page)
	defer scanners.Put(p)
	p.Reset(pages.Options{ContentType: c.MIME, Language: c.Language, Link: keep})
	_, _ = p.Write(page) // fails only with the error of keep
	declared, err := p.Close()
	if err != nil {
		return
	}
	resolver, own := declared.Resolver(c.URL), origin(c.URL)
	size = 0
	for _, href := range found {
		to, ok := resolver.Resolve(href)
		if !ok || !isWeb(to.URL) || size+len(to.URL) > maxLinkBytes || len(t.Links) >= maxLinks {
			continue
		}
		size += len(to.URL)
		t.Links = append(t.Links, Link{to.URL, !namesHost(href) && origin(to.URL) == own})
	}
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
