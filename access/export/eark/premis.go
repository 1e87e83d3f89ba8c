package eark

import (
	"fmt"
	"io"

	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// local returns a local identifier.
func local(value string) premis.Identifier { return premis.Identifier{Type: "local", Value: value} }

// writePREMIS writes a PREMIS document, at a path in the package.
func writePREMIS(out io.Writer, path string, write func(x *xmlstream.Writer) error) error {
	x := xmlstream.NewWriter(out, xmlstream.Options{Indent: true})
	x.Declare("premis", premis.Namespace)
	x.Locate(premis.Namespace, schemaFor(path, premisXSD))
	x.Start("premis:premis")
	x.Attr("version", premis.Version)
	if err := write(x); err != nil {
		return err
	}
	x.End("premis:premis")
	return x.Close()
}

// relation links an object to another.
func relation(kind, subtype, to string) premis.Relationship {
	return premis.Relationship{Type: premis.RelationshipType(kind), SubType: premis.RelationshipSubType(subtype),
		Objects: []premis.RelatedObject{{Identifier: local(to)}}}
}

// The identifiers of the objects: the website, the package as stored, and this package.
func (p *packer) website() string { return p.id + "/website" }
func (p *packer) stored() string  { return fmt.Sprintf("%s/v%d", p.id, p.version) }

// rootPREMIS writes this package's objects, its origin, and the events.
func (p *packer) rootPREMIS(out io.Writer) error {
	return writePREMIS(out, premisPath, func(x *xmlstream.Writer) error {
		objects := []premis.Object{
			{Category: premis.IntellectualEntity, Identifiers: []premis.Identifier{local(p.website())},
				OriginalName: p.title},
			{Category: premis.Representation, Identifiers: []premis.Identifier{local(p.stored())},
				Relationships: []premis.Relationship{relation("structural", "represents", p.website())}},
			{Category: premis.Representation, Identifiers: []premis.Identifier{local(p.objID)},
				Relationships: []premis.Relationship{relation("structural", "represents", p.website()),
					relation("derivation", "has source", p.stored())}},
		}
		for _, o := range objects {
			if err := premis.WriteObject(x, o); err != nil {
				return err
			}
		}
		for _, e := range p.events() {
			if err := premis.WriteEvent(x, e); err != nil {
				return err
			}
		}
		name, version := p.software()
		return premis.WriteAgent(x, premis.Agent{Identifiers: []premis.Identifier{local(agent)},
			Names: []premis.Term{{Text: name}},
			Type:  premis.AgentType("software"), Version: version})
	})
}

// agent is the identifier of the software that creates the package.
const agent = "agent/software"

// events returns the events of the stored package, and the creation of this one.
func (p *packer) events() []premis.Event {
	list := p.history
	for i := range list {
		list[i].Identifier = local(fmt.Sprintf("event/%d", i+1))
		list[i].Objects = []premis.Link{{Identifier: local(p.stored())}}
	}
	detail := fmt.Sprintf("dissemination information package of version v%d of %s, for readers of class %s: of what "+
		"was captured, the records that they may have", p.version, p.id, p.class)
	return append(list, premis.Event{
		Identifier: local(fmt.Sprintf("event/%d", len(list)+1)), Type: premis.EventType("information package creation"),
		DateTime: premis.Time(p.date),
		Details:  []string{detail}, Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome("success"),
			Notes: []string{"what was kept back: " + keptPath}}},
		Agents: []premis.Link{{Identifier: local(agent), Roles: []premis.Term{premis.AgentRole("executing program")}}},
		Objects: []premis.Link{{Identifier: local(p.objID), Roles: []premis.Term{premis.ObjectRole("outcome")}},
			{Identifier: local(p.stored()), Roles: []premis.Term{premis.ObjectRole("source")}}},
	})
}

// repPREMIS writes the objects of the representation: the representation itself, and its files with
// digests and formats.
func (p *packer) repPREMIS(out io.Writer) error {
	return writePREMIS(out, rep+"/"+premisPath, func(x *xmlstream.Writer) error {
		err := premis.WriteObject(x, premis.Object{Category: premis.Representation,
			Identifiers:   []premis.Identifier{local(p.objID + "/rep1")},
			Relationships: []premis.Relationship{relation("structural", "is included in", p.objID)}})
		if err != nil {
			return err
		}
		return p.data.list.Each(func(e entry) error {
			return premis.WriteObject(x, premis.Object{
				Category: premis.File, Identifiers: []premis.Identifier{local(p.objID + "/rep1/" + e.Path)},
				OriginalName: e.Path,
				Characteristics: []premis.Characteristics{{
					Fixity: []premis.Fixity{{Algorithm: premis.HashFunction("SHA-512"), Digest: e.Sum}},
					Size:   xmlstream.IntOf(e.Size),
					Formats: []premis.Format{{Name: premis.Term{Text: "WARC"}, Version: "1.1",
						Registry: premis.Registry{Name: premis.Term{Text: "PRONOM"},
							Key: premis.Term{Text: "fmt/1355"}}, Notes: []string{"gzip, a member for each record"}}},
				}},
				Relationships: []premis.Relationship{relation("structural", "is included in", p.objID+"/rep1")},
			})
		})
	})
}
