package dspace

import (
	"io"
	"strconv"
	"strings"

	"quire/access/export/about"
	"quire/holdings/captures"
	"quire/metadata/mods"
	"quire/metadata/xmlstream"
)

// RegistryName is the name of the registry file. A DSpace must load it before it accepts fields of
// the schema local.
const RegistryName = "quire-local-types.xml"

// localNamespace is the namespace of the schema local. DSpace defines this schema without fields;
// each institution adds its own (local-types.xml).
const localNamespace = "http://dspace.org/namespace/local/"

// localFields are the fields of the schema local, for information without a field in dc and
// dcterms. An unknown field makes DSpace stop the import: so they are written only on request.
var localFields = []struct{ element, qualifier, note string }{
	{"webarchive", "package", "Package from which Quire made the item, and its version: ID/v1"},
	{"webarchive", "captures", "How many captures of the website are in the WARC files of the item"},
	{"webarchive", "keptback",
		"How many things are not in it, by rights, viruses or damage: quire/kept-back.json lists them"},
	{"webarchive", "timestamp", "When the page was captured, as replay writes it: 14 digits, UTC"},
	{"contributor", "role", "Persons and bodies for whom dc has no qualifier, with the role: NAME (ROLE)"},
	{"publisher", "place", "Where it was published"},
	{"description", "edition", "Edition, as the description has it"},
	{"identifier", "typed", "An identifier for which dc has no qualifier, with its type: TYPE: VALUE"},
}

// writeRegistry writes the fields for DSpace's registry-loader.
func writeRegistry(w io.Writer) error {
	x := xmlstream.NewWriter(w, xmlstream.Options{Indent: true})
	x.Start("dspace-dc-types")
	x.Start("dspace-header")
	x.Element("title", "Fields of archived websites, as Quire writes them")
	x.End("dspace-header")
	x.Start("dc-schema")
	x.Element("name", "local")
	x.Element("namespace", localNamespace)
	x.End("dc-schema")
	for _, f := range localFields {
		x.Start("dc-type")
		x.Element("schema", "local")
		x.Element("element", f.element)
		x.Element("qualifier", f.qualifier)
		x.Element("scope_note", f.note)
		x.End("dc-type")
	}
	x.End("dspace-dc-types")
	return x.Close()
}

// registry writes the registry file beside the items; the import skips it.
func (a *archive) registry() error {
	if !a.out.Options.Local {
		return nil
	}
	_, err := a.out.Write(RegistryName, writeRegistry)
	return err
}

// local adds the fields of the website.
func (a *archive) local(f *fields) {
	if !a.out.Options.Local {
		return
	}
	given, kept := a.source.Counts()
	f.add("local.webarchive.package", a.packageOf())
	f.add("local.webarchive.captures", strconv.FormatInt(given, 10))
	f.add("local.webarchive.keptback", strconv.FormatInt(kept, 10))
	localOf(f, &a.about.MODS.Content)
}

// localPage adds the fields of a page.
func (a *archive) localPage(f *fields, c *captures.Capture, record *mods.Record) {
	if !a.out.Options.Local {
		return
	}
	f.add("local.webarchive.package", a.packageOf())
	f.add("local.webarchive.timestamp", c.Timestamp)
	if record != nil {
		localOf(f, &record.Content)
	}
}

func (a *archive) packageOf() string { return versionOf(a.about, a.source.Version().Number) }

// versionOf names a version of a package: "site-1/v2".
func versionOf(w *about.Website, version int) string { return w.ID + "/v" + strconv.Itoa(version) }

// localOf adds the parts of a description that FromMODS loses.
func localOf(f *fields, c *mods.Content) {
	for i := range c.Names {
		n := &c.Names[i]
		if roles := rolesOf(n); contributor(n) == "other" && roles != "" && nameOf(n) != "" {
			f.add("local.contributor.role", nameOf(n)+" ("+roles+")")
		}
	}
	for _, o := range c.Origins {
		f.terms("local.publisher.place", o.Places)
		f.add("local.description.edition", o.Edition)
	}
	for _, id := range c.Identifiers {
		switch id.Type {
		case "", "uri", "doi", "isbn", "issn", "local":
		default:
			if !isHandle(id) && !id.Invalid && id.Text != "" {
				f.add("local.identifier.typed", id.Type+": "+id.Text)
			}
		}
	}
}

func rolesOf(n *mods.Name) string {
	var all []string
	for _, r := range n.Roles {
		for _, t := range r.Terms {
			if t.Text != "" {
				all = append(all, t.Text)
			}
		}
	}
	return strings.Join(all, ", ")
}
