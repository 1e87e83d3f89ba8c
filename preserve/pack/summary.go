package pack

import (
	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// maxNames caps the lists of a containerMD: a domain crawl has hundreds of thousands of hosts, and the METS is to grow with
// the number of containers only. What is beyond is summed in one line.
const maxNames = 1000

const otherNames = "(other)"

// summary is the containerMD of a container, summed (docs/package-format.md, 2.5).
func (b *builder) summary(p packed) containermd.ContainerMD {
	c := p.Container
	cmd := containermd.ContainerMD{
		Container: containermd.Container{
			Fixity:       []containermd.Fixity{{Digest: p.SHA512, Algorithm: "SHA-512", Size: xmlstream.IntOf(p.Size)}},
			OriginalName: p.Name,
			Assessment:   &containermd.Assessment{AgentName: b.o.Agent.Name, AgentVersion: b.o.Agent.Version, Outcome: string(c.Outcome)},
		},
		Information: &containermd.Information{Sums: allSums(c)},
	}
	if c.Format != "" {
		for _, f := range formatsOf(c) {
			cmd.Container.Formats = append(cmd.Container.Formats, containermd.FormatDesignation{Names: []string{containerType(c)}, Version: f.Version})
		}
	}
	if method := compressionType(c.Compression); method != "" {
		encoding := containermd.Encoding{Type: "compression", Method: method, Order: xmlstream.IntOf(1)}
		if c.Outcome == model.Valid { // what a damaged file inflates to is not all it held
			encoding.OriginalSize = xmlstream.IntOf(c.InflatedBytes)
		}
		cmd.Container.Encodings = []containermd.Encoding{encoding}
		cmd.Information.Encodings = []containermd.Encoding{{Type: encoding.Type, Method: method}}
	}
	if c.Software != "" {
		cmd.Container.Environments = []containermd.Environment{{Software: []containermd.Software{{Name: c.Software}}}}
	}
	for _, m := range c.MIMETypes[:min(len(c.MIMETypes), maxNames)] {
		cmd.Information.Formats = append(cmd.Information.Formats, containermd.Format{Name: m.Name, Number: m.Count, GlobalSize: xmlstream.IntOf(m.Bytes)})
	}
	if c.Format == "ARC" {
		cmd.Container.ARC = arcContainer(c)
		cmd.Information.ARC = arcEntries(c)
	} else if c.Format == "WARC" {
		cmd.Information.WARC = warcEntries(c)
	}
	return cmd
}

// allSums sums all entries; their sizes are those in the file as stored.
func allSums(c *model.Container) containermd.Sums {
	s := containermd.Sums{Number: c.Records.Total, GlobalSize: xmlstream.IntOf(c.Bytes)}
	if c.LargestEntry > 0 {
		s.MinimumSize, s.MaximumSize = xmlstream.IntOf(c.SmallestEntry), xmlstream.IntOf(c.LargestEntry)
	}
	if c.First != nil {
		s.First, s.Last = *c.First, *c.Last
	}
	return s
}

// arcContainer is what the version block says of the file.
func arcContainer(c *model.Container) *containermd.ARCContainer {
	v := c.VersionBlock
	if v == nil {
		return nil
	}
	metadata := v.HasMetadata
	a := &containermd.ARCContainer{FileName: v.Name, IPAddress: v.IP, Created: v.Date, OriginCode: v.Origin, VersionBlockPayload: &metadata}
	if v.Version != "1.0" { // containerMD names the version only where it is another
		a.Profile = v.Version
	}
	return a
}

func arcEntries(c *model.Container) *containermd.ARCEntries {
	return &containermd.ARCEntries{DeclaredMIMETypes: counts(c.MIMETypes), Hosts: counts(c.Hosts), Responses: answersOf(c)}
}

// answersOf lists the HTTP answers with their protocol versions, over all types of record.
func answersOf(c *model.Container) []containermd.Response {
	var all []containermd.Response
	for i := range c.Types {
		all = append(all, answers(c.Types[i].Responses)...)
	}
	return all
}

func warcEntries(c *model.Container) *containermd.WARCEntries {
	entries := &containermd.WARCEntries{}
	for i := range c.Types {
		t := &c.Types[i]
		r := &containermd.Records{Sums: typeSums(t), BlockFormats: summed(t.BlockFormats), IdentifiedPayloadTypes: summed(t.PayloadTypes)}
		switch t.Type {
		case "warcinfo":
			entries.WARCInfo = *r
		case "response":
			r.DeclaredMIMETypes, r.Hosts, r.Responses = counts(t.DeclaredMIMETypes), counts(t.Hosts), answers(t.Responses)
			entries.Response = r
		case "resource":
			r.Hosts, r.Responses = counts(t.Hosts), answers(t.Responses)
			entries.Resource = r
		case "request":
			r.UserAgents = summed(t.UserAgents)
			entries.Request = r
		case "metadata":
			entries.Metadata = r
		case "revisit":
			r.Profiles = summed(t.Profiles)
			entries.Revisit = r
		default:
			entries.Other = append(entries.Other, containermd.OtherRecords{Type: t.Type, Sums: typeSums(t), BlockFormats: summed(t.BlockFormats)})
		}
	}
	return entries
}

// typeSums sums the records of one type; their sizes are those of the blocks.
func typeSums(t *model.TypeSum) containermd.Sums {
	return containermd.Sums{
		Number: t.Count, MinimumSize: xmlstream.IntOf(t.Smallest), MaximumSize: xmlstream.IntOf(t.Largest),
		First: t.First, Last: t.Last, GlobalSize: xmlstream.IntOf(t.Bytes),
	}
}

func counts(list []model.Count) []containermd.Count {
	var out []containermd.Count
	for _, c := range capped(list) {
		out = append(out, containermd.Count{Value: c.Name, Number: xmlstream.IntOf(c.Count), GlobalSize: xmlstream.IntOf(c.Bytes)})
	}
	return out
}

func summed(list []model.Count) []containermd.Summed {
	var out []containermd.Summed
	for _, c := range capped(list) {
		out = append(out, containermd.Summed{Value: c.Name, Sums: containermd.Sums{Number: c.Count, GlobalSize: xmlstream.IntOf(c.Bytes)}})
	}
	return out
}

// capped sums what is beyond the cap in one line.
func capped(list []model.Count) []model.Count {
	if len(list) <= maxNames {
		return list
	}
	other := model.Count{Name: otherNames}
	for _, c := range list[maxNames:] {
		other.Count += c.Count
		other.Bytes += c.Bytes
	}
	return append(append([]model.Count{}, list[:maxNames]...), other)
}

func answers(list []model.Status) []containermd.Response {
	var out []containermd.Response
	for _, s := range list {
		out = append(out, containermd.Response{
			Status: s.Status, ProtocolName: "http", ProtocolVersion: s.Version, Number: xmlstream.IntOf(s.Count), GlobalSize: xmlstream.IntOf(s.Bytes),
		})
	}
	return out
}
