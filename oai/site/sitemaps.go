package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// maxSitemaps is the maximum number of sitemaps in an index (protocol 0.9), and also the total
// number read.
const maxSitemaps = 50_000

// sitemaps adds the resources in the site's own sitemap, or in the sitemaps of its index. If the
// configuration names no sitemap, a missing one is not an error.
func (c *scan) sitemaps(ctx context.Context, first string, mayLack bool) error {
	url, ok := c.urls.of(first, c.base())
	if !ok {
		c.incomplete(fmt.Sprintf("the sitemap %q is not on the site %s", first, c.urls.root))
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

// sitemap reads one sitemap and returns the sitemaps that it lists. Only the first may be an index.
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
		return nil, fmt.Errorf("the status is %d %s", a.status, http.StatusText(a.status))
	}
	elsewhere := 0
	err = readSitemap(a, func(e sitemapEntry) error {
		url, ok := c.urls.of(e.loc, nil)
		switch {
		case !ok && !c.urls.excluded(e.loc):
			elsewhere++
		case !ok:
		case e.sitemap && !index:
			return errors.New("a sitemap index must not contain another index")
		case e.sitemap:
			more = append(more, url)
		default:
			_, err := c.found.add(ctx, finding{url: url, evidence: evidenceOfEntry(e), depth: c.depth})
			return err
		}
		return nil
	})
	if elsewhere > 0 {
		c.problem(fmt.Sprintf("sitemap %s: %d of its URLs are not on the site %s: check that this is the "+
			"site's URL for visitors", url,
			elsewhere, c.urls.root))
	}
	return more, err
}

// evidenceOfEntry returns a value that is equal while the page is unchanged, or "". A date without
// a time is not enough, because a page can change twice a day.
func evidenceOfEntry(e sitemapEntry) string {
	if _, ok := lastmod(e.lastmod); !ok || len(e.lastmod) <= len("2006-01-02") {
		return ""
	}
	return "lastmod " + e.lastmod
}
