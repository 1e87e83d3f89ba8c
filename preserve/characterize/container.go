package characterize

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// Options configures the characterization. The zero value is usable, except for Agent.
type Options struct {
	Agent   model.Agent         // the software that made the assessment
	Name    string              // the file's original name; by default the last part of its path
	Created time.Time           // when the file was made; by default as its first record states
	Version containermd.Version // 1.2 by default
}

// Summary returns the containerMD of a container without individual entries.
func Summary(c *model.Container, o Options) containermd.ContainerMD {
	return containermd.ContainerMD{Container: containerOf(c, o), Information: informationOf(c)}
}

// containerOf describes the file itself.
func containerOf(c *model.Container, o Options) containermd.Container {
	d := containermd.Container{
		Created:      dated(o.createdOn(c)),
		Fixity:       []containermd.Fixity{{Digest: c.SHA512, Algorithm: "SHA-512", Size: xmlstream.IntOf(c.Bytes)}},
		OriginalName: cmp.Or(o.Name, filepath.Base(c.Path)),
		Formats:      versionsOf(c),
		Environments: environmentOf(c),
		Assessment: &containermd.Assessment{
			AgentName: o.Agent.Name, AgentVersion: o.Agent.Version, Outcome: string(c.Outcome), Notes: notesOf(c),
		},
	}
	if method := CompressionType(c.Compression); method != "" {
		encoding := containermd.Encoding{Type: "compression", Method: method, Order: xmlstream.IntOf(1)}
		if c.Outcome == model.Valid { // a damaged file may have held more than it inflates to
			encoding.OriginalSize = xmlstream.IntOf(c.InflatedBytes)
		}
		d.Encodings = []containermd.Encoding{encoding}
	}
	if c.Format == "ARC" {
		d.ARC = versionBlock(c)
	}
	return d
}

// createdOn returns when the container was begun, as its first record states: the version block of
// an ARC, the warcinfo of a WARC. The warcinfo of a WARC that quire convert made has the date of the
// source, so without Options.Created its own date is not known.
func (o *Options) createdOn(c *model.Container) time.Time {
	switch {
	case !o.Created.IsZero():
		return o.Created
	case c.VersionBlock != nil:
		return c.VersionBlock.Date
	case IsConverted(c):
		return time.Time{}
	}
	for i := range c.Types {
		if c.Types[i].Type == "warcinfo" {
			return c.Types[i].First
		}
	}
	return time.Time{}
}

// dated drops a time that xs:dateTime cannot express: the year 0 of a header that was never filled
// in.
func dated(t time.Time) time.Time {
	if y := t.UTC().Year(); y < 1 || y > 9999 {
		return time.Time{}
	}
	return t
}

// versionsOf returns the container's format, once for each version that the records state.
func versionsOf(c *model.Container) []containermd.FormatDesignation {
	if c.Format == "" {
		return nil
	}
	names := []string{MediaType(c)}
	if len(c.Versions) == 0 {
		return []containermd.FormatDesignation{{Names: names}}
	}
	var all []containermd.FormatDesignation
	for _, v := range c.Versions {
		all = append(all, containermd.FormatDesignation{Names: names, Version: v})
	}
	return all
}

// environmentOf returns the software that wrote the container.
func environmentOf(c *model.Container) []containermd.Environment {
	name, version := Software(c.Software)
	if name == "" {
		return nil
	}
	return []containermd.Environment{{Software: []containermd.Software{{Name: name, Version: version}}}}
}

// notesOf returns the tool that identified formats, and one line per kind of finding: its severity,
// count and first position. Errors come first.
func notesOf(c *model.Container) []string {
	first := map[string]model.Finding{}
	for _, f := range c.Findings {
		if _, known := first[f.Code]; !known {
			first[f.Code] = f
		}
	}
	var notes []string
	if c.IdentifiedBy != "" {
		notes = append(notes, "formats identified by "+c.IdentifiedBy)
	}
	for _, severity := range []model.Severity{model.Error, model.Warning, model.Info} {
		begin := len(notes)
		for code, f := range first {
			if f.Severity != severity {
				continue
			}
			notes = append(notes, fmt.Sprintf("%s %s × %d, first at byte %d: %s", f.Severity, code,
				max(c.FindingCounts[code], 1), f.Offset, f.Message))
		}
		slices.Sort(notes[begin:])
	}
	return notes
}

// versionBlock returns the contents of an ARC's version block.
func versionBlock(c *model.Container) *containermd.ARCContainer {
	v := c.VersionBlock
	if v == nil {
		return nil
	}
	metadata := v.HasMetadata
	a := &containermd.ARCContainer{FileName: v.Name, IPAddress: v.IP, Created: dated(v.Date), OriginCode: v.Origin,
		VersionBlockPayload: &metadata}
	if v.Version != "1.0" { // containerMD names only other versions
		a.Profile = v.Version
	}
	return a
}
