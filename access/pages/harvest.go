package pages

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"quire/access/address"
	"quire/access/holdings"
	"quire/metadata/containermd"
	"quire/preserve/folder"
)

// harvestPage tells of one run of a crawler.
type harvestPage struct {
	Title, Lead string
	Figures     []figure
	Facts       []fact
	Further     []fact   // as recorded, under names that only archivists know
	Found       []string // what was odd in its documents
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
	if n > len(p.Harvests) {
		return answer{}, errNotFound
	}
	h := &harvestPage{Title: s.words.T("harvest.title", p.Title, s.harvestName(&p.Harvests[n-1]))}
	s.gathered(h, &p.Harvests[n-1])
	sums, err := s.h.Sums(q.Context(), q.who, p.ID)
	if err != nil {
		return answer{}, err
	}
	if len(p.Harvests) > 1 {
		sums = slices.DeleteFunc(sums, func(c holdings.Sum) bool { return c.Harvest != n })
	}
	s.sums(h, sums)
	s.checks(h, sums)
	s.filesOf(h, p, n)
	if n > 1 {
		h.Steps = append(h.Steps, link{"← " + s.words.T("site.harvest", n-1), s.ui.Harvest(p.ID, n-1)})
	}
	h.Steps = append(h.Steps, link{s.words.T("banner.site"), s.ui.Site(p.ID)}, link{s.words.T("site.history"), s.ui.History(p.ID)})
	if n < len(p.Harvests) {
		h.Steps = append(h.Steps, link{s.words.T("site.harvest", n+1) + " →", s.ui.Harvest(p.ID, n+1)})
	}
	return answer{template: "harvest.html", title: h.Title, body: h, crumbs: s.trail(link{p.Title, s.ui.Site(p.ID)}, link{s.words.T("site.harvest", n), ""})}, nil
}

// shownFacts are the facts of a harvest that have a name for readers, in the order in which they stand; others follow under their own names.
var shownFacts = []string{"software", "operator", "organization", "user agent", "robots", "system", "end reason", "seed", "scope"}

// mostValues is how many values of one fact are shown.
const mostValues = 40

// gathered tells how the crawler went: when, with what, from where, and what it did not get.
func (s *site) gathered(h *harvestPage, run *holdings.Harvest) {
	if !run.Start.IsZero() {
		h.Lead = s.words.When(address.Timestamp(run.Start)[:12])
		if !run.End.IsZero() {
			h.Lead = s.words.T("date.span", h.Lead, s.words.When(address.Timestamp(run.End)[:12]))
		}
	}
	for _, name := range shownFacts {
		for _, f := range run.Facts {
			if f.Name == name {
				h.Facts = addSome(h.Facts, s.words.T("harvest.fact."+strings.ReplaceAll(name, " ", "-")), f.Value)
			}
		}
	}
	for _, f := range run.Facts {
		if code, ok := strings.CutPrefix(f.Name, "finding "); ok {
			h.Found = append(h.Found, code+": "+f.Value)
		} else if !slices.Contains(shownFacts, f.Name) {
			h.Further = addSome(h.Further, f.Name, f.Value)
		}
	}
	for _, n := range run.Notes {
		h.Further = addSome(h.Further, s.words.T("site.fact.note"), n)
	}
	s.missed(h, run)
}

// addSome adds to a fact, as long as it has not too many values.
func addSome(all []fact, label, value string) []fact {
	if i := slices.IndexFunc(all, func(f fact) bool { return f.Label == label }); i >= 0 && len(all[i].Values) >= mostValues {
		return all
	}
	return addFact(all, label, link{Text: value})
}

// missed tells what was wanted and not captured, as the package notes it (docs/package-format.md, 3.3): "not captured, robots: 17".
func (s *site) missed(h *harvestPage, run *holdings.Harvest) {
	h.MissedWords = s.words.T("harvest.missed.unknown")
	var all []count
	for _, note := range run.Missed {
		rest, ok := strings.CutPrefix(note, "not captured, ")
		if !ok {
			h.MissedNotes = append(h.MissedNotes, note)
			h.MissedWords = s.words.T("harvest.missed.none")
			continue
		}
		name, number, _ := strings.Cut(rest, ": ")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			all = append(all, count{Name: name, N: n})
		} else {
			h.MissedNotes = append(h.MissedNotes, note)
		}
	}
	slices.SortStableFunc(all, func(a, b count) int { return cmp.Compare(b.N, a.N) })
	for _, m := range all {
		h.MissedWords = s.words.T("harvest.missed.some")
		if s.words.has("miss." + m.Name) {
			m.Name = s.words.T("miss." + m.Name)
		}
		h.Missed = append(h.Missed, lineOf{m.Name, s.words.Number(m.N)})
	}
}

// sums adds up what containerMD says of the containers.
func (s *site) sums(h *harvestPage, sums []holdings.Sum) {
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
		{s.words.T("harvest.bytes"), s.words.Size(bytes)}, {s.words.N("harvest.hosts", int64(len(hosts))), s.words.Number(int64(len(hosts)))}}
	h.Charts = append(h.Charts, s.chart("formats", types), s.chart("answers", answers), s.chart("hosts", hosts), s.chart("types", kinds))
	h.Charts = slices.DeleteFunc(h.Charts, func(c chart) bool { return len(c.Rows) == 0 })
}

// count is how often something occurred, and how much it takes.
type count struct {
	Name  string
	N     int64
	Bytes int64
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

// checks tells how the containers stood when they were checked, and what else was done to them.
func (s *site) checks(h *harvestPage, sums []holdings.Sum) {
	for _, sum := range sums[:min(len(sums), checksShown)] {
		c := check{File: path.Base(sum.Path)}
		for i := range sum.Events {
			e := &sum.Events[i]
			if e.ID != folder.ContainerEventID(sum.Number) {
				c.Notes = append(c.Notes, s.sentence(e)+". "+strings.Join(e.Notes, "; "))
				continue
			}
			if c.Outcome = e.Outcome; s.words.has("harvest.outcome." + e.Outcome) {
				c.Outcome = s.words.T("harvest.outcome." + e.Outcome)
			}
			if len(e.Notes) > 1 { // the first sums up
				c.Notes = append(c.Notes, e.Notes[1:]...)
			}
		}
		if c.Outcome != "" || len(c.Notes) > 0 {
			h.Checks = append(h.Checks, c)
		}
	}
}

// fileLine is a log or a document that came with a harvest.
type fileLine struct{ Path, URL, Use, Size, Restricted string }

// filesOf lists the logs and documents of a harvest, and with the first those that are of none.
func (s *site) filesOf(h *harvestPage, p *holdings.Package, n int) {
	for i := range p.Files {
		f := &p.Files[i]
		if f.Harvest != n && (f.Harvest != 0 || n != 1) || f.Hidden {
			continue
		}
		line := fileLine{Path: f.Path, Use: f.Use, Size: s.words.Size(f.Size)}
		if key := "harvest.use." + f.Use; s.words.has(key) {
			line.Use = s.words.T(key)
		}
		if f.Allowed {
			line.URL = s.ui.File(p.ID, f.Path)
		} else {
			line.Restricted, line.Size = s.verdict(f.Decision), ""
		}
		h.Files = append(h.Files, line)
	}
}
