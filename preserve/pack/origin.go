package pack

import (
	"fmt"
	"maps"
	"slices"

	"quire/internal/humanize"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/characterize"
	"quire/preserve/convert"
)

// sourceObject returns the source of a container: an ARC as a file, or a mirror as a representation
// of the website. It is described whether or not it is in the package.
func (b *builder) sourceObject(p packed) premis.Object {
	o := premis.Object{
		Category:      premis.Representation,
		Identifiers:   []premis.Identifier{b.identify(aip.SourceObjID(p.N))},
		OriginalName:  p.Made.Of,
		Relationships: []premis.Relationship{b.related("derivation", "is source of", aip.ContainerObjID(p.N))},
		Events:        append(b.captureLink(p.Harvest), b.eventLink(aip.MigrationEventID(p.N))),
	}
	if p.transformed() > 0 {
		o.Events = append(o.Events, b.eventLink(aip.TransformationEventID(p.N)))
	}
	if arc := p.Made.ARC; arc != nil {
		o.Category, o.Characteristics = premis.File, b.arcCharacteristics(arc)
	} else {
		o.SignificantProperties = mirrorProperties(p.Container)
	}
	return o
}

// arcCharacteristics describes an ARC that was converted: as stored and, if it was compressed, its
// content, with its format, version, software and date as its version block states them.
func (b *builder) arcCharacteristics(arc *convert.Converted) []premis.Characteristics {
	content := premis.Characteristics{CompositionLevel: xmlstream.IntOf(0),
		Formats: formatsOf("ARC", []string{arc.Version})}
	name, version := characterize.Software(arc.Software)
	made := premis.Application{Name: premis.Text(name), Version: version}
	if arc.Created != nil {
		made.Date = premis.Time(*arc.Created)
	}
	if name != "" || made.Date != "" {
		content.Applications = []premis.Application{made}
	}
	fixity := []premis.Fixity{{Algorithm: premis.HashFunction(string(model.SHA512)), Digest: arc.SHA512,
		Originator: premis.Text(b.o.Agent.Name)}}
	compression, ok := compressionFormats[arc.Compression]
	if !ok {
		content.Fixity, content.Size = fixity, xmlstream.IntOf(arc.Bytes)
		return []premis.Characteristics{content}
	}
	if !arc.Damaged { // a damaged file may have held more than it inflates to
		content.Size = xmlstream.IntOf(arc.InflatedBytes)
	}
	return []premis.Characteristics{{CompositionLevel: xmlstream.IntOf(1), Fixity: fixity,
		Size: xmlstream.IntOf(arc.Bytes), Formats: []premis.Format{compression}}, content}
}

// mirrorProperties returns the software and the dates of a mirror, as the warcinfo of the container
// made from it has them. A representation has no creating application in PREMIS.
func mirrorProperties(c *model.Container) (all []premis.Property) {
	kinds := map[string]string{"mirror-software": "creating software", "mirror-start": "start of the crawl",
		"mirror-end": "end of the crawl"}
	for _, f := range c.Info {
		if kind := kinds[f.Name]; kind != "" {
			all = append(all, premis.Property{Type: premis.Text(kind), Value: f.Value})
		}
	}
	return all
}

// detail describes the conversion.
func (m *normalization) detail() string {
	if m.ARC != nil {
		return "ARC to WARC 1.1, record by record; header and payload bytes unchanged"
	}
	return "mirror of a website to WARC 1.1"
}

// outcome returns the result of the conversion, and its evidence.
func (m *normalization) outcome() (model.EventOutcome, []string) {
	if m.ARC == nil {
		return m.mirrored()
	}
	notes := []string{fmt.Sprintf("%s; the ARC file had %d bytes, inflated %d with SHA-512 %s",
		humanize.Count(m.ARC.Records, "record"), m.ARC.Bytes, m.ARC.InflatedBytes, m.ARC.InflatedSHA512)}
	outcome := model.Success
	if m.Proof.Restorable {
		notes = append(notes,
			"proved: the inflated ARC was made again of the WARC as read back from the disk, byte for byte")
	} else {
		outcome = model.Warned
		notes = append(notes, "the ARC cannot be made again of the WARC: "+m.Proof.Why)
	}
	if m.Kept {
		notes = append(notes, "the ARC is kept in the package")
	} else {
		notes = append(notes, "the ARC is not kept")
	}
	for _, code := range slices.Sorted(maps.Keys(m.ARC.FindingCounts)) {
		for _, f := range m.ARC.Findings {
			if f.Code == code {
				notes = append(notes, fmt.Sprintf("%s %s, %s, first at byte %d of the ARC: %s", f.Severity, code,
					humanize.Count(m.ARC.FindingCounts[code], "time"), f.Offset, f.Message))
				break
			}
		}
		if outcome == model.Success &&
			slices.ContainsFunc(m.ARC.Findings, func(f model.Finding) bool { return f.Severity != model.Info }) {
			outcome = model.Warned
		}
	}
	return outcome, notes
}

// mirrored returns the results for a mirror: the grade of each URL, and the place of each file.
func (m *normalization) mirrored() (model.EventOutcome, []string) {
	r := m.Mirror
	notes := []string{fmt.Sprintf("%s of %s", humanize.Count(r.Records, "record"), humanize.Count(r.URLs, "URL"))}
	for _, grade := range slices.Sorted(maps.Keys(r.Grades)) {
		notes = append(notes, fmt.Sprintf("URLs graded %q: %d", grade, r.Grades[grade]))
	}
	for _, head := range slices.Sorted(maps.Keys(r.Heads)) {
		notes = append(notes, fmt.Sprintf("heads of responses, %s: %d", head, r.Heads[head]))
	}
	for _, fate := range slices.Sorted(maps.Keys(r.Files)) {
		notes = append(notes, fmt.Sprintf("files of the mirror, %s: %d", fate, r.Files[fate]))
	}
	if r.Undated > 0 {
		notes = append(notes, fmt.Sprintf("URLs whose time nothing tells, kept as metadata: %d", r.Undated))
	}
	if m.Kept {
		notes = append(notes, "the mirror is kept in the package")
	} else {
		notes = append(notes, fmt.Sprintf("the mirror is not kept: %s, %d bytes, were in no record",
			humanize.Count(r.OnlyThere, "file"), r.OnlyBytes))
	}
	outcome := model.Success
	for _, f := range r.Findings {
		if f.Severity != model.Info {
			outcome = model.Warned
		}
	}
	for _, code := range slices.Sorted(maps.Keys(r.FindingCounts)) {
		notes = append(notes, fmt.Sprintf("%s: %s", code, humanize.Count(r.FindingCounts[code], "time")))
	}
	return outcome, notes
}
