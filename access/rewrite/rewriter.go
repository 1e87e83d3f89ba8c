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
	// Base is the URL at which the document was captured.
	Base string
	// URL makes the URL at which the replay has another: of an absolute URL in ASCII, without its
	// fragment. What it makes must be absolute or begin with a slash, and end with the URL that was
	// given, or with another spelling of it.
	URL func(kind Kind, absolute string) string
	// Special is asked first, when it is set: it may write a link in a way of its own, for those
	// who do not replay. text is what the link says, and what Special gives stands in the place of
	// the link's text (htmllink.Link.Append). False leaves the link to URL.
	Special func(l *htmllink.Link, text string) ([]byte, bool)
	// Head is put before whatever the page has in its head (see Markup). Nothing is put into XML
	// documents that are no XHTML.
	Head []byte
	// Target is the name of the frame in which the replay shows pages: what would open another
	// window or leave the frame is led there. "" leaves targets as they are.
	Target string
	// Framed: the document is shown in a frame of another archived one, so that its parent is
	// archived too.
	Framed bool
	// ContentType is that with which the document was captured: it may name the charset.
	ContentType string
	// Report is told what keeps links from being found. It may be nil.
	Report fault.Sink
}

// tools are what rewriting needs, kept for the next document.
type tools struct {
	in   *bufio.Reader
	out  *bufio.Writer
	edit *lookahead.Editor
	html *htmllink.Scanner
	css  *csslink.Scanner
	new  []byte // the text of the link at hand
}

// ahead is how much of a document is looked at before it is rewritten, in bytes: its charset, and
// where its head begins.
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

// document is one document being rewritten.
type document struct {
	*tools
	rw      *Rewriter
	head    []byte // its beginning
	resolve *resolver

	foreign bool  // XML that is neither XHTML nor SVG
	based   bool  // it has named its base
	insert  int64 // where the markup is put; -1 when that is done, or there is none
	renamed int64 // where the name of the attribute stands that was disarmed last; -1 for none
}

// begin takes the tools, and finds the charset. UTF-16 becomes UTF-8, with a mark that says so
// louder than any header.
func (rw *Rewriter) begin(w io.Writer, r io.Reader, xml bool) *document {
	d := &document{tools: workshop.Get().(*tools), rw: rw, insert: -1, renamed: -1}
	d.out.Reset(w)
	d.in.Reset(r)
	src := d.in
	d.head, _ = src.Peek(ahead) // what goes wrong is met again when it is read
	if order, ok := wide(d.head, rw.ContentType); ok {
		src = bufio.NewReaderSize(narrowed(d.in, order), ahead)
		d.head, _ = src.Peek(ahead)
	}
	d.edit.Reset(d.out, src)
	d.resolve = newResolver(rw, charsetOf(d.head, rw.ContentType, xml))
	return d
}

// end copies what is left and puts the tools back.
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

// HTML rewrites a document that is shown as text/html. After an error what was written is not
// whole.
func (rw *Rewriter) HTML(w io.Writer, r io.Reader) error {
	d := rw.begin(w, r, false)
	if len(rw.Head) > 0 {
		d.insert = int64(openingOf(d.head).at)
	}
	return d.end(d.markup(htmllink.Options{Charset: d.resolve.charset, Guards: true}))
}

// XML rewrites a document that browsers read as XML. XHTML and SVG are rewritten like HTML; of
// others what any of them may have: xml-stylesheet and xlink:href.
func (rw *Rewriter) XML(w io.Writer, r io.Reader) error {
	d := rw.begin(w, r, true)
	begins := openingOf(d.head)
	root := begins.root(d.head)
	d.foreign = root != "html" && root != "svg"
	// a prefix it would need too
	if len(rw.Head) > 0 && begins.html && begins.head && !bytes.HasSuffix(d.head[:begins.at], []byte("/>")) {
		d.insert = int64(begins.at)
	}
	return d.end(d.markup(htmllink.Options{Charset: d.resolve.charset, Guards: !d.foreign, XML: true}))
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
