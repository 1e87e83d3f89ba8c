package premis

import (
	"strings"

	"quire/metadata/xmlstream"
)

// Extension reads an element inside an extension; the reader is at that element. With nil, the
// reader's OnUnknown gets it.
type Extension func(*xmlstream.Reader) error

// reader adds the elements of PREMIS to an XML reader.
type reader struct {
	*xmlstream.Reader
	extension Extension
	space     string // namespace of the version being read
}

// newReader returns a reader of the current entity in its version.
func newReader(x *xmlstream.Reader, ext Extension) reader {
	if x.Element().Space == Namespace2 {
		return reader{x, ext, Namespace2}
	}
	return reader{x, ext, Namespace}
}

func (r reader) old() bool { return r.space == Namespace2 }

// root checks that the current element is the expected entity, and reads all of it.
func (r reader) root(local string, visit func(e xmlstream.Element) error) error {
	if e := r.Element(); !e.Is(r.space, local) {
		return r.Errorf("want premis:%s of PREMIS 3 or 2, found <%s> of namespace %q", local, e.Local, e.Space)
	}
	return r.Whole(func() error { return r.EachIn(r.space, visit) })
}

// each reads the children of the current element and passes their local names to visit.
func (r reader) each(visit func(local string) error) error {
	return r.EachIn(r.space, func(e xmlstream.Element) error { return visit(e.Local) })
}

// term reads an element of type stringPlusAuthority.
func (r reader) term() (Term, error) {
	e := r.Element()
	t := Term{Authority: e.Attr("authority"), AuthorityURI: e.Attr("authorityURI"), ValueURI: e.Attr("valueURI")}
	err := r.TextTo(&t.Text)
	return t, err
}

func (r reader) termTo(dst *Term) error {
	t, err := r.term()
	*dst = t
	return err
}

func (r reader) addTerm(dst *[]Term) error {
	t, err := r.term()
	*dst = append(*dst, t)
	return err
}

func (r reader) addText(dst *[]string) error {
	s, err := r.Text()
	*dst = append(*dst, s)
	return err
}

// identifier reads an identifier. more receives the other children, by name without the
// identifier's prefix: "Role" for linkingAgentRole.
func (r reader) identifier(n *identifierNames, more func() error) (Identifier, error) {
	var id Identifier
	err := r.each(func(local string) error {
		switch {
		case local == bare(n.kind):
			return r.TextTo(&id.Type)
		case local == bare(n.value):
			return r.TextTo(&id.Value)
		case n.extra != "" && local == bare(n.extra):
			return more()
		}
		return r.Unknown()
	})
	return id, err
}

func (r reader) addIdentifier(n *identifierNames, dst *[]Identifier) error {
	id, err := r.identifier(n, nil)
	*dst = append(*dst, id)
	return err
}

func (r reader) addLink(n *identifierNames, dst *[]Link) error {
	l := Link{XMLID: r.Element().Attr(n.ref)}
	var err error
	l.Identifier, err = r.identifier(n, func() error { return r.addTerm(&l.Roles) })
	*dst = append(*dst, l)
	return err
}

func (r reader) addDocument(n *identifierNames, dst *[]Document) error {
	var d Document
	var err error
	d.Identifier, err = r.identifier(n, func() error { return r.termTo(&d.Role) })
	*dst = append(*dst, d)
	return err
}

func (r reader) datesTo(dst *Dates) error {
	return r.each(func(local string) error {
		switch local {
		case "startDate":
			return r.TextTo(&dst.Start)
		case "endDate":
			return r.TextTo(&dst.End)
		}
		return r.Unknown()
	})
}

// bare returns a name without its prefix.
func bare(name string) string { return strings.TrimPrefix(name, "premis:") }
