package pack

import (
	"errors"
	"io"

	"quire/metadata/mets"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert/mirror"
	"quire/preserve/inspect"
	"quire/preserve/pages"
)

// webPages reads the pages of the containers during the pass, and keeps their declarations and
// links in rows on disk. A record is known to be a page only when its format is known.
type webPages struct {
	profile  Profile
	declared *rowFile
	links    *linkRows
	loads    *linkRows // files that pages load
	inlines  int64     // iframes of the current page
	graph    *linkGraph
	known    pages.Resolutions
	listener pages.Listener
}

func newWebPages(dir string, profile Profile) (*webPages, error) {
	if !profile.itemized() {
		return nil, nil
	}
	w := &webPages{profile: profile}
	var err error
	if w.declared, err = newRowFile(dir); err != nil {
		return nil, err
	}
	if w.links, err = newLinkRows(dir); err != nil {
		return nil, errors.Join(err, w.declared.close())
	}
	if w.loads, err = newLinkRows(dir); err != nil {
		return nil, errors.Join(err, w.declared.close(), w.links.close())
	}
	if w.graph, err = newLinkGraph(dir); err != nil {
		return nil, errors.Join(err, w.declared.close(), w.links.close(), w.loads.close())
	}
	w.listener.Told, w.listener.Link, w.listener.Embedded = w.addDeclared, w.link, w.load
	return w, nil
}

// listen reports whether the content of a record is needed: see inspect.Options.Served.
func (w *webPages) listen(r model.Record) inspect.Served {
	if r.Part == mirror.PartPayload && r.RefersTo != "" {
		r.Type = "response" // a page with restored links is a page, though its record is a conversion
	}
	if !w.listener.Listen(r) {
		return nil
	}
	w.links.begin()
	w.loads.begin()
	w.inlines = 0
	return &w.listener
}

// begin records the start of a container's rows.
func (w *webPages) begin(g *gathered) {
	if w != nil {
		g.Pages.From, g.Onward.From = w.declared.at, w.graph.at()
	}
}

// end records the end of a container's rows.
func (w *webPages) end(g *gathered) {
	if w != nil {
		g.Pages.To, g.Onward.To = w.declared.at, w.graph.at()
	}
}

// pageRow is the data of a possible page.
type pageRow struct {
	order    int64
	links    span
	loads    span
	inlines  int64 // iframes among the links
	declared pages.Declared
}

func (w *webPages) addDeclared(order int64, d *pages.Declared, whole bool) error {
	row := pageRow{order: order, declared: *d}
	links, err := w.links.end()
	loads, other := w.loads.end()
	if err = errors.Join(err, other); err != nil {
		return err
	}
	if whole { // otherwise their position in the content as served is not known
		row.links, row.loads, row.inlines = links, loads, w.inlines
	}
	w.declared.row = row.append(w.declared.row[:0])
	return w.declared.add(w.declared.row)
}

func (w *webPages) link(_ int64, l pages.Link) error {
	if l.Inline {
		w.inlines++
	}
	return w.links.addLink(&l, w.profile == Linked)
}

func (w *webPages) load(_ int64, l pages.Link) error { return w.loads.addLink(&l, false) }

// pageReader reads the rows of a container's pages in parallel to the rows of its records.
type pageReader struct {
	in   *rowCursor
	head pageRow
	over bool
}

// reader starts reading the pages of a container.
func (w *webPages) reader(of span) (*pageReader, error) {
	in, err := w.declared.read(of)
	return &pageReader{in: in}, err
}

// of returns the data of the page in a record, or nil. Records must be queried in order.
func (r *pageReader) of(c *content) (*pageRow, error) {
	for !r.over && r.head.order < c.Order {
		row, err := r.in.next()
		if errors.Is(err, io.EOF) {
			r.over = true
			break
		}
		if err == nil {
			err = r.head.parse(row)
		}
		if err != nil {
			return nil, err
		}
	}
	if r.over || r.head.order != c.Order {
		return nil, nil
	}
	return &r.head, nil
}

// eachPage visits the pages of a container with data.
func (b *builder) eachPage(at *ref, visit func(*content, *pageRow) error) error {
	r, err := b.web.reader(at.pages)
	if err != nil {
		return err
	}
	return b.contents.each(at.rows, func(c *content) error {
		if !at.layout.holds(c) || !c.page() {
			return nil
		}
		row, err := r.of(c)
		if err != nil || row == nil {
			return err
		}
		return visit(c, row)
	})
}

// pageDescriptions writes the metadata that each page declares, separately from curators'
// descriptions (docs/reference/310_package-format.md, 2.14).
func (b *builder) pageDescriptions(w *mets.Writer) error {
	if b.web == nil {
		return nil
	}
	return b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		r := refOf(&p)
		return b.pageDescriptionsOf(w, &r)
	})
}

func (b *builder) pageDescriptionsOf(w *mets.Writer, r *ref) error {
	return b.eachPage(r, func(c *content, row *pageRow) error {
		if row.declared.HasMetadata() {
			b.descriptionSection(w, aip.PageDmdID(r.n, c.Order), row.declared.MODS(c.URI))
		}
		return w.Err()
	})
}

// close removes the temporary files.
func (w *webPages) close() error {
	if w == nil {
		return nil
	}
	w.listener.Stop()
	err := errors.Join(w.declared.close(), w.links.close(), w.loads.close())
	if w.graph != nil {
		err = errors.Join(err, w.graph.close())
	}
	return err
}
