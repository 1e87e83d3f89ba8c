package characterize

import (
	"strings"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// informationOf sums all entries. The sizes of entries are sizes in the stored file; the sizes of
// formats are sizes of payloads.
func informationOf(c *model.Container) *containermd.Information {
	info := &containermd.Information{Sums: allSums(c), Formats: formatsOf(c)}
	if method := CompressionType(c.Compression); method != "" {
		info.Encodings = []containermd.Encoding{{Type: "compression", Method: method}}
	}
	switch c.Format {
	case "ARC":
		info.ARC = &containermd.ARCEntries{DeclaredMIMETypes: counts(c.MIMETypes), Hosts: counts(c.Hosts),
			Responses: answersOf(c)}
	case "WARC":
		info.WARC = warcEntries(c)
	}
	return info
}

func allSums(c *model.Container) containermd.Sums {
	s := containermd.Sums{Number: c.Records.Total, GlobalSize: xmlstream.IntOf(c.Bytes)}
	if c.LargestEntry > 0 {
		s.MinimumSize, s.MaximumSize = xmlstream.IntOf(c.SmallestEntry), xmlstream.IntOf(c.LargestEntry)
	}
	if c.First != nil && c.Last != nil {
		s.First, s.Last = dated(*c.First), dated(*c.Last)
	}
	return s
}

// formatsOf lists the identified formats. Without identification, it lists the types that servers
// declared.
func formatsOf(c *model.Container) []containermd.Format {
	list := c.MIMETypes
	if len(c.Formats) > 0 {
		list = named(c.Formats)
	}
	var out []containermd.Format
	for _, m := range capped(list) {
		out = append(out, containermd.Format{Name: m.Name, Number: m.Count, GlobalSize: xmlstream.IntOf(m.Bytes)})
	}
	return out
}

// named returns the number of payloads for each name of a format.
func named(formats []model.Format) []model.Count {
	list := make([]model.Count, 0, len(formats))
	for _, f := range formats {
		list = append(list, model.Count{Name: formatName(f), Count: f.Count, Bytes: f.Bytes})
	}
	return list
}

// formatName puts the PRONOM identifier before the name: containerMD has no element for a registry.
func formatName(f model.Format) string { return strings.TrimSpace(f.PUID + " " + f.Name) }

// answersOf lists the HTTP answers with their protocol versions, over all types of record.
func answersOf(c *model.Container) []containermd.Response {
	var all []containermd.Response
	for i := range c.Types {
		all = append(all, answers(c.Types[i].Responses)...)
	}
	return all
}

// warcEntries sums the records by type. Conversions, continuations and non-standard types have no
// element in the schema, so they are in an extension.
func warcEntries(c *model.Container) *containermd.WARCEntries {
	entries := &containermd.WARCEntries{}
	for i := range c.Types {
		t := &c.Types[i]
		r := &containermd.Records{Sums: typeSums(t), BlockFormats: summed(t.BlockFormats),
			PayloadFormats: summed(named(t.Formats)), IdentifiedPayloadTypes: summed(t.PayloadTypes)}
		switch t.Type {
		case "warcinfo":
			entries.WARCInfo = *r
		case "response":
			r.DeclaredMIMETypes, r.Hosts, r.Responses = counts(t.DeclaredMIMETypes), counts(t.Hosts),
				answers(t.Responses)
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
			entries.Other = append(entries.Other,
				containermd.OtherRecords{Type: t.Type, Sums: r.Sums, BlockFormats: r.BlockFormats,
					PayloadFormats: r.PayloadFormats})
		}
	}
	return entries
}

// typeSums sums the records of one type. Their sizes are the sizes of their blocks.
func typeSums(t *model.TypeSum) containermd.Sums {
	return containermd.Sums{
		Number: t.Count, MinimumSize: xmlstream.IntOf(t.Smallest), MaximumSize: xmlstream.IntOf(t.Largest),
		First: dated(t.First), Last: dated(t.Last), GlobalSize: xmlstream.IntOf(t.Bytes),
	}
}

func counts(list []model.Count) []containermd.Count {
	var out []containermd.Count
	for _, c := range capped(list) {
		out = append(out, containermd.Count{Value: c.Name, Number: xmlstream.IntOf(c.Count),
			GlobalSize: xmlstream.IntOf(c.Bytes)})
	}
	return out
}

func summed(list []model.Count) []containermd.Summed {
	var out []containermd.Summed
	for _, c := range capped(list) {
		out = append(out, containermd.Summed{Value: c.Name,
			Sums: containermd.Sums{Number: c.Count, GlobalSize: xmlstream.IntOf(c.Bytes)}})
	}
	return out
}

func answers(list []model.Status) []containermd.Response {
	var out []containermd.Response
	for _, s := range list {
		out = append(out, containermd.Response{
			Status: s.Status, ProtocolName: "http", ProtocolVersion: s.Version, Number: xmlstream.IntOf(s.Count),
			GlobalSize: xmlstream.IntOf(s.Bytes),
		})
	}
	return out
}
