package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// maxSitemaps is how many sitemaps an index may name (protocol 0.9), and so how many are read in
// all.
const maxSitemaps = 50_000

// sitemaps adds what the site's own sitemap names, or the sitemaps that its index names. Without
// one, a site of which nobody said that it has one is as whole.
func (c *scan) sitemaps(ctx context.Context, first string, mayLack bool) error {
	url, ok := c.urls.of(first, c.base())
	if !ok {
		c.incomplete(fmt.Sprintf("the sitemap %q is none of the site %s", first, c.urls.root))
		return nil
	}
	todo, seen := []string{url}, map[string]bool{url: true}
	for i := 0; i < len(todo); i++ {
		more, err := c.sitemap(ctx, todo[i], i == 0)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errNoSitemap) && i == 0 && mayLack:
			return nil
		case err != nil:
			c.incomplete(fmt.Sprintf("sitemap %s: %v", todo[i], err))
		}
		for _, url := range more {
			if !seen[url] && len(todo) < maxSitemaps {
				seen[url] = true
				todo = append(todo, url)
			}
		}
		if c.found.err != nil {
			return c.found.err
		}
	}
	return nil
}

// sitemap reads one, and gives those that it names; only the first may be an index.
func (c *scan) sitemap(ctx context.Context, url string, index bool) (more []string, err error) {
	a, err := c.asker.ask(ctx, http.MethodGet, url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = a.Close() }() // never fails
	switch {
	case a.status == http.StatusNotFound || a.status == http.StatusGone:
		return nil, errNoSitemap
	case a.status != http.StatusOK:
		return nil, fmt.Errorf("the answer is %d %s", a.status, http.StatusText(a.status))
	}
	elsewhere := 0
	err = readSitemap(a, func(e sitemapEntry) error {
		url, ok := c.urls.of(e.loc, nil)
		switch {
		case !ok && !c.urls.excluded(e.loc):
			elsewhere++
		case !ok:
		case e.sitemap && !index:
			return errors.New("an index of sitemaps names another index, which it may not")
		case e.sitemap:
			more = append(more, url)
		default:
			_, err := c.found.add(ctx, finding{url: url, evidence: evidenceOfEntry(e), depth: c.depth})
			return err
		}
		return nil
	})
	if elsewhere > 0 {
		c.problem(fmt.Sprintf("sitemap %s: %d of its URLs are none of the site %s: is that how visitors see it?", url,
			elsewhere, c.urls.root))
	}
	return more, err
}

// evidenceOfEntry is what stays as it is while a page does, if the sitemap says so at all. A day
// alone does not: a page can change twice in it.
func evidenceOfEntry(e sitemapEntry) string {
	if _, ok := lastmod(e.lastmod); !ok || len(e.lastmod) <= len("2006-01-02") {
		return ""
	}
	return "lastmod " + e.lastmod
}
