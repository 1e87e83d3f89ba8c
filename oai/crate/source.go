package crate

import (
	"bytes"
	"context"

	"quire/metadata/xmlstream"
	"quire/oai/plugin"
	"quire/oai/resource"
)

// addSources adds the output of tools that came with the resource. An error comes from ctx.
func (c *Crate) addSources(ctx context.Context, r *resource.Resource) (err error) {
	if r.Sources == nil {
		return nil
	}
	if c.Sources, err = r.Sources(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.notice(NoSource, "%v", err)
	}
	return nil
}

// writeSource writes a crate:source: the output of tools that the server ran from which the archive
// has the resource. It stands apart from the output of tools run for this document.
func writeSource(x *xmlstream.Writer, s *resource.Source) error {
	x.Declare("crate", Namespace)
	x.Start("crate:source")
	x.AttrOpt("document", s.Document)
	x.AttrTimeOpt("created", s.Created)
	x.AttrOpt("generator", s.Generator)
	x.AttrOpt("from", s.From)
	x.AttrTimeOpt("harvested", s.Harvested)
	for i := range s.Results {
		if err := writePlugin(x, &s.Results[i]); err != nil {
			return err
		}
	}
	x.End("crate:source")
	return x.Err()
}

// source reads the current crate:source. Its XML is kept, too: it may have more than this version
// knows.
func (r *reading) source(xmlstream.Element) error {
	var element bytes.Buffer
	if err := r.copyTo(&element); err != nil {
		return err
	}
	s, problems := ReadSource(element.Bytes())
	r.doc.Sources = append(r.doc.Sources, *s)
	for _, p := range problems {
		r.problem("<source>: %s", p)
	}
	return nil
}

// ReadSource reads a crate:source that stands alone, as a harvest keeps it. Its Results are those
// that could be read; problems lists the errors in it.
func ReadSource(text []byte) (s *resource.Source, problems []string) {
	s = &resource.Source{XML: string(text)}
	x := xmlstream.NewReader(bytes.NewReader(text), xmlstream.Limits{})
	e, err := x.Root()
	if err != nil {
		return s, []string{err.Error()}
	}
	r := &reading{Reader: x, doc: &Document{}}
	s.Document, s.Generator, s.From = e.Attr("document"), e.Attr("generator"), e.Attr("from")
	s.Created, s.Harvested = r.timeAttr(e, "created"), r.timeAttr(e, "harvested")
	err = r.EachIn(Namespace, func(e xmlstream.Element) error {
		if e.Local != "plugin" {
			return r.unknown()
		}
		said, err := r.plugin(e)
		s.Results = append(s.Results, said)
		return err
	})
	if err != nil {
		r.doc.Problems = append(r.doc.Problems, err.Error())
	}
	return s, r.doc.Problems
}

// IsSource reports whether a statement of a document is a crate:source. Versions of Quire before
// Document.Sources kept it so.
func IsSource(statement string) bool {
	x := xmlstream.NewReader(bytes.NewReader([]byte(statement)), xmlstream.Limits{})
	e, err := x.Root()
	return err == nil && e.Is(Namespace, "source")
}

// MaxOutput is the largest output of a tool in a document, in bytes. The text nodes of larger ones
// would exceed the 10,000,000 bytes that libxml2 reads (XML_MAX_TEXT_LENGTH), in Base64, too.
const MaxOutput = 7_000_000

// fitting returns a result that readers of XML can read: one that is too long is truncated, and
// says so.
func fitting(r *plugin.Result) *plugin.Result {
	if len(r.Bytes) <= MaxOutput {
		return r
	}
	cut := *r
	cut.Bytes = r.Bytes[:MaxOutput:MaxOutput]
	cut.Outcome = plugin.Truncated
	cut.Reason = "it is longer than a document may hold"
	return &cut
}
