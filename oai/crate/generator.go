package crate

import (
	"strings"
	"time"

	"quire/metadata/didl"
	"quire/metadata/xmlstream"
	"quire/oai/crate/schemas"
)

// Generator is the program that wrote a CRATE.
type Generator struct {
	Name, Version string // "" if unknown
	Schemas       []SchemaName
}

// SchemaName identifies the schema of a namespace in a CRATE by names that are made of its bytes.
type SchemaName struct {
	Namespace string
	SWHID     string // "swh:1:cnt:…" (ISO/IEC 18670:2025)
	SHA256    string
}

// writeGenerator writes crate:generator, with the names of the schemas of the document.
func writeGenerator(x *xmlstream.Writer, c *Crate) error {
	x.Declare("crate", Namespace)
	x.Start("crate:generator")
	x.AttrOpt("name", c.Generator.Name)
	x.AttrOpt("version", c.Generator.Version)
	for _, s := range schemas.All {
		if s.Namespace == HeadNamespace && c.Head == nil {
			continue
		}
		x.Start("crate:schema")
		x.Attr("namespace", s.Namespace)
		x.Attr("swhid", s.SWHID)
		x.Attr("sha256", s.SHA256)
		x.End("crate:schema")
	}
	x.End("crate:generator")
	return x.Err()
}

// info reads a DIDLInfo: the time of the document, or its generator. DIDL allows one element in
// each.
func (r *reading) info(x *xmlstream.Reader) error {
	return x.Each(func(e xmlstream.Element) error {
		switch {
		case e.Is(didl.DCTerms, "created"):
			var created string
			if err := x.TextTo(&created); err != nil {
				return err
			}
			made, wrong := xmlstream.ParseTime(strings.TrimSpace(created))
			if wrong != nil {
				r.problem("%v", wrong)
			}
			r.doc.Created = made
		case e.Is(Namespace, "generator"):
			return r.generator(e)
		}
		return nil
	})
}

// generator reads the current crate:generator.
func (r *reading) generator(e xmlstream.Element) error {
	g := &Generator{Name: e.Attr("name"), Version: e.Attr("version")}
	r.doc.Generator = g
	return r.EachIn(Namespace, func(e xmlstream.Element) error {
		if e.Local == "schema" {
			g.Schemas = append(g.Schemas, SchemaName{Namespace: e.Attr("namespace"), SWHID: e.Attr("swhid"),
				SHA256: strings.ToLower(e.Attr("sha256"))})
		}
		return nil
	})
}

// timeAttr reads an optional time in an attribute.
func (r *reading) timeAttr(e xmlstream.Element, name string) time.Time {
	value := e.Attr(name)
	if value == "" {
		return time.Time{}
	}
	at, err := xmlstream.ParseTime(value)
	if err != nil {
		r.problem("%s of <%s>: %v", name, e.Local, err)
	}
	return at
}
