package characterize

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// Options say who characterizes, and how it is written. The zero value is good, but for the Agent.
type Options struct {
	Agent   model.Agent         // the software that made the verdict
	Name    string              // the file's original name; by default the last part of its path
	Version containermd.Version // 1.2 by default
}

// Summary is the containerMD of a container without entries one by one.
func Summary(c *model.Container, o Options) containermd.ContainerMD {
	return containermd.ContainerMD{Container: containerOf(c, o), Information: informationOf(c)}
}

// containerOf describes the file itself.
func containerOf(c *model.Container, o Options) containermd.Container {
	d := containermd.Container{
		Created:      dated(createdOn(c)),
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
		if c.Outcome == model.Valid { // what a damaged file inflates to is not all it held
			encoding.OriginalSize = xmlstream.IntOf(c.InflatedBytes)
		}
		d.Encodings = []containermd.Encoding{encoding}
	}
	if c.Format == "ARC" {
		d.ARC = versionBlock(c)
	}
	return d
}

// createdOn is when the container was begun, as its first record says: the version block of an ARC,
// the warcinfo of a WARC.
func createdOn(c *model.Container) time.Time {
	if c.VersionBlock != nil {
		return c.VersionBlock.Date
	}
	for i := range c.Types {
		if c.Types[i].Type == "warcinfo" {
			return c.Types[i].First
		}
	}
	return time.Time{}
}

// dated drops a time that xs:dateTime has no place for: the year 0 of a header that was never
// filled in.
func dated(t time.Time) time.Time {
	if y := t.UTC().Year(); y < 1 || y > 9999 {
		return time.Time{}
	}
	return t
}

// versionsOf designates the container's format, once for each version of it that the records state.
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

// environmentOf is the software that wrote the container. "Wget/1.21.3" is a name and a version; of
// anything longer nobody can tell where the version begins, and it stays in one piece.
func environmentOf(c *model.Container) []containermd.Environment {
	if strings.TrimSpace(c.Software) == "" {
		return nil
	}
	software := containermd.Software{Name: c.Software}
	name, version, two := strings.Cut(c.Software, "/")
	if two && name != "" && version != "" && !strings.ContainsAny(c.Software, " \t") &&
		!strings.Contains(version, "/") {
		software = containermd.Software{Name: name, Version: version}
	}
	return []containermd.Environment{{Software: []containermd.Software{software}}}
}

// notesOf says who identified formats, and gives one line per kind of finding: its severity, how
// often, and the first place. Errors come first.
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

// versionBlock is what the version block of an ARC says of the file.
func versionBlock(c *model.Container) *containermd.ARCContainer {
	v := c.VersionBlock
	if v == nil {
		return nil
	}
	metadata := v.HasMetadata
	a := &containermd.ARCContainer{FileName: v.Name, IPAddress: v.IP, Created: dated(v.Date), OriginCode: v.Origin,
		VersionBlockPayload: &metadata}
	if v.Version != "1.0" { // containerMD names the version only where it is another
		a.Profile = v.Version
	}
	return a
}
