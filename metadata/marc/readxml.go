package marc

import (
	"quire/metadata/xmlstream"
)

// ReadXML reads the current record element, of MARCXML or MarcXchange.
func ReadXML(r *xmlstream.Reader) (Record, error) {
	var out Record
	e := r.Element()
	if !e.Is(Namespace, "record") && !e.Is(ExchangeNamespace, "record") {
		return out, r.Errorf("want record of MARCXML or MarcXchange, found <%s> of namespace %q", e.Local, e.Space)
	}
	space := e.Space
	err := r.Whole(func() error {
		return r.EachIn(space, func(e xmlstream.Element) error { return out.readChild(r, space, e) })
	})
	if err == nil {
		err = out.Check()
	}
	return out, err
}

func (out *Record) readChild(r *xmlstream.Reader, space string, e xmlstream.Element) error {
	switch e.Local {
	case "leader":
		text, err := r.Text()
		out.Leader = Leader(text)
		return err
	case "controlfield":
		c := Control{Tag: e.Attr("tag")}
		err := r.TextTo(&c.Value)
		out.Controls = append(out.Controls, c)
		return err
	case "datafield":
		f, err := readField(r, space, e)
		out.Fields = append(out.Fields, f)
		return err
	}
	return r.Unknown()
}

func readField(r *xmlstream.Reader, space string, e xmlstream.Element) (Field, error) {
	f := Field{Tag: e.Attr("tag")}
	var err error
	if f.Ind1, err = one(r, e, "ind1"); err != nil {
		return f, err
	}
	if f.Ind2, err = one(r, e, "ind2"); err != nil {
		return f, err
	}
	err = r.EachIn(space, func(e xmlstream.Element) error {
		if e.Local != "subfield" {
			return r.Unknown()
		}
		code, err := one(r, e, "code")
		if err != nil {
			return err
		}
		s := Subfield{Code: code}
		err = r.TextTo(&s.Value)
		f.Subfields = append(f.Subfields, s)
		return err
	})
	return f, err
}

// one reads an attribute of one character.
func one(r *xmlstream.Reader, e xmlstream.Element, name string) (byte, error) {
	v := e.Attr(name)
	if len(v) != 1 {
		return 0, r.Errorf("%s=%.20q: want one character", name, v)
	}
	return v[0], nil
}
