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
		o.Category = premis.File
		o.Characteristics = []premis.Characteristics{{
			CompositionLevel: xmlstream.IntOf(0),
			Fixity: []premis.Fixity{{Algorithm: premis.HashFunction(string(model.SHA512)), Digest: arc.SHA512,
				Originator: premis.Text(b.o.Agent.Name)}},
			Size:    xmlstream.IntOf(arc.Bytes),
			Formats: []premis.Format{{Name: premis.Text("ARC")}},
		}}
	}
	return o
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
