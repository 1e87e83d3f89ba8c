package warcmeta

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"slices"
	"strings"
	"time"

	"quire/metadata/dc"
	"quire/metadata/ead"
	"quire/metadata/marc"
	"quire/metadata/mods"
	"quire/metadata/oclc"
	"quire/metadata/xmlstream"
	"quire/preserve/describe"
)

// Form is a form of a description in a record. The four forms of oclc hold everything. The forms of
// the catalogues hold the values that their crosswalk has a place for.
type Form string

// The forms.
const (
	JSON   = Form(oclc.JSON)
	Fields = Form(oclc.Fields)
	XML    = Form(oclc.XML)
	YAML   = Form(oclc.YAML)

	MARCXML     = Form(describe.MARCXML)
	MarcXchange = Form(describe.MarcXchange) // UNIMARC
	MODS        = Form(describe.MODS)
	EAD3        = Form(describe.EAD3)
	EAD2002     = Form(describe.EAD2002)
	OAIDC       = Form(describe.OAIDC)
)

// kind is the statement of a form in the header of its record.
type kind struct {
	form      Form
	standard  string // FieldStandard
	mediaType string
}

// kinds lists all forms. RFC 6207 registers the media types of MODS and MARCXML; the others have
// none.
var kinds = []kind{
	{JSON, oclc.Namespace, oclc.JSON.MediaType()},
	{Fields, oclc.Namespace, oclc.Fields.MediaType()},
	{XML, oclc.Namespace, oclc.XML.MediaType()},
	{YAML, oclc.Namespace, oclc.YAML.MediaType()},
	{MARCXML, marc.Namespace, "application/marcxml+xml"},
	{MarcXchange, marc.ExchangeNamespace, "application/xml"},
	{MODS, mods.Namespace, "application/mods+xml"},
	{EAD3, string(ead.EAD3), "application/xml"},
	{EAD2002, string(ead.EAD2002), "application/xml"},
	{OAIDC, dc.OAINamespace, "application/xml"},
}

// Forms lists the names of all forms.
func Forms() []Form {
	var all []Form
	for _, k := range kinds {
		all = append(all, k.form)
	}
	return all
}

// of returns the kind of a form. A form that does not exist has the zero kind.
func (f Form) of() kind {
	if i := slices.IndexFunc(kinds, func(k kind) bool { return k.form == f }); i >= 0 {
		return kinds[i]
	}
	return kind{}
}

// catalogue reports whether the form is that of a catalogue. Its documents may state when they were
// made.
func (f Form) catalogue() bool { return f.of().standard != oclc.Namespace }

// isStandard reports whether a value of FieldStandard is that of a form.
func isStandard(s string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return k.standard == s })
}

// formOf returns the form that a header states.
func formOf(standard, contentType string) (Form, error) {
	t, _, err := mime.ParseMediaType(contentType)
	if err == nil {
		for _, k := range kinds {
			if k.standard == standard && k.mediaType == t {
				return k.form, nil
			}
		}
	}
	return "", fmt.Errorf("%w: %.60q", errForm, contentType)
}

// writeForm writes a description, made at that time. It returns the values that the form cannot
// hold.
func writeForm(out io.Writer, f Form, d describe.Description, made time.Time, software string) ([]describe.Loss,
	error) {
	if f.catalogue() {
		return describe.WriteRecord(out, describe.Format(f), d, made, software)
	}
	return nil, oclc.Write(out, oclc.Format(f), d.Record)
}

// readForm reads a document back. The document of a catalogue has no record of oclc, since its
// crosswalk is not reversible; readForm checks that it is whole, and of its standard.
func readForm(f Form, document []byte) (oclc.Record, error) {
	if !f.catalogue() {
		return oclc.Read(bytes.NewReader(document), oclc.Format(f))
	}
	x := xmlstream.NewReader(strings.NewReader(string(document)), xmlstream.Limits{Entity: oclc.MaxBytes})
	e, err := x.Root()
	if err != nil {
		return nil, err
	}
	if want := f.of().standard; e.Space != want {
		return nil, x.Errorf("want the namespace %s, found <%s> of %q", want, e.Local, e.Space)
	}
	if err := x.Skip(); err != nil {
		return nil, err
	}
	return nil, x.Finish()
}
