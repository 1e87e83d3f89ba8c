package oclc

import (
	"io"

	"quire/metadata/xmlstream"
)

const prefix = "oclc:"

func writeXML(out io.Writer, r Record) error {
	x := xmlstream.NewWriter(out, xmlstream.Options{Indent: true})
	x.Declare("oclc", Namespace)
	x.Start(prefix + "record")
	for _, s := range r {
		name := prefix + string(s.Element)
		x.Start(name)
		x.AttrOpt("xml:lang", s.Lang)
		x.AttrOpt("kind", s.Kind)
		x.Text(s.Value)
		x.End(name)
	}
	x.End(prefix + "record")
	return x.Close()
}

func readXML(in io.Reader) (Record, error) {
	x := xmlstream.NewReader(in, xmlstream.Limits{Entity: MaxBytes})
	e, err := x.Root()
	if err != nil {
		return nil, err
	}
	if !e.Is(Namespace, "record") {
		return nil, x.Errorf("want record of %s, found <%s> of namespace %q", Namespace, e.Local, e.Space)
	}
	var r Record
	err = x.Whole(func() error {
		return x.EachIn(Namespace, func(e xmlstream.Element) error {
			s := Statement{Element: Element(e.Local), Lang: e.AttrNS(xmlstream.XMLNamespace, "lang"),
				Kind: e.Attr("kind")}
			err := x.TextTo(&s.Value)
			r = append(r, s)
			return err
		})
	})
	if err == nil {
		err = x.Finish()
	}
	return r, err
}
