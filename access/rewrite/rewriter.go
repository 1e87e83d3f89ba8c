package rewrite

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"

	"quire/format/csslink"
	"quire/format/fault"
	"quire/format/htmllink"
	"quire/format/lookahead"
)

// Rewriter rewrites one archived document. Base and URL must be set.
type Rewriter struct {
	// Base is the URL of the captured document.
	Base string
	// URL returns the replay URL of an absolute ASCII URL without fragment. The result must be
	// absolute or begin with a slash, and end with the given URL, or with another spelling of it.
	URL func(kind Kind, absolute string) string
	// Special, if set, is called first: exports other than replay can write a link in their own
	// way. text is the text of the link; the result replaces it (htmllink.Link.Append). If ok is
	// false, URL handles the link.
	Special func(l *htmllink.Link, text string) ([]byte, bool)
	// Head is inserted at the start of the page's head (see Markup), or of the root of SVG. Other XML
	// documents do not get it.
	Head []byte
	// Inner is Head for the documents in srcdoc attributes. They share the cookies of the page, so it has none.
	Inner []byte
	// Target is the name of the frame in which the replay shows pages. Links that would open
	// another window or leave the frame are redirected to it. "" leaves targets unchanged.
	Target string
	// Scripts means that scripts in pages are marked too (JavaScript). Head must then have page.js.
	Scripts bool
	// Framed means that another archived document frames this one, so its parent is archived too.
	Framed bool
	// ContentType is the captured Content-Type; it may name the charset.
	ContentType string
	// Done ends the wait of a long script for memory: of the context of the request. It may be nil.
	Done <-chan struct{}
	// Unmarked is called before a long script is written as captured, because others have all memory. It may be nil.
	Unmarked func()
	// Report receives problems that hide links. It may be nil.
	Report fault.Sink

	depth int  // of a srcdoc in its capture
	heads *int // bytes of Inner in the whole capture
}

// tools are the buffers of rewriting, reused for the next document.
type tools struct {
	in   *bufio.Reader
	out  *bufio.Writer
	edit *lookahead.Editor
	html *htmllink.Scanner
	css  *csslink.Scanner
	new  []byte // text of the current link
}

// ahead is the number of bytes examined before rewriting, to find the charset and the start of the
// head.
const ahead = 16 << 10

var workshop = sync.Pool{New: func() any {
	return &tools{
		in:   bufio.NewReaderSize(nil, ahead),
		out:  bufio.NewWriterSize(nil, 32<<10),
		edit: lookahead.NewEditor(nil, nil, 0),
		html: htmllink.NewScanner(bytes.NewReader(nil), htmllink.Options{}),
		css:  csslink.NewScanner(bytes.NewReader(nil)),
	}
}}

// document is a document that is being rewritten.
type document struct {
	*tools
	rw      *Rewriter
	head    []byte // its beginning
	resolve *resolver

	xml      bool   // parsed as XML
	svg      bool   // its root is svg
	foreign  bool   // XML that is neither XHTML nor SVG
	based    bool   // it had a base element
	insert   int64  // position for the markup; -1 if done, or none
	script   string // type of the script at scriptAt
	scriptAt int64
	heads    *int
	renamed  int64 // position of the last disarmed attribute name; -1 for none
}

// begin prepares the tools, and finds the charset. UTF-16 becomes UTF-8 with a byte order mark,
// which overrides any header.
func (rw *Rewriter) begin(w io.Writer, r io.Reader, xml bool) *document {
	d := &document{tools: workshop.Get().(*tools), rw: rw, xml: xml, insert: -1, renamed: -1, heads: rw.heads}
	if d.heads == nil {
		d.heads = new(int)
	}
	d.out.Reset(w)
	d.in.Reset(r)
	src := d.in
	d.head, _ = src.Peek(ahead)                                         // reading meets the same error again
	if order, ok := wide(d.head, rw.ContentType); ok && rw.depth == 0 { // a srcdoc is text already
		src = bufio.NewReaderSize(narrowed(d.in, order), ahead)
		d.head, _ = src.Peek(ahead)
	}
	d.edit.Reset(d.out, src)
	d.resolve = newResolver(rw, charsetOf(d.head, rw.ContentType, xml))
	return d
}

// end copies the rest, and releases the tools.
func (d *document) end(err error) error {
	if errors.Is(err, io.EOF) {
		d.edit.CopyTo(d.edit.End())
		err = d.edit.Err()
	}
	if e := d.out.Flush(); err == nil {
		err = e
	}
	d.in.Reset(nil)
	d.out.Reset(nil)
	d.edit.Reset(nil, nil)
	workshop.Put(d.tools)
	return err
}

// HTML rewrites a document served as text/html. After an error the output is incomplete.
func (rw *Rewriter) HTML(w io.Writer, r io.Reader) error {
	d := rw.begin(w, r, false)
	if len(rw.Head) > 0 {
		d.insert = int64(openingOf(d.head, false).at)
	}
	return d.end(d.markup(htmllink.Options{Charset: d.resolve.charset, Guards: true, Scripts: rw.Scripts,
		Documents: rw.Scripts}))
}

// XML rewrites a document that browsers parse as XML. XHTML and SVG are rewritten like HTML; in
// other documents only the general links: xml-stylesheet and xlink:href.
func (rw *Rewriter) XML(w io.Writer, r io.Reader) error {
	d := rw.begin(w, r, true)
	begins := openingOf(d.head, true)
	root := begins.root(d.head)
	d.foreign = root != "html" && root != "svg"
	// the markup would need the prefix too
	if len(rw.Head) > 0 && begins.html && begins.head && !bytes.HasSuffix(d.head[:begins.at], []byte("/>")) {
		d.insert = int64(begins.at)
	} else if at := begins.svg(d.head); rw.Scripts && at > 0 {
		d.insert, d.svg = at, true
	}
	return d.end(d.markup(htmllink.Options{Charset: d.resolve.charset, Guards: !d.foreign, XML: true,
		Scripts: rw.Scripts && d.insert >= 0, Documents: rw.Scripts && d.insert >= 0})) // the marks need page.js
}

// CSS rewrites a style sheet.
func (rw *Rewriter) CSS(w io.Writer, r io.Reader) error {
	d := rw.begin(w, r, false)
	d.css.Report = rw.Report
	d.css.Reset(d.edit, 0)
	d.edit.Settled = d.css.Offset
	for {
		l, err := d.css.Next()
		if err != nil {
			return d.end(err)
		}
		if l.Cut {
			continue
		}
		kind := Image
		if l.Kind == csslink.Import {
			kind = Style
		}
		if url, ok := d.resolve.url(kind, l.Value); ok {
			d.new = l.Append(d.new[:0], url)
			d.edit.Replace(l.Start, l.End, d.new)
		}
	}
}
