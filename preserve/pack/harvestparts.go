package pack

import (
	"slices"

	"quire/internal/secret"
	"quire/metadata/harvestmd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// Facts by the part of harvestMD that has them. All other facts are of the run.
var (
	definitionFacts = []string{"alias", "audience", "channel", "collection", "collection in names",
		"configuration date", "continuation of job", "entry page", "file name prefix", "gather command",
		"gather method", "harvest definition", "harvest definition before", "harvest number", "harvestInfo version",
		"job created (no zone)", "job submitted", "job submitted (no zone)",
		"jobs that duplicates were looked for in", "name of the crawl", "resubmitted as job", "schedule", "scope",
		"seeds",
		"target instance", "template", "template description", "template updated", "title", "type of instance"}
	settingsFacts = []string{"argument", "arguments", "contact", "crawl folder", "limits", "robots policy",
		"robots policy of some hosts", "user agent"}
)

// parts returns the structure of a harvest for its event: the run, its definition, its settings, and
// the tables of the crawler.
func (h *harvest) parts() []harvestmd.Part {
	run, definition, settings := &harvestmd.Run{State: h.ending().state}, &harvestmd.Definition{}, &harvestmd.Settings{}
	if h.about != nil {
		run.System, run.ID = string(h.about.System), h.about.ID
		settings.Files = h.configurations()
	}
	definition.Facts = h.listedFacts()
	for _, f := range h.facts {
		fact := harvestmd.Fact{Name: f.kind, Value: f.value, Source: f.from}
		named, isNamed := fact.Named()
		switch {
		case f.kind == "limit" && isNamed:
			settings.Limits = append(settings.Limits, named)
		case f.kind == "counted" && isNamed:
			run.Counts = append(run.Counts, named)
		case f.kind == "limit", slices.Contains(settingsFacts, f.kind):
			settings.Facts = append(settings.Facts, fact)
		case slices.Contains(definitionFacts, f.kind):
			definition.Facts = append(definition.Facts, fact)
		default:
			run.Facts = append(run.Facts, fact)
		}
	}
	run.Counts = append(run.Counts, h.totals...)
	all := []harvestmd.Part{run}
	if len(definition.Facts) > 0 {
		all = append(all, definition)
	}
	if len(settings.Facts)+len(settings.Limits)+len(settings.Files) > 0 {
		all = append(all, settings)
	}
	return append(all, h.tables...)
}

// listedFacts returns the seeds and the rules of the scope, up to a limit of each.
func (h *harvest) listedFacts() []harvestmd.Fact {
	if h.about == nil {
		return nil
	}
	var all []harvestmd.Fact
	for _, seed := range h.about.Seeds[:min(len(h.about.Seeds), maxListed)] {
		all = append(all, harvestmd.Fact{Name: "seed", Value: secret.Conceal(seed)})
	}
	for _, rule := range h.about.Scope[:min(len(h.about.Scope), maxListed)] {
		all = append(all, harvestmd.Fact{Name: "scope", Value: secret.Conceal(rule)})
	}
	return all
}

// configurations lists the configurations of the crawler, up to a limit.
func (h *harvest) configurations() []harvestmd.File {
	var all []harvestmd.File
	for i := range h.about.Files {
		f := &h.about.Files[i]
		if f.Role == model.RoleConfiguration && len(all) < maxListed {
			all = append(all, harvestmd.File{Name: f.Path, Restricted: f.Restricted != ""})
		}
	}
	return all
}

// extensions returns writers of the parts.
func (h *harvest) extensions() []func(*xmlstream.Writer) error {
	var all []func(*xmlstream.Writer) error
	for _, p := range h.parts() {
		all = append(all, p.Write)
	}
	return all
}

// factNotes returns the facts as notes, as readers of the event see them.
func (h *harvest) factNotes() []string {
	var notes []string
	for _, f := range h.listedFacts() {
		notes = append(notes, f.Note())
	}
	for _, f := range h.facts {
		notes = append(notes, harvestmd.Fact{Name: f.kind, Value: f.value, Source: f.from}.Note())
	}
	return notes
}
