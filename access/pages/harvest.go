package pages

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"quire/access/address"
	"quire/metadata/containermd"
	"quire/preserve/folder"
)

// harvestPage tells of one run of a crawler.
type harvestPage struct {
	Title, Lead string
	Figures     []figure
	Facts       []fact
	Missed      []lineOf
	MissedWords string
	MissedNotes []string
	Charts      []chart
	Checks      []check
	Files       []fileLine
	Steps       []link
}

type lineOf struct{ Text, Value string }

// chart is a table of counts, with bars.
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

// check is what was found when a container was checked.
type check struct {
	File, Outcome string
	Notes         []string
}

// chartRows is how many rows a chart has, checksShown how many containers are listed.
const (
	chartRows   = 15
	checksShown = 500
)

func (s *site) harvest(q *request) (answer, error) {
	p, err := s.pkg(q, q.place.ID)
	if err != nil {
		return answer{}, err
	}
	n := q.place.Number
	a, err := s.account(q, p)
	if err != nil {
		return answer{}, err
	}
	if n > p.harvests {
		return answer{}, errNotFound
	}
	h := &harvestPage{Title: s.words.T("harvest.title", p.Title, n)}
	if e := a.event(folder.HarvestEventID(n)); e != nil {
		s.gathered(h, e)
	} else {
		h.MissedWords = s.words.T("harvest.missed.unknown")
	}
	numbers := a.ofHarvest(n)
	if p.harvests == 1 && len(numbers) == 0 {
		numbers = slices.Sorted(maps.Keys(a.containers))
	}
	s.sums(h, a, numbers)
	s.checks(h, a, numbers)
	s.filesOf(q, h, p, n)
	if n > 1 {
		h.Steps = append(h.Steps, link{"← " + s.words.T("site.harvest", n-1), s.ui.Harvest(p.ID, n-1)})
	}
	h.Steps = append(h.Steps, link{s.words.T("banner.site"), s.ui.Site(p.ID)}, link{s.words.T("site.history"), s.ui.History(p.ID)})
	if n < p.harvests {
		h.Steps = append(h.Steps, link{s.words.T("site.harvest", n+1) + " →", s.ui.Harvest(p.ID, n+1)})
	}
	return answer{template: "harvest.html", title: h.Title, body: h,
		crumbs: []link{{s.words.T("nav.sites"), string(s.ui) + "/site/"}, {p.Title, s.ui.Site(p.ID)}, {s.words.T("site.harvest", n), ""}}}, nil
}

// gathered tells how the crawler went, from the capture event.
func (s *site) gathered(h *harvestPage, e *happening) {
	h.Lead = s.words.Span(e.from, e.to)
	if !e.from.IsZero() {
		when := s.words.When(address.Timestamp(e.from)[:12])
		if !e.to.IsZero() {
			when = s.words.T("date.span", when, s.words.When(address.Timestamp(e.to)[:12]))
		}
		h.Facts = append(h.Facts, fact{s.words.T("harvest.dates"), []link{{Text: when}}})
	}
	for _, f := range []struct{ key, note string }{{"harvest.software", "software"}, {"harvest.operator", "operator"}, {"harvest.organization", "organization"}, {"harvest.agent", "user agent"}, {"harvest.robots", "robots"},
		{"harvest.system", "system"}, {"harvest.end", "end reason"}, {"harvest.seeds", "seed"}, {"harvest.scope", "scope"}} {
		var values []link
		for _, v := range e.notesOf(f.note) {
			if l := (link{Text: withoutSource(v)}); !slices.Contains(values, l) && len(values) < 40 {
				values = append(values, l)
			}
		}
		if len(values) > 0 {
			h.Facts = append(h.Facts, fact{s.words.T(f.key), values})
		}
	}
	missed, attempts := e.missedOf()
	switch {
	case attempts == "":
		h.MissedWords = s.words.T("harvest.missed.unknown")
	case len(missed) == 0:
		h.MissedWords = s.words.T("harvest.missed.none")
	default:
		h.MissedWords = s.words.T("harvest.missed.some")
	}
	for _, m := range missed {
		text := m.Name
		if s.words.has("miss." + m.Name) {
			text = s.words.T("miss." + m.Name)
		}
		h.Missed = append(h.Missed, lineOf{text, s.words.Number(m.N)})
	}
}

// sums adds up what containerMD says of the containers.
func (s *site) sums(h *harvestPage, a *account, numbers []int) {
	records, bytes, found := int64(0), int64(0), false
	hosts, types, answers, kinds := counts{}, counts{}, counts{}, counts{}
	for _, n := range numbers {
		sums := a.containers[n].sums
		if sums == nil {
			continue
		}
		found = true
		records += sums.Number
		size, _ := sums.GlobalSize.Get()
		bytes += size
		hosts.add(hostsOf(sums))
		types.add(typesOf(sums))
		answers.add(s.answersOf(sums))
		kinds.add(kindsOf(sums))
	}
	if !found {
		return
	}
	h.Figures = []figure{{s.words.N("harvest.records", records), s.words.Number(records)},
		{s.words.N("harvest.containers", int64(len(numbers))), s.words.Number(int64(len(numbers)))},
		{s.words.T("harvest.bytes"), s.words.Size(bytes)}, {s.words.N("harvest.hosts", int64(len(hosts))), s.words.Number(int64(len(hosts)))}}
	h.Charts = append(h.Charts, s.chart("formats", types), s.chart("answers", answers), s.chart("hosts", hosts), s.chart("types", kinds))
	h.Charts = slices.DeleteFunc(h.Charts, func(c chart) bool { return len(c.Rows) == 0 })
}

// counts adds up by name.
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

func (s *site) answersOf(i *containermd.Information) (all []count) {
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

// chart makes a table of the most frequent.
func (s *site) chart(id string, c counts) chart {
	all := make([]count, 0, len(c))
	sum := int64(0)
	for _, one := range c {
		all = append(all, *one)
		sum += one.N
	}
	slices.SortFunc(all, func(a, b count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	out := chart{ID: "by-" + id, Title: s.words.T("harvest." + id), Column: s.words.T("harvest." + id + ".column"), Counted: s.words.T("harvest.counted"), Caption: s.words.T("harvest.top.all")}
	if len(all) > chartRows {
		out.Caption = s.words.T("harvest.top", chartRows, s.words.Number(int64(len(all))))
	}
	for _, one := range all[:min(len(all), chartRows)] {
		row := chartRow{Name: one.Name, Count: one.N, Width: int(one.N * 100 / max(1, all[0].N)), Size: s.words.Size(one.Bytes)}
		row.Percent = s.words.T("harvest.percent", one.N*100/max(1, sum))
		if row.Name == "" {
			row.Name = s.words.T("facet.unknown")
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// checks tells how the containers stood when they were checked.
func (s *site) checks(h *harvestPage, a *account, numbers []int) {
	for _, n := range numbers {
		e := a.event(folder.ContainerEventID(n))
		if e == nil || len(h.Checks) == checksShown {
			continue
		}
		c := check{File: a.containers[n].path, Outcome: e.outcome}
		if key := "harvest.outcome." + e.outcome; s.words.has(key) {
			c.Outcome = s.words.T(key)
		}
		if len(e.notes) > 1 { // the first sums up
			c.Notes = e.notes[1:]
		}
		if v := a.event(folder.VirusEventID(n)); v != nil {
			c.Notes = append(slices.Clone(c.Notes), v.notes...)
		}
		h.Checks = append(h.Checks, c)
	}
}
