package characterize

import (
	"cmp"
	"slices"
	"strings"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// informationOf sums all entries. Their sizes are sizes in the stored file: containerMD counts the
// compressed size of an entry.
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
	info.Captures = capturesOf(c, info)
	return info
}

// allSums returns the number, sizes and dates of all entries, whatever their type.
func allSums(c *model.Container) containermd.Sums {
	s := containermd.Sums{Number: c.Records.Total}
	switch {
	case c.StoredEntries >= 0:
		s.GlobalSize = xmlstream.IntOf(c.StoredEntries)
	case c.LargestEntry == 0 && c.Outcome == model.Valid: // all entries are in one member
		s.GlobalSize = xmlstream.IntOf(c.Bytes)
	}
	if c.LargestEntry > 0 {
		s.MinimumSize, s.MaximumSize = xmlstream.IntOf(c.SmallestEntry), xmlstream.IntOf(c.LargestEntry)
	}
	for i := range c.Types {
		if first := dated(c.Types[i].First); !first.IsZero() && (s.First.IsZero() || first.Before(s.First)) {
			s.First = first
		}
		if last := dated(c.Types[i].Last); last.After(s.Last) {
			s.Last = last
		}
	}
	return s
}

// formatsOf lists the identified formats of all entries, with their sizes as stored. Without
// identification, it lists the types that servers declared.
func formatsOf(c *model.Container) []containermd.Format {
	list := identified(c)
	if len(list) == 0 {
		return declared(c)
	}
	var out []containermd.Format
	other := containermd.Format{Name: otherNames}
	var rest int64
	for i := range list {
		f := &list[i]
		if len(out) < MaxNames {
			out = append(out, containermd.Format{Name: formatName(f.PUID, f.Name), Version: f.Version, Number: f.Count,
				GlobalSize: sizeOf(f.Stored)})
			continue
		}
		other.Number += f.Count
		rest += f.Stored
	}
	if other.Number > 0 {
		other.GlobalSize = sizeOf(rest)
		out = append(out, other)
	}
	return out
}

// identified sums the identified formats over all types of record, the most frequent first.
func identified(c *model.Container) []model.Format {
	var list []model.Format
	for i := range c.Types {
		for _, f := range c.Types[i].Formats {
			same := slices.IndexFunc(list, func(g model.Format) bool {
				return g.PUID == f.PUID && g.Name == f.Name && g.Version == f.Version
			})
			if same < 0 {
				list = append(list, f)
				continue
			}
			list[same].Count += f.Count
			list[same].Stored += f.Stored
		}
	}
	slices.SortStableFunc(list, func(a, b model.Format) int { return cmp.Compare(b.Count, a.Count) })
	return list
}

// declared lists the media types that servers declared.
func declared(c *model.Container) (out []containermd.Format) {
	for _, m := range capped(c.MIMETypes) {
		out = append(out, containermd.Format{Name: m.Name, Number: m.Count, GlobalSize: sizeOf(m.Stored)})
	}
	return out
}

// sizeOf returns a size in bytes; absent if it is not known.
func sizeOf(n int64) xmlstream.Int {
	if n <= 0 {
		return xmlstream.Int{}
	}
	return xmlstream.IntOf(n)
}

// named returns the number of records for each format, with the sizes of their blocks.
func named(formats []model.Format) []model.Count {
	list := make([]model.Count, 0, len(formats))
	for i := range formats {
		f := &formats[i]
		list = append(list, model.Count{Name: formatName(f.PUID, f.FullName()), Count: f.Count, Bytes: f.Blocks})
	}
	return list
}

// formatName puts the PRONOM identifier before the name: containerMD has no element for a registry.
func formatName(puid, name string) string { return strings.TrimSpace(puid + " " + name) }

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
			r.GlobalSize = xmlstream.IntOf(t.Payload) // of this type alone, the schema counts payloads
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

// typeSums sums the records of one type. Their sizes are the sizes of their blocks (Content-Length).
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
