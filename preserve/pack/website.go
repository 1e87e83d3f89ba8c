package pack

import (
	"fmt"
	"net/url"
	"strings"

	"quire/internal/humanize"
	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/preserve/characterize"
)

// website describes the website in MODS (docs/reference/310_package-format.md, 2.3).
func (b *builder) website() mods.Record {
	content := mods.Content{
		Titles:      []mods.Title{{Title: b.result.Title}},
		Types:       []mods.Term{mods.Text("text")}, // as leader/06 of MARC: a website is mostly text
		Genres:      []mods.Term{mods.Text("web archives")},
		Physical:    []mods.Physical{{MediaTypes: b.mediaTypes(), Extents: b.extents(), DigitalOrigin: "born digital"}},
		Identifiers: []mods.Identifier{{Type: "local", Text: b.result.ID}},
		Notes:       []mods.Note{{Type: "source of description", Text: b.sourceOfDescription()}},
	}
	if s := b.titleSource; s != nil {
		content.Notes = append(content.Notes, s.Note())
	}
	if a := b.facts.name((*harvest).abstract); a.name != "" {
		content.Abstracts = []mods.Note{{Text: a.name}}
	}
	content.Locations, content.Identifiers = b.addresses(content.Identifiers)
	if n := len(b.seedURLs()) - maxAddresses; n > 0 {
		content.Notes = append(content.Notes,
			mods.Note{Type: "seeds", Text: fmt.Sprintf("and %d more; the documentation of the harvest lists all", n)})
	}
	if b.result.First != nil {
		origin := mods.Captured(*b.result.First, *b.result.Last)
		origin.Publishers = b.facts.whole.values("organization")
		content.Origins = []mods.Origin{origin}
	}
	return mods.Record{Content: content}
}

func (b *builder) mediaTypes() []string {
	var types []string
	for _, t := range []string{characterize.WARCType, characterize.ARCType} {
		if b.facts.whole.formats[t] {
			types = append(types, t)
		}
	}
	return types
}

// extents describes the size of the package.
func (b *builder) extents() []string {
	return []string{humanize.Count(b.result.Containers, "container"), humanize.Count(b.result.Records, "record"),
		humanize.Count(b.result.OtherFiles, "other file")}
}

// maxAddresses bounds the seeds in the description of the website.
const maxAddresses = 100

// seedURLs lists the seeds of all harvests, without those that hold a name or a password.
func (b *builder) seedURLs() []string {
	var all []string
	seen := map[string]bool{}
	for i := range b.facts.harvests {
		about := b.facts.harvests[i].about
		if about == nil {
			continue
		}
		for _, s := range about.Seeds {
			u, err := url.Parse(s)
			if seen[s] || s == "" || err == nil && u.User != nil || err != nil && strings.Contains(s, "@") {
				continue
			}
			seen[s] = true
			all = append(all, s)
		}
	}
	return all
}

// addresses returns the seeds as locations. A seed that the schema takes for no URI is added to the
// identifiers.
func (b *builder) addresses(ids []mods.Identifier) ([]mods.Location, []mods.Identifier) {
	var at []mods.Location
	seeds := b.seedURLs()
	for _, s := range seeds[:min(len(seeds), maxAddresses)] {
		if xmlstream.IsURI(s) {
			at = append(at, mods.Location{URLs: []mods.URL{{Text: s, Label: "seed"}}})
		} else {
			ids = append(ids, mods.Identifier{Text: s, Type: "uri", Label: "seed"})
		}
	}
	return at, ids
}

func (b *builder) sourceOfDescription() string {
	parts := append([]string{}, b.facts.whole.notes...)
	if a := b.facts.name((*harvest).abstract); a.name != "" {
		parts = append(parts, "description: "+a.source)
	}
	if b.result.First != nil {
		parts = append(parts, "dates: the earliest and latest date of a captured record")
	}
	return strings.Join(parts, "; ")
}
