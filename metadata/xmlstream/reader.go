package xmlstream

import (
	"errors"
	"fmt"
	"io"
)

// Limits bound the cost of a hostile document. A zero field means the default.
type Limits struct {
	Depth int // nested elements; default 256
	// bytes of one tag, text or instruction, of one element's text, of all open tags; default 16
	// MiB
	Token      int64
	Attributes int   // of one element, including namespace declarations; default 256
	Entity     int64 // bytes of one part that is read into memory as a whole, see [Reader.Whole]; default 64 MiB
	Elements   int   // of one part that is read into memory as a whole; default 262,144
}

func (l Limits) withDefaults() Limits {
	if l.Depth == 0 {
		l.Depth = 256
	}
	if l.Token == 0 {
		l.Token = 16 << 20
	}
	if l.Attributes == 0 {
		l.Attributes = 256
	}
	if l.Entity == 0 {
		l.Entity = 64 << 20
	}
	if l.Elements == 0 {
		l.Elements = 1 << 18
	}
	return l
}

// Reader reads an XML document element by element, and restores the originals of values that XML
// could not carry. It accepts well-formed XML 1.0 in UTF-8 without a document type declaration. XML
// bombs need expanding entities, and no document that Quire reads needs them.
//
// Reading is recursive. [Reader.Root] returns the root element. For the current element,
// [Reader.Each] visits its children, [Reader.Text] reads its text, and [Reader.Skip] skips it.
// Parts that a visit leaves unread are skipped.
type Reader struct {
	// OnUnknown receives the path of each element that the reader of a vocabulary does not support.
	// The element is then skipped. If OnUnknown is nil, such an element is an error.
	OnUnknown func(path string)

	scanner *scanner
	lim     Limits
	err     error
	open    []opened    // open elements, the root first
	tags    int64       // bytes of the open start tags
	whole   int64       // offset that must not be passed while a part is read as a whole; 0 if none
	inWhole int         // elements read since then
	passed  int64       // bytes of text that was streamed, and so never in memory
	at      int         // depth of the current element for Each, Text and Skip
	spaces  []scoped    // namespace declarations in scope
	attrs   []Attribute // of the open elements
	run     []byte      // text, reused
	pending bool        // the scanner's token is still to be used
	begun   bool
}

type opened struct {
	Element
	bytes int64 // of the start tag, with the originals after it
	attrs int   // where its attributes begin in the reader's
}

type scoped struct {
	binding
	depth int
}

// Element is a start tag that was read. Attrs is valid until the next element of the same parent, or
// of an outer element, begins: clone it to keep it longer. Its strings can be kept.
type Element struct {
	Space, Local string // namespace name and local name
	Attrs        []Attribute
}

// Attribute is one attribute of an element, its original restored. Namespace declarations are
// excluded.
type Attribute struct {
	Space, Local string
	Value        string
}

// Is reports whether the element has this namespace and local name.
func (e Element) Is(space, local string) bool { return e.Space == space && e.Local == local }

// Attr returns the value of the attribute with this name and without namespace, or "".
func (e Element) Attr(local string) string { return e.AttrNS("", local) }

// AttrNS returns the value of an attribute with a namespace, or "".
func (e Element) AttrNS(space, local string) string {
	v, _ := e.Lookup(space, local)
	return v
}

// Lookup returns the value of an attribute and whether it is present.
func (e Element) Lookup(space, local string) (value string, present bool) {
	for i := range e.Attrs {
		if a := &e.Attrs[i]; a.Local == local && a.Space == space {
			return a.Value, true
		}
	}
	return "", false
}

// ReadError is an error with its place in the document.
type ReadError struct {
	Line, Column int    // both start at 1; the column counts bytes
	Offset       int64  // bytes from the start of the document
	Path         string // the open elements: "/mets/fileSec/fileGrp"
	Err          error
}

// Error returns place and cause on one line.
func (e *ReadError) Error() string {
	return fmt.Sprintf("line %d, column %d (byte %d), in %s: %v", e.Line, e.Column, e.Offset, e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// Errors for refused documents, besides those for documents that are not well-formed.
var (
	ErrDoctype = errors.New("document type declarations are not accepted")
	ErrLimit   = errors.New("the document exceeds a limit of the reader")
)

// NewReader returns a Reader of the document in src.
func NewReader(src io.Reader, limits Limits) *Reader {
	lim := limits.withDefaults()
	return &Reader{scanner: newScanner(src, lim), lim: lim,
		spaces: []scoped{{binding{"xml", XMLNamespace}, 0}}}
}

// Root reads up to the root element, which becomes the current element.
func (r *Reader) Root() (Element, error) {
	if r.err == nil && r.begun {
		return Element{}, r.Errorf("the root element was already read")
	}
	for {
		tok, err := r.token()
		if err != nil {
			return Element{}, err
		}
		if tok == startTag {
			return r.enter()
		}
	}
}

// Element returns the current element.
func (r *Reader) Element() Element {
	if r.at == 0 || r.at > len(r.open) {
		return Element{}
	}
	return r.open[r.at-1].Element
}

// Each calls visit for every child of the current element; the child is then the current element.
// It returns at the end of the element. Character data other than white space between the children
// is an error, so nothing is lost silently.
func (r *Reader) Each(visit func(Element) error) error {
	level, err := r.begin()
	if err != nil {
		return err
	}
	for {
		tok, err := r.token()
		if err != nil {
			return err
		}
		switch tok {
		case startTag:
			if err := r.child(visit); err != nil {
				return err
			}
			r.at = level
		case endTag:
			r.leave()
			return nil
		case charData:
			if !isSpace(r.scanner.content()) {
				return r.Errorf("text where only elements are allowed")
			}
		case instruction:
			if r.scanner.ours {
				return r.Errorf("<?%s?> without its value", target)
			}
		}
	}
}

// child visits one child and skips the part that the visit left unread.
func (r *Reader) child(visit func(Element) error) error {
	el, err := r.enter()
	if err != nil {
		return err
	}
	level := r.at
	if err := visit(el); err != nil {
		return r.locate(err)
	}
	return r.skipTo(level)
}

// Text reads the current element to its end and returns its character data, originals restored. A
// child element is an error.
func (r *Reader) Text() (string, error) {
	if _, err := r.begin(); err != nil {
		return "", err
	}
	text := r.run[:0]
	run := 0 // text[run:] is after the last original
	for {
		tok, err := r.token()
		if err != nil {
			return "", err
		}
		switch tok {
		case endTag:
			r.leave()
			r.run = text
			return r.scanner.values.string(text), nil
		case startTag:
			return "", r.Errorf("element <%s> inside text", r.scanner.name.local)
		case charData:
			if text, err = r.appendText(text); err != nil {
				return "", err
			}
		case instruction:
			if text, run, err = r.originalOfText(text, run); err != nil {
				return "", err
			}
		}
	}
}

// appendText appends the current text.
func (r *Reader) appendText(text []byte) ([]byte, error) {
	more := r.scanner.content()
	if int64(len(text)+len(more)) > r.lim.Token {
		return nil, r.locate(fmt.Errorf("%w: text longer than %d bytes", ErrLimit, r.lim.Token))
	}
	return append(text, more...), nil
}

// originalOfText restores the original at the end of text, if the current instruction holds one.
func (r *Reader) originalOfText(text []byte, run int) ([]byte, int, error) {
	if !r.scanner.ours {
		return text, run, nil
	}
	o, err := parseOriginal(r.scanner.data)
	if err != nil {
		return nil, 0, r.locate(err)
	}
	if o.attr != "" {
		return nil, 0, r.Errorf("<?%s @%s?> does not follow its start tag", target, o.attr)
	}
	restored, err := restoreText(text[run:], o)
	if err != nil {
		return nil, 0, r.locate(err)
	}
	text = append(text[:run], restored...)
	return text, len(text), nil
}

// Skip skips the current element.
func (r *Reader) Skip() error {
	level, err := r.begin()
	if err != nil {
		return err
	}
	return r.skipTo(level)
}

// Finish reads to the end of the document, and fails if the rest is not well-formed. Call it after
// reading the root; it skips the unread rest of the root.
func (r *Reader) Finish() error {
	if r.err == nil && !r.begun {
		return r.Errorf("the root element was not read")
	}
	if err := r.skipTo(1); err != nil {
		return err
	}
	for {
		if _, err := r.token(); err != nil {
			if errors.Is(err, io.EOF) && len(r.open) == 0 {
				return nil
			}
			return err
		}
	}
}

// begin checks that the current element is still unread.
func (r *Reader) begin() (level int, err error) {
	switch {
	case r.err != nil:
		return 0, r.err
	case r.at == 0 || r.at != len(r.open):
		return 0, r.Errorf("this element was already read")
	}
	return r.at, nil
}

// skipTo skips until fewer than level elements are open.
func (r *Reader) skipTo(level int) error {
	if r.err != nil {
		return r.err
	}
	for len(r.open) >= level {
		if err := r.skipLong(); err != nil {
			return err
		}
		tok, err := r.token()
		if err != nil {
			return err
		}
		switch tok {
		case startTag:
			if err := r.enterUnread(); err != nil {
				return err
			}
		case endTag:
			r.leave()
		}
	}
	return nil
}
