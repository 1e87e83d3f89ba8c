package pack

import (
	"slices"

	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
)

// states returns a function that reports whether a harvest states a fact.
func states(kind, value string) func(*harvest) bool {
	return func(h *harvest) bool { return slices.Contains(h.values(kind), value) }
}

// planned are the systems that run jobs of a definition.
var planned = []model.System{model.Heritrix, model.NetarchiveSuite, model.WebCurator, model.Pandas}

// isPlanned reports whether the harvest is a job of a definition.
func (h *harvest) isPlanned() bool { return h.about != nil && slices.Contains(planned, h.about.System) }

// planAgents lists the crawl jobs, their definitions, and the user agents (2.4). They are no programs
// and no persons, so they have a type of their own.
func (b *builder) planAgents() []agent {
	var jobs, definitions, userAgents []agent
	add := func(list *[]agent, kind, role, name string, notes []string, in func(*harvest) bool) {
		id := namedID(kind, len(*list))
		*list = append(*list, agent{id: id, role: role, in: in, agent: premis.Agent{
			Identifiers: []premis.Identifier{b.identify(id)}, Names: []premis.Term{premis.Text(name)},
			Type: premis.Text(role), Notes: notes}})
	}
	for i := range b.facts.harvests {
		h := &b.facts.harvests[i]
		if h.isPlanned() && h.about.ID != "" {
			add(&jobs, "job", aip.RoleJob, h.about.ID, []string{"system: " + string(h.about.System)},
				func(other *harvest) bool { return other == h })
		}
		if name, from, ok := h.definition(); ok {
			add(&definitions, "definition", aip.RoleDefinition, name, from,
				func(other *harvest) bool { return other == h })
		}
	}
	for _, name := range b.facts.values("user agent") {
		add(&userAgents, "useragent", aip.RoleUserAgent, name, b.sourcesOf("user agent", name),
			states("user agent", name))
	}
	return slices.Concat(jobs, definitions, userAgents)
}

// definition returns the name of the harvest definition, target or title of a job, and the facts
// about it as notes.
func (h *harvest) definition() (name string, notes []string, ok bool) {
	if !h.isPlanned() || h.about.Collection == "" {
		return "", nil, false
	}
	for _, f := range h.facts {
		switch f.kind {
		case "harvest definition", "harvest number", "schedule", "channel", "template", "template updated",
			"template description", "target instance":
			notes = append(notes, f.kind+": "+f.value+" (from "+f.from+")")
		case "collection":
			if f.value == h.about.Collection {
				notes = append(notes, "name from "+f.from)
			}
		}
	}
	return h.about.Collection, notes, true
}

// sourcesOf lists the sources of a fact, one for each harvest, up to a limit.
func (b *builder) sourcesOf(kind, value string) []string {
	var all []string
	for i := range b.facts.harvests {
		for _, f := range b.facts.harvests[i].facts {
			if note := "from " + f.from; f.kind == kind && f.value == value && len(all) < maxListed &&
				!slices.Contains(all, note) {
				all = append(all, note)
			}
		}
	}
	return all
}
