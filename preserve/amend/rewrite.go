package amend

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
)

// rewriter copies a METS with changes. It writes all other parts byte for byte, whichever
// software wrote them, and holds one tag at a time.
type rewriter struct {
	in  io.ReaderAt
	out *bufio.Writer
	at  int64 // copied up to here
	err error

	open    []element
	visitor visitor
}

// element is an open element.
type element struct {
	space, name string
	id, of      string // ID; USE or TYPE
	children    int
	end         int64 // of the start tag
}

// span is a stretch of the input.
type span struct{ from, to int64 }

// visitor decides on the changes.
type visitor interface {
	// start is called for each start tag, with its attributes; the element is the last one open.
	start(r *rewriter, tag span, attrs []xml.Attr)
	// finish is called for each end tag, before the element is closed. An empty-element tag has an
	// empty span.
	finish(r *rewriter, tag span)
}

// rewrite reads the document to its end.
func rewrite(out io.Writer, in interface {
	io.Reader
	io.ReaderAt
}, v visitor) error {
	r := &rewriter{in: in, out: bufio.NewWriterSize(out, 256<<10), visitor: v}
	d := xml.NewDecoder(bufio.NewReaderSize(in, 256<<10))
	for r.err == nil {
		from := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			r.copyTo(1 << 62)
			return errors.Join(r.err, r.out.Flush())
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if n := len(r.open); n > 0 {
				r.open[n-1].children++
			}
			r.open = append(r.open, elementOf(&t, d.InputOffset()))
			v.start(r, span{from, d.InputOffset()}, t.Attr)
		case xml.EndElement:
			v.finish(r, span{from, d.InputOffset()})
			r.open = r.open[:len(r.open)-1]
		}
	}
	return r.err
}

func elementOf(t *xml.StartElement, end int64) element {
	e := element{space: t.Name.Space, name: t.Name.Local, end: end}
	for _, a := range t.Attr {
		switch {
		case a.Name.Space != "":
		case a.Name.Local == "ID":
			e.id = a.Value
		case a.Name.Local == "USE" || a.Name.Local == "TYPE" || e.of == "" && a.Name.Local == "type":
			e.of = a.Value
		}
	}
	return e
}

// copyTo copies the input up to an offset.
func (r *rewriter) copyTo(offset int64) {
	if r.err == nil && offset > r.at {
		_, r.err = io.Copy(r.out, io.NewSectionReader(r.in, r.at, offset-r.at))
		r.at = offset
	}
}

// cut replaces a stretch.
func (r *rewriter) cut(s span, text string) {
	r.copyTo(s.from)
	if r.err == nil {
		_, r.err = r.out.WriteString(text)
		r.at = max(r.at, s.to)
	}
}

// insert inserts parts of the METS before an offset.
func (r *rewriter) insert(offset int64, write func(io.Writer) error) {
	r.copyTo(offset)
	if r.err == nil {
		r.err = write(r.out)
	}
}

// top returns the element that is open n levels above the last one.
func (r *rewriter) top(n int) *element {
	if n >= len(r.open) {
		return &element{}
	}
	return &r.open[len(r.open)-1-n]
}

// is reports whether the open METS elements are these.
func (r *rewriter) is(names ...string) bool {
	return len(r.open) == len(names) && r.below(names...)
}

// below reports whether the first open elements are these METS elements.
func (r *rewriter) below(names ...string) bool {
	if len(r.open) < len(names) {
		return false
	}
	for i, name := range names {
		if r.open[i].space != mets.Namespace || r.open[i].name != name {
			return false
		}
	}
	return true
}

// retag rewrites the start tag at a stretch: it sets attributes, and keeps the others in their order.
func (r *rewriter) retag(tag span, set ...xml.Attr) {
	text := make([]byte, tag.to-tag.from)
	if _, err := r.in.ReadAt(text, tag.from); err != nil {
		r.err = errors.Join(r.err, err)
		return
	}
	d := xml.NewDecoder(strings.NewReader(string(text)))
	token, err := d.RawToken()
	start, ok := token.(xml.StartElement)
	if err != nil || !ok {
		r.err = errors.Join(r.err, err)
		return
	}
	b := append([]byte("<"), qualified(start.Name)...)
	attr := func(name, value string) {
		b, _ = xmlstream.AppendAttr(append(append(append(b, ' '), name...), '=', '"'), value)
		b = append(b, '"')
	}
	for _, a := range start.Attr {
		name, value := qualified(a.Name), a.Value
		if i := slices.IndexFunc(set, func(s xml.Attr) bool { return s.Name.Local == name }); i >= 0 {
			value = set[i].Value
			set = slices.Delete(set, i, i+1)
			if value == "" {
				continue
			}
		}
		attr(name, value)
	}
	for _, a := range set {
		if a.Value != "" {
			attr(a.Name.Local, a.Value)
		}
	}
	if strings.HasSuffix(string(text), "/>") {
		b = append(b, '/')
	}
	r.cut(tag, string(append(b, '>')))
}

// qualified returns a name as written: the decoder did not resolve the prefix.
func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

func setAttr(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }

// valueOf returns the value of an attribute without a namespace.
func valueOf(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// escaped returns a text for use as the content of an element.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder never fails
	return b.String()
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
