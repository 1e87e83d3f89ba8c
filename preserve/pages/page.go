package pages

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"quire/format/fault"
	"quire/format/htmllink"
)

// Options holds data from outside the page.
type Options struct {
	ContentType string // of the HTTP header; distinguishes XHTML from HTML, and may name the charset
	Language    string // Content-Language of the HTTP header
	// receives each link, up to MaxLinks, in the order of the page; its error stops the reading;
	// may be nil
	Link func(Link) error
	// receives each file that the page loads, like Link and in the same order with it; may be nil
	Embedded func(Link) error
}

// Kind is the way from one page to another.
type Kind string

// The kinds of links. Forms lead to no page before they are filled in; scripts are not read.
const (
	Hyperlink Kind = "hyperlink" // a and area with href
	Frame     Kind = "frame"     // frame and iframe with src: a page in the page
	Refresh   Kind = "refresh"   // meta refresh with a URL
	Embedded  Kind = "embedded"  // an image, style sheet, script or the like, which the page loads
)

// Link is one link of a page.
type Link struct {
	Kind       Kind
	Begin, End int64  // of the start tag in the page as served, both included
	Href       []byte // as written, for Resolver.Resolve; valid during the call
	Text       []byte // of a hyperlink, as written, at most MaxLinkText, for Resolver.Words; valid during the call
	Inline     bool   // of a Frame: an iframe
	Cut        bool   // truncated: Href is only the beginning, and leads to no page
}

// Page reads one page. It is not safe for concurrent use, and must be closed.
type Page struct {
	o       Options
	scanner *htmllink.Scanner
	wide    *wide // for a page in UTF-16
	found   collected
	anchor  anchor
	head    []byte // the beginning of the page
	chunk   []byte // written, but not read yet
	ended   bool
	next    func() (struct{}, bool) // runs the scanner until it has read the chunk
	stop    func()
	wait    func(struct{}) bool // the scanner's side
	err     error
}

// New returns a Page.
func New(o Options) *Page {
	p := &Page{scanner: htmllink.NewScanner(nil, htmllink.Options{})}
	p.begin(o)
	return p
}

// Reset starts another page. The one before must be closed.
func (p *Page) Reset(o Options) { p.begin(o) }

func (p *Page) begin(o Options) {
	*p = Page{o: o, scanner: p.scanner, head: p.head, anchor: p.anchor.emptied()}
	p.anchor.err = nil
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		p.wait = yield
		p.err = p.scan()
	})
}

// Write reads more of the page. It fails only with the error of Options.Link.
func (p *Page) Write(b []byte) (int, error) {
	p.chunk = b
	if len(b) > 0 {
		p.next()
	}
	p.chunk = nil
	return len(b), p.err
}

// Read passes written bytes to the scanner. When they are read, it lets the writer continue.
func (p *Page) Read(b []byte) (int, error) {
	for len(p.chunk) == 0 {
		if p.ended || !p.wait(struct{}{}) {
			return 0, io.EOF
		}
	}
	n := copy(b, p.chunk)
	p.chunk = p.chunk[n:]
	return n, nil
}

// Close ends the page, and returns its declared metadata.
func (p *Page) Close() (*Declared, error) {
	p.ended = true
	p.next()
	p.stop()
	if p.err != nil {
		return nil, p.err
	}
	return p.found.declared(p.o), nil
}

// Stop abandons the page: no more links are reported.
func (p *Page) Stop() {
	p.o.Link, p.o.Embedded = nil, nil
	p.stop()
}

// prescan is how many bytes are searched for the charset before the page is read. The HTML Standard
// requires 1024 bytes (13.2.3.2), and lets browsers start again if the declaration comes later.
const prescan = 8 << 10

// scan reads the page.
func (p *Page) scan() error {
	if p.head == nil {
		p.head = make([]byte, prescan)
	}
	n, err := io.ReadFull(p, p.head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	head := p.head[:n]
	p.found.xml = isXML(p.o.ContentType)
	p.found.charset = charsetOf(head, p.o.ContentType, p.found.xml, p.scanner)
	in := io.MultiReader(bytes.NewReader(head), p)
	if order, ok := p.found.charset.wide(); ok {
		p.wide = &wide{in: in, order: order, settled: p.scanner.Offset}
		in = p.wide
	}
	p.scanner.Element, p.scanner.Report = p.found.element, p.found.report
	p.scanner.Text, p.scanner.End = nil, nil
	if p.o.Link != nil || p.o.Embedded != nil {
		p.scanner.Text, p.scanner.End = p.anchor.addText, p.endTag
	}
	p.scanner.Reset(in, 0, htmllink.Options{XML: p.found.xml, Charset: p.found.charset.Name})
	for {
		l, err := p.scanner.Next()
		switch {
		case errors.Is(err, io.EOF):
			p.closeAnchor()
			return p.anchor.err
		case err != nil: // never ErrUTF16: a page with that mark is decoded first
			return err
		}
		if err := p.addLink(l); err != nil {
			return err
		}
		if p.anchor.err != nil {
			return p.anchor.err
		}
	}
}

// addLink reports a link that leads to a page, or to a file that the page loads.
func (p *Page) addLink(l *htmllink.Link) error {
	kind, ok := kindOf(l)
	if !ok {
		return nil
	}
	n := &p.found.links
	if kind == Embedded {
		n = &p.found.embedded
	}
	if *n++; *n > MaxLinks {
		p.found.leftOut.Links++
		return nil
	}
	if p.receiver(kind) == nil {
		return nil
	}
	begin, end := l.TagStart, l.TagEnd
	if p.wide != nil {
		begin, end = p.wide.places(begin, end)
	}
	return p.report(l.Element == "a", Link{Kind: kind, Begin: begin, End: end - 1, Href: l.Raw,
		Inline: kind == Frame && l.Element == "iframe", Cut: l.Flags&htmllink.Cut != 0})
}

// kindOf returns the kind of a link between pages; ok is false for other links. Links in a
// conditional comment or a srcdoc do not count: the first is a comment except in some old browsers,
// the second is in another document. If an attribute is repeated, the first counts.
func kindOf(l *htmllink.Link) (Kind, bool) {
	if l.Flags&(htmllink.Duplicate|htmllink.Conditional|htmllink.Srcdoc) != 0 {
		return "", false
	}
	switch {
	case l.Kind == htmllink.Navigation && l.Attribute == "href":
		return Hyperlink, true
	case l.Kind == htmllink.Frame && l.Attribute == "src" && (l.Element == "frame" || l.Element == "iframe"):
		return Frame, true
	case l.Kind == htmllink.Refresh:
		return Refresh, true
	}
	return Embedded, loaded[l.Kind]
}

// loaded are the kinds of links to files that a browser loads with the page. Of several candidates
// it loads one; all belong to the page.
var loaded = map[htmllink.Kind]bool{
	htmllink.Image: true, htmllink.Candidate: true, htmllink.Media: true, htmllink.Object: true, htmllink.Archive: true,
	htmllink.Script: true, htmllink.Stylesheet: true, htmllink.Icon: true, htmllink.CSS: true, htmllink.Import: true,
}

// report counts tags with links that are not reported.
func (c *collected) report(f fault.Fault) {
	if f.Code == htmllink.TagTooLong || f.Code == htmllink.TagUnclosed {
		c.leftOut.Tags++
	}
}

// isXML reports whether a media type is XHTML's.
func isXML(contentType string) bool {
	media := bare(contentType)
	return media == "application/xhtml+xml" || media == "application/xml" || media == "text/xml"
}
