package pack

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"quire/internal/humanize"
	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
)

// identify returns the PREMIS identifier of an entity of this package: the package's identifier,
// and the ID in its METS.
func (b *builder) identify(id string) premis.Identifier {
	return premis.Identifier{Type: "local", Value: b.result.ID + "#" + id}
}

func (b *builder) link(id, role string, term func(string) premis.Term) premis.Link {
	return premis.Link{Identifier: b.identify(id), Roles: []premis.Term{term(role)}}
}

// event is an event of the package, with the ID of its section.
type event struct {
	id    string
	event premis.Event
}

// packageEvents lists the events of the package as a whole (docs/reference/310_package-format.md,
// 2.4).
func (b *builder) packageEvents(agents []agent) []event {
	packer := []premis.Link{b.link(packerID, "executing program", premis.AgentRole)}
	success := premis.EventOutcome(string(model.Success))
	events := slices.Concat(b.captures(agents), b.completions(), b.signatures(), b.assignments())
	events = append(events, []event{
		{aip.IngestEventID, b.ingestion()},
		{aip.DigestEventID, premis.Event{
			Type: premis.EventType(string(model.DigestCalc)), DateTime: premis.Span(b.started, b.read),
			Details:  b.digested(),
			Outcomes: []premis.Outcome{{Outcome: success}}, Agents: packer,
			Objects: []premis.Link{b.link(aip.PackageObjID, "source", premis.ObjectRole)},
		}},
		{aip.PackageEventID, premis.Event{
			Type: premis.EventType(string(model.PackageMaking)), DateTime: premis.Time(b.now()),
			Details: []string{"profile " + b.o.Profile.name(b.o.METS) + "; " + strings.Join(b.extents(), ", ")},
			Outcomes: []premis.Outcome{{Outcome: success,
				Notes: slices.Concat(b.facts.whole.notes, b.left.notes(), b.linkNotes())}},
			Agents:  packer,
			Objects: []premis.Link{b.link(aip.PackageObjID, "outcome", premis.ObjectRole)},
		}},
	}...)
	events = append(events, b.describing()...)
	if b.formats != nil {
		events = append(events, event{aip.FormatEventID, b.identification()})
	}
	if len(b.infections.containers) > 0 {
		events = append(events, event{aip.CleanEventID, b.cleaning()})
	}
	for i := range events {
		events[i].event.Identifier = b.identify(events[i].id)
	}
	return events
}

// digested names the algorithms of the computed digests, and the digested objects: a detail for
// each algorithm.
func (b *builder) digested() []string {
	bytestreams := "the described bytestreams"
	if b.o.Profile.itemized() {
		bytestreams = "each bytestream, as sent and as served"
	}
	files := "algorithm SHA-512: every file of the package"
	if b.o.Profile.itemized() {
		files += "; " + bytestreams
	}
	return []string{files + "; computed in the pass that copied it",
		"algorithm SHA-256: " + bytestreams + "; computed in the same pass"}
}

// captures returns the dated harvests as events.
func (b *builder) captures(agents []agent) []event {
	var events []event
	for i := range b.facts.harvests {
		h := &b.facts.harvests[i]
		if first, last, ok := h.span(); ok {
			e := b.capture(h, agents)
			e.DateTime = premis.Span(first, last)
			events = append(events, event{aip.HarvestEventID(i + 1), e})
		}
	}
	return events
}

// capture returns the event of one harvest. The facts from the documentation and the containers are
// in harvestMD, each with its source. The outcome is that of the run, if its sources state it.
func (b *builder) capture(h *harvest, agents []agent) premis.Event {
	e := premis.Event{
		Type:    premis.EventType(string(model.Capture)),
		Objects: []premis.Link{b.link(aip.WebsiteObjID, "source", premis.ObjectRole)},
		Details: []string{h.detail()},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(h.ending().outcome)), Notes: h.said(),
			Extensions: h.extensions()}},
	}
	for i := range agents {
		if agents[i].actsIn(h) {
			e.Agents = append(e.Agents, b.link(agents[i].id, agents[i].role, premis.AgentRole))
		}
	}
	return e
}

// detail describes the event, and the source of its time span.
func (h *harvest) detail() string {
	if _, _, ok := h.documented(); ok {
		return "harvest of the website, from the begin to the end of the run"
	}
	return "harvest of the website, from the first to the last dated capture"
}

// said lists the statements about a harvest without a place in harvestMD: its contents, the evidence
// of the outcome, and the content that was not captured.
func (h *harvest) said() []string {
	notes := []string{humanize.Count(h.records, "record") + " in " + humanize.Count(h.containers, "container"),
		h.ending().why}
	if h.about != nil {
		notes = append(notes, fmt.Sprintf("system: %s; harvest documentation: %s", h.about.System,
			h.about.Documentation))
		if h.about.ID != "" {
			notes = append(notes, "identifier there: "+h.about.ID)
		}
	}
	if h.more > 0 {
		notes = append(notes, fmt.Sprintf("%d more things are said of it, which only its files hold", h.more))
	}
	if h.about != nil {
		notes = append(notes, further("seed", h.about.Seeds)...)
		notes = append(notes, further("scope", h.about.Scope)...)
		notes = append(notes, listed("duplicates lie in a container of another harvest", foreign(h.about.Foreign))...)
	}
	return append(notes, h.missed.notes()...)
}

// foreign describes the files that a harvest depends on.
func foreign(files []model.ForeignFile) []string {
	var all []string
	for _, f := range files {
		name := f.Name
		if f.Job != "" {
			name += " of job " + f.Job
		}
		all = append(all, name+", "+humanize.Count(f.Duplicates, "duplicate"))
	}
	return all
}

// maxListed is how many seeds, and how many scope rules, of a harvest the METS lists. The
// configuration has all.
const maxListed = 200

// listed lists the values up to the limit, and the number of the others.
func listed(name string, values []string) []string {
	var notes []string
	for _, v := range values[:min(len(values), maxListed)] {
		notes = append(notes, name+": "+v)
	}
	return append(notes, further(name, values)...)
}

// further states the number of the values beyond the limit.
func further(name string, values []string) []string {
	if more := len(values) - maxListed; more > 0 {
		return []string{fmt.Sprintf("%s: and %d more, which its files hold", name, more)}
	}
	return nil
}

// validation returns the validation event of one container, with the result of the pass (2.5, 3.4).
func (b *builder) validation(p packed, told tallied) premis.Event {
	c := p.Container
	outcome := model.Success
	switch {
	case c.Outcome != model.Valid:
		outcome = model.Fail
	case hasWarning(c):
		outcome = model.Warned
	}
	id := aip.ContainerEventID(p.N)
	return premis.Event{
		Identifier: b.identify(id), Type: premis.EventType(string(model.Validation)), DateTime: premis.Time(p.Done),
		Details: []string{"container read from the first byte to the last: structure, block and payload digests"},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(outcome)),
			Notes: append(verdict(c), b.listedNotes(told)...)}},
		Agents:  []premis.Link{b.link(packerID, "executing program", premis.AgentRole)},
		Objects: []premis.Link{b.link(aip.ContainerObjID(p.N), "source", premis.ObjectRole)},
	}
}

func hasWarning(c *model.Container) bool {
	for _, f := range c.Findings {
		if f.Severity == model.Warning && ofStructure(f) {
			return true
		}
	}
	return false
}

// verdict returns the outcome and each kind of finding, with its count and first position.
func verdict(c *model.Container) []string {
	notes := []string{fmt.Sprintf("%s; %s", c.Outcome, humanize.Count(c.Records.Total, "record"))}
	findings := append([]model.Finding{}, c.Findings...)
	sort.SliceStable(findings, func(i, j int) bool { return findings[i].Code < findings[j].Code })
	for _, f := range findings { // one of each code: the limit of this pass
		if !ofStructure(f) {
			continue // it is in the virus check
		}
		notes = append(notes, fmt.Sprintf("%s %s, %s, first at byte %d: %s", f.Severity, f.Code,
			humanize.Count(c.FindingCounts[f.Code], "time"), f.Offset, f.Message))
	}
	return notes
}

// transformation returns the event that restored the links of a mirror's pages (2.5, 2.8.4). The
// vocabulary of the Library of Congress has no such type.
func (b *builder) transformation(p packed) premis.Event {
	return premis.Event{
		Identifier: b.identify(aip.TransformationEventID(p.N)), Type: premis.EventType(string(model.Transformation)),
		DateTime: premis.Time(p.Made.When),
		Details: []string{"links that the crawler changed were restored to their targets on the web; the file as " +
			"found is a record of its own"},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(model.Success)),
			Notes: []string{humanize.Count(p.transformed(), "page")}}},
		Agents: []premis.Link{b.link(packerID, "executing program", premis.AgentRole)},
		Objects: []premis.Link{
			b.link(aip.SourceObjID(p.N), "source", premis.ObjectRole),
			b.link(aip.ContainerObjID(p.N), "outcome", premis.ObjectRole),
		},
	}
}

// migration returns the event that made a container from its source (2.5).
func (b *builder) migration(p packed) premis.Event {
	id := aip.MigrationEventID(p.N)
	outcome, notes := p.Made.outcome()
	return premis.Event{
		Identifier: b.identify(id), Type: premis.EventType(string(model.Migration)), DateTime: premis.Time(p.Made.When),
		Details:  []string{p.Made.detail()},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(outcome)), Notes: notes}},
		Agents:   []premis.Link{b.link(packerID, "executing program", premis.AgentRole)},
		Objects: []premis.Link{
			b.link(aip.SourceObjID(p.N), "source", premis.ObjectRole),
			b.link(aip.ContainerObjID(p.N), "outcome", premis.ObjectRole),
		},
	}
}
