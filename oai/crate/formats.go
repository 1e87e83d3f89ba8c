package crate

import (
	"cmp"
	"context"

	"quire/metadata/dc"
	"quire/metadata/didl"
	"quire/metadata/marc"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/oai/protocol"
	"quire/oai/resource"
)

// Locations of external schemas.
const (
	modsSchema = "http://www.loc.gov/standards/mods/v3/mods-3-8.xsd"
	marcSchema = "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd"
	metsSchema = "http://www.loc.gov/standards/mets/mets.xsd"
)

// format is a format with the function that writes it.
type format struct {
	protocol.Format
	write func(*Disseminator, context.Context, *resource.Resource, *xmlstream.Writer) error
}

// formats lists all formats; the one that OAI-PMH requires is first. If one of our schemas has no
// URL, its namespace replaces the URL.
var formats = []format{
	{protocol.Format{Prefix: "oai_dc", Schema: dc.SchemaLocation, Namespace: dc.OAINamespace}, (*Disseminator).writeDC},
	{protocol.Format{Prefix: "mods", Schema: modsSchema, Namespace: mods.Namespace}, (*Disseminator).writeMODS},
	{protocol.Format{Prefix: "marc21", Schema: marcSchema, Namespace: marc.Namespace}, (*Disseminator).writeMARC},
	{protocol.Format{Prefix: "mets", Schema: metsSchema, Namespace: mets.Namespace}, (*Disseminator).writeMETS},
	{protocol.Format{Prefix: "http_header", Schema: "http_header.xsd", Namespace: HeadNamespace},
		(*Disseminator).writeHeader},
	{protocol.Format{Prefix: "oai_didl", Schema: didl.SchemaLocation, Namespace: didl.Namespace},
		(*Disseminator).writeDIDL},
	{protocol.Format{Prefix: "oai_crate", Schema: didl.SchemaLocation, Namespace: didl.Namespace},
		(*Disseminator).writeCrate},
}

// Formats implements provider.Backend.
func (b *backend) Formats() []protocol.Format {
	all := make([]protocol.Format, len(formats))
	for i, f := range formats {
		if f.Namespace == HeadNamespace {
			f.Schema = cmp.Or(schemaAt(b.Schemas, f.Schema), f.Namespace)
		}
		all[i] = f.Format
	}
	return all
}

// format returns the function that writes a format, or nil for an unknown prefix.
func (b *backend) format(prefix string) func(*Disseminator, context.Context, *resource.Resource,
	*xmlstream.Writer) error {
	for _, f := range formats {
		if f.Prefix == prefix {
			return f.write
		}
	}
	return nil
}
