package pack

import (
	"fmt"
	"strings"

	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/folder"
)

// website describes the website in MODS (docs/package-format.md, 2.3).
func (b *builder) website() mods.Record {
	content := mods.Content{
		Titles:      []mods.Title{{Title: b.result.Title}},
		Genres:      []mods.Term{mods.Text("web archives")},
		Physical:    []mods.Physical{{MediaTypes: b.mediaTypes(), Extents: []string{b.extent()}, DigitalOrigin: "born digital"}},
		Identifiers: []mods.Identifier{{Type: "local", Text: b.result.ID}},
		Notes:       []mods.Note{{Type: "source of description", Text: b.sourceOfDescription()}},
	}
	if b.result.First != nil {
		content.Origins = []mods.Origin{mods.Captured(*b.result.First, *b.result.Last)}
	}
	return mods.Record{Content: content}
}

func (b *builder) mediaTypes() []string {
	var types []string
	for _, t := range []string{warcType, arcType} {
		if b.harvest.formats[t] {
			types = append(types, t)
		}
	}
	return types
}

func (b *builder) extent() string {
	return fmt.Sprintf("%d containers; %d records; %d other files", b.result.Containers, b.result.Records, b.result.OtherFiles)
}

func (b *builder) sourceOfDescription() string {
	parts := append([]string{}, b.harvest.notes...)
	if b.result.First != nil {
		parts = append(parts, "dates: the earliest and latest date of a captured record")
	}
	return strings.Join(parts, "; ")
}

// websiteObject is the website as an intellectual entity, apart from its bytes.
func (b *builder) websiteObject() premis.Object {
	return premis.Object{
		Category:     premis.IntellectualEntity,
		Identifiers:  []premis.Identifier{b.identify(folder.WebsiteObjID)},
		OriginalName: b.result.Title,
	}
}

// containerObject is a container as a file.
func (b *builder) containerObject(p packed) premis.Object {
	c := p.Container
	level := int64(0)
	if compressionType(c.Compression) != "" {
		level = 1
	}
	return premis.Object{
		Category:    premis.File,
		Identifiers: []premis.Identifier{b.identify(folder.ContainerObjID(p.N))},
		Characteristics: []premis.Characteristics{{
			CompositionLevel: xmlstream.IntOf(level),
			Fixity:           []premis.Fixity{{Algorithm: premis.HashFunction("SHA-512"), Digest: p.SHA512, Originator: premis.Text(b.o.Agent.Name)}},
			Size:             xmlstream.IntOf(p.Size),
			Formats:          []premis.Format{formatOf(c)},
			Applications:     applicationsOf(c),
		}},
		OriginalName: p.Name,
		Relationships: []premis.Relationship{{
			Type: premis.RelationshipType("structural"), SubType: premis.RelationshipSubType("is included in"),
			Objects: []premis.RelatedObject{{Identifier: b.identify(folder.WebsiteObjID)}},
		}},
	}
}

func formatOf(c *model.Container) premis.Format {
	name := c.Format
	if name == "" {
		name = "unknown"
	}
	f := premis.Format{Name: premis.Text(name), Version: strings.Join(c.Versions, ", ")}
	if key := pronom(c); key != "" {
		f.Registry = premis.Registry{Name: premis.Text("PRONOM"), Key: premis.Text(key), Role: premis.Text("specification")}
	}
	return f
}

func applicationsOf(c *model.Container) []premis.Application {
	if c.Software == "" {
		return nil
	}
	return []premis.Application{{Name: premis.Text(c.Software)}}
}
