package aip

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/model"
)

// containers keeps the statements of mets.xml about each container in its containerMD, its premis:object and
// its events, to compare it with the file, its records and its CDXJ lines (clause 4.7). It has some
// hundred bytes for each container. Containers without the IDs of clause 2.5 are not compared.
type containers struct {
	of       map[int]*containerFacts // by the number in the IDs
	left     int64                   // containers beyond the limit
	captures map[string]dateSpan     // the capture events, by their identifier
	first    string                  // dates of capture in MODS, as written; "" if there are none
	last     string
	compared int64
	failed   int64 // of these: with errors when the package was made
	firstBad string
}

// maxContainers is how many containers are compared: a hostile METS may have any number of sections.
const maxContainers = 1 << 17

// maxHarvests is how many capture events are kept for a container, and maxCaptures for a package.
const maxHarvests, maxCaptures = 16, 1 << 14

// containerFacts are the known facts of one container.
type containerFacts struct {
	section  string // ID of the containerMD; "" if there is none
	several  bool   // there are several
	file     string // path of the container; "" if no file has the ID
	fixity   []containermd.Fixity
	assessed string // outcome of the assessment by the software that validated it
	judged   string // outcome of the validation event

	number   int64            // of entries; -1 if not stated
	types    map[string]int64 // number of records of each type; nil if not stated
	dates    map[string]dateSpan
	undated  bool     // a type of records has a date that containerMD cannot state, or none
	harvests []string // identifiers of capture events that its object names

	listed, highest int64 // records in the fileSec, and the highest number among them
}

// The types of records that have CDXJ lines, and those whose dates are the dates of the website
// (clauses 2.17 and 3.2).
var (
	lineTypes    = []string{"response", "resource", "revisit", "conversion"}
	captureTypes = []string{"response", "resource", "request", "revisit"}
	otherTypes   = []string{"warcinfo", "metadata", "conversion", "other"}
)

func newContainers() *containers {
	return &containers{of: map[int]*containerFacts{}, captures: map[string]dateSpan{}}
}

// facts returns the facts of container n, or nil beyond the limit.
func (c *containers) facts(n int) *containerFacts {
	f := c.of[n]
	if f == nil {
		if len(c.of) == maxContainers {
			c.left++
			return nil
		}
		f = &containerFacts{number: -1}
		c.of[n] = f
	}
	return f
}

// containerMD keeps the sums of a container.
func (c *containers) containerMD(s *mets.Section, md *containermd.ContainerMD) {
	n, ok := NumberOf(s.ID, ContainerMDID)
	if !ok {
		return
	}
	f := c.facts(n)
	if f == nil {
		return
	}
	if f.several = f.section != ""; f.several {
		return
	}
	f.section = clip(s.ID)
	f.fixity = md.Container.Fixity[:min(len(md.Container.Fixity), maxStated)]
	if a := md.Container.Assessment; a != nil {
		f.assessed = clip(a.Outcome)
	}
	if md.Information == nil {
		return
	}
	f.number, f.dates = md.Information.Number, map[string]dateSpan{"": {md.Information.First, md.Information.Last}}
	if w := md.Information.WARC; w != nil {
		f.sums(w)
	}
}

// sums keeps the numbers and dates of the types of records.
func (f *containerFacts) sums(w *containermd.WARCEntries) {
	f.types = map[string]int64{}
	add := func(kind string, s *containermd.Sums) {
		f.types[kind] += s.Number
		far := s.Last.UTC().Year() == 9999 // a date beyond it cannot be stated
		f.undated = f.undated || s.Number > 0 && (s.First.IsZero() || s.Last.IsZero() || far)
		span := f.dates[kind]
		span.addSpan(dateSpan{s.First, s.Last})
		f.dates[kind] = span
	}
	add("warcinfo", &w.WARCInfo.Sums)
	for kind, r := range map[string]*containermd.Records{"response": w.Response, "resource": w.Resource,
		"request": w.Request, "metadata": w.Metadata, "revisit": w.Revisit} {
		if r != nil {
			add(kind, &r.Sums)
		}
	}
	for i := range w.Other[:min(len(w.Other), maxTypes)] {
		kind := "conversion"
		if w.Other[i].Type != kind {
			kind = "other"
		}
		add(kind, &w.Other[i].Sums)
	}
}

// maxTypes is how many types of records are read from a containerMD.
const maxTypes = 1 << 12

// span returns the dates of records of some types.
func (f *containerFacts) span(types []string) (s dateSpan) {
	for _, t := range types {
		s.addSpan(f.dates[t])
	}
	return s
}

// object keeps the capture events that the premis:object of a container names.
func (c *containers) object(s *mets.Section, o *premis.Object) {
	n, ok := NumberOf(s.ID, ContainerObjID)
	if !ok {
		return
	}
	f := c.facts(n)
	if f == nil {
		return
	}
	for i := range o.Events {
		_, id, _ := strings.Cut(o.Events[i].Value, "#")
		if _, ok := NumberOf(id, HarvestEventID); (ok || id == CaptureEventID) && len(f.harvests) < maxHarvests {
			f.harvests = append(f.harvests, clip(o.Events[i].Value))
		}
	}
}

// event keeps the dates of a capture, and the outcome of the validation of a container.
func (c *containers) event(s *mets.Section, e *premis.Event) {
	if s.ID == CaptureEventID || strings.HasPrefix(s.ID, CaptureEventID+"-") {
		if len(c.captures) < maxCaptures {
			c.captures[clip(e.Identifier.Value)] = spanOf(e.DateTime)
		}
		return
	}
	n, ok := NumberOf(s.ID, ContainerEventID)
	if !ok || len(e.Outcomes) != 1 {
		return
	}
	if f := c.facts(n); f != nil {
		f.judged = clip(e.Outcomes[0].Outcome.Text)
	}
}

// record counts a record in the fileSec.
func (c *containers) record(id string) {
	n, order, ok := PartOf(id, RecordFileID)
	if !ok {
		return
	}
	if f := c.of[n]; f != nil {
		f.listed++
		f.highest = max(f.highest, order)
	}
}

// container compares the file of a container with its containerMD, and keeps its path.
func (d *description) container(l *listed) {
	n, ok := NumberOf(l.id, ContainerFileID)
	if !ok {
		return
	}
	f := d.described.of[n]
	if f == nil || f.section == "" || f.several {
		return
	}
	f.file = l.path
	for _, x := range f.fixity {
		size, stated := x.Size.Get()
		switch {
		case stated && l.size >= 0 && size != l.size:
			d.findings.add(breaks(CodeContainerFixity, l.path, "%s states %d bytes, its file element %d",
				f.section, size,
				l.size))
		case x.Algorithm == string(model.SHA512) && l.sha512 != "" && !strings.EqualFold(x.Digest, l.sha512):
			d.findings.add(breaks(CodeContainerFixity, l.path, "%s states another SHA-512 than its file element",
				f.section))
		}
	}
}

// judgeContainers compares the facts of each container after all files were read. records reports
// whether the package lists each record of its containers.
func (d *description) judgeContainers(x *indexes, records bool) {
	numbers := slices.Sorted(maps.Keys(d.described.of))
	for _, n := range numbers {
		f := d.described.of[n]
		if f.file == "" {
			continue
		}
		d.described.compared++
		if f.judged == string(model.Fail) {
			d.described.failed++
			d.described.firstBad = cmp.Or(d.described.firstBad, clip(f.file))
		}
		d.judgeOutcome(f)
		d.judgeCounts(f, records)
		d.judgeLines(f, x.known[IndexOf(f.file)])
	}
	d.judgeCaptures(numbers)
}

// judgeOutcome compares the outcome of the validation with that in the containerMD.
func (d *description) judgeOutcome(f *containerFacts) {
	known := f.assessed == string(model.Valid) || f.assessed == string(model.Invalid)
	failed := f.judged == string(model.Fail)
	if f.judged == "" || !known || failed == (f.assessed == string(model.Invalid)) {
		return
	}
	d.findings.add(breaks(CodeContainerOutcome, f.file, "%s says %s, but the validation event says %s", f.section,
		f.assessed, f.judged))
}

// judgeCounts compares the number of entries with those of the types, and with the records listed.
func (d *description) judgeCounts(f *containerFacts, records bool) {
	if f.number < 0 {
		return
	}
	total := int64(0)
	for _, n := range f.types {
		total += n
	}
	if f.types != nil && total != f.number {
		d.findings.add(breaks(CodeContainerCount, f.file, "%s counts %d entries, but its types of records add up to %d",
			f.section, f.number, total))
	}
	switch {
	case f.highest > f.number || f.listed > f.number:
		d.findings.add(breaks(CodeContainerCount, f.file, "%s counts %d entries, but record %d is listed", f.section,
			f.number, max(f.highest, f.listed)))
	case records && f.judged == string(model.Success) && f.listed < f.number && !d.partial:
		d.findings.add(breaks(CodeContainerCount, f.file, "%s counts %d entries, but %d records are listed, and the "+
			"validation found no damage", f.section, f.number, f.listed))
	}
	sum, dates := f.dates[""], f.span(slices.Concat(otherTypes, captureTypes))
	captured := f.span(captureTypes) // earlier packages state these only (clause 3.2)
	if f.types != nil && !f.undated && total == f.number && !sum.empty() && !dates.empty() && !dates.near(sum) &&
		(captured.empty() || !captured.near(sum)) {
		d.findings.add(breaks(CodeDateCaptured, f.file,
			"%s states the dates %s for its entries, but %s for the types of "+
				"records together", f.section, sum, dates))
	}
}

// judgeLines compares the containerMD with the CDXJ lines of the container.
func (d *description) judgeLines(f *containerFacts, i *indexed) {
	if f.types == nil || i == nil || i.header == nil || i.sums == nil || i.header.Container != f.file {
		return
	}
	left := i.withoutLine()
	total, lines := left, int64(0)
	for _, t := range lineTypes {
		total += i.sums.numbers[t]
		lines += f.types[t]
		if left == 0 && i.sums.numbers[t] != f.types[t] {
			d.findings.add(breaks(CodeContainerCount, f.file, "%s counts %d records of type %s; the CDXJ lines have %d",
				f.section, f.types[t], t, i.sums.numbers[t]))
		}
	}
	if left > 0 && total != lines {
		d.findings.add(breaks(CodeContainerCount, f.file, "%s counts %d captures; the CDXJ lines have %d, with "+
			"those left out", f.section, lines, total))
	}
	stated := f.span(lineTypes)
	if left == 0 && !f.undated && !stated.empty() && !i.sums.dates.empty() && !stated.near(i.sums.dates) {
		d.findings.add(breaks(CodeDateCaptured, f.file, "%s states captures of %s; the CDXJ lines have %s", f.section,
			stated, i.sums.dates))
	}
}

// judgeCaptures compares the dates of the website and of its harvests with those of the records.
func (d *description) judgeCaptures(numbers []int) {
	var whole dateSpan
	undated := false
	of := map[string]dateSpan{} // by capture event
	for _, n := range numbers {
		f := d.described.of[n]
		records := f.span(captureTypes)
		undated = undated || f.undated
		if len(f.harvests) == 0 || records.empty() || f.file == "" {
			continue
		}
		d.future(records.last, "a capture in "+f.file)
		whole.addSpan(records)
		for _, h := range f.harvests {
			span := of[h]
			span.addSpan(records)
			of[h] = span
		}
	}
	if !undated {
		d.judgeWebsite(whole)
	}
	for _, id := range slices.Sorted(maps.Keys(d.described.captures)) {
		event := d.described.captures[id]
		if records := of[id]; !records.empty() && !event.empty() && event.apart(records) {
			d.findings.add(breaks(CodeDateCaptured, METSName, "the event %s has the date %s; its containers have "+
				"captures of %s", id, event, records))
		}
	}
}

// judgeWebsite compares the dates in MODS with those of the records (clause 3.2).
func (d *description) judgeWebsite(records dateSpan) {
	c := d.described
	if records.empty() || c.left > 0 {
		return
	}
	for _, date := range []struct {
		text, what string
		is         time.Time
	}{{c.first, "first", records.first}, {c.last, "last", records.last}} {
		if date.text != "" && !fits(date.text, date.is) {
			d.findings.add(breaks(CodeDateCaptured, METSName, "%s states %s as the date of the %s capture; the "+
				"containers state %s", WebsiteDmdID, clip(date.text), date.what, date.is.UTC().Format(time.RFC3339)))
		}
	}
}
