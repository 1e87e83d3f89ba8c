package premis

import (
	"fmt"

	"quire/metadata/xmlstream"
)

// writer adds the elements of PREMIS to an XML writer.
type writer struct {
	*xmlstream.Writer
	d Dialect
}

func (w writer) old() bool { return w.d == V22 }

func (w writer) failf(format string, args ...any) {
	w.Fail(fmt.Errorf("premis: "+format, args...))
}

// root opens one of the four entities.
func (w writer) root(name, xmlID string) {
	w.Declare("premis", w.d.namespace())
	w.Declare("xsi", xsi)
	w.Start(name)
	w.xmlID("xmlID", xmlID)
	if w.old() {
		w.Attr("version", Version22) // several versions share one namespace
	}
}

// xmlID writes an attribute of type xs:ID or xs:IDREF.
func (w writer) xmlID(attr, id string) {
	if id == "" {
		return
	}
	if !xmlstream.IsNCName(id) {
		w.failf("%s: %q cannot be an ID: want a letter or _, then letters, digits, . _ -", attr, id)
	}
	w.Attr(attr, id)
}

// term writes a term; an absent one writes nothing.
func (w writer) term(name string, t Term) {
	if t.Text == "" {
		return
	}
	if !xmlstream.IsURI(t.AuthorityURI) || !xmlstream.IsURI(t.ValueURI) {
		w.failf("%s: %q and %q must be URIs", name, t.AuthorityURI, t.ValueURI)
	}
	w.Start(name)
	if !w.old() {
		w.AttrOpt("authority", t.Authority)
		w.AttrOpt("authorityURI", t.AuthorityURI)
		w.AttrOpt("valueURI", t.ValueURI)
	}
	w.Text(t.Text)
	w.End(name)
}

// required is term for an element that PREMIS requires.
func (w writer) required(name string, t Term) {
	if t.Text == "" {
		w.failf("%s is required", name)
	}
	w.term(name, t)
}

func (w writer) texts(name string, list []string) {
	for _, s := range list {
		w.Element(name, s)
	}
}

// openIdentifier writes an identifier and leaves it open for more children.
func (w writer) openIdentifier(n *identifierNames, id Identifier, xmlID string) {
	if id.Type == "" || id.Value == "" {
		w.failf("%s needs a type and a value, has %q and %q", n.outer, id.Type, id.Value)
	}
	w.Start(n.outer)
	w.xmlID(n.ref, xmlID)
	w.Element(n.kind, id.Type)
	w.Element(n.value, id.Value)
}

func (w writer) identifier(n *identifierNames, id Identifier) {
	w.openIdentifier(n, id, "")
	w.End(n.outer)
}

func (w writer) identifiers(n *identifierNames, list []Identifier) {
	if len(list) == 0 {
		w.failf("at least one %s is required", n.outer)
	}
	for _, id := range list {
		w.identifier(n, id)
	}
}

func (w writer) links(n *identifierNames, list []Link) {
	for i := range list {
		l := &list[i]
		if n.extra == "" && len(l.Roles) > 0 {
			w.failf("%s cannot have a role", n.outer)
		}
		w.openIdentifier(n, l.Identifier, l.XMLID)
		for _, r := range l.Roles {
			w.term(n.extra, r)
		}
		w.End(n.outer)
	}
}

// dates writes a span of time; an absent one writes nothing.
func (w writer) dates(name string, d Dates) {
	if d.Start == "" {
		if d.End != "" {
			w.failf("%s has an end but no start", name)
		}
		return
	}
	w.Start(name)
	w.date("premis:startDate", d.Start)
	w.date("premis:endDate", d.End)
	w.End(name)
}

// date writes a date; an absent one writes nothing. In 3.0 any text is a date.
func (w writer) date(name, date string) {
	if date != "" && w.old() {
		short, ok := date22(date)
		if !ok {
			w.failf("%s: %q is not a PREMIS 2.2 date: want an ISO 8601 date, or an interval of two", name, date)
		}
		date = short
	}
	w.ElementOpt(name, date)
}
