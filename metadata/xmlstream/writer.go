package xmlstream

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"unicode/utf8"
)

// XMLNamespace is what the prefix xml means in every document (Namespaces 1.0, clause 3): xml:lang, xml:space.
const XMLNamespace = "http://www.w3.org/XML/1998/namespace"

// Options say how a document is laid out. The zero value writes a whole document without line breaks.
type Options struct {
	Indent   bool // one element a line, indented, except inside elements with text
	Fragment bool // no XML declaration: the output becomes part of another document
	Depth    int  // of the elements that are around it there, for the indentation
}

// Writer writes one XML document. It checks as it goes that the document stays well-formed and namespace-correct, and its
// error is sticky: after the first mistake or failed write nothing more is written, and Err and Close give that error.
//
// Memory is bounded by the depth of the elements that are open and the longest attribute value that XML cannot carry.
type Writer struct {
	out    io.Writer
	buf    []byte
	opt    Options
	err    error
	stack  []frame
	spaces []binding // namespaces in scope, innermost last
	queue  []binding // namespaces to declare on the next element
	names  []attrName
	broken []brokenAttr // attributes of the open tag whose value XML cannot carry
	place  string       // of the schema, for the next element
	inTag  bool         // the start tag of the innermost element still takes attributes
	begun  bool         // there was a root element
}

type frame struct {
	name    string
	spaces  int // how many namespaces were in scope outside it
	hasText bool
	hasElem bool
}

type binding struct{ prefix, uri string }

type attrName struct{ prefix, local string }

type brokenAttr struct{ name, value string }

// Buffer sizes in bytes: what is collected before a write, and how much of a long string is escaped at a time.
const (
	bufferSize = 64 << 10
	chunkSize  = 8 << 10
)

// buffers are those of writers that were closed: a provider of records makes thousands of documents a second.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, bufferSize+chunkSize)
	return &b
}}

// ErrClosed is the error of a writer that is used after Close.
var ErrClosed = errors.New("xmlstream: write after Close")

// NewWriter returns a writer of one document to out. Close must be called; it does not close out.
func NewWriter(out io.Writer, opt Options) *Writer {
	return &Writer{out: out, opt: opt, buf: *buffers.Get().(*[]byte), spaces: []binding{
		{"xml", XMLNamespace}, // bound by definition
	}}
}

// Declare binds a prefix on the next element that is started. It does nothing when the prefix already means uri there, so
// that a writer of one vocabulary works the same inside another document and alone. There is no default namespace: every
// name says where it belongs.
func (w *Writer) Declare(prefix, uri string) {
	if w.err != nil {
		return
	}
	if !IsNCName(prefix) || uri == "" || prefix == "xmlns" || prefix == "xml" {
		w.failf("namespace %q cannot be bound to prefix %q", uri, prefix)
		return
	}
	for _, b := range w.queue {
		if b.prefix == prefix {
			if b.uri != uri {
				w.failf("prefix %q is declared twice on one element", prefix)
			}
			return
		}
	}
	if bound, ok := w.lookup(prefix); ok && bound == uri {
		return
	}
	w.queue = append(w.queue, binding{prefix, uri})
}

// Start opens an element. The name carries its prefix: "mets:file".
func (w *Writer) Start(name string) {
	if w.err != nil {
		return
	}
	prefix, _, ok := splitName(name)
	if !ok {
		w.failf("%q is not an element name", name)
		return
	}
	w.closeTag()
	if !w.openElement(name) {
		return
	}
	mark := len(w.spaces)
	w.stack = append(w.stack, frame{name: name, spaces: mark})
	w.buf = append(append(w.buf, '<'), name...)
	w.inTag = true
	w.names = w.names[:0]
	w.declareQueued()
	if prefix != "" {
		if _, ok := w.lookup(prefix); !ok {
			w.failf("element %s: prefix %q is not declared", name, prefix)
		}
	}
	if w.place != "" {
		w.Attr("xsi:schemaLocation", w.place)
		w.place = ""
	}
}

// SchemaNamespace is that of xsi:type and xsi:schemaLocation (XML Schema 1.0 part 1, clause 2.6).
const SchemaNamespace = "http://www.w3.org/2001/XMLSchema-instance"

// Locate has the next element that is started say where the schema of a namespace is (xsi:schemaLocation), as OAI-PMH asks of a record.
func (w *Writer) Locate(namespace, location string) {
	w.Declare("xsi", SchemaNamespace)
	if w.place != "" {
		w.place += " "
	}
	w.place += namespace + " " + location
}

// openElement checks that an element may start here and writes what comes before it.
func (w *Writer) openElement(name string) bool {
	if len(w.stack) > 0 {
		parent := &w.stack[len(w.stack)-1]
		w.indent(parent, len(w.stack))
		parent.hasElem = true
		return true
	}
	if w.begun {
		w.failf("second root element %s", name)
		return false
	}
	w.begun = true
	if !w.opt.Fragment {
		w.buf = append(w.buf, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"...)
	}
	return true
}

// declareQueued writes the namespaces that wait for this element.
func (w *Writer) declareQueued() {
	for _, b := range w.queue {
		w.buf = append(append(append(w.buf, " xmlns:"...), b.prefix...), `="`...)
		var intact bool
		w.buf, intact = appendEscaped(w.buf, b.uri, true)
		w.buf = append(w.buf, '"')
		if !intact {
			w.failf("namespace name %q holds characters XML forbids", b.uri)
		}
		w.spaces = append(w.spaces, b)
	}
	w.queue = w.queue[:0]
}

// lookup gives the namespace a prefix means here.
func (w *Writer) lookup(prefix string) (uri string, ok bool) {
	for i := len(w.spaces) - 1; i >= 0; i-- {
		if w.spaces[i].prefix == prefix {
			return w.spaces[i].uri, true
		}
	}
	return "", false
}

// Text writes character data into the innermost element.
func (w *Writer) Text(s string) {
	if w.err != nil || s == "" {
		return
	}
	if len(w.stack) == 0 {
		w.failf("text outside the root element")
		return
	}
	w.closeTag()
	w.stack[len(w.stack)-1].hasText = true
	if !w.escape(s, false) {
		w.keepOriginal("text", "", s)
	}
	w.flushFull()
}

// Element writes an element that holds only text.
func (w *Writer) Element(name, text string) {
	w.Start(name)
	w.Text(text)
	w.End(name)
}

// ElementOpt is Element for an optional element: an empty text writes nothing.
func (w *Writer) ElementOpt(name, text string) {
	if text != "" {
		w.Element(name, text)
	}
}

// ElementIntOpt writes an element that holds an integer; an absent value writes nothing.
func (w *Writer) ElementIntOpt(name string, v Int) {
	if !v.set {
		return
	}
	w.Start(name)
	w.closeTag()
	if w.err == nil {
		w.stack[len(w.stack)-1].hasText = true
		w.buf = strconv.AppendInt(w.buf, v.value, 10)
	}
	w.End(name)
}

// End closes the innermost element, which must be the one named.
func (w *Writer) End(name string) {
	if w.err != nil {
		return
	}
	if len(w.stack) == 0 {
		w.failf("end of %s, but no element is open", name)
		return
	}
	if len(w.queue) > 0 {
		w.failf("end of %s, but prefix %q was declared for an element that never came", name, w.queue[0].prefix)
		return
	}
	top := w.stack[len(w.stack)-1]
	if top.name != name {
		w.failf("end of %s, but the element open is %s", name, top.name)
		return
	}
	w.stack = w.stack[:len(w.stack)-1]
	if w.inTag && len(w.broken) == 0 {
		w.buf = append(w.buf, "/>"...)
		w.inTag = false
	} else {
		w.closeTag()
		if top.hasElem {
			w.indent(&top, len(w.stack))
		}
		w.buf = append(append(append(w.buf, "</"...), name...), '>')
	}
	w.spaces = w.spaces[:top.spaces]
	w.flushFull()
}

// closeTag ends the start tag that is still open, and writes the originals of attributes XML could not carry directly
// behind it: the element is then no longer empty, which is why it is never written as an empty-element tag.
func (w *Writer) closeTag() {
	if !w.inTag || w.err != nil {
		return
	}
	w.buf = append(w.buf, '>')
	w.inTag = false
	for _, a := range w.broken {
		w.keepOriginal("@", a.name, a.value)
	}
	clear(w.broken) // let go of the strings
	w.broken = w.broken[:0]
}

// indent starts a new line for a child or the end tag of f, unless f holds text and white space would change it.
func (w *Writer) indent(f *frame, depth int) {
	if !w.opt.Indent || f.hasText {
		return
	}
	w.buf = append(w.buf, '\n')
	for range depth + w.opt.Depth {
		w.buf = append(w.buf, ' ', ' ')
	}
}

// escape writes s and reports whether XML carries it intact. Long strings go in chunks, so that the buffer stays small.
func (w *Writer) escape(s string, attr bool) (intact bool) {
	intact = true
	for len(s) > 0 && w.err == nil {
		n := chunkEnd(s)
		var ok bool
		w.buf, ok = appendEscaped(w.buf, s[:n], attr)
		intact = intact && ok
		s = s[n:]
		w.flushFull()
	}
	return intact
}

// chunkEnd gives the length of the first chunk of s. It never cuts a UTF-8 sequence: at most three bytes of one can
// follow its first, so looking back three bytes is enough.
func chunkEnd(s string) int {
	if len(s) <= chunkSize {
		return len(s)
	}
	for n := chunkSize; n > chunkSize-utf8.UTFMax; n-- {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return chunkSize
}

// Fail makes err the writer's error, if it has none yet. Writers of vocabularies use it for what they find wrong.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *Writer) failf(format string, args ...any) {
	w.Fail(fmt.Errorf("xmlstream: "+format, args...))
}

// Err gives the error that stopped the writer, or nil.
func (w *Writer) Err() error { return w.err }

// Depth is the number of elements that are open.
func (w *Writer) Depth() int { return len(w.stack) }

// flushFull hands the buffer on when it is full.
func (w *Writer) flushFull() {
	if len(w.buf) >= bufferSize {
		w.flush()
	}
}

func (w *Writer) flush() {
	if w.err != nil || len(w.buf) == 0 {
		return
	}
	if _, err := w.out.Write(w.buf); err != nil {
		w.Fail(fmt.Errorf("xmlstream: writing the document: %w", err))
	}
	w.buf = w.buf[:0]
}

// Close ends the document. It fails when the document is not complete, or a write before it failed.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	switch {
	case len(w.stack) > 0:
		w.failf("the document ends inside %s", w.stack[len(w.stack)-1].name)
	case !w.begun:
		w.failf("the document has no root element")
	}
	if w.opt.Indent {
		w.buf = append(w.buf, '\n')
	}
	w.flush()
	if w.err != nil {
		return w.err
	}
	w.err = ErrClosed
	b := w.buf[:0]
	buffers.Put(&b)
	w.buf = nil
	return nil
}
