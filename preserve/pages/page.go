package pages

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"quire/format/fault"
	"quire/format/htmllink"
)

// Options say what the page does not say itself.
type Options struct {
	ContentType string // of the HTTP header; it tells XHTML from HTML, and may name the charset
	Language    string // Content-Language of the HTTP header
	// told of each link, up to MaxLinks, in the order of the page; its error ends the reading; may
	// be nil
	Link func(Link) error
}

// Kind says how one gets from a page to another.
type Kind string

// The kinds. Forms lead nowhere before they are filled in; what scripts do is not read.
const (
	Hyperlink Kind = "hyperlink" // a and area with href
	Frame     Kind = "frame"     // frame and iframe with src: a page in the page
	Refresh   Kind = "refresh"   // meta refresh with a URL
)

// Link is one link of a page.
type Link struct {
	Kind       Kind
	Begin, End int64  // of the start tag in the page as served, both included
	Href       []byte // as it stands there, for Resolver.Resolve; valid during the call
	Cut        bool   // it is longer than is read: Href is its beginning, and leads nowhere
}

// Page reads one page. It is not safe for concurrent use, and must be closed.
type Page struct {
	o       Options
	scanner *htmllink.Scanner
	wide    *wide // of a page in UTF-16
	found   collected
	chunk   []byte // written, and not yet read
	ended   bool
	next    func() (struct{}, bool) // lets the scanner go on until it has read the chunk
	stop    func()
	wait    func(struct{}) bool // the scanner's side of it
	err     error
}

// New begins a page.
func New(o Options) *Page {
	p := &Page{scanner: htmllink.NewScanner(nil, htmllink.Options{})}
	p.begin(o)
	return p
}

// Reset begins another page. The one before must be closed.
func (p *Page) Reset(o Options) { p.begin(o) }

func (p *Page) begin(o Options) {
	*p = Page{o: o, scanner: p.scanner}
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		p.wait = yield
		p.err = p.scan()
	})
}

// Write reads some more of the page. It fails only with the error of Options.Link.
func (p *Page) Write(b []byte) (int, error) {
	p.chunk = b
	if len(b) > 0 {
		p.next()
	}
	p.chunk = nil
	return len(b), p.err
}

// Read gives the scanner what was written; when that is read, it lets the writer go on.
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

// Close ends the page, and tells what it declares.
func (p *Page) Close() (*Declared, error) {
	p.ended = true
	p.next()
	p.stop()
	if p.err != nil {
		return nil, p.err
	}
	return p.found.declared(p.o), nil
}

// Stop gives the page up: no link is told any more.
func (p *Page) Stop() {
	p.o.Link = nil
	p.stop()
}

// prescan is how much of a page is looked at for its charset, before anything else is read. The
// HTML Standard asks for 1024 bytes (13.2.3.2), and has browsers begin anew when it stands further
// behind.
const prescan = 8 << 10

// scan reads the page.
func (p *Page) scan() error {
	head := make([]byte, prescan)
	n, err := io.ReadFull(p, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	head = head[:n]
	p.found.xml = isXML(p.o.ContentType)
	p.found.charset = charsetOf(head, p.o.ContentType, p.found.xml)
	in := io.MultiReader(bytes.NewReader(head), p)
	if order, ok := p.found.charset.wide(); ok {
		p.wide = &wide{in: in, order: order, settled: p.scanner.Offset}
		in = p.wide
	}
	p.scanner.Element, p.scanner.Report = p.found.element, p.found.report
	p.scanner.Reset(in, 0, htmllink.Options{XML: p.found.xml, Charset: p.found.charset.Name})
	for {
		l, err := p.scanner.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil: // never ErrUTF16: a page with that mark is decoded
			return err
		}
		if err := p.tell(l); err != nil {
			return err
		}
	}
}

// tell tells of a link, if it leads to a page.
func (p *Page) tell(l *htmllink.Link) error {
	kind, ok := kindOf(l)
	if !ok {
		return nil
	}
	if p.found.links++; p.found.links > MaxLinks {
		p.found.leftOut.Links++
		return nil
	}
	if p.o.Link == nil {
		return nil
	}
	begin, end := l.TagStart, l.TagEnd
	if p.wide != nil {
		begin, end = p.wide.places(begin, end)
	}
	return p.o.Link(Link{Kind: kind, Begin: begin, End: end - 1, Href: l.Raw, Cut: l.Flags&htmllink.Cut != 0})
}

// kindOf says whether a link is one from page to page. One in a conditional comment or in a srcdoc
// is none: the first is a comment to all browsers but some of old, the second stands in another
// document. Where an attribute is there twice the first counts.
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
	return "", false
}

// report counts the tags whose links are not told.
func (c *collected) report(f fault.Fault) {
	if f.Code == htmllink.TagTooLong || f.Code == htmllink.TagUnclosed {
		c.leftOut.Tags++
	}
}

// isXML says whether a media type is XHTML's.
func isXML(contentType string) bool {
	media := bare(contentType)
	return media == "application/xhtml+xml" || media == "application/xml" || media == "text/xml"
}
