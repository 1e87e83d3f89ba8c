package pack

import (
	"strings"

	"quire/internal/humanize"
	"quire/metadata/mods"
	"quire/preserve/characterize"
)

// website describes the website in MODS (docs/reference/310_package-format.md, 2.3).
func (b *builder) website() mods.Record {
	content := mods.Content{
		Titles:      []mods.Title{{Title: b.result.Title}},
		Genres:      []mods.Term{mods.Text("web archives")},
		Physical:    []mods.Physical{{MediaTypes: b.mediaTypes(), Extents: b.extents(), DigitalOrigin: "born digital"}},
		Identifiers: []mods.Identifier{{Type: "local", Text: b.result.ID}},
		Notes:       []mods.Note{{Type: "source of description", Text: b.sourceOfDescription()}},
	}
	if s := b.titleSource; s != nil {
		content.Notes = append(content.Notes, s.Note())
	}
	if b.facts.whole.abstract != "" {
		content.Abstracts = []mods.Note{{Text: b.facts.whole.abstract}}
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

func (b *builder) sourceOfDescription() string {
	parts := append([]string{}, b.facts.whole.notes...)
	if b.result.First != nil {
		parts = append(parts, "dates: the earliest and latest date of a captured record")
	}
	return strings.Join(parts, "; ")
}
