package pack

import (
	"fmt"
	"slices"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/preserve/aip"
)

// SchemaVersion selects the versions of the standards in a METS
// (docs/reference/310_package-format.md, 2.15).
type SchemaVersion string

// The choices.
const (
	Current SchemaVersion = ""       // PREMIS 3.0, MODS 3.8, containerMD 1.2
	Legacy  SchemaVersion = "legacy" // PREMIS 2.2, MODS 3.4, containerMD 1.1
)

// ParseSchemaVersion parses the names of the choices: current, legacy, or 2.2 for the version of
// PREMIS.
func ParseSchemaVersion(s string) (SchemaVersion, error) {
	switch s {
	case "", "current", premis.Version:
		return Current, nil
	case string(Legacy), premis.Version22:
		return Legacy, nil
	}
	return "",
		fmt.Errorf("unknown schema version %q: use legacy (PREMIS 2.2, MODS 3.4, containerMD 1.1) or "+
			"current (3.0, 3.8, 1.2)", s)
}

func (s SchemaVersion) premis() premis.Dialect {
	if s == Legacy {
		return premis.V22
	}
	return premis.V3
}

func (s SchemaVersion) mods() string {
	if s == Legacy {
		return mods.Version34
	}
	return mods.Version
}

func (s SchemaVersion) containerMD() containermd.Version {
	if s == Legacy {
		return containermd.Version11
	}
	return containermd.Version12
}

func (s SchemaVersion) namespaces() []mets.NamespaceDecl {
	if s == Legacy {
		return mets.WebArchiveLegacy
	}
	return mets.WebArchive
}

// hasObject reports whether an entity has an object. PREMIS 2 does not describe intellectual
// entities: MODS does, and their representations link to it.
func (s SchemaVersion) hasObject(o *premis.Object) bool {
	return s != Legacy || o.Category != premis.IntellectualEntity
}

// object adapts an object to the version. Relationships to the website become links to an
// intellectual entity.
func (b *builder) object(o premis.Object) premis.Object {
	if b.o.SchemaVersion != Legacy {
		return o
	}
	website := b.identify(aip.WebsiteObjID)
	isWebsite := func(r premis.RelatedObject) bool { return r.Identifier == website }
	var kept []premis.Relationship
	for _, r := range o.Relationships {
		if slices.ContainsFunc(r.Objects, isWebsite) {
			o.Entities = append(o.Entities, b.identify(aip.WebsiteDmdID))
			r.Objects = slices.DeleteFunc(slices.Clone(r.Objects), isWebsite)
		}
		if len(r.Objects) > 0 {
			kept = append(kept, r)
		}
	}
	o.Relationships = kept
	return o
}

// event adapts an event to the version. PREMIS 2 links events only to representations, files and
// bitstreams. So an event of the website becomes one of the package, which represents it.
func (b *builder) event(e premis.Event) premis.Event {
	if b.o.SchemaVersion != Legacy {
		return e
	}
	e.Objects = slices.Clone(e.Objects)
	for i := range e.Objects {
		if e.Objects[i].Identifier == b.identify(aip.WebsiteObjID) {
			e.Objects[i].Identifier = b.identify(aip.PackageObjID)
		}
	}
	return e
}

// websiteSections returns the sections about the website and the package for its div.
func (b *builder) websiteSections() []string {
	if b.o.SchemaVersion == Legacy {
		return []string{aip.PackageObjID}
	}
	return []string{aip.WebsiteObjID, aip.PackageObjID}
}

// description adapts a record to the version.
func (s SchemaVersion) description(r mods.Record) mods.Record { return r.In(s.mods()) }
