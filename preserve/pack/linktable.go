package pack

import (
	"bytes"
	"errors"
	"slices"

	"quire/preserve/pages"
)

// linkTable has the captures of all URLs in memory. Links are resolved in the order of the pages
// then, and need no sorting. Packages with more captures resolve their links on disk.
type linkTable struct {
	of      map[string]*capturesOf
	targets *targetRows
}

// tableMemory bounds the captures in memory, in bytes; perCapture is what a capture takes beside its
// texts.
const (
	tableMemory = 16 << 20
	perCapture  = 160
)

func (b *builder) linkTable() (*linkTable, error) {
	if b.o.linksOnDisk {
		return nil, nil
	}
	return b.web.graph.table(tableMemory)
}

// table returns the captures in memory, or nil if they are too many.
func (g *linkGraph) table(limit int) (*linkTable, error) {
	t := &linkTable{of: map[string]*capturesOf{}}
	captures := newCaptureReader(g.captures)
	for captures.key != nil {
		url := bytes.Clone(captures.key[:len(captures.key)-keyRest-1])
		of, err := captures.of(url)
		if err != nil {
			return nil, err
		}
		limit -= len(url)
		for _, c := range of.all {
			limit -= perCapture + len(c.url) + len(c.next)
		}
		if limit < 0 {
			return nil, nil
		}
		t.of[string(url)] = &capturesOf{all: slices.Clone(of.all)}
	}
	if captures.err != nil {
		return nil, captures.err
	}
	if g.targets == nil {
		var err error
		if g.targets, err = newTargetRows(g.dir); err != nil {
			return nil, err
		}
	}
	t.targets = g.targets
	return t, nil
}

// captures returns the captures of an address, or nil.
func (t *linkTable) captures(to *pages.Address) *capturesOf {
	of, ok := to.Note.(*capturesOf)
	if !ok {
		of = t.of[to.URL]
		to.Note = of
	}
	return of
}

// inlineOnly returns the captures to which links lead by iframes only; nil without a table.
func (t *linkTable) inlineOnly() map[place]bool {
	if t == nil {
		return nil
	}
	only := map[place]bool{}
	for _, of := range t.of {
		for _, c := range of.all {
			if c.inlined && !c.reached {
				only[c.place] = true
			}
		}
	}
	return only
}

// resolveInMemory resolves the links of some classes.
func (b *builder) resolveInMemory(t *linkTable, wanted func(linkClass) bool) error {
	return b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		r, from := refOf(&p), t.targets.at
		err := b.eachPage(&r, func(c *content, row *pageRow) error {
			t.targets.begin(c.Order)
			err := b.eachTarget(&p, c, row, wanted, func(l *pendingLink, to *pages.Address) error {
				return b.web.graph.target(t, l, to, b.linked())
			})
			return errors.Join(err, t.targets.end())
		})
		if wanted(includes) { // the other pass lists nothing
			t.targets.of[p.N] = span{from, t.targets.at}
		}
		return err
	})
}

// target notes the capture that a link leads to, if there is one. See join.
func (g *linkGraph) target(t *linkTable, l *pendingLink, to *pages.Address, listed bool) error {
	of := t.captures(to)
	for of != nil {
		c := of.nearest(l.harvest, l.at)
		if c.next == "" {
			return g.noteInMemory(t, l, c, listed)
		}
		if l.hops++; l.hops > maxHops {
			return nil
		}
		l.follow(c)
		of = t.of[c.next]
	}
	return nil
}

// noteInMemory is note for links that are resolved in memory.
func (g *linkGraph) noteInMemory(t *linkTable, l *pendingLink, to *webCapture, listed bool) error {
	if l.kind == includes {
		if to.place != l.from {
			t.targets.load(embeddedFile{to.place, to.form})
		}
		return nil
	}
	if to.place != l.from {
		g.inlined = g.inlined || l.kind == inlines
		to.inlined = to.inlined || l.kind == inlines
		to.reached = to.reached || l.kind != inlines
	}
	if !listed {
		return nil
	}
	if err := g.counted(l, to); err != nil {
		return err
	}
	return t.targets.link(l.number, to.place, l.through)
}
