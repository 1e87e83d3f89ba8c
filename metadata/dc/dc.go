package dc

import (
	"fmt"
	"slices"

	"quire/metadata/xmlstream"
)

// The namespaces of Dublin Core 1.1 and of the element around it.
const (
	Namespace      = "http://purl.org/dc/elements/1.1/"
	OAINamespace   = "http://www.openarchives.org/OAI/2.0/oai_dc/"
	SchemaLocation = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"
)

// Element is one of the fifteen elements.
type Element string

// The fifteen elements, in the order of the standard's list.
const (
	Title       Element = "title"
	Creator     Element = "creator"
	Subject     Element = "subject"
	Description Element = "description"
	Publisher   Element = "publisher"
	Contributor Element = "contributor"
	Date        Element = "date"
	Type        Element = "type"
	Format      Element = "format"
	Identifier  Element = "identifier"
	Source      Element = "source"
	Language    Element = "language"
	Relation    Element = "relation"
	Coverage    Element = "coverage"
	Rights      Element = "rights"
)

var elements = []Element{Title, Creator, Subject, Description, Publisher, Contributor, Date, Type, Format, Identifier,
	Source, Language, Relation, Coverage, Rights}

// Valid reports whether it is one of the fifteen elements.
func (e Element) Valid() bool { return slices.Contains(elements, e) }

// Statement is one element with its value.
type Statement struct {
	Element Element
	Value   string
	Lang    string // xml:lang; "" is absent
}

// Record is a description: statements in display order.
type Record []Statement

// Values returns the values of one element, in order.
func (r Record) Values(e Element) []string {
	var out []string
	for _, s := range r {
		if s.Element == e {
			out = append(out, s.Value)
		}
	}
	return out
}

// Write writes the record as oai_dc:dc.
func Write(x *xmlstream.Writer, r Record) error {
	x.Declare("oai_dc", OAINamespace)
	x.Declare("dc", Namespace)
	x.Start("oai_dc:dc")
	for _, s := range r {
		if !s.Element.Valid() {
			x.Fail(fmt.Errorf("dc: %q is not one of the fifteen elements", s.Element))
		}
		name := "dc:" + string(s.Element)
		x.Start(name)
		x.AttrOpt("xml:lang", s.Lang)
		x.Text(s.Value)
		x.End(name)
	}
	x.End("oai_dc:dc")
	return x.Err()
}

// Read reads the current oai_dc:dc element.
func Read(r *xmlstream.Reader) (Record, error) {
	if e := r.Element(); !e.Is(OAINamespace, "dc") {
		return nil, r.Errorf("want oai_dc:dc, found <%s> of namespace %q", e.Local, e.Space)
	}
	var out Record
	statement := func(e xmlstream.Element) error {
		if !Element(e.Local).Valid() {
			return r.Unknown()
		}
		text, err := r.Text()
		out = append(out, Statement{Element(e.Local), text, e.AttrNS(xmlstream.XMLNamespace, "lang")})
		return err
	}
	err := r.Whole(func() error { return r.EachIn(Namespace, statement) })
	return out, err
}
