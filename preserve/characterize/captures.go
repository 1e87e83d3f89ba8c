package characterize

import (
	"cmp"
	"slices"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// capturesOf sums the captures. A list that the lists of the record types give is left out.
func capturesOf(c *model.Container, info *containermd.Information) *containermd.Captures {
	if c.Format == "" {
		return nil
	}
	s := &containermd.Captures{Years: counts(c.Years)}
	if s.Years == nil {
		s.Years = []containermd.Count{}
	}
	if c.IdentifiedBy != "" {
		s.Formats = capturedFormats(c.Formats)
	}
	if c.LanguagesCounted {
		s.Languages = append([]containermd.Count{}, counts(c.Languages)...) // not nil if it is empty
	}
	s.Hosts = unless(Hosts(info), c.Hosts)
	s.MIMETypes = unless(MIMETypes(info), c.MIMETypes)
	s.Statuses = unless(Statuses(info), StatusCounts(c.Responses))
	s.Types = unless(Types(info), TypeCounts(c))
	return s
}

// unless returns the counts, or nil if they are known.
func unless(known []containermd.Count, all []model.Count) []containermd.Count {
	list := counts(all)
	if slices.Equal(sortedByName(known), sortedByName(list)) {
		return nil
	}
	return append([]containermd.Count{}, list...) // not nil if it is empty
}

func sortedByName(list []containermd.Count) []containermd.Count {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b containermd.Count) int { return cmp.Compare(a.Value, b.Value) })
	return list
}

// capturedFormats lists the formats of the website's content, and sums those beyond the limit.
func capturedFormats(all []model.Format) []containermd.CapturedFormat {
	list := []containermd.CapturedFormat{}
	other := containermd.CapturedFormat{Name: otherNames}
	var rest int64
	for i := range all {
		f := &all[i]
		if len(list) < MaxNames {
			list = append(list, containermd.CapturedFormat{PUID: f.PUID, Name: f.Name, Version: f.Version,
				Number: f.Count, Size: xmlstream.IntOf(f.Bytes)})
			continue
		}
		other.Number += f.Count
		rest += f.Bytes
	}
	if other.Number > 0 {
		other.Size = xmlstream.IntOf(rest)
		list = append(list, other)
	}
	return list
}

// StatusCounts returns the counts of HTTP answers by status.
func StatusCounts(all []model.Status) []model.Count {
	list := make([]model.Count, 0, len(all))
	for _, s := range all {
		list = append(list, model.Count{Name: s.Status, Count: s.Count, Bytes: s.Bytes})
	}
	return list
}

// TypeCounts returns the counts of records by type, with the sizes of their blocks.
func TypeCounts(c *model.Container) []model.Count {
	list := make([]model.Count, 0, len(c.Types))
	for i := range c.Types {
		t := &c.Types[i]
		list = append(list, model.Count{Name: t.Type, Count: t.Count, Bytes: t.Bytes})
	}
	return list
}

// Hosts returns the captures of a container by host.
func Hosts(i *containermd.Information) []containermd.Count {
	switch {
	case i.Captures != nil && i.Captures.Hosts != nil:
		return i.Captures.Hosts
	case i.ARC != nil:
		return i.ARC.Hosts
	case i.WARC == nil:
		return nil
	}
	var sums countSums
	for _, r := range []*containermd.Records{i.WARC.Response, i.WARC.Resource} {
		if r != nil {
			sums.add(r.Hosts...)
		}
	}
	return sums.list
}

// MIMETypes returns the captures of a container by declared media type.
func MIMETypes(i *containermd.Information) []containermd.Count {
	switch {
	case i.Captures != nil && i.Captures.MIMETypes != nil:
		return i.Captures.MIMETypes
	case i.ARC != nil:
		return i.ARC.DeclaredMIMETypes
	case i.WARC == nil || i.WARC.Response == nil:
		return nil
	}
	return i.WARC.Response.DeclaredMIMETypes
}

// Statuses returns the HTTP answers in a container by status.
func Statuses(i *containermd.Information) []containermd.Count {
	if i.Captures != nil && i.Captures.Statuses != nil {
		return i.Captures.Statuses
	}
	var sums countSums
	add := func(all []containermd.Response) {
		for _, r := range all {
			sums.add(containermd.Count{Value: r.Status, Number: r.Number, GlobalSize: r.GlobalSize})
		}
	}
	if i.ARC != nil {
		add(i.ARC.Responses)
	}
	if i.WARC != nil {
		for _, r := range []*containermd.Records{i.WARC.Response, i.WARC.Resource} {
			if r != nil {
				add(r.Responses)
			}
		}
	}
	return sums.list
}

// Types returns the records of a container by type, with the sizes of their blocks.
func Types(i *containermd.Information) []containermd.Count {
	if i.Captures != nil && i.Captures.Types != nil {
		return i.Captures.Types
	}
	w := i.WARC
	if w == nil {
		return nil
	}
	var sums countSums
	add := func(kind string, r *containermd.Records) {
		if r != nil && r.Number > 0 {
			sums.add(containermd.Count{Value: kind, Number: xmlstream.IntOf(r.Number), GlobalSize: r.GlobalSize})
		}
	}
	if w.Response != nil { // its size is that of the payloads
		blocks := *w.Response
		blocks.GlobalSize = sumOf(w.Response.BlockFormats)
		add("response", &blocks)
	}
	add("warcinfo", &w.WARCInfo)
	add("resource", w.Resource)
	add("request", w.Request)
	add("metadata", w.Metadata)
	add("revisit", w.Revisit)
	for _, o := range w.Other {
		add(o.Type, &containermd.Records{Sums: o.Sums})
	}
	return sums.list
}

func sumOf(all []containermd.Summed) xmlstream.Int {
	sum := int64(0)
	for i := range all {
		n, _ := all[i].GlobalSize.Get()
		sum = plus(sum, n)
	}
	return xmlstream.IntOf(sum)
}

// countSums adds up counts by their values.
type countSums struct {
	list []containermd.Count
	at   map[string]int
}

func (s *countSums) add(all ...containermd.Count) {
	if s.at == nil {
		s.at = map[string]int{}
	}
	for _, c := range all {
		at, known := s.at[c.Value]
		if !known {
			s.at[c.Value] = len(s.list)
			s.list = append(s.list, c)
			continue
		}
		sum := &s.list[at]
		sum.Number, sum.GlobalSize = intSum(sum.Number, c.Number), intSum(sum.GlobalSize, c.GlobalSize)
	}
}

func intSum(a, b xmlstream.Int) xmlstream.Int {
	m, _ := a.Get()
	n, _ := b.Get()
	return xmlstream.IntOf(plus(m, n))
}
