package auditreport

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/holdings"
	"quire/holdings/rights"
	"quire/metadata/containermd"
	"quire/model"
	"quire/preserve/identify"
	"quire/preserve/policy"
	"quire/preserve/statements"
	"quire/repository/store"
)

// survey reads the METS of every package.
func (g *gatherer) survey(ctx context.Context) error {
	r := g.report
	r.Access = Access{Packages: map[rights.Verdict]int64{}, Rules: map[rights.Verdict]int64{}}
	r.Viruses.Containers = map[model.ScanOutcome]int64{}
	r.Formats.Packages = map[string]int64{}
	s, err := holdings.NewSurvey(ctx, g.store, g.options.Holdings)
	if err != nil {
		return err
	}
	g.rules(s)
	total, done := int64(0), int64(0)
	if len(r.Copies) > 0 {
		total = r.Copies[0].Total()
	}
	h := &holdingsSums{by: map[string]*CollectionSum{}, years: map[string]*YearSum{}}
	for p, err := range s.All {
		if err != nil {
			return err
		}
		if done++; g.options.Progress != nil {
			g.options.Progress(done, max(done, total))
		}
		if p.Trouble != nil {
			r.Holdings.Unread++
		}
		if p.IsCollection() {
			h.collection(r, p)
			continue
		}
		sum := sumOf(p)
		h.add(r, p, sum)
		g.access(p)
		g.content(p)
	}
	h.finish(r)
	return g.judgeFormats(ctx)
}

// rules counts the rules in force. Their text names URLs.
func (g *gatherer) rules(s *holdings.Survey) {
	a := &g.report.Access
	for i := range s.Rules.Rules {
		rule := &s.Rules.Rules[i]
		a.Rules[rule.Access]++
		if rule.Override {
			a.Override++
		}
	}
	a.RulesInCopies, a.RulesProblems = s.File == "", int64(len(s.Problems))
}

// access counts a package by its readers.
func (g *gatherer) access(p *holdings.Surveyed) {
	a, d := &g.report.Access, &p.Public
	a.Packages[d.Verdict]++
	for _, count := range []struct {
		is bool
		n  *int64
	}{
		{d.Hidden, &a.Hidden}, {p.Parts, &a.Parts}, {d.Unknown, &a.Unknown},
		{p.Trouble == nil && !p.Stated, &a.Unstated},
	} {
		if count.is {
			*count.n++
		}
	}
	if _, asked := g.open[p.ID]; asked {
		g.open[p.ID] = isOpen(d)
	}
}

// isOpen reports whether a decision lets the report name its subject.
func isOpen(d *holdings.Decision) bool { return d.Verdict == rights.Open && d.Allowed && !d.Hidden }

func sumOf(p *holdings.Surveyed) Sum {
	sum := Sum{Packages: 1, Containers: p.Containers, Records: p.Records, Bytes: p.Bytes}
	if p.Facts != nil {
		sum.Harvests = int64(len(p.Facts.Harvests))
	}
	return sum
}

// holdingsSums sums the packages by collection and year.
type holdingsSums struct {
	by    map[string]*CollectionSum // by collection; an ID of "" is of a closed one
	years map[string]*YearSum
}

func (h *holdingsSums) collection(r *Report, p *holdings.Surveyed) {
	r.Holdings.Collections++
	c := &CollectionSum{Collections: 1}
	if isOpen(&p.Public) {
		c.ID, c.Title = p.ID, p.Title
	}
	h.by[p.ID] = c
}

func (h *holdingsSums) add(r *Report, p *holdings.Surveyed, sum Sum) {
	t := &r.Holdings
	t.Sum.add(sum)
	t.Files += p.Files
	t.Versions += int64(p.Head)
	if !p.First.IsZero() && (t.First.IsZero() || p.First.Before(t.First)) {
		t.First = p.First
	}
	if p.Last.After(t.Last) {
		t.Last = p.Last
	}
	for _, m := range p.In {
		if c := h.by[m.ID]; c != nil {
			c.Sum.add(sum)
		}
	}
	if len(p.In) == 0 {
		t.Uncollected.add(sum)
	}
	year := strconv.Itoa(p.Stored.UTC().Year())
	if h.years[year] == nil {
		h.years[year] = &YearSum{Year: year}
	}
	h.years[year].Sum.add(sum)
}

// finish lists the sums: the largest collection first, the earliest year first.
func (h *holdingsSums) finish(r *Report) {
	t := &r.Holdings
	t.ByCollection, t.Years = []CollectionSum{}, []YearSum{}
	for _, id := range sortedKeys(h.by) {
		c := h.by[id]
		if c.ID != "" {
			t.ByCollection = append(t.ByCollection, *c)
			continue
		}
		t.ClosedCollections.Collections++
		t.ClosedCollections.Sum.add(c.Sum)
	}
	slices.SortStableFunc(t.ByCollection, func(a, b CollectionSum) int { return cmp.Compare(b.Bytes, a.Bytes) })
	if n := len(t.ByCollection); n > MaxRows {
		t.ByCollection, t.MoreCollections = t.ByCollection[:MaxRows], int64(n-MaxRows)
	}
	for _, year := range sortedKeys(h.years) {
		t.Years = append(t.Years, *h.years[year])
	}
}

// content counts virus checks, policies and formats in the METS of a package.
func (g *gatherer) content(p *holdings.Surveyed) {
	r := g.report
	r.Formats.Containers += p.Containers
	if p.Facts == nil {
		r.Formats.Unidentified += p.Containers
		return
	}
	identified := int64(0)
	for _, path := range sortedKeys(p.Facts.Containers) {
		c := p.Facts.Containers[path]
		if g.addFormats(c.Sums) {
			identified++
		}
		r.Viruses.Containers[c.Scan]++
		r.Viruses.Infected += c.Infected
	}
	outcome := ""
	for i := range p.Facts.Events {
		if e := &p.Facts.Events[i]; e.Type == string(model.PolicyAssignment) {
			outcome = e.Outcome
		}
	}
	r.Formats.Packages[outcome]++
	r.Formats.Unidentified += max(p.Containers-identified, 0)
}

// addFormats adds the formats of a container, and reports whether they were identified.
func (g *gatherer) addFormats(in *containermd.Information) (identified bool) {
	if in == nil || in.WARC == nil {
		return false
	}
	w := in.WARC
	for _, kind := range []*containermd.Records{w.Response, w.Resource, w.Revisit} {
		if kind != nil {
			identified = g.addSums(kind.PayloadFormats) || identified
		}
	}
	for i := range w.Other {
		identified = g.addSums(w.Other[i].PayloadFormats) || identified
	}
	return identified
}

// maxFormats bounds the memory for formats; hostile METS may name any number. The rest is one line.
const (
	maxFormats = MaxRows
	beyond     = "further formats, not listed"
)

// addSums adds the formats of records. Each is named by its PUID, a blank and its name.
func (g *gatherer) addSums(all []containermd.Summed) bool {
	for i := range all {
		puid, name, ok := strings.Cut(all[i].Value, " ")
		if !ok || !strings.Contains(puid, "/") {
			puid, name = "", all[i].Value
		}
		key := [2]string{puid, name}
		if g.formats[key] == nil && len(g.formats) >= maxFormats {
			key = [2]string{"", beyond}
			puid, name = "", beyond
		}
		if g.formats[key] == nil {
			g.formats[key] = &FormatCount{PUID: puid, Name: name, Risks: []string{}}
		}
		size, _ := all[i].GlobalSize.Get()
		g.formats[key].Payloads += all[i].Number
		g.formats[key].Bytes += size
	}
	return len(all) > 0
}

// judgeFormats judges each format by the policies, and lists the formats.
func (g *gatherer) judgeFormats(ctx context.Context) error {
	f := &g.report.Formats
	f.Policies, f.List = []PolicyOf{}, []FormatCount{}
	types := func(string) string { return "" }
	if len(g.level) > 0 {
		id, err := identify.New(identify.Options{})
		if err != nil {
			return err
		}
		types = id.MIME
	}
	for _, p := range g.level {
		of := PolicyOf{Name: p.Name, SHA512: p.SHA512}
		for _, c := range g.formats {
			if err := ctx.Err(); err != nil {
				return err
			}
			broken, unjudged, err := judge(p, c, types(c.PUID))
			if err != nil {
				return err
			}
			of.Unjudged = max(of.Unjudged, unjudged)
			c.Risks = append(c.Risks, broken...)
		}
		f.Policies = append(f.Policies, of)
	}
	for _, c := range g.formats {
		f.Payloads += c.Payloads
		if c.PUID == "" {
			f.Unknown += c.Payloads
		}
		if len(c.Risks) > 0 {
			f.AtRisk += c.Payloads
		}
		f.List = append(f.List, *c)
	}
	slices.SortFunc(f.List, func(a, b FormatCount) int {
		return cmp.Or(cmp.Compare(b.Payloads, a.Payloads), cmp.Compare(a.PUID, b.PUID), cmp.Compare(a.Name, b.Name))
	})
	if n := len(f.List); n > MaxRows {
		f.List, f.More = f.List[:MaxRows], int64(n-MaxRows)
	}
	return nil
}

// judge returns the rules on formats that a format breaks, and the number that could not be judged.
func judge(p *policy.Policy, c *FormatCount, types string) (broken []string, unjudged int64, err error) {
	name := c.Name
	if c.PUID == "" {
		name = model.Unidentified
	}
	rules, unjudged, err := policy.JudgeFormat(p, model.Format{PUID: c.PUID, Name: name, MIME: types,
		Count: c.Payloads, Bytes: c.Bytes})
	for i := range rules {
		broken = append(broken, p.Name+": "+rules[i].Message)
	}
	return broken, unjudged, err
}

// takedowns lists the withdrawals.
func (g *gatherer) takedowns(ctx context.Context) error {
	t := &g.report.Takedowns
	t.List = []Takedown{}
	d, text, err := g.store.Document(ctx, store.WithdrawalsDocument, 0)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	document := documentOf(&d)
	t.Document = &document
	all, err := rights.ReadWithdrawals(bytes.NewReader(text))
	if t.Undecided = err != nil; t.Undecided {
		all = &rights.Withdrawals{} // then everything is closed
	}
	today := statements.DayOf(g.now)
	for i := range all.List {
		w := &all.List[i]
		out := Takedown{ID: w.ID, At: w.At.UTC(), Until: string(w.Until), InForce: w.InForce(today), Access: w.Access,
			Scope: "URL", Packages: w.Packages, Captures: w.Captures, Reasoned: w.Because != "" && w.Authority != ""}
		if w.URL == "" {
			out.Scope = "package"
		}
		if w.Lifted != nil {
			out.Lifted = w.Lifted.At.UTC()
		}
		if out.InForce {
			t.InForce++
		} else {
			t.Ended++
		}
		if !inPeriod(g.options.Since, &out) {
			continue
		}
		if len(t.List) < MaxRows {
			t.List = append(t.List, out)
		} else {
			t.More++
		}
	}
	return nil
}

// inPeriod reports whether a withdrawal is in force, or was made or ended in the period.
func inPeriod(since time.Time, t *Takedown) bool {
	return t.InForce || !t.At.Before(since) || !t.Lifted.Before(since) || t.Until >= since.Format(time.DateOnly)
}
