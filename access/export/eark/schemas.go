package eark

import (
	"io"

	"quire/metadata/dc"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// official lists the schemas of the package, and their official addresses. We ship no schemas of
// others: quire schemas fetch downloads and verifies them (docs/reference/355_schemas.md).
var official = []struct{ namespace, home string }{
	{mets.Namespace, "http://www.loc.gov/standards/mets/mets.xsd"},
	{mets.XLinkNamespace, "http://www.loc.gov/standards/xlink/xlink.xsd"},
	{csipNamespace, csipSchema},
	{premis.Namespace, "http://www.loc.gov/standards/premis/v3/premis-v3-0.xsd"},
	{mods.Namespace, "http://www.loc.gov/standards/mods/v3/mods-3-8.xsd"},
	{dc.OAINamespace, dc.SchemaLocation},
}

// writeCatalog writes an OASIS XML Catalog 1.1 of the schemas.
func writeCatalog(out io.Writer) error {
	x := xmlstream.NewWriter(out, xmlstream.Options{Indent: true})
	x.Declare("cat", "urn:oasis:names:tc:entity:xmlns:xml:catalog")
	x.Start("cat:catalog")
	for _, s := range official {
		x.Start("cat:uri")
		x.Attr("name", s.namespace)
		x.Attr("uri", s.home)
		x.End("cat:uri")
	}
	x.End("cat:catalog")
	return x.Close()
}
