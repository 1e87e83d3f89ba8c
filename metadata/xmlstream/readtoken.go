package xmlstream

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// enter makes a start tag the current element.
func (r *Reader) enter(t xml.StartElement) (Element, error) {
	r.begun = true
	if len(r.open) >= r.lim.Depth {
		return Element{}, r.locate(fmt.Errorf("%w: more than %d nested elements", ErrLimit, r.lim.Depth))
	}
	if r.inWhole++; r.whole > 0 && r.inWhole > r.lim.Elements {
		return Element{}, r.locate(fmt.Errorf("%w: more than %d elements in memory", ErrLimit,
			r.lim.Elements))
	}
	el := Element{Space: t.Name.Space, Local: t.Name.Local}
	r.open = append(r.open, opened{el, r.src.used})
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
func (r *Reader) attributes(el *Element, attrs []xml.Attr) error {
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
func (r *Reader) originalsOfAttributes(el *Element) error {
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
		o, ours, err := parseOriginal(p)
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

func (r *Reader) restoreAttr(el *Element, o original) error {
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
func (r *Reader) resolve(prefix string) string {
	for i := len(r.spaces) - 1; i >= 0 && prefix != ""; i-- {
		if r.spaces[i].prefix == prefix {
			return r.spaces[i].uri
		}
	}
	return ""
}

// leave forgets the innermost open element.
func (r *Reader) leave() {
	for n := len(r.spaces); n > 0 && r.spaces[n-1].depth == len(r.open); n-- {
		r.spaces = r.spaces[:n-1]
	}
	last := len(r.open) - 1
	r.tags -= r.open[last].bytes
	r.open[last] = opened{} // release its strings
	r.open = r.open[:last]
}

// Whole calls read, which reads a part into memory as a whole. It fails if that part has more bytes
// or elements than the limits, because a list in it could grow without bound.
func (r *Reader) Whole(read func() error) error {
	if r.whole == 0 {
		r.whole, r.inWhole = r.dec.InputOffset()+r.lim.Entity, 0
		defer func() { r.whole = 0 }()
	}
	return read()
}

// token reads the next token and refuses those that the reader does not accept.
func (r *Reader) token() (xml.Token, error) {
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
	if r.whole > 0 && r.dec.InputOffset() > r.whole {
		return nil, r.locate(fmt.Errorf("%w: more than %d bytes in memory", ErrLimit, r.lim.Entity))
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
func (r *Reader) acceptable(tok xml.Token, first bool) error {
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

// whiteSpace is white space in XML (production S).
const whiteSpace = " \t\r\n"

func isSpace(text []byte) bool { return len(bytes.Trim(text, whiteSpace)) == 0 }

// Place returns the current place in the document, one-based, the column in bytes.
func (r *Reader) Place() (line, column int) {
	line, column = r.dec.InputPos()
	p := &r.src.passed
	if began := r.dec.InputOffset() - int64(column-1); p.bytes > 0 && began <= p.upTo {
		column = int(r.offset()-p.line) + 1
	}
	return line + p.lines, column
}

// offset returns the current offset in the document.
func (r *Reader) offset() int64 { return r.dec.InputOffset() + r.src.passed.bytes }

// pass moves n bytes past the parser.
func (r *Reader) pass(n int) {
	if n == 0 {
		return
	}
	_, column := r.Place()
	p := &r.src.passed
	p.line, p.upTo = r.offset()-int64(column-1), r.dec.InputOffset()
	taken, _ := r.src.src.Peek(n) // they were seen in the buffer
	if lines := bytes.Count(taken, []byte{'\n'}); lines > 0 {
		p.lines += lines
		p.line = r.offset() + int64(bytes.LastIndexByte(taken, '\n')) + 1
	}
	p.bytes += int64(n)
	_, _ = r.src.src.Discard(n)
	r.src.last = 0
}

// Errorf returns an error with the current place in the document. It ends the reading, like every
// error.
func (r *Reader) Errorf(format string, args ...any) error {
	return r.locate(fmt.Errorf(format, args...))
}

// locate wraps err with the current place, once, and makes it the reader's error.
func (r *Reader) locate(err error) error {
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
func (r *Reader) here(err error) error {
	line, column := r.Place()
	return &ReadError{Line: line, Column: column, Offset: r.offset(), Path: r.Path(), Err: err}
}

// Path returns the open elements, from the root down: "/mets/fileSec".
func (r *Reader) Path() string {
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
