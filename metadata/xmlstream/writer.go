package xmlstream

import (
	"fmt"
	"io"
	"strconv"
)

// Options are the layout options. The zero value writes a complete document without line breaks.
type Options struct {
	Indent   bool // one element per line, indented, except inside elements with text
	Fragment bool // no XML declaration: the output becomes part of another document
	Depth    int  // of the enclosing elements there, for the indentation
}

// Writer writes one XML document. It checks during writing that the document stays well-formed and
// namespace-correct. After the first mistake or failed write it writes nothing more, and Err and
// Close return that error.
//
// Memory is bounded by the depth of the open elements and the longest attribute value that XML
// cannot carry.
type Writer struct {
	out    io.Writer
	buf    []byte
	opt    Options
	err    error
	stack  []frame
	spaces []binding // namespaces in scope, innermost last
	root   int       // number of those that the root element declares
	queue  []binding // namespaces to declare on the next element
	names  []attrName
	broken []brokenAttr // attributes of the open tag with values that XML cannot carry
	place  string       // of the schema, for the next element
	inTag  bool         // the start tag of the innermost element still accepts attributes
	begun  bool         // there was a root element
}

type frame struct {
	name    string
	spaces  int // number of namespaces in scope outside it
	hasText bool
	hasElem bool
}

type attrName struct{ prefix, local string }

type brokenAttr struct{ name, value string }

// NewWriter returns a Writer of one document to out. Close must be called; it does not close out.
func NewWriter(out io.Writer, opt Options) *Writer {
	return &Writer{out: out, opt: opt, buf: *buffers.Get().(*[]byte), spaces: []binding{
		{"xml", XMLNamespace}, // bound by definition
	}}
}

// Start opens an element. The name includes its prefix: "mets:file".
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
	if len(w.stack) == 1 {
		w.root = len(w.spaces)
	}
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

// openElement checks that an element may start here, and writes everything before it.
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

// Element writes an element with only text.
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

// ElementIntOpt writes an element with an integer; an absent value writes nothing.
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

// End closes the innermost element, which must have this name.
func (w *Writer) End(name string) {
	if w.err != nil {
		return
	}
	if len(w.stack) == 0 {
		w.failf("end of %s, but no element is open", name)
		return
	}
	if len(w.queue) > 0 {
		w.failf("end of %s, but prefix %q was declared for an element that was not written", name, w.queue[0].prefix)
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

// closeTag ends the open start tag. Directly after the tag, it writes the original values of
// attributes that XML cannot represent. These originals are content, so such an element is never
// written as an empty-element tag.
func (w *Writer) closeTag() {
	if !w.inTag || w.err != nil {
		return
	}
	w.buf = append(w.buf, '>')
	w.inTag = false
	for _, a := range w.broken {
		w.keepOriginal("@", a.name, a.value)
	}
	clear(w.broken) // release the strings
	w.broken = w.broken[:0]
}

// indent starts a new line for a child or the end tag of f, unless f has text that white space
// would change.
func (w *Writer) indent(f *frame, depth int) {
	if !w.opt.Indent || f.hasText {
		return
	}
	w.buf = append(w.buf, '\n')
	for range depth + w.opt.Depth {
		w.buf = append(w.buf, ' ', ' ')
	}
}

// Fail makes err the writer's error, unless it already has one. Writers of vocabularies call it for
// the errors they find.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *Writer) failf(format string, args ...any) {
	w.Fail(fmt.Errorf("xmlstream: "+format, args...))
}

// Err returns the error that stopped the writer, or nil.
func (w *Writer) Err() error { return w.err }

// Depth returns the number of open elements.
func (w *Writer) Depth() int { return len(w.stack) }
