package marc

import (
	"quire/metadata/xmlstream"
)

// Namespace is the namespace of MARCXML.
const Namespace = "http://www.loc.gov/MARC21/slim"

// WriteXML writes a record element. For several, see [WriteCollection].
func WriteXML(x *xmlstream.Writer, r Record) error {
	if err := r.Check(); err != nil {
		x.Fail(err)
		return x.Err()
	}
	x.Declare("marc", Namespace)
	x.Start("marc:record")
	x.Element("marc:leader", string(r.Leader))
	for _, c := range r.Controls {
		x.Start("marc:controlfield")
		x.Attr("tag", c.Tag)
		x.Text(c.Value)
		x.End("marc:controlfield")
	}
	for _, f := range r.Fields {
		x.Start("marc:datafield")
		x.Attr("tag", f.Tag)
		x.Attr("ind1", string(rune(f.Ind1)))
		x.Attr("ind2", string(rune(f.Ind2)))
		for _, s := range f.Subfields {
			x.Start("marc:subfield")
			x.Attr("code", string(rune(s.Code)))
			x.Text(s.Value)
			x.End("marc:subfield")
		}
		x.End("marc:datafield")
	}
	x.End("marc:record")
	return x.Err()
}

// WriteCollection writes records as a collection element.
func WriteCollection(x *xmlstream.Writer, records []Record) error {
	x.Declare("marc", Namespace)
	x.Start("marc:collection")
	for _, r := range records {
		if err := WriteXML(x, r); err != nil {
			return err
		}
	}
	x.End("marc:collection")
	return x.Err()
}
