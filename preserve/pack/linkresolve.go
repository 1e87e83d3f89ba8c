package pack

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"quire/format/warc"
	"quire/internal/extsort"
	"quire/preserve/convert/mirror"
)

// resolveLinks resolves the links of all pages.
func (b *builder) resolveLinks() (err error) {
	if b.web == nil {
		return nil
	}
	g := b.web.graph
	err = b.eachContent(func(p *packed, c *content) error {
		if !c.leadsHere() {
			return nil
		}
		return g.add(c.URI, webCapture{harvest: p.Harvest, at: c.Date.UnixMilli(), place: place{p.N, c.Order},
			form: c.form()})
	})
	if err != nil {
		return err
	}
	if err := b.spool.Each(func(p packed) error { return g.redirects(&p) }); err != nil {
		return err
	}
	if b.linked() {
		return b.resolve(func(linkClass) bool { return true })
	}
	if err := b.resolve(func(c linkClass) bool { return c != leads }); err != nil || !g.inlined {
		return err
	}
	return b.resolve(func(c linkClass) bool { return c == leads }) // whether these pages are more than iframes
}

// resolve resolves the links of some classes.
func (b *builder) resolve(wanted func(linkClass) bool) (err error) {
	g := b.web.graph
	pending := g.sorter()
	defer func() { err = errors.Join(err, pending.Close()) }()
	if err := b.spool.Each(func(p packed) error { return b.linksOf(&p, pending, wanted) }); err != nil {
		return err
	}
	for range maxHops + 1 {
		next := g.sorter()
		some, err := g.join(pending, next, b.linked())
		if err = errors.Join(err, pending.Close()); err != nil {
			return errors.Join(err, next.Close())
		}
		pending = next
		if !some {
			break
		}
	}
	return nil
}

// leadsHere reports whether a link to the record's URL leads to its content. It excludes errors,
// derived content, and the original file of a mirror's page.
func (c *content) leadsHere() bool {
	good := c.Status == "" || c.Status[0] == '2'
	return c.page() || good && c.associated() && c.Type != warc.TypeConversion && c.Part != mirror.PartFile
}

// linksOf sorts the links of a container's pages by their URL.
func (b *builder) linksOf(p *packed, pending *extsort.Sorter, wanted func(linkClass) bool) error {
	if p.Container == nil {
		return nil
	}
	r, g := refOf(p), b.web.graph
	return b.eachPage(&r, func(c *content, row *pageRow) error {
		g.count.leftOut += row.declared.LeftOut.Links
		to := row.declared.Resolver(c.URI).Remember(&b.web.known)
		return b.web.eachLink(row.links, func(n int64, l *webLink) error {
			if n > 0 && b.linked() {
				g.count.links++
			}
			if l.cut || !wanted(l.class()) {
				return nil
			}
			target, ok := to.Resolve(l.href)
			if !ok || len(target.URL) > maxURL {
				return nil
			}
			on := pendingLink{from: place{p.N, c.Order}, number: n, harvest: p.Harvest, kind: l.class(),
				at: c.Date.UnixMilli()}
			g.key, g.value = append(g.key[:0], target.URL...), on.value(g.value[:0])
			return pending.Add(g.key, g.value)
		})
	})
}

// join resolves each link to the capture of its URL, or passes it on to the target of a redirect.
func (g *linkGraph) join(pending, next *extsort.Sorter, listed bool) (some bool, err error) {
	captures := newCaptureReader(g.captures)
	err = pending.Each(func(url, value []byte) error {
		of, err := captures.of(url)
		if err != nil || len(of.all) == 0 {
			return err
		}
		l, err := pendingOf(value)
		if err != nil {
			return err
		}
		c := of.nearest(l.harvest, l.at)
		if c.next == "" {
			return g.note(&l, c, listed)
		}
		if l.hops++; l.hops > maxHops {
			return nil
		}
		some = true
		if len(l.through)+len(c.url) <= maxThrough {
			l.through += fmt.Sprintf("; %s to %s", c.status, c.next)
		}
		l.at = c.at // the crawler followed at once
		return next.Add([]byte(c.next), l.value(nil))
	})
	return some, err
}

// captureReader reads the captures by URL, in parallel to links in the same order.
type captureReader struct {
	sortedReader
	url   []byte
	group capturesOf
}

func newCaptureReader(s *extsort.Sorter) *captureReader {
	r := &captureReader{}
	r.begin(s)
	return r
}

// maxOfURL is how many captures of one URL are considered; the rest are ignored.
const maxOfURL = 50_000

// of returns the captures of a URL. URLs must be queried in order.
func (r *captureReader) of(url []byte) (*capturesOf, error) {
	if r.url != nil && bytes.Equal(r.url, url) {
		return &r.group, r.err
	}
	r.url = append(r.url[:0], url...)
	r.group = capturesOf{all: r.group.all[:0]}
	for r.key != nil {
		at := r.key[:len(r.key)-keyRest-1]
		order := bytes.Compare(at, url)
		if order > 0 {
			break
		}
		if order == 0 && len(r.group.all) < maxOfURL {
			c, err := captureOf(r.key, r.value)
			if err != nil {
				return nil, err
			}
			if len(r.group.all) == 0 || r.group.all[0].other == c.other { // exact matches come first, and are enough
				r.group.all = append(r.group.all, c)
			}
		}
		r.advance()
	}
	return &r.group, r.err
}

// capturesOf are the captures of one URL, by harvest and date.
type capturesOf struct {
	all    []*webCapture
	byDate []*webCapture // made when needed
}

// nearest returns the capture in the same harvest that is nearest in time, or else in any harvest.
func (o *capturesOf) nearest(harvest int, at int64) *webCapture {
	from := sort.Search(len(o.all), func(i int) bool { return o.all[i].harvest >= harvest })
	to := sort.Search(len(o.all), func(i int) bool { return o.all[i].harvest > harvest })
	if from < to {
		return nearestOf(o.all[from:to], at)
	}
	if o.byDate == nil {
		o.byDate = slices.Clone(o.all)
		slices.SortStableFunc(o.byDate, func(a, b *webCapture) int { return cmp.Compare(a.at, b.at) })
	}
	return nearestOf(o.byDate, at)
}

func nearestOf(all []*webCapture, at int64) *webCapture {
	i := sort.Search(len(all), func(i int) bool { return all[i].at >= at })
	if i == len(all) || i > 0 && at-all[i-1].at < all[i].at-at {
		i--
	}
	return all[i]
}
