package eark

import (
	"embed"
	"io"
	"strings"

	"quire/metadata/dc"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// schemas holds the schemas of the documents in a package, unchanged (schemas/README.md).
//
//go:embed schemas/*.xsd
var schemas embed.FS

// Names of the schemas in a package.
const (
	metsXSD   = "mets.xsd"
	csipXSD   = "DILCISExtensionMETS.xsd"
	premisXSD = "premis-v3-0.xsd"
	modsXSD   = "mods-3-8.xsd"
	dcXSD     = "oai_dc.xsd"
)

// carried lists the schemas that a package carries: those that its documents name, and those that they
// import. homes are the official addresses, under which schemas import each other.
var carried = []struct {
	file, namespace string
	homes           []string
}{
	{metsXSD, mets.Namespace, []string{"http://www.loc.gov/standards/mets/mets.xsd"}},
	{"xlink.xsd", mets.XLinkNamespace, []string{"http://www.loc.gov/standards/xlink/xlink.xsd"}},
	{csipXSD, csipNamespace, []string{csipSchema}},
	{premisXSD, premis.Namespace, []string{"http://www.loc.gov/standards/premis/v3/premis-v3-0.xsd"}},
	{modsXSD, mods.Namespace, []string{"http://www.loc.gov/standards/mods/v3/mods-3-8.xsd"}},
	{dcXSD, dc.OAINamespace, []string{dc.SchemaLocation}},
	{"simpledc20021212.xsd", dc.Namespace, []string{"http://dublincore.org/schemas/xmls/simpledc20021212.xsd"}},
	{"xml.xsd", "http://www.w3.org/XML/1998/namespace", []string{"http://www.w3.org/2001/xml.xsd",
		"http://www.w3.org/2001/03/xml.xsd", "http://www.w3.org/2009/01/xml.xsd", "http://www.loc.gov/mods/xml.xsd"}},
}

// schemaFor returns the location of a schema for a document at a path in the package, relative to it.
func schemaFor(path, file string) string {
	return strings.Repeat("../", strings.Count(path, "/")) + "schemas/" + file
}

// carry writes the schemas into the package, and a catalog of them.
func (p *packer) carry() error {
	for _, s := range carried {
		_, err := p.schemas.write("schemas/"+s.file, "application/xml", func(w io.Writer) error {
			text, err := schemas.ReadFile("schemas/" + s.file)
			if err != nil {
				return err
			}
			_, err = w.Write(text)
			return err
		})
		if err != nil {
			return err
		}
	}
	_, err := p.schemas.write("schemas/catalog.xml", "application/xml", writeCatalog)
	return err
}

// writeCatalog writes an OASIS XML Catalog 1.1: it maps namespaces and official addresses to the files
// beside it, so validators need no network.
func writeCatalog(out io.Writer) error {
	x := xmlstream.NewWriter(out, xmlstream.Options{Indent: true})
	x.Declare("cat", "urn:oasis:names:tc:entity:xmlns:xml:catalog")
	x.Start("cat:catalog")
	entry := func(element, attribute, name, file string) {
		x.Start("cat:" + element)
		x.Attr(attribute, name)
		x.Attr("uri", file)
		x.End("cat:" + element)
	}
	for _, s := range carried {
		entry("uri", "name", s.namespace, s.file)
		for _, home := range s.homes {
			entry("uri", "name", home, s.file)
			entry("system", "systemId", home, s.file)
		}
	}
	x.End("cat:catalog")
	return x.Close()
}
