package site

import (
	"context"
	"errors"
	"fmt"
	"io"

	"quire/format/csslink"
	"quire/format/htmllink"
	"quire/format/weburl"
)

// The bounds of following links. A site can make pages without end, and most sites do somewhere: a
// calendar is enough.
const (
	maxLinkDepth = 64     // links from a seed
	maxLinks     = 50_000 // of one page
)

func isHTML(mime string) bool { return mime == "text/html" || mime == "application/xhtml+xml" }
func isCSS(mime string) bool  { return mime == "text/css" }

// base is the URL that seeds and sitemaps are relative to.
func (c *scan) base() *weburl.URL { return parsed(c.urls.root) }

// parsed reads a URL; nil when it is none.
func parsed(text string) *weburl.URL {
	u, err := weburl.Parse(text, nil, nil)
	if err != nil {
		return nil
	}
	return u
}

// links adds what a page or a style sheet links to, within the site.
func (c *scan) links(ctx context.Context, it *finding, l look, body io.Reader) error {
	page := parsed(it.url)
	if page == nil {
		return nil // of such a URL nothing is relative
	}
	follow := c.follower(ctx, it)
	if isCSS(l.mime) {
		return c.cssLinks(page, body, follow)
	}
	s := htmllink.NewScanner(body, htmllink.Options{XML: l.mime == "application/xhtml+xml"})
	based := false
	for {
		link, err := s.Next()
		if err != nil {
			return c.linksEnd(it.url, err)
		}
		switch link.Kind {
		case htmllink.Base:
			if u, err := weburl.Parse(string(link.Value), page, nil); err == nil && !based {
				page, based = u, true // the first one counts
			}
			continue
		case htmllink.Codebase, htmllink.Ping, htmllink.Form, htmllink.Fragment, htmllink.Profile, htmllink.Citation:
			continue
		}
		if link.Flags&(htmllink.Cut|htmllink.Duplicate) != 0 {
			continue
		}
		if more, err := follow(string(link.Value), page); err != nil || !more {
			return err
		}
	}
}

func (c *scan) cssLinks(page *weburl.URL, body io.Reader, follow func(string, *weburl.URL) (bool, error)) error {
	s := csslink.NewScanner(body)
	for {
		link, err := s.Next()
		if err != nil {
			return c.linksEnd(page.String(), err)
		}
		if link.Cut {
			continue
		}
		if more, err := follow(string(link.Value), page); err != nil || !more {
			return err
		}
	}
}

// linksEnd tells why there are no more links. What the scanners do not read has none that we know
// of.
func (c *scan) linksEnd(url string, err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, htmllink.ErrUTF16), errors.Is(err, csslink.ErrUTF16):
		c.problem(fmt.Sprintf("%s: its links are not followed: %v", url, err))
		return nil
	}
	c.incomplete(fmt.Sprintf("%s: %v", url, err))
	return nil
}

// follower adds the links of one page, up to the bounds.
func (c *scan) follower(ctx context.Context, it *finding) func(text string, base *weburl.URL) (bool, error) {
	n := 0
	return func(text string, base *weburl.URL) (bool, error) {
		url, ok := c.urls.of(text, base)
		if !ok {
			return true, nil
		}
		if n++; n > maxLinks {
			c.incomplete(fmt.Sprintf("%s has more than %d links: the others are not followed", it.url, maxLinks))
			return false, nil
		}
		return c.follow(ctx, url, it.depth+1)
	}
}

// follow adds what a link leads to.
func (c *scan) follow(ctx context.Context, url string, depth int) (bool, error) {
	n := c.linked.Add(1)
	if depth <= maxLinkDepth && n <= int64(c.find.Limit) {
		added, err := c.found.add(ctx, finding{url: url, depth: depth})
		if !added {
			c.linked.Add(-1) // it was found already
		}
		return true, err
	}
	c.linked.Add(-1)
	if c.bounded.CompareAndSwap(false, true) {
		c.incomplete(fmt.Sprintf("%s is not followed, and others: following links ends at %d resources, and %d links "+
			"from a seed", url, c.find.Limit, maxLinkDepth))
	}
	return true, nil
}
