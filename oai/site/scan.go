package site

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// scan is one scan of the whole site.
type scan struct {
	*Site
	found *found
	first bool // no scan was completed before
	whole atomic.Bool

	aliases aliases // links of the folder that are not followed
	robots  robots  // rules for following links

	depth int // of resources from the folder and the sitemap: 1 if links are followed, otherwise -1

	linked  atomic.Int64 // resources found by following links
	bounded atomic.Bool  // the excess of the limit was reported
}

// Sizes of a scan.
const (
	batch   = 256 // looks stored at once
	workers = 4   // concurrent requests
)

// scan scans the site. Complete reports whether all sources of resources were readable.
func (s *Site) scan(ctx context.Context, first bool) (complete bool, err error) {
	f, err := newFound(ctx, s.index.db)
	if err != nil {
		return false, err
	}
	defer f.close()
	f.tell = func(n int64) {
		s.mu.Lock()
		s.status.Found = n
		s.mu.Unlock()
	}
	c := &scan{Site: s, found: f, first: first, depth: -1}
	c.whole.Store(true)
	if err := c.sources(ctx); err != nil {
		return false, err
	}
	if err := c.askAll(ctx); err != nil {
		return false, err
	}
	return c.whole.Load(), c.deleteMissing(ctx)
}

// sources adds the resources from the folder, the sitemap and the seeds.
func (c *scan) sources(ctx context.Context) error {
	walked := c.folder != nil && !c.find.SkipFolder
	sitemap, seeds := c.find.Sitemap, c.find.Seeds
	usual := !walked && sitemap == "" && len(seeds) == 0
	if usual {
		sitemap, seeds = "sitemap.xml", []string{""}
	}
	if len(seeds) > 0 {
		c.depth = 1
		if err := c.readRobots(ctx); err != nil {
			return err
		}
	}
	for _, seed := range seeds {
		url, ok := c.urls.of(seed, c.base())
		if !ok {
			c.incomplete(fmt.Sprintf("the seed %q is not a page of the site %s", seed, c.urls.root))
			continue
		}
		if _, err := c.found.add(ctx, finding{url: url}); err != nil {
			return err
		}
	}
	if walked {
		if err := c.walk(ctx); err != nil {
			return err
		}
		c.aliases.report(c.problem)
	}
	if sitemap != "" {
		if err := c.sitemaps(ctx, sitemap, usual); err != nil {
			return err
		}
	}
	return c.found.done(ctx)
}

// incomplete records that a source of resources was unreadable.
func (c *scan) incomplete(why string) {
	c.whole.Store(false)
	c.problem(why)
}

// askAll requests all resources that may have changed, including those found meanwhile.
func (c *scan) askAll(ctx context.Context) error {
	place := int64(0)
	for {
		list, known, err := c.found.next(ctx, place, batch)
		if err != nil || len(list) == 0 {
			return err
		}
		place = list[len(list)-1].place
		looks, err := c.askSome(ctx, list, known)
		if err != nil {
			return err
		}
		if err := c.found.done(ctx); err != nil {
			return err
		}
		if err := c.index.apply(ctx, looks, c.first); err != nil {
			return err
		}
	}
}

// askSome requests a batch, several at once.
func (c *scan) askSome(ctx context.Context, list []finding, known []*row) ([]look, error) {
	looks := make([]look, len(list))
	errs := make([]error, workers)
	var next atomic.Int64
	var ended sync.WaitGroup
	for w := range workers {
		ended.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					return
				}
				if c.isUnchanged(&list[i], known[i]) {
					continue // looks[i] stays unchanged
				}
				looks[i], errs[w] = c.ask(ctx, &list[i], known[i])
			}
		})
	}
	ended.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return looks, nil
}

// isUnchanged reports whether a resource needs no request, because its source states that it is
// unchanged.
func (c *scan) isUnchanged(it *finding, known *row) bool {
	age := c.index.now().Unix() - checkedAt(known)
	return known != nil && !known.deleted && it.depth < 0 && it.evidence != "" && it.evidence == known.evidence &&
		age >= 0 && age < int64(c.find.Recheck.Seconds())
}

func checkedAt(r *row) int64 {
	if r == nil {
		return 0
	}
	return r.checked
}

// ask requests a resource and gives priority to visitors.
func (c *scan) ask(ctx context.Context, it *finding, known *row) (look, error) {
	work, err := c.opt.Visitors.Begin(ctx)
	if err != nil {
		return look{}, err
	}
	defer work.Rest(ctx)
	var links func(look, io.Reader) error
	if it.depth >= 0 && (known == nil || known.deleted || isHTML(known.mime) || isCSS(known.mime)) {
		links = func(l look, body io.Reader) error { return c.links(ctx, it, l, body) }
	}
	doubt := known != nil && !known.deleted && doubtful(known.evidence, it.evidence)
	l, err := c.look(ctx, it.url, links, doubt)
	if err != nil {
		return l, err
	}
	l.evidence, l.doubt = it.evidence, doubt
	switch {
	case l.state == gone && it.other != "":
		_, err = c.found.add(ctx, finding{url: it.other, evidence: it.evidence, depth: c.depth})
	case it.depth == 0 && l.state != live:
		c.incomplete(fmt.Sprintf("the seed %s is missing: %s", it.url, l.reason))
	case it.depth > 0 && l.state == unknown:
		c.incomplete(fmt.Sprintf("%s: %s", it.url, l.reason))
	}
	return l, err
}

// deleteMissing marks resources that were not found as deleted. It does nothing if the scan was
// incomplete or found no resource at all: if a site has no resource, its folder is probably not
// mounted.
func (c *scan) deleteMissing(ctx context.Context) error {
	if !c.whole.Load() {
		return nil
	}
	after := ""
	for {
		urls, err := c.found.missing(ctx, after, batch)
		if err != nil || len(urls) == 0 {
			return err
		}
		if c.found.n == 0 {
			c.incomplete("the scan found no resources: earlier ones are not marked as deleted yet")
			return nil
		}
		after = urls[len(urls)-1]
		var looks []look
		for _, u := range urls {
			looks = append(looks, look{url: u, state: gone, reason: "no longer found"})
		}
		if err := c.index.apply(ctx, looks, false); err != nil {
			return err
		}
	}
}
