package arc

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/fault"
)

// maxFields bounds the fields read from the metadata; arc.xsd has some thirty.
const maxFields = 1000

// metadataFields returns the elements that hold text. Entities other than the five of XML stay as
// written, and a DOCTYPE ends the reading, so that nothing can expand.
func metadataFields(doc []byte, tell func(fault.Code, string)) []Field {
	d := xml.NewDecoder(bytes.NewReader(doc))
	d.Strict = false
	d.CharsetReader = charset
	m := metadata{tell: tell}
	for m.problem == "" && len(m.fields) < maxFields {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			m.problem = err.Error()
			break
		}
		m.take(token)
	}
	switch {
	case m.refused:
		tell(MetadataDoctype, "the metadata has a DOCTYPE; it is kept but not parsed")
	case m.problem == "" && len(m.open) > 0 && len(m.fields) < maxFields:
		m.problem = "element " + quote(m.open[len(m.open)-1]) + " is not closed"
		fallthrough
	case m.problem != "":
		tell(MetadataSyntax, m.problem)
	}
	return m.fields
}

// metadata is the state of the parser of metadata elements.
type metadata struct {
	tell    func(fault.Code, string)
	open    []string // names of the open elements
	leaf    bool     // the innermost element has no child
	text    strings.Builder
	fields  []Field
	problem string
	refused bool
}

func (m *metadata) take(token xml.Token) {
	switch token := token.(type) {
	case xml.Directive:
		m.refused, m.problem = true, "DOCTYPE"
	case xml.StartElement:
		m.open = append(m.open, token.Name.Local)
		m.leaf = true
		m.text.Reset()
	case xml.CharData:
		m.text.Write(token)
	case xml.EndElement:
		m.end(token.Name.Local)
	}
}

func (m *metadata) end(name string) {
	if len(m.open) == 0 || m.open[len(m.open)-1] != name {
		m.problem = "end of element " + quote(name) + " where another is open"
		return
	}
	if m.leaf && len(m.open) > 1 {
		m.fields = append(m.fields, Field{Name: name, Value: strings.TrimSpace(m.text.String())})
	}
	m.open = m.open[:len(m.open)-1]
	m.leaf = false
	m.text.Reset()
}

// charset decodes the encodings that Heritrix wrote. ISO 8859-1 is the first 256 characters of
// Unicode.
func charset(label string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "utf-8", "us-ascii", "ascii":
		return r, nil
	case "iso-8859-1", "latin1", "latin-1", "windows-1252":
		b, err := io.ReadAll(io.LimitReader(r, MaxVersionBlock))
		if err != nil {
			return nil, err
		}
		wide := make([]rune, len(b))
		for i, c := range b {
			wide[i] = rune(c)
		}
		return strings.NewReader(string(wide)), nil
	}
	return nil, fmt.Errorf("unknown encoding %s", quote(label))
}
