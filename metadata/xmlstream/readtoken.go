package xmlstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// enter makes the element of the current start tag the current element.
func (r *Reader) enter() (Element, error) {
	if err := r.push(); err != nil {
		return Element{}, err
	}
	el := r.open[len(r.open)-1].Element
	r.build(&el)
	if err := r.originalsOfAttributes(&el); err != nil {
		return Element{}, err
	}
	r.open[len(r.open)-1].Attrs = el.Attrs
	return el, r.entered()
}

// enterUnread is enter for an element that is skipped: its attributes are not built.
func (r *Reader) enterUnread() error {
	if b := r.scanner.buf[r.scanner.pos:r.scanner.end]; len(b) < 2 || b[0] == '<' && b[1] == '?' {
		_, err := r.enter() // an original of an attribute may follow, and must be right
		return err
	}
	if err := r.push(); err != nil {
		return err
	}
	return r.entered()
}

// push checks and opens the element of the current start tag.
func (r *Reader) push() error {
	s := r.scanner
	r.begun = true
	if len(r.open) >= r.lim.Depth {
		return r.locate(fmt.Errorf("%w: more than %d nested elements", ErrLimit, r.lim.Depth))
	}
	if r.inWhole++; r.whole > 0 && r.inWhole > r.lim.Elements {
		return r.locate(fmt.Errorf("%w: more than %d elements in memory", ErrLimit, r.lim.Elements))
	}
	r.open = append(r.open, opened{Element{Space: s.space(s.name), Local: s.name.local}, s.size, len(r.attrs)})
	r.tags += s.size
	if err := r.attributes(); err != nil {
		return r.locate(err)
	}
	return nil
}

// entered checks the size of the open tags, and makes the innermost element the current one.
func (r *Reader) entered() error {
	if r.tags > r.lim.Token {
		return r.locate(fmt.Errorf("%w: open tags of more than %d bytes", ErrLimit, r.lim.Token))
	}
	r.at = len(r.open)
	return nil
}

// attributes notes the declarations of the current start tag, and refuses duplicate attributes (XML
// 1.0, clause 3.1: Unique Att Spec).
func (r *Reader) attributes() error {
	s := r.scanner
	for i := range s.attrs {
		a := &s.attrs[i]
		if p := a.binds; p != nil {
			if p != s.unnamed { // which never applies to attributes; the scanner applies it to elements
				r.spaces = append(r.spaces, scoped{binding{p.text, string(s.rawValue(a))}, len(r.open)})
			}
			continue
		}
		for j := range i {
			b := &s.attrs[j]
			if b.binds == nil && (a.name == b.name || a.local == b.local && a.space() == b.space()) {
				return fmt.Errorf("attribute %s occurs twice", a.local)
			}
		}
	}
	return nil
}

// build builds the attributes of the current start tag.
func (r *Reader) build(el *Element) {
	s := r.scanner
	if len(s.attrs) == 0 {
		return
	}
	from := len(r.attrs)
	for i := range s.attrs {
		if a := &s.attrs[i]; a.binds == nil {
			r.attrs = append(r.attrs, Attribute{a.space(), a.local, s.values.string(s.rawValue(a))})
		}
	}
	el.Attrs = r.attrs[from:len(r.attrs):len(r.attrs)]
}

// originalsOfAttributes restores the attributes with originals after the start tag.
func (r *Reader) originalsOfAttributes(el *Element) error {
	for {
		// Only an instruction is read here: text, which may be long, stays unread.
		if p, _ := r.scanner.ahead(2); r.scanner.empty || !bytes.HasPrefix(p, []byte("<?")) {
			return nil
		}
		tok, err := r.token()
		if err != nil {
			return err
		}
		if tok != instruction || !r.scanner.ours {
			r.pending = true
			return nil
		}
		o, err := parseOriginal(r.scanner.data)
		if err != nil {
			return r.locate(err)
		}
		if o.attr == "" {
			r.pending = true
			return nil
		}
		if err := r.restoreAttr(el, o); err != nil {
			return r.locate(err)
		}
		r.open[len(r.open)-1].bytes += r.scanner.size
		r.tags += r.scanner.size
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
	r.attrs = r.attrs[:r.open[last].attrs]
	r.open = r.open[:last]
}

// Whole calls read, which reads a part into memory as a whole. It fails if that part has more bytes
// or elements than the limits, because a list in it could grow without bound.
func (r *Reader) Whole(read func() error) error {
	if r.whole == 0 {
		r.whole, r.inWhole = r.scanner.offset()-r.passed+r.lim.Entity, 0
		defer func() { r.whole = 0 }()
	}
	return read()
}

// token reads the next token and refuses those that the reader does not accept.
func (r *Reader) token() (kind, error) {
	if r.err != nil {
		return noToken, r.err
	}
	s := r.scanner
	if r.pending {
		r.pending = false
		return s.kind, nil
	}
	if err := s.next(); err != nil {
		if errors.Is(err, io.EOF) && !r.begun {
			err = errors.New("the document has no element")
		}
		return noToken, r.locate(err)
	}
	if r.whole > 0 && s.offset()-r.passed > r.whole {
		return noToken, r.locate(fmt.Errorf("%w: more than %d bytes in memory", ErrLimit, r.lim.Entity))
	}
	if len(r.open) == 0 {
		if err := r.acceptable(); err != nil {
			return noToken, r.locate(err)
		}
	}
	return s.kind, nil
}

// acceptable checks the current token outside the root element: a document has one root, and around
// it only white space, comments and instructions.
func (r *Reader) acceptable() error {
	switch s := r.scanner; {
	case s.kind == startTag && r.begun:
		return fmt.Errorf("second root element <%s>", s.name.local)
	case s.kind == charData && !isSpace(s.content()):
		return errors.New("text outside the root element")
	}
	return nil
}

// whiteSpace is white space in XML (production S).
const whiteSpace = " \t\r\n"

func isSpace(text []byte) bool { return len(bytes.Trim(text, whiteSpace)) == 0 }

// Place returns the current place in the document, one-based, the column in bytes.
func (r *Reader) Place() (line, column int) { return r.scanner.place() }

// pass moves n bytes of text past the scanner.
func (r *Reader) pass(n int) {
	r.scanner.pos += n
	r.passed += int64(n)
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
	return &ReadError{Line: line, Column: column, Offset: r.scanner.offset(), Path: r.Path(), Err: err}
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
