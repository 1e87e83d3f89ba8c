package xmlstream

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// Limits bound what a hostile document can cost. A zero field means the default.
type Limits struct {
	Depth int // elements inside one another; default 256
	// bytes of one tag, text or instruction, of the text of one element, of all open tags; default
	// 16 MiB
	Token      int64
	Attributes int   // of one element, namespace declarations among them; default 256
	Entity     int64 // bytes of one thing that is read into memory whole, see [Reader.Whole]; default 64 MiB
	Elements   int   // of one thing that is read into memory whole; default 262,144
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

// Reader walks an XML document element by element, and puts back the originals of values that XML
// could not carry. It takes well-formed XML 1.0 in UTF-8 without a document type declaration:
// entities that expand are where XML bombs come from, and nothing this house reads needs them.
//
// The walk is recursive: [Reader.Root] gives the root element, and for the element at hand
// [Reader.Each] visits its children, [Reader.Text] reads its text, [Reader.Skip] leaves it out.
// What a visit leaves unread is skipped.
type Reader struct {
	// OnUnknown is told the path of elements a vocabulary's reader has no place for, which are then
	// skipped. When it is nil such an element is an error.
	OnUnknown func(path string)

	dec     *xml.Decoder
	src     *meter
	lim     Limits
	err     error
	open    []opened  // open elements, the root first
	tags    int64     // bytes of the open start tags
	whole   int64     // offset that must not be passed while something is read whole; 0 when nothing is
	inWhole int       // elements met since then
	at      int       // depth of the element at hand, as Each, Text and Skip see it
	spaces  []scoped  // namespace declarations in scope
	pending xml.Token // a token looked at and not yet used
	empty   bool      // the tag read last was that of an empty element, whose end the parser tells next
	begun   bool
}

type opened struct {
	Element
	bytes int64 // of the start tag, with the originals behind it
}

type scoped struct {
	binding
	depth int
}

// Element is a start tag that was read.
type Element struct {
	Space, Local string // namespace name and local name
	Attrs        []Attribute
}

// Attribute is one attribute of an element, its original restored. Namespace declarations are not
// among them.
type Attribute struct {
	Space, Local string
	Value        string
}

// Is reports whether the element has this namespace and local name.
func (e Element) Is(space, local string) bool { return e.Space == space && e.Local == local }

// Attr gives the value of the attribute without namespace of this name, or "".
func (e Element) Attr(local string) string { return e.AttrNS("", local) }

// AttrNS gives the value of an attribute with a namespace, or "".
func (e Element) AttrNS(space, local string) string {
	v, _ := e.Lookup(space, local)
	return v
}

// Lookup gives the value of an attribute and whether it is there.
func (e Element) Lookup(space, local string) (value string, present bool) {
	for _, a := range e.Attrs {
		if a.Local == local && a.Space == space {
			return a.Value, true
		}
	}
	return "", false
}

// ReadError says where in the document reading failed.
type ReadError struct {
	Line, Column int    // one-based; the column counts bytes
	Offset       int64  // bytes from the start of the document
	Path         string // the elements that were open: "/mets/fileSec/fileGrp"
	Err          error
}

// Error writes place and cause on one line.
func (e *ReadError) Error() string {
	return fmt.Sprintf("line %d, column %d (byte %d), in %s: %v", e.Line, e.Column, e.Offset, e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// Errors a document can be refused with, besides those of encoding/xml.
var (
	ErrDoctype = errors.New("document type declarations are not accepted")
	ErrLimit   = errors.New("the document exceeds a limit of the reader")
)

// NewReader returns a reader of the document in src.
func NewReader(src io.Reader, limits Limits) *Reader {
	lim := limits.withDefaults()
	m := newMeter(src, lim)
	dec := xml.NewDecoder(m)
	dec.Strict = true
	return &Reader{dec: dec, src: m, lim: lim, spaces: []scoped{{binding{"xml", XMLNamespace}, 0}}}
}

// Root reads up to the root element and makes it the element at hand.
func (r *Reader) Root() (Element, error) {
	if r.err == nil && r.begun {
		return Element{}, r.Errorf("the root element was read already")
	}
	for {
		tok, err := r.token()
		if err != nil {
			return Element{}, err
		}
		if start, ok := tok.(xml.StartElement); ok {
			return r.enter(start)
		}
	}
}

// Element gives the element at hand.
func (r *Reader) Element() Element {
	if r.at == 0 || r.at > len(r.open) {
		return Element{}
	}
	return r.open[r.at-1].Element
}

// Each calls visit for every child of the element at hand, with the child at hand, and returns when
// the element has ended. Character data other than white space between the children is an error:
// nothing in the document is passed over unseen.
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
		switch t := tok.(type) {
		case xml.StartElement:
			if err := r.child(t, visit); err != nil {
				return err
			}
			r.at = level
		case xml.EndElement:
			r.leave()
			return nil
		case xml.CharData:
			if !isSpace(t) {
				return r.Errorf("text where only elements belong")
			}
		case xml.ProcInst:
			if t.Target == target {
				return r.Errorf("<?%s?> without the value it is about", target)
			}
		}
	}
}

// child visits one child and skips what the visit left of it.
func (r *Reader) child(t xml.StartElement, visit func(Element) error) error {
	el, err := r.enter(t)
	if err != nil {
		return err
	}
	level := r.at
	if err := visit(el); err != nil {
		return r.locate(err)
	}
	return r.skipTo(level)
}

// Text reads the element at hand to its end and returns its character data, originals restored. A
// child element is an error.
func (r *Reader) Text() (string, error) {
	if _, err := r.begin(); err != nil {
		return "", err
	}
	var text []byte
	run := 0 // text[run:] came after the last original
	for {
		tok, err := r.token()
		if err != nil {
			return "", err
		}
		switch t := tok.(type) {
		case xml.EndElement:
			r.leave()
			return string(text), nil
		case xml.StartElement:
			return "", r.Errorf("element <%s> inside text", t.Name.Local)
		case xml.CharData:
			if int64(len(text)+len(t)) > r.lim.Token {
				return "", r.locate(fmt.Errorf("%w: text longer than %d bytes", ErrLimit, r.lim.Token))
			}
			text = append(text, t...)
		case xml.ProcInst:
			if text, run, err = r.originalOfText(text, run, t); err != nil {
				return "", err
			}
		}
	}
}

// originalOfText restores the original that p keeps at the end of text, if p is such an
// instruction.
func (r *Reader) originalOfText(text []byte, run int, p xml.ProcInst) ([]byte, int, error) {
	o, ours, err := parseOriginal(p)
	if err != nil {
		return nil, 0, r.locate(err)
	}
	if !ours {
		return text, run, nil
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

// Skip reads the element at hand to its end.
func (r *Reader) Skip() error {
	level, err := r.begin()
	if err != nil {
		return err
	}
	return r.skipTo(level)
}

// Finish reads to the end of the document, and fails if that is not well-formed. Call it when the
// root has been read: what is left of the root is skipped.
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

// begin checks that the element at hand is still to be read.
func (r *Reader) begin() (level int, err error) {
	switch {
	case r.err != nil:
		return 0, r.err
	case r.at == 0 || r.at != len(r.open):
		return 0, r.Errorf("this element was read already")
	}
	return r.at, nil
}

// skipTo reads on until fewer than level elements are open.
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
		switch t := tok.(type) {
		case xml.StartElement:
			if _, err := r.enter(t); err != nil {
				return err
			}
		case xml.EndElement:
			r.leave()
		}
	}
	return nil
}
