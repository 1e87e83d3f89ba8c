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
	"quire/preserve/pages"
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
	table, err := b.linkTable()
	if err != nil {
		return err
	}
	resolve := b.resolve
	if table != nil {
		resolve = func(wanted func(linkClass) bool) error { return b.resolveInMemory(table, wanted) }
	}
	if err := b.resolveAll(resolve); err != nil {
		return err
	}
	g.inlineOnly, b.web.known = table.inlineOnly(), pages.Resolutions{} // the addresses refer to the table
	return nil
}

// resolveAll resolves the links that the profile needs.
func (b *builder) resolveAll(resolve func(wanted func(linkClass) bool) error) error {
	if b.linked() {
		return resolve(func(linkClass) bool { return true })
	}
	if err := resolve(func(c linkClass) bool { return c != leads }); err != nil || !b.web.graph.inlined {
		return err
	}
	return resolve(func(c linkClass) bool { return c == leads }) // whether these pages are more than iframes
}

// resolve resolves the links of some classes on disk.
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
		return b.eachTarget(p, c, row, wanted, func(l *pendingLink, to *pages.Address) error {
			g.key, g.value = append(g.key[:0], to.URL...), l.value(g.value[:0])
			return pending.Add(g.key, g.value)
		})
	})
}

// eachTarget visits the links of a page of the wanted classes that lead to a URL.
func (b *builder) eachTarget(p *packed, c *content, row *pageRow, wanted func(linkClass) bool,
	visit func(*pendingLink, *pages.Address) error) error {
	g := b.web.graph
	g.count.leftOut += row.declared.LeftOut.Links
	to := row.declared.Resolver(c.URI).Remember(&b.web.known)
	l := pendingLink{}
	each := func(n int64, link *webLink) error {
		class := link.class()
		if class != includes && b.linked() {
			g.count.links++
		}
		if link.cut || !wanted(class) {
			return nil
		}
		target, _, ok := to.Lookup(link.href)
		if !ok || len(target.URL) > maxURL {
			return nil
		}
		l = pendingLink{from: place{p.N, c.Order}, number: n, harvest: p.Harvest, kind: class, at: c.Date.UnixMilli()}
		return visit(&l, target)
	}
	if wanted(includes) {
		if err := b.web.loads.each(row.loads, each); err != nil {
			return err
		}
	}
	if !wanted(leads) && row.inlines == 0 {
		return nil
	}
	return b.web.links.each(row.links, each)
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
		l.follow(c)
		return next.Add([]byte(c.next), l.value(nil))
	})
	return some, err
}

// follow notes a redirect.
func (l *pendingLink) follow(c *webCapture) {
	if len(l.through)+len(c.url) <= maxThrough {
		l.through += fmt.Sprintf("; %s to %s", c.status, c.next)
	}
	l.at = c.at // the crawler followed at once
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
	if len(o.all) == 1 {
		return o.all[0]
	}
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
