package migrate

import (
	"strings"

	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
)

// containerObject returns the object of the new container: gzip with WARC 1.1 inside.
func (j *job) containerObject() premis.Object {
	n, c := j.number, j.container
	return premis.Object{
		Category: premis.File, Identifiers: []premis.Identifier{j.identify(aip.ContainerObjID(n))},
		Characteristics: []premis.Characteristics{{
			CompositionLevel: xmlstream.IntOf(1), Size: xmlstream.IntOf(c.Bytes), Fixity: j.sum(model.SHA512, c.SHA512),
			Formats: []premis.Format{{Name: premis.Text("GZIP"), Registry: pronom("x-fmt/266")}},
		}, {
			CompositionLevel: xmlstream.IntOf(0), Size: xmlstream.IntOf(c.InflatedBytes),
			Formats:      []premis.Format{{Name: premis.Text("WARC"), Version: "1.1", Registry: pronom("fmt/1281")}},
			Applications: []premis.Application{{Name: premis.Text(j.o.Agent.Name), Version: j.o.Agent.Version}},
		}},
		Relationships: []premis.Relationship{j.related("structural", "is included in", aip.PackageObjID)},
		Events: []premis.Link{
			j.eventLink(aip.ContainerDigestEventID(n)), j.eventLink(aip.MigrationEventID(n)),
			j.eventLink(aip.ContainerEventID(n)),
		},
	}
}

// indexObject returns the object of the CDXJ index of the new container (clause 2.5.1).
func (j *job) indexObject() premis.Object {
	n := j.number
	derived := j.related("derivation", "has source", aip.ContainerObjID(n))
	derived.Events = []premis.RelatedEvent{{Identifier: j.identify(aip.ContainerEventID(n))}}
	o := j.gzipObject(aip.IndexObjID(n), "CDXJ", j.lines.Size, j.lines.SHA512)
	o.Relationships = append(o.Relationships, derived)
	o.Events = append(o.Events, j.eventLink(aip.ContainerEventID(n)))
	return o
}

// documentObject returns the object of the METS of the container's records (clause 2.18).
func (j *job) documentObject(id string) premis.Object {
	o := j.gzipObject(id, "METS", j.document.Size, j.document.SHA512)
	o.Events = append(o.Events, j.eventLink(aip.MigrationEventID(j.number)))
	return o
}

// gzipObject returns a file in gzip that Quire made.
func (j *job) gzipObject(id, format string, size int64, sha512 string) premis.Object {
	return premis.Object{
		Category: premis.File, Identifiers: []premis.Identifier{j.identify(id)},
		Characteristics: []premis.Characteristics{{
			CompositionLevel: xmlstream.IntOf(1), Size: xmlstream.IntOf(size), Fixity: j.sum(model.SHA512, sha512),
			Formats: []premis.Format{{Name: premis.Text("GZIP"), Registry: pronom("x-fmt/266")}},
		}, {
			CompositionLevel: xmlstream.IntOf(0), Formats: []premis.Format{{Name: premis.Text(format)}},
			Applications: []premis.Application{{Name: premis.Text(j.o.Agent.Name), Version: j.o.Agent.Version}},
		}},
		Relationships: []premis.Relationship{j.related("structural", "is included in", aip.PackageObjID)},
		Events:        []premis.Link{j.eventLink(aip.ContainerDigestEventID(j.number))},
	}
}

// sourceObject returns the object of a chosen bytestream, as it would be served. It is for packages
// that do not describe their bytestreams individually.
func (j *job) sourceObject(id string, d *done) premis.Object {
	c := premis.Characteristics{CompositionLevel: xmlstream.IntOf(0),
		Formats: formatsOf(d.Of.Format, bare(d.Of.Declared))}
	if d.SourceSize > 0 { // otherwise it could not be read
		c.Size, c.Fixity = xmlstream.IntOf(d.SourceSize), j.sum(model.SHA256, d.Source)
	}
	return premis.Object{
		Category: premis.File, Identifiers: []premis.Identifier{j.identify(id)},
		Characteristics: []premis.Characteristics{c}, OriginalName: d.Of.URI,
		Relationships: []premis.Relationship{j.related("structural", "is included in",
			aip.ContainerObjID(d.Of.Container))},
		Events: []premis.Link{j.eventLink(aip.MigrationEventID(j.number))},
	}
}

// madeObject returns the object of a record in the new container: a conversion, or the warcinfo
// with its description.
func (j *job) madeObject(id string, p *placed) premis.Object {
	by := j.o.Agent
	if p.Made {
		by = j.tool.agent()
	}
	o := premis.Object{
		Category: premis.File, Identifiers: []premis.Identifier{j.identify(id)},
		Characteristics: []premis.Characteristics{{
			CompositionLevel: xmlstream.IntOf(0), Size: xmlstream.IntOf(p.Size),
			Fixity:  append(j.sum(model.SHA256, p.SHA256), j.sum(model.SHA512, p.SHA512)...),
			Formats: formatsOf(p.Format, p.MIME),
			Applications: []premis.Application{{Name: premis.Text(by.Name), Version: by.Version,
				Date: premis.Time(j.o.Date)}},
		}},
		OriginalName:  p.URI,
		Relationships: []premis.Relationship{j.related("structural", "is included in", aip.ContainerObjID(j.number))},
		Events: []premis.Link{j.eventLink(aip.ContainerDigestEventID(j.number)),
			j.eventLink(aip.MigrationEventID(j.number)), j.eventLink(aip.ContainerFormatEventID(j.number))},
	}
	if p.Made {
		derived := j.related("derivation", "has source", aip.BodyObjID(p.From.Of.Container, p.From.Of.Order))
		derived.Events = []premis.RelatedEvent{{Identifier: j.identify(aip.MigrationEventID(j.number))}}
		o.Relationships = append(o.Relationships, derived)
	}
	return o
}

func (j *job) sum(algorithm model.Algorithm, digest string) []premis.Fixity {
	return []premis.Fixity{{Algorithm: premis.HashFunction(string(algorithm)), Digest: digest,
		Originator: premis.Text(j.o.Agent.Name)}}
}

// formatsOf returns the formats of a bytestream, as identified and as declared.
func formatsOf(found model.Format, declared string) (all []premis.Format) {
	if found.Known() {
		f := premis.Format{Name: premis.Text(found.Name), Version: found.Version, Notes: []string{"identified"}}
		if found.Basis != "" {
			f.Notes[0] += " by the " + found.Basis
		}
		if found.PUID != "" {
			f.Registry = pronom(found.PUID)
		}
		all = append(all, f)
	}
	if declared != "" {
		all = append(all, premis.Format{Name: premis.Text(declared), Notes: []string{"declared"}})
	}
	if len(all) == 0 {
		all = []premis.Format{{Name: premis.Text("unknown")}}
	}
	return all
}

func pronom(key string) premis.Registry {
	return premis.Registry{Name: premis.Text("PRONOM"), Key: premis.Text(key), Role: premis.Text("specification")}
}

func (j *job) related(kind, subKind, id string) premis.Relationship {
	return premis.Relationship{
		Type: premis.RelationshipType(kind), SubType: premis.RelationshipSubType(subKind),
		Objects: []premis.RelatedObject{{Identifier: j.identify(id)}},
	}
}

// agents returns the agents of the migration: Quire, the format identification and, if different,
// the tool.
func (j *job) agents() []premis.Agent {
	s := j.formats.Software()
	all := []premis.Agent{j.software(quireAgent, j.o.Agent),
		j.software(pronomAgent, model.Agent{Name: s.Name, Version: s.Version})}
	all[1].Notes = []string{"signatures of PRONOM: " + s.Signature + ", of " + s.Created.Format("2006-01-02")}
	if j.o.Rule.Builtin == "" {
		all = append(all, j.software(toolAgent, j.tool.agent()))
	}
	return all
}

func (j *job) software(role string, a model.Agent) premis.Agent {
	return premis.Agent{
		Identifiers: []premis.Identifier{j.identify(aip.ContainerAgentID(j.number, role))},
		Names:       []premis.Term{premis.Text(a.Name)}, Type: premis.AgentType("software"),
		Version: strings.TrimSpace(a.Version),
	}
}

// The agents of a migration.
const (
	quireAgent  = "quire"
	pronomAgent = "pronom"
	toolAgent   = "tool"
)
