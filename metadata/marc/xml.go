package marc

import (
	"errors"

	"quire/metadata/xmlstream"
)

// The namespaces of the two forms in XML.
const (
	// Namespace is the namespace of MARCXML, for MARC 21.
	Namespace = "http://www.loc.gov/MARC21/slim"
	// ExchangeNamespace is the namespace of MarcXchange (ISO 25577:2013, version 2), for any format
	// of ISO 2709. Its schema is that of MARCXML without the rules for MARC 21, and with the
	// attributes format and type of a record.
	ExchangeNamespace = "info:lc/xmlns/marcxchange-v2"
)

// WriteXML writes a record element: MARCXML, or MarcXchange for UNIMARC, since the schema of MARCXML
// refuses the leader of UNIMARC. For several, see [WriteCollection].
func WriteXML(x *xmlstream.Writer, r Record) error {
	if err := r.Check(); err != nil {
		x.Fail(err)
		return x.Err()
	}
	prefix := declare(x, r.Leader)
	x.Start(prefix + "record")
	if r.Leader.UNIMARC() {
		x.Attr("format", "UNIMARC")
		x.Attr("type", "Bibliographic")
	}
	x.Element(prefix+"leader", string(r.Leader))
	for _, c := range r.Controls {
		x.Start(prefix + "controlfield")
		x.Attr("tag", c.Tag)
		x.Text(c.Value)
		x.End(prefix + "controlfield")
	}
	for _, f := range r.Fields {
		x.Start(prefix + "datafield")
		x.Attr("tag", f.Tag)
		x.Attr("ind1", string(rune(f.Ind1)))
		x.Attr("ind2", string(rune(f.Ind2)))
		for _, s := range f.Subfields {
			x.Start(prefix + "subfield")
			x.Attr("code", string(rune(s.Code)))
			x.Text(s.Value)
			x.End(prefix + "subfield")
		}
		x.End(prefix + "datafield")
	}
	x.End(prefix + "record")
	return x.Err()
}

// declare declares the namespace for a record, and returns its prefix.
func declare(x *xmlstream.Writer, l Leader) string {
	if l.UNIMARC() {
		x.Declare("mxc", ExchangeNamespace)
		return "mxc:"
	}
	x.Declare("marc", Namespace)
	return "marc:"
}

// ErrMixed reports records of MARC 21 and UNIMARC in one collection.
var ErrMixed = errors.New("marc: MARC 21 and UNIMARC cannot be in one collection")

// WriteCollection writes records as a collection element. All are of MARC 21, or all of UNIMARC.
func WriteCollection(x *xmlstream.Writer, records []Record) error {
	var l Leader
	if len(records) > 0 {
		l = records[0].Leader
	}
	prefix := declare(x, l)
	x.Start(prefix + "collection")
	for _, r := range records {
		if r.Leader.UNIMARC() != l.UNIMARC() {
			x.Fail(ErrMixed)
			return x.Err()
		}
		if err := WriteXML(x, r); err != nil {
			return err
		}
	}
	x.End(prefix + "collection")
	return x.Err()
}
