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

// The limits of following links. A site can generate endless pages, and most sites do somewhere,
// for example in a calendar.
const (
	maxLinkDepth = 64     // links from a seed
	maxLinks     = 50_000 // of one page
)

func isHTML(mime string) bool { return mime == "text/html" || mime == "application/xhtml+xml" }
func isCSS(mime string) bool  { return mime == "text/css" }

// base returns the URL for resolving relative URLs of seeds and in sitemaps.
func (c *scan) base() *weburl.URL { return parsed(c.urls.root) }

// parsed parses a URL, or returns nil.
func parsed(text string) *weburl.URL {
	u, err := weburl.Parse(text, nil, nil)
	if err != nil {
		return nil
	}
	return u
}

// links adds the links of a page or a style sheet within the site.
func (c *scan) links(ctx context.Context, it *finding, l look, body io.Reader) error {
	page := parsed(it.url)
	if page == nil {
		return nil // no relative URL can be resolved against such a URL
	}
	noFollow := !c.find.IgnoreRobots && forbidsLinks(l.robots)
	if noFollow {
		return nil
	}
	follow := c.follower(ctx, it)
	if isCSS(l.mime) {
		return c.cssLinks(page, body, follow)
	}
	s := htmllink.NewScanner(body, htmllink.Options{XML: l.mime == "application/xhtml+xml",
		NoFollow: !c.find.IgnoreRobots})
	s.Element = func(e *htmllink.Element) { noFollow = noFollow || !c.find.IgnoreRobots && metaForbidsLinks(e) }
	based := false
	for {
		link, err := s.Next()
		if err != nil {
			return c.linksEnd(it.url, err)
		}
		if noFollow { // the scanner reads the meta element before the links behind it
			return nil
		}
		switch link.Kind {
		case htmllink.Base:
			if u, err := weburl.Parse(string(link.Value), page, nil); err == nil && !based {
				page, based = u, true // only the first base element is used
			}
			continue
		case htmllink.Codebase, htmllink.Ping, htmllink.Form, htmllink.Fragment, htmllink.Profile, htmllink.Citation:
			continue
		}
		if link.Flags&(htmllink.Cut|htmllink.Duplicate|htmllink.NoFollow) != 0 {
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

// linksEnd reports why the reading of links ended early. A document that the scanners cannot read
// is treated as a document without links.
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

// follower returns a function that adds the links of one page, within the limits.
func (c *scan) follower(ctx context.Context, it *finding) func(text string, base *weburl.URL) (bool, error) {
	n := 0
	return func(text string, base *weburl.URL) (bool, error) {
		url, ok := c.urls.of(text, base)
		if !ok {
			return true, nil
		}
		if !c.robots.allow(url) {
			return true, nil
		}
		if n++; n > maxLinks {
			c.incomplete(fmt.Sprintf("%s has more than %d links: the rest is not followed", it.url, maxLinks))
			return false, nil
		}
		return c.follow(ctx, url, it.depth+1)
	}
}

// follow adds the target of a link.
func (c *scan) follow(ctx context.Context, url string, depth int) (bool, error) {
	n := c.linked.Add(1)
	if depth <= maxLinkDepth && n <= int64(c.find.Limit) {
		added, err := c.found.add(ctx, finding{url: url, depth: depth})
		if !added {
			c.linked.Add(-1) // already in the list
		}
		return true, err
	}
	c.linked.Add(-1)
	if c.bounded.CompareAndSwap(false, true) {
		c.incomplete(fmt.Sprintf("%s and others are not followed: the limits are %d resources, and %d "+
			"links from a seed", url, c.find.Limit, maxLinkDepth))
	}
	return true, nil
}
