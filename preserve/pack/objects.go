package pack

import (
	"path"
	"slices"

	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/characterize"
)

// websiteObject returns the website as an intellectual entity, independent of its bytes.
func (b *builder) websiteObject() premis.Object {
	return premis.Object{
		Category:     premis.IntellectualEntity,
		Identifiers:  []premis.Identifier{b.identify(aip.WebsiteObjID)},
		OriginalName: b.result.Title,
		Events:       b.captureLinks(),
	}
}

// packageObject returns the package as a representation of the website: all its files together.
func (b *builder) packageObject() premis.Object {
	o := premis.Object{
		Category:      premis.Representation,
		Identifiers:   []premis.Identifier{b.identify(aip.PackageObjID)},
		Relationships: []premis.Relationship{b.related("structural", "represents", aip.WebsiteObjID)},

		PreservationLevels: b.levels(),
		Events: []premis.Link{b.eventLink(aip.IngestEventID), b.eventLink(aip.DigestEventID),
			b.eventLink(aip.PackageEventID)},
	}
	if b.o.SchemaVersion == Legacy { // without an object for the website, it represents that, too
		o.OriginalName = b.result.Title
		o.Events = append(b.captureLinks(), o.Events...)
	}
	if b.formats != nil {
		o.Events = append(o.Events, b.eventLink(aip.FormatEventID))
	}
	for _, e := range slices.Concat(b.completions(), b.signatures(), b.assignments()) {
		o.Events = append(o.Events, b.eventLink(e.id))
	}
	return o
}

// containerObject returns a container as a file.
func (b *builder) containerObject(p packed) premis.Object {
	o := premis.Object{
		Category:        premis.File,
		Identifiers:     []premis.Identifier{b.identify(aip.ContainerObjID(p.N))},
		Characteristics: b.characteristics(p),
		OriginalName:    p.Name,
		Relationships:   []premis.Relationship{b.related("structural", "is included in", aip.PackageObjID)},
		Events: append(b.captureLink(p.capturedIn()), b.eventLink(aip.DigestEventID),
			b.eventLink(aip.ContainerEventID(p.N))),
	}
	if p.Container.Scan != nil {
		o.Events = append(o.Events, b.eventLink(aip.VirusEventID(p.N)))
	}
	if p.Contents.revisits(p.Container) > 0 {
		o.Events = append(o.Events, b.eventLink(aip.DedupEventID(p.N)))
	}
	if p.Made != nil {
		o.OriginalName = "" // it never had another name
		o.Relationships = append(o.Relationships, b.related("derivation", "has source", aip.SourceObjID(p.N)))
		o.Events = append(o.Events, b.eventLink(aip.MigrationEventID(p.N)))
	}
	if p.transformed() > 0 {
		o.Events = append(o.Events, b.eventLink(aip.TransformationEventID(p.N)))
	}
	if p.Cleaned || b.infections.of(p.N) != nil {
		o.Events = append(o.Events, b.eventLink(aip.CleanEventID))
	}
	return o
}

// characteristics describes the file as stored and, if compressed, its content. PREMIS requires a
// block per composition level; 0 is the content (data dictionary, 1.5.1). The file as stored comes
// first.
func (b *builder) characteristics(p packed) []premis.Characteristics {
	c := p.Container
	stored := premis.Characteristics{
		CompositionLevel: xmlstream.IntOf(0),
		Fixity: []premis.Fixity{{Algorithm: premis.HashFunction(string(model.SHA512)), Digest: p.SHA512,
			Originator: premis.Text(b.o.Agent.Name)}},
		Size:         xmlstream.IntOf(p.Size),
		Formats:      formatsOf(c.Format, c.Versions),
		Applications: applicationsOf(p),
	}
	compression, ok := compressionFormats[c.Compression]
	if !ok {
		return []premis.Characteristics{stored}
	}
	content := premis.Characteristics{CompositionLevel: xmlstream.IntOf(0), Formats: stored.Formats,
		Applications: stored.Applications}
	if c.Outcome == model.Valid { // a damaged file may have held more than it inflates to
		content.Size = xmlstream.IntOf(c.InflatedBytes)
	}
	stored.CompositionLevel, stored.Formats, stored.Applications = xmlstream.IntOf(1), []premis.Format{compression}, nil
	return []premis.Characteristics{stored, content}
}

var (
	gzipFormat = premis.Format{Name: premis.Text("GZIP"), Registry: pronomEntry("x-fmt/266")}

	compressionFormats = map[string]premis.Format{
		"gzip": gzipFormat, "gzip-whole": gzipFormat, "zstd": {Name: premis.Text("Zstandard")},
	}
)

// formatsOf returns the format of the container's records, once for each version that they state.
func formatsOf(format string, versions []string) []premis.Format {
	if format == "" {
		return []premis.Format{{Name: premis.Text("unknown")}}
	}
	if len(versions) == 0 {
		versions = []string{""}
	}
	var all []premis.Format
	for _, v := range versions {
		f := premis.Format{Name: premis.Text(format), Version: v}
		if key := pronom(format, v); key != "" {
			f.Registry = pronomEntry(key)
		}
		all = append(all, f)
	}
	return all
}

func pronomEntry(key string) premis.Registry {
	return premis.Registry{Name: premis.Text("PRONOM"), Key: premis.Text(key), Role: premis.Text("specification")}
}

// applicationsOf returns the software that wrote the container. If Quire converted it, the date is
// that of the conversion; its warcinfo has the date of the source.
func applicationsOf(p packed) []premis.Application {
	name, version := characterize.Software(p.Container.Software)
	if name == "" {
		return nil
	}
	a := premis.Application{Name: premis.Text(name), Version: version}
	if p.Made != nil {
		a.Date = premis.Time(p.Made.When)
	}
	return []premis.Application{a}
}

// characterization returns the facts of a container for its containerMD that the container does not
// state. A converted container has its own name and date; those of its source are in the object of
// the source.
func (b *builder) characterization(p packed) characterize.Options {
	o := characterize.Options{Agent: b.o.Agent, Name: p.Name}
	if p.Made != nil {
		o.Name, o.Created = path.Base(p.Dest), p.Made.When
	}
	return o
}

func (b *builder) related(kind, subKind, id string) premis.Relationship {
	return premis.Relationship{
		Type: premis.RelationshipType(kind), SubType: premis.RelationshipSubType(subKind),
		Objects: []premis.RelatedObject{{Identifier: b.identify(id)}},
	}
}

func (b *builder) eventLink(id string) premis.Link { return premis.Link{Identifier: b.identify(id)} }

// captureLinks returns links to all dated captures.
func (b *builder) captureLinks() []premis.Link {
	var links []premis.Link
	for i := range b.facts.harvests {
		links = append(links, b.captureLink(i+1)...)
	}
	return links
}

// captureLink returns a link to the capture of a harvest, if it is dated.
func (b *builder) captureLink(harvest int) []premis.Link {
	if !b.captured(harvest) {
		return nil
	}
	return []premis.Link{b.eventLink(aip.HarvestEventID(harvest))}
}

// captured reports whether a harvest is dated, and so has an event.
func (b *builder) captured(harvest int) bool {
	if harvest == 0 {
		return false
	}
	_, _, ok := b.facts.harvests[harvest-1].span()
	return ok
}
