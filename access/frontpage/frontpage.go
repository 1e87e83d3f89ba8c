package frontpage

import (
	"context"
	"iter"
	"net/url"
	"slices"
	"strings"

	"quire/access/lookup"
	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
)

// Archive is the source of captures: *holdings.Holdings.
type Archive interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Counts(ctx context.Context, who holdings.Reader, q captures.Query, by captures.Period) ([]holdings.Count, error)
	Stamp(ctx context.Context) (any, error)
}

// Limits of the search for a front page.
const (
	lookedThrough = 10_000 // captures of a package, if no address is recorded or captured
	seedsTried    = 10
)

// choose returns the addresses of the front pages of a package. If a wanted address redirects, its
// target counts.
func choose(ctx context.Context, a Archive, who holdings.Reader, pkg string, wanted []string) ([]string, error) {
	var all, captured []string
	for _, u := range wanted[:min(len(wanted), seedsTried)] {
		to, is, err := asFront(ctx, a, who, pkg, u)
		if err != nil {
			return nil, err
		}
		if is == noFront && to != "" {
			if to, is, err = asFront(ctx, a, who, pkg, to); err != nil {
				return nil, err
			}
		}
		switch is {
		case aPage:
			all = appendNew(all, to)
		case noPage:
			captured = appendNew(captured, u)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	front, err := firstPage(ctx, a, who, pkg, wanted)
	if front != "" || err != nil {
		return appendNew(nil, front), err
	}
	return captured, nil
}

func appendNew(all []string, u string) []string {
	if u = strings.TrimSpace(u); u == "" || slices.Contains(all, u) {
		return all
	}
	return append(all, u)
}

// The uses of an address as a front page, by its captures.
const (
	noFront = iota // not captured, or a redirect
	noPage         // captured, as something else
	aPage
)

// asFront looks whether an address was captured as a page. If it only redirects, at is the target.
func asFront(ctx context.Context, a Archive, who holdings.Reader, pkg, address string) (at string, is int, err error) {
	n := 0
	for c, err := range a.Captures(ctx, who, captures.Query{URL: address, Packages: []string{pkg}}) {
		if err != nil {
			return "", noFront, err
		}
		switch {
		case pageLike(&c):
			return address, aPage, nil
		case c.Allowed && c.Type != "revisit" && c.Status >= 300 && c.Status < 400:
			at = c.Location
		default:
			is = noPage
		}
		if n++; n == lookup.MaxExamined {
			break
		}
	}
	if at != "" {
		is = noFront
	}
	return at, is, nil
}

// pageLike reports whether a capture is a page with content: no picture, error or redirect, and no
// check that a content delivery network puts before a page. Closed captures count, as their
// addresses are listed.
func pageLike(c *holdings.Judged) bool {
	content := c.Type == "revisit" || c.Status < 300 || c.Status > 599 // other numbers are no status
	return content && extract.TypeOf(c.MIME, c.URL) == "page" && !strings.Contains(c.URL, "/cdn-cgi/")
}

// hostName returns the host of a URL, without a port.
func hostName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// host counts the pages of a host.
type host struct {
	pages       int
	first, when string
	open        bool
}

// firstPage returns the first captured page of the main host. This is the host of a seed, or else
// that with most pages; of equal ones, that whose page was captured first. Open pages come before
// closed ones.
func firstPage(ctx context.Context, a Archive, who holdings.Reader, pkg string, seeds []string) (string, error) {
	hosts := map[string]*host{}
	n := 0
	for c, err := range a.Captures(ctx, who, captures.Query{Packages: []string{pkg}}) {
		if err != nil {
			return "", err
		}
		if pageLike(&c) {
			h := hosts[c.Host()]
			if h == nil {
				h = &host{}
				hosts[c.Host()] = h
			}
			h.pages++
			if h.first == "" || c.Allowed && !h.open || c.Allowed == h.open && c.Timestamp < h.when {
				h.first, h.when, h.open = c.URL, c.Timestamp, c.Allowed
			}
		}
		if n++; n == lookedThrough {
			break
		}
	}
	for _, u := range seeds {
		if h := hosts[hostName(u)]; h != nil {
			return h.first, nil
		}
	}
	var best *host
	for _, h := range hosts {
		if best == nil || h.open && !best.open || h.open == best.open && (h.pages > best.pages ||
			h.pages == best.pages && h.when < best.when) {
			best = h
		}
	}
	if best == nil {
		return "", nil
	}
	return best.first, nil
}
