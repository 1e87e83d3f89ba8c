package pages

import (
	"cmp"
	"slices"
	"strconv"

	"quire/holdings"
	"quire/metadata/containermd"
)

// chart is a table of counts with bars.
type chart struct {
	ID, Title, Caption, Column, Counted string
	Rows                                []chartRow
}

type chartRow struct {
	Name    string
	Count   int64
	Width   int
	Percent string
	Size    string
}

// chartRows is the number of rows in a chart.
const chartRows = 15

// sums adds up the figures in the containerMD of the containers.
func (s *site) sums(h *harvestPage, sums []holdings.ContainerSum) {
	records, bytes := int64(0), int64(0)
	hosts, types, answers, kinds := counts{}, counts{}, counts{}, counts{}
	for i := range sums {
		in := sums[i].Information
		records += in.Number
		size, _ := in.GlobalSize.Get()
		bytes += size
		hosts.add(hostsOf(in))
		types.add(typesOf(in))
		answers.add(answersOf(in))
		kinds.add(kindsOf(in))
	}
	if len(sums) == 0 {
		return
	}
	h.Figures = []figure{{s.words.N("harvest.records", records), s.words.Number(records)},
		{s.words.N("harvest.containers", int64(len(sums))), s.words.Number(int64(len(sums)))},
		{s.words.T("harvest.bytes"), s.words.Size(bytes)}}
	if n := int64(len(hosts)); n > 0 {
		h.Figures = append(h.Figures, figure{s.words.N("harvest.hosts", n), s.words.Number(n)})
	}
	h.Charts = append(h.Charts, s.chart("formats", types), s.chart("answers", answers), s.chart("hosts", hosts),
		s.chart("types", kinds))
	h.Charts = slices.DeleteFunc(h.Charts, func(c chart) bool { return len(c.Rows) == 0 })
}

// count is the number of occurrences, and their size.
type count struct {
	Name  string
	N     int64
	Bytes int64
}

// counts adds up counts by name.
type counts map[string]*count

func (c counts) add(some []count) {
	for _, one := range some {
		if c[one.Name] == nil {
			c[one.Name] = &count{Name: one.Name}
		}
		c[one.Name].N += one.N
		c[one.Name].Bytes += one.Bytes
	}
}

func ofCounts(all []containermd.Count) (some []count) {
	for _, c := range all {
		n, _ := c.Number.Get()
		size, _ := c.GlobalSize.Get()
		some = append(some, count{c.Value, n, size})
	}
	return some
}

func hostsOf(i *containermd.Information) (all []count) {
	if i.ARC != nil {
		all = append(all, ofCounts(i.ARC.Hosts)...)
	}
	if i.WARC != nil {
		for _, r := range []*containermd.Records{i.WARC.Response, i.WARC.Resource} {
			if r != nil {
				all = append(all, ofCounts(r.Hosts)...)
			}
		}
	}
	return all
}

func typesOf(i *containermd.Information) (all []count) {
	if i.ARC != nil {
		all = append(all, ofCounts(i.ARC.DeclaredMIMETypes)...)
	}
	if i.WARC != nil && i.WARC.Response != nil {
		all = append(all, ofCounts(i.WARC.Response.DeclaredMIMETypes)...)
	}
	return all
}

func answersOf(i *containermd.Information) (all []count) {
	var answers []containermd.Response
	if i.ARC != nil {
		answers = append(answers, i.ARC.Responses...)
	}
	if i.WARC != nil {
		for _, r := range []*containermd.Records{i.WARC.Response, i.WARC.Resource} {
			if r != nil {
				answers = append(answers, r.Responses...)
			}
		}
	}
	for _, a := range answers {
		n, _ := a.Number.Get()
		size, _ := a.GlobalSize.Get()
		name := a.Status
		if code, err := strconv.Atoi(name); err == nil {
			name = statusWords(code)
		}
		all = append(all, count{name, n, size})
	}
	return all
}

func kindsOf(i *containermd.Information) (all []count) {
	if i.WARC == nil {
		return nil
	}
	add := func(name string, r *containermd.Records) {
		if r != nil && r.Number > 0 {
			size, _ := r.GlobalSize.Get()
			all = append(all, count{name, r.Number, size})
		}
	}
	w := i.WARC
	add("warcinfo", &w.WARCInfo)
	add("response", w.Response)
	add("resource", w.Resource)
	add("request", w.Request)
	add("metadata", w.Metadata)
	add("revisit", w.Revisit)
	for _, o := range w.Other {
		size, _ := o.GlobalSize.Get()
		all = append(all, count{o.Type, o.Number, size})
	}
	return all
}

// chart returns a table of the most frequent entries.
func (s *site) chart(id string, c counts) chart {
	all := make([]count, 0, len(c))
	sum := int64(0)
	for _, one := range c {
		all = append(all, *one)
		sum += one.N
	}
	slices.SortFunc(all, func(a, b count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	out := chart{ID: "by-" + id, Title: s.words.T("harvest." + id), Column: s.words.T("harvest." + id + ".column"),
		Counted: s.words.T("harvest.counted"), Caption: s.words.T("harvest.top.all")}
	if len(all) > chartRows {
		out.Caption = s.words.T("harvest.top", chartRows, s.words.Number(int64(len(all))))
	}
	for _, one := range all[:min(len(all), chartRows)] {
		row := chartRow{Name: one.Name, Count: one.N, Width: max(1, int(one.N*100/max(1, all[0].N))),
			Size: s.words.Size(one.Bytes)}
		row.Percent = s.words.T("harvest.percent", one.N*100/max(1, sum))
		if row.Name == "" {
			row.Name = s.words.T("facet.unknown")
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
