package pack

import (
	"encoding/binary"
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
	links    *rowFile
	cursor   *rowCursor // of links; nil until they are read
	graph    *linkGraph
	known    pages.Resolutions
	listener pages.Listener
	from     int64 // start of the current page's links
}

func newWebPages(dir string, profile Profile) (*webPages, error) {
	if !profile.itemized() {
		return nil, nil
	}
	w := &webPages{profile: profile}
	var err, other error
	w.declared, err = newRowFile(dir)
	w.links, other = newRowFile(dir)
	if err = errors.Join(err, other); err != nil {
		return nil, err
	}
	w.listener.Told = w.addDeclared
	if w.graph, err = newLinkGraph(dir); err != nil {
		return nil, errors.Join(err, w.declared.close(), w.links.close())
	}
	w.listener.Link, w.listener.Embedded = w.link, w.link
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
	w.from = w.links.at
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
	declared pages.Declared
}

func (w *webPages) addDeclared(order int64, d *pages.Declared, whole bool) error {
	row := pageRow{order: order, declared: *d}
	if whole { // otherwise their position in the content as served is not known
		row.links = span{w.from, w.links.at}
	}
	w.declared.row = row.append(w.declared.row[:0])
	return w.declared.add(w.declared.row)
}

// webLink is one link of a page.
type webLink struct {
	kind       pages.Kind
	begin, end int64
	cut        bool
	inline     bool   // an iframe
	href       []byte // valid during the visit
	text       []byte // of a hyperlink, as written; valid during the visit
}

// linkKinds are stored as their index.
var linkKinds = [...]pages.Kind{pages.Hyperlink, pages.Frame, pages.Refresh, pages.Embedded}

func (w *webPages) link(_ int64, l pages.Link) error {
	row := w.links.row[:0]
	for i, kind := range linkKinds {
		if kind == l.Kind {
			row = append(row, byte(i)<<2)
		}
	}
	row[0] |= flags(l.Cut, l.Inline)
	row = binary.AppendVarint(binary.AppendVarint(row, l.Begin), l.End)
	href := l.Href[:min(len(l.Href), maxLinkText)]
	row = append(binary.AppendUvarint(row, uint64(len(href))), href...)
	if w.profile == Linked {
		row = append(row, l.Text...)
	}
	w.links.row = row
	return w.links.add(w.links.row)
}

// flags returns two bits.
func flags(a, b bool) (bits byte) {
	if a {
		bits |= 1
	}
	if b {
		bits |= 2
	}
	return bits
}

// maxLinkText bounds the stored text of an overlong link, in bytes.
const maxLinkText = 64 << 10

func linkOf(row []byte) (webLink, error) {
	if len(row) == 0 {
		return webLink{}, errRow
	}
	head, rest := row[0], row[1:]
	l := webLink{kind: linkKinds[int(head>>2)%len(linkKinds)], cut: head&1 != 0, inline: head&2 != 0}
	for _, to := range []*int64{&l.begin, &l.end} {
		n, size := binary.Varint(rest)
		if size <= 0 {
			return l, errRow
		}
		*to, rest = n, rest[size:]
	}
	length, size := binary.Uvarint(rest)
	if size <= 0 || length > uint64(len(rest)-size) {
		return l, errRow
	}
	rest = rest[size:]
	l.href, l.text = rest[:length], rest[length:]
	l.cut = l.cut || length == maxLinkText
	return l, nil
}

// eachLink visits the links of a page with their numbers, from 1. The files that the page loads
// have no number.
func (w *webPages) eachLink(of span, visit func(n int64, l *webLink) error) (err error) {
	if of.From == of.To {
		return nil
	}
	if w.cursor == nil {
		w.cursor, err = w.links.read(of)
	} else {
		err = w.cursor.reset(of)
	}
	for n := int64(0); err == nil; {
		var row []byte
		if row, err = w.cursor.nextBytes(); errors.Is(err, io.EOF) {
			return nil
		}
		var l webLink
		if err == nil {
			l, err = linkOf(row)
		}
		switch {
		case err != nil:
		case l.kind == pages.Embedded:
			err = visit(0, &l)
		default:
			n++
			err = visit(n, &l)
		}
	}
	return err
}

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
	err := errors.Join(w.declared.close(), w.links.close())
	if w.graph != nil {
		err = errors.Join(err, w.graph.close())
	}
	return err
}
