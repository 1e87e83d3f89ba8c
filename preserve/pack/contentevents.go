package pack

import (
	"fmt"
	"slices"
	"strings"

	"quire/format/warc"
	"quire/internal/humanize"
	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
)

// ingestion returns the event of receiving the source: its content, origin and time
// (docs/reference/310_package-format.md, 2.4).
func (b *builder) ingestion() premis.Event {
	var notes []string
	for _, source := range b.sources[:min(len(b.sources), maxListed)] {
		notes = append(notes, "received: "+source)
	}
	if more := len(b.sources) - maxListed; more > 0 {
		notes = append(notes, fmt.Sprintf("received: and %d more", more))
	}
	for i := range b.facts.harvests {
		if a := b.facts.harvests[i].about; a != nil && i < maxListed {
			notes = append(notes, strings.TrimSpace(fmt.Sprintf("harvest: %s %s", a.System, a.ID)))
		}
	}
	return premis.Event{
		Type: premis.EventType(string(model.Ingestion)), DateTime: premis.Span(b.started, b.read),
		Details:  []string{strings.Join(b.extents(), ", ")},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(model.Success)), Notes: notes}},
		Agents:   []premis.Link{b.link(packerID, "executing program", premis.AgentRole)},
		Objects:  []premis.Link{b.link(aip.PackageObjID, "outcome", premis.ObjectRole)},
	}
}

// pronomID is the agent that identifies formats.
const pronomID = aip.AgentIDPrefix + "pronom"

// identification returns the event of identifying formats: one for all bytestreams, which link to
// it.
func (b *builder) identification() premis.Event {
	return premis.Event{
		Type: premis.EventType(string(model.FormatIdentification)), DateTime: premis.Span(b.started, b.read),
		Details: []string{"formats by the signatures of PRONOM, and SVG without a version by its root element, " +
			"of each " +
			"content as it would be served; in the pass that copied the containers"},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(model.Success))}},
		Agents: []premis.Link{b.link(packerID, "executing program", premis.AgentRole),
			b.link(pronomID, "executing program", premis.AgentRole)},
		Objects: []premis.Link{b.link(aip.PackageObjID, "source", premis.ObjectRole)},
	}
}

// formatAgents returns the identifying agent, with the version of its signatures; empty if formats
// are not described.
func (b *builder) formatAgents() []agent {
	if b.formats == nil {
		return nil
	}
	s := b.formats.Software()
	return []agent{{id: pronomID, agent: premis.Agent{
		Identifiers: []premis.Identifier{b.identify(pronomID)},
		Names:       []premis.Term{premis.Text(s.Name)}, Type: premis.AgentType("software"), Version: s.Version,
		Notes: []string{fmt.Sprintf("signatures of PRONOM: %s, of %s", s.Signature, s.Created.Format("2006-01-02"))},
	}}}
}

// revisits counts the revisit records. Their content is stored elsewhere.
func (g *gathered) revisits(c *model.Container) int64 { return c.Records.ByType[warc.TypeRevisit] }

// deduplication returns the event about the revisit records of a container: their number, profiles
// and software. Quire marks its own records.
func (b *builder) deduplication(p packed) premis.Event {
	id := aip.DedupEventID(p.N)
	e := premis.Event{
		Identifier: b.identify(id), Type: premis.EventType(string(model.Deduplication)), DateTime: premis.Time(p.Done),
		Details: []string{"payloads that are stored elsewhere stand as revisit records"},
		Objects: []premis.Link{b.link(aip.ContainerObjID(p.N), "outcome", premis.ObjectRole)},
	}
	software := strings.TrimSpace(p.Container.Software)
	if i := slices.Index(b.facts.values("software"), p.Container.Software); i >= 0 {
		e.Agents = []premis.Link{b.link(namedID("software", i), "executing program", premis.AgentRole)}
	}
	all := p.Contents.revisits(p.Container)
	notes := []string{humanize.Count(all, "revisit record")}
	for _, t := range p.Container.Types {
		if t.Type != warc.TypeRevisit {
			continue
		}
		for _, profile := range t.Profiles {
			notes = append(notes, fmt.Sprintf("profile %s: %d", profile.Name, profile.Count))
		}
		if !t.First.IsZero() {
			e.DateTime = premis.Span(t.First, t.Last)
		}
	}
	if by := all - p.Contents.Deduped; by > 0 {
		who := "the crawler"
		if software != "" {
			who += ", by the container's own word " + software
		}
		notes = append(notes, fmt.Sprintf("made by %s: %d", who, by))
	}
	if p.Contents.Deduped > 0 {
		notes = append(notes, fmt.Sprintf("made by quire dedup, as the field Dedup-Evidence in them says: %d",
			p.Contents.Deduped))
	}
	e.Outcomes = []premis.Outcome{{Outcome: premis.EventOutcome(string(model.Success)), Notes: notes}}
	return e
}

// listedNotes describes how much of a container the METS lists, if it lists single records
// (docs/reference/310_package-format.md, 2.8).
func (b *builder) listedNotes(n tallied) []string {
	var notes []string
	if b.o.Profile.itemized() {
		notes = append(notes, fmt.Sprintf("described one by one: %s, %s", humanize.Count(n.records, "record"),
			humanize.Count(n.bodies, "bytestream")))
		if n.broken > 0 {
			notes = append(notes, "not described: "+humanize.Count(n.broken, "record")+
				" that break off before their end")
		}
		if n.unplaced > 0 {
			notes = append(notes, "not described: "+humanize.Count(n.unplaced, "record")+
				" in, or behind, what cannot be inflated")
		}
	}
	if n.unresolved > 0 {
		notes = append(notes, "derived from a record that is not here, or of whose id there are several: "+
			humanize.Count(n.unresolved, "bytestream"))
	}
	return notes
}
