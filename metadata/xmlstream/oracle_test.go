package xmlstream

// This file is the reader that Quire had until package-format 2.18, on top of encoding/xml. It is
// the oracle of the tests: the reader of today accepts and refuses the same documents, and reads
// the same from them at the same places.

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// oracle reads an XML document element by element, and restores the originals of values that XML
// could not carry. It accepts well-formed XML 1.0 in UTF-8 without a document type declaration. XML
// bombs need expanding entities, and no document that Quire reads needs them.
type oracle struct {
	dec     *xml.Decoder
	src     *meter
	lim     Limits
	err     error
	open    []opened  // open elements, the root first
	tags    int64     // bytes of the open start tags
	at      int       // depth of the current element for Each, Text and Skip
	spaces  []scoped  // namespace declarations in scope
	pending xml.Token // a token read but not yet used
	empty   bool      // the last tag was of an empty element; its end comes next
	begun   bool
}

// newOracle returns an oracle of the document in src.
func newOracle(src io.Reader, limits Limits) *oracle {
	lim := limits.withDefaults()
	m := newMeter(src, lim)
	dec := xml.NewDecoder(m)
	dec.Strict = true
	return &oracle{dec: dec, src: m, lim: lim, spaces: []scoped{{binding{"xml", XMLNamespace}, 0}}}
}

// Root reads up to the root element, which becomes the current element.
func (r *oracle) Root() (Element, error) {
	if r.err == nil && r.begun {
		return Element{}, r.Errorf("the root element was already read")
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

// child visits one child and skips the part that the visit left unread.
func (r *oracle) child(t xml.StartElement, visit func(Element) error) error {
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

// originalOfText restores the original in p at the end of text, if p is an instruction that holds
// one.
func (r *oracle) originalOfText(text []byte, run int, p xml.ProcInst) ([]byte, int, error) {
	o, ours, err := oracleOriginal(p)
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

// Finish reads to the end of the document, and fails if the rest is not well-formed. Call it after
// reading the root; it skips the unread rest of the root.
func (r *oracle) Finish() error {
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
func (r *oracle) begin() (level int, err error) {
	switch {
	case r.err != nil:
		return 0, r.err
	case r.at == 0 || r.at != len(r.open):
		return 0, r.Errorf("this element was already read")
	}
	return r.at, nil
}

// skipTo skips until fewer than level elements are open.
func (r *oracle) skipTo(level int) error {
	if r.err != nil {
		return r.err
	}
	for len(r.open) >= level {
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

// enter makes a start tag the current element.
func (r *oracle) enter(t xml.StartElement) (Element, error) {
	r.begun = true
	if len(r.open) >= r.lim.Depth {
		return Element{}, r.locate(fmt.Errorf("%w: more than %d nested elements", ErrLimit, r.lim.Depth))
	}
	el := Element{Space: t.Name.Space, Local: t.Name.Local}
	r.open = append(r.open, opened{Element: el, bytes: r.src.used})
	r.tags += r.src.used
	if err := r.attributes(&el, t.Attr); err != nil {
		return Element{}, r.locate(err)
	}
	if err := r.originalsOfAttributes(&el); err != nil {
		return Element{}, err
	}
	if r.tags > r.lim.Token {
		return Element{}, r.locate(fmt.Errorf("%w: open tags of more than %d bytes", ErrLimit, r.lim.Token))
	}
	r.at = len(r.open)
	r.open[r.at-1].Element = el
	return el, nil
}

// attributes separates declarations from attributes. It refuses duplicate attributes (XML 1.0,
// clause 3.1: Unique Att Spec), which encoding/xml accepts.
func (r *oracle) attributes(el *Element, attrs []xml.Attr) error {
	if len(attrs) > 0 {
		el.Attrs = make([]Attribute, 0, len(attrs))
	}
	for _, a := range attrs {
		if a.Name.Space == "xmlns" {
			r.spaces = append(r.spaces, scoped{binding{a.Name.Local, a.Value}, len(r.open)})
			continue
		}
		if a.Name.Space == "" && a.Name.Local == "xmlns" {
			continue // the default namespace never applies to attributes; dec applies it to elements
		}
		for _, b := range el.Attrs {
			if b.Local == a.Name.Local && b.Space == a.Name.Space {
				return fmt.Errorf("attribute %s occurs twice", a.Name.Local)
			}
		}
		el.Attrs = append(el.Attrs, Attribute{a.Name.Space, a.Name.Local, a.Value})
	}
	return nil
}

// originalsOfAttributes restores the attributes with originals after the start tag.
func (r *oracle) originalsOfAttributes(el *Element) error {
	for {
		// The parser reads only an instruction here: text, which may be long, stays unread.
		if p, _ := r.src.ahead(2); !bytes.HasPrefix(p, []byte("<?")) {
			return nil
		}
		tok, err := r.token()
		if err != nil {
			return err
		}
		p, isInst := tok.(xml.ProcInst)
		if !isInst {
			r.pending = tok
			return nil
		}
		o, ours, err := oracleOriginal(p)
		if err != nil {
			return r.locate(err)
		}
		if !ours || o.attr == "" {
			r.pending = tok
			return nil
		}
		if err := r.restoreAttr(el, o); err != nil {
			return r.locate(err)
		}
		r.open[len(r.open)-1].bytes += r.src.used
		r.tags += r.src.used
	}
}

func (r *oracle) restoreAttr(el *Element, o original) error {
	prefix, local, ok := splitName(o.attr)
	if !ok {
		return fmt.Errorf("<?%s @%s?>: not an attribute name", target, o.attr)
	}
	space := r.resolve(prefix)
	for i := range el.Attrs {
		a := &el.Attrs[i]
		if a.Local != local || a.Space != space {
			continue
		}
		if a.Value != Sanitize(o.value) {
			return fmt.Errorf("attribute %s: %w", o.attr, errOriginal)
		}
		a.Value = o.value
		return nil
	}
	return fmt.Errorf("<?%s @%s?>: the element has no such attribute", target, o.attr)
}

// resolve returns the namespace of a prefix at the current element.
func (r *oracle) resolve(prefix string) string {
	for i := len(r.spaces) - 1; i >= 0 && prefix != ""; i-- {
		if r.spaces[i].prefix == prefix {
			return r.spaces[i].uri
		}
	}
	return ""
}

// leave forgets the innermost open element.
func (r *oracle) leave() {
	for n := len(r.spaces); n > 0 && r.spaces[n-1].depth == len(r.open); n-- {
		r.spaces = r.spaces[:n-1]
	}
	last := len(r.open) - 1
	r.tags -= r.open[last].bytes
	r.open[last] = opened{} // release its strings
	r.open = r.open[:last]
}

// token reads the next token and refuses those that the reader does not accept.
func (r *oracle) token() (xml.Token, error) {
	if r.err != nil {
		return nil, r.err
	}
	if tok := r.pending; tok != nil {
		r.pending = nil
		return tok, nil
	}
	first := r.dec.InputOffset() == 0
	r.src.reset()
	tok, err := r.dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) && !r.begun {
			err = errors.New("the document has no element")
		}
		return nil, r.locate(err)
	}
	if err := r.acceptable(tok, first); err != nil {
		return nil, r.locate(err)
	}
	_, start := tok.(xml.StartElement)
	r.empty = start && r.src.empty
	return tok, nil
}

// acceptable checks the rules of XML 1.0 that encoding/xml does not. A document has one root
// element, outside it only white space, comments and instructions, and its XML declaration is
// first.
func (r *oracle) acceptable(tok xml.Token, first bool) error {
	outside := len(r.open) == 0
	switch t := tok.(type) {
	case xml.Directive:
		return ErrDoctype
	case xml.StartElement:
		if outside && r.begun {
			return fmt.Errorf("second root element <%s>", t.Name.Local)
		}
	case xml.CharData:
		if outside && !isSpace(t) {
			return errors.New("text outside the root element")
		}
	case xml.ProcInst:
		if strings.EqualFold(t.Target, "xml") && !first {
			return errors.New("an XML declaration within the document")
		}
	}
	return nil
}

// Place returns the current place in the document, one-based, the column in bytes.
func (r *oracle) Place() (line, column int) {
	return r.dec.InputPos()
}

// offset returns the current offset in the document.
func (r *oracle) offset() int64 { return r.dec.InputOffset() }

// Errorf returns an error with the current place in the document. It ends the reading, like every
// error.
func (r *oracle) Errorf(format string, args ...any) error {
	return r.locate(fmt.Errorf(format, args...))
}

// locate wraps err with the current place, once, and makes it the reader's error.
func (r *oracle) locate(err error) error {
	var located *ReadError
	if !errors.As(err, &located) {
		err = r.here(err)
	}
	if r.err == nil {
		r.err = err
	}
	return err
}

// here wraps err with the current place.
func (r *oracle) here(err error) error {
	line, column := r.Place()
	return &ReadError{Line: line, Column: column, Offset: r.offset(), Path: r.Path(), Err: err}
}

// Path returns the open elements, from the root down: "/mets/fileSec".
func (r *oracle) Path() string {
	if len(r.open) == 0 {
		return "/"
	}
	var b strings.Builder
	for _, e := range r.open {
		b.WriteByte('/')
		b.WriteString(e.Local)
	}
	return b.String()
}

// Mixed reads the current element to its end, with text and child elements in any order. It calls
// text for each section of character data, originals restored, and visit for each child, which is
// then the current element.
func (r *oracle) Mixed(text func(string) error, visit func(Element) error) error {
	level, err := r.begin()
	if err != nil {
		return err
	}
	var run []byte
	keep := 0 // run[keep:] is after the last original
	told := func() error {
		if len(run) == 0 {
			return nil
		}
		s := string(run)
		run, keep = run[:0], 0
		return r.failed(text(s))
	}
	for {
		tok, err := r.token()
		if err != nil {
			return err
		}
		switch t := tok.(type) {
		case xml.EndElement:
			r.leave()
			return told()
		case xml.StartElement:
			if err := told(); err != nil {
				return err
			}
			if err := r.child(t, visit); err != nil {
				return err
			}
			r.at = level
		case xml.CharData:
			if int64(len(run)+len(t)) > r.lim.Token {
				return r.locate(fmt.Errorf("%w: text longer than %d bytes", ErrLimit, r.lim.Token))
			}
			run = append(run, t...)
		case xml.ProcInst:
			if run, keep, err = r.originalOfText(run, keep, t); err != nil {
				return err
			}
		}
	}
}

// failed adds the place to the error of a visitor.
func (r *oracle) failed(err error) error {
	if err == nil {
		return nil
	}
	return r.locate(err)
}

// oracleOriginal parses a processing instruction; ok is false if it is not Quire's.
func oracleOriginal(p xml.ProcInst) (o original, ok bool, err error) {
	if p.Target != target {
		return o, false, nil
	}
	kind, data, found := strings.Cut(string(p.Inst), " ")
	if !found {
		return o, true, fmt.Errorf("<?%s %s?>: want a kind and base64", target, kind)
	}
	value, err := base64.StdEncoding.Strict().DecodeString(data)
	if err != nil {
		return o, true, fmt.Errorf("<?%s %s?>: %w", target, kind, err)
	}
	o.value = string(value)
	switch {
	case kind == "text":
	case len(kind) > 1 && kind[0] == '@':
		o.attr = kind[1:]
	default:
		return o, true, fmt.Errorf("<?%s %s?>: neither text nor an attribute", target, kind)
	}
	return o, true, nil
}

// meter is between the source and the XML parser and counts the input for one token. The parser
// holds a whole token in memory, and an attribute of four bytes costs it twenty times that. So
// meter ends a hostile tag.
type meter struct {
	src   *bufio.Reader
	lim   Limits
	used  int64 // bytes since the last token
	attrs int   // attributes of the current tag
	place place
	quote byte // quote of the current attribute value
	last  byte
	empty bool // last ends the tag of an empty element: "/>"
}

// place is the meter's position in a token, in enough detail to count attributes.
type place uint8

const (
	atStart  place = iota // of a token
	inMarkup              // just after <
	inTag                 // in a start tag, between attributes
	inValue               // in an attribute value
	inOther               // text, end tag, comment, instruction
)

func newMeter(src io.Reader, lim Limits) *meter {
	return &meter{src: bufio.NewReaderSize(src, bufferSize), lim: lim}
}

// reset begins a token. At the end of text, the parser has already read the < of the next token.
func (m *meter) reset() {
	m.used, m.attrs, m.place = 0, 0, atStart
	if m.last == '<' {
		m.place = inMarkup
	}
}

// ReadByte reads one byte for the parser.
func (m *meter) ReadByte() (byte, error) {
	if m.used >= m.lim.Token {
		return 0, fmt.Errorf("%w: a token longer than %d bytes", ErrLimit, m.lim.Token)
	}
	m.used++
	b, err := m.src.ReadByte()
	if err != nil {
		return 0, err
	}
	m.empty = m.last == '/' && b == '>'
	m.last = b
	if m.place != inOther {
		m.step(b)
		if m.attrs > m.lim.Attributes {
			return 0, fmt.Errorf("%w: more than %d attributes", ErrLimit, m.lim.Attributes)
		}
	}
	return b, nil
}

// step updates the position in a start tag.
func (m *meter) step(b byte) {
	switch m.place {
	case atStart:
		m.place = inOther
		if b == '<' {
			m.place = inMarkup
		}
	case inMarkup:
		m.place = inTag
		if b == '/' || b == '!' || b == '?' {
			m.place = inOther
		}
	case inTag:
		if b == '"' || b == '\'' {
			m.place, m.quote = inValue, b
			m.attrs++
		}
	case inValue:
		if b == m.quote {
			m.place = inTag
		}
	}
}

// Read exists because xml.NewDecoder requires an io.Reader; the parser uses ReadByte.
func (m *meter) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := m.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// ahead returns the buffered bytes of the source, at least n unless the source ends first. The
// parser has not read them.
func (m *meter) ahead(n int) ([]byte, error) {
	p, err := m.src.Peek(n)
	if err == nil {
		p, err = m.src.Peek(m.src.Buffered())
	}
	return p, err
}
