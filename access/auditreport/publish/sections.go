package publish

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quire/access/auditreport"
	"quire/internal/humanize"
	"quire/repository/catalogue"
)

// documentOf makes the document of a report. signed says that it will have a signature.
func documentOf(r *auditreport.Report, signed bool) *document {
	d := &document{Title: "Report on the repository", Subtitle: r.Institution}
	period := "from the beginning to " + day(r.Made)
	if !r.Since.IsZero() {
		period = "from " + day(r.Since) + " to " + day(r.Made)
	}
	d.Lead = []string{
		"This report was made from the records of the repository, for an auditor. No figure in it was typed by hand.",
		"“Unknown” means that the records do not decide. It never counts as fulfilled. Statements of people are " +
			"marked as attested, with name and date.",
		"The report names no title or URL of closed content, and names only packages and collections that are open " +
			"to the public."}
	d.Facts = []fact{{"Period", period}, {"Repository", r.Repository}, {"Created", when(r.Created, "unknown")},
		{"Made", when(r.Made, "") + " UTC, by " + r.Software},
		{"Attestations", orWord(r.Attested, "none", "file with SHA-256 ")}, {"Signature", signatureOf(r, signed)}}
	d.Sections = []section{summary(r), holdingsOf(r), copiesOf(r), auditsOf(r), incidentsOf(r), overdueOf(r),
		formatsOf(r),
		virusesOf(r), accessOf(r), takedownsOf(r), purgesOf(r), eventsOf(r)}
	for i := range r.Frameworks {
		d.Sections = append(d.Sections, frameworkOf(&r.Frameworks[i]))
	}
	d.Sections = append(d.Sections, limitsOf(r, signed))
	return d
}

// signatureOf describes the key that signs the report.
func signatureOf(r *auditreport.Report, signed bool) string {
	if r.Register == nil || !signed {
		return "none"
	}
	return "by the key of the register; check it with quire verify-report. SHA-256 of the public key: " +
		r.Register.Fingerprint
}

func orWord(value, none, before string) string {
	if value == "" {
		return none
	}
	return before + value
}

func day(t time.Time) string { return date(t, "unknown") }

// summary is the first part: the figures that an auditor looks for first.
func summary(r *auditreport.Report) section {
	complete, listed := 0, 0
	for i := range r.Copies {
		switch c := &r.Copies[i]; {
		case c.Available && c.Complete():
			complete++
		case c.Available && c.Listed():
			listed++
		}
	}
	copies := fmt.Sprintf("%d of %d", complete, len(r.Copies))
	if listed > 0 {
		copies += fmt.Sprintf(", %d by listing", listed)
	}
	late := 0
	for _, a := range r.Overdue.Audits {
		if a.Is {
			late++
		}
	}
	s := section{ID: "summary", Title: "At a glance"}
	s.Blocks = append(s.Blocks, block{Figures: []fact{
		{"packages", n(r.Holdings.Packages)}, {"content in one copy", humanize.Size(r.Holdings.Bytes)},
		{"complete copies", copies},
		{"last complete audit", date(r.Audits.LastFull, "never")},
		{"open incidents", n(r.Incidents.Open)}, {"overdue audits", n(int64(late))}}})
	for i := range r.Frameworks {
		if f := &r.Frameworks[i]; f.ID == "NDSA" {
			s.Blocks = append(s.Blocks, block{Matrix: matrixOf(f)})
		}
	}
	return s
}

// matrixOf shows the levels of NDSA.
func matrixOf(f *auditreport.Framework) *matrix {
	m := &matrix{Caption: f.Name + ", edition " + f.Edition + ": the weakest claim of each level",
		Levels: []string{"Level 1", "Level 2", "Level 3", "Level 4"}}
	for _, area := range f.Areas() {
		row := matrixRow{Name: area, Result: "no level met"}
		if level := f.Reached(area); level > 0 {
			row.Result = fmt.Sprintf("level %d met", level)
		}
		for i := range f.Rows {
			if f.Rows[i].Area == area {
				row.States = append(row.States, f.Rows[i].State)
			}
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

func holdingsOf(r *auditreport.Report) section {
	h := &r.Holdings
	s := section{ID: "holdings", Title: "Holdings"}
	s.Blocks = []block{{Figures: []fact{{"packages", n(h.Packages)}, {"collections", n(h.Collections)},
		{"harvests", n(h.Harvests)}, {"containers", n(h.Containers)}, {"records", n(h.Records)},
		{"bytes in one copy", n(h.Bytes)}, {"versions", n(h.Versions)}}}}
	s.Blocks = append(s.Blocks, text("Captures from %s to %s, as the packages state.", date(h.First, "an unknown day"),
		date(h.Last, "an unknown day")))
	if h.Unread > 0 {
		s.Blocks = append(s.Blocks, warning("The METS of %s cannot be read. Their harvests, formats and rights are "+
			"unknown, "+
			"and missing from the sums.", humanize.Number(h.Unread, "package or collection",
			"packages or collections")))
	}
	if h.WithoutIngest+h.WithoutReading > 0 {
		s.Blocks = append(s.Blocks, warning("%s without an event of ingest, and %s without an event of a reading. "+
			"Events "+
			"may have been removed.", humanize.Number(h.WithoutIngest, "package is", "packages are"),
			humanize.Number(h.WithoutReading, "copy of a package is", "copies of packages are")))
	}
	if len(h.Years) > 0 {
		b := &bars{Caption: "Bytes by the year in which packages were first stored", Parts: []string{"bytes"},
			Tones: []tone{toneMain}}
		var values []float64
		for _, y := range h.Years {
			values = append(values, float64(y.Bytes))
		}
		for i, v := range relative(values...) {
			y := &h.Years[i]
			b.Items = append(b.Items, bar{y.Year, humanize.Number(y.Packages, "package", "packages") + ", " +
				humanize.Size(y.Bytes), []float64{v}})
		}
		s.Blocks = append(s.Blocks, block{Bars: b})
	}
	s.Blocks = append(s.Blocks, block{Table: collectionsOf(h)})
	return s
}

func collectionsOf(h *auditreport.Holdings) *table {
	t := &table{Caption: "By collection. A package in several collections counts in each.", Columns: []column{
		{"Collection", false, 3}, {"Packages", true, 1}, {"Harvests", true, 1}, {"Containers", true, 1},
		{"Bytes", true, 1.6}}}
	add := func(name string, sum *auditreport.Sum) {
		t.Rows = append(t.Rows, plain(name, n(sum.Packages), n(sum.Harvests), n(sum.Containers), n(sum.Bytes)))
	}
	for i := range h.ByCollection[:min(len(h.ByCollection), shownRows)] {
		c := &h.ByCollection[i]
		add(c.Title+" ("+c.ID+")", &c.Sum)
	}
	t.More = further(len(t.Rows), len(h.ByCollection), h.MoreCollections)
	if c := &h.ClosedCollections; c.Collections > 0 {
		add(humanize.Number(c.Collections, "collection", "collections")+" not open to the public", &c.Sum)
	}
	add("In no collection", &h.Uncollected)
	return t
}

func copiesOf(r *auditreport.Report) section {
	s := section{ID: "copies", Title: "Copies"}
	states := []catalogue.Status{catalogue.Good, catalogue.AsListed, catalogue.Damaged, catalogue.Missing,
		catalogue.Owed}
	b := &bars{Caption: "Packages and collections by their last known state in each copy",
		Parts: []string{"good", "listed", "damaged", "missing", "owed"},
		Tones: []tone{toneGood, toneCold, toneBad, toneWarn, toneOff}}
	places := &table{Caption: "Where the copies are", Columns: []column{{"Copy", false, 1}, {"Path", false, 2.4},
		{"Now", false, 1.2}, {"Same file system as", false, 1.3}, {"Place, as attested", false, 2}}}
	readings := &table{Caption: "When every byte was last read: packages and collections by copy",
		Columns: []column{{"Copy", false, 1}, {"Good", true, .8}, {"Listed", true, .9}, {"Damaged", true, 1.15},
			{"Missing", true, 1.05},
			{"Owed", true, .8}, {"Oldest reading", false, 1.3}, {"Never read", true, 1.1}}}
	if len(r.Copies) > 0 {
		for _, within := range r.Copies[0].Read {
			readings.Columns = append(readings.Columns, column{fmt.Sprintf("Within %d d", within.Days), true, 1.1})
		}
	}
	cold := false
	for i := range r.Copies {
		c := &r.Copies[i]
		total := c.Total()
		item := bar{Name: c.Name, Value: fmt.Sprintf("%s of %s good, %s", n(c.States[catalogue.Good]), n(total),
			humanize.Size(c.Bytes))}
		cold = cold || c.States[catalogue.AsListed] > 0
		row := plain(c.Name)
		for _, state := range states {
			item.Parts = append(item.Parts, float64(c.States[state])/float64(max(total, 1)))
			row = append(row, cell{Text: n(c.States[state])})
		}
		b.Items = append(b.Items, item)
		row = append(row, plain(date(c.Oldest, "none"), n(c.Never))...)
		for _, within := range c.Read {
			row = append(row, cell{Text: n(within.Packages)})
		}
		readings.Rows = append(readings.Rows, row)
		places.Rows = append(places.Rows, placeOf(c))
	}
	s.Blocks = []block{{Bars: b}}
	if i := slices.IndexFunc(r.Copies, func(c auditreport.Copy) bool { return !c.Available }); i >= 0 {
		s.Blocks = append(s.Blocks, warning("Copy %s cannot be read now. Its states are those last known.",
			r.Copies[i].Name))
	}
	if cold {
		s.Blocks = append(s.Blocks, text("Listed: the copy has the package by the checksums of its service. Its files "+
			"are in a cold storage class, and were not read."))
	}
	s.Blocks = append(s.Blocks, block{Table: places}, block{Table: readings})
	return s
}

func placeOf(c *auditreport.Copy) []cell {
	now := "can be read"
	if !c.Available {
		now = "cannot be read"
	}
	same := "unknown"
	if c.SameDisk != nil {
		same = orWord(strings.Join(c.SameDisk, ", "), "no other copy", "")
	}
	place := "not attested"
	if p := c.Place; p != nil {
		var parts []string
		for _, part := range []fact{{"", p.Place}, {"threat: ", p.Threat}, {"medium: ", p.Medium}} {
			if part.Value != "" {
				parts = append(parts, part.Name+part.Value)
			}
		}
		place = strings.Join(parts, "; ")
	}
	return []cell{{Text: c.Name}, {Text: c.Path, Code: true}, {Text: now}, {Text: same}, {Text: place}}
}

// leafOf returns the place of the leaf of a run in the register.
func leafOf(run *auditreport.AuditRun) string {
	if run.Leaf == 0 {
		return "–"
	}
	return n(run.Leaf)
}

func auditsOf(r *auditreport.Report) section {
	a := &r.Audits
	s := section{ID: "audits", Title: "Audits"}
	s.Blocks = []block{{Figures: []fact{{"audits in the period", n(a.Number)}, {"of these, complete", n(a.Complete)},
		{"problems found", n(a.Problems)}, {"last complete audit of all", date(a.LastFull, "never")}}},
		text("Schedule: %s.", a.Schedule),
		text("The register confirms %d of these audits: it has a leaf with the same time and numbers, and a digest "+
			"over the record of the audit.", a.Leaves)}
	if a.Ever == 0 {
		s.Blocks = append(s.Blocks, warning("No audit has run. Apart from ingest, nothing shows that the content is "+
			"whole."))
		return s
	}
	t := &table{Caption: "Audit runs, the newest first", Columns: []column{{"Begun (UTC)", false, 1.5}, {"Scope",
		false, 1},
		{"Copies", false, 1.5}, {"Packages read", true, 1.1}, {"Bytes read", true, 1.3}, {"Problems", true, .9},
		{"End", false, 1}, {"Leaf", true, .8}}}
	for i := range a.Runs[:min(len(a.Runs), shownRows)] {
		run := &a.Runs[i]
		scope := string(run.Kind)
		if run.Share > 0 {
			scope += fmt.Sprintf(" %.3g%%", 100*run.Share)
		}
		end := run.Ended
		if end == "" {
			end = "under way"
		}
		t.Rows = append(t.Rows, plain(when(run.Started, ""), scope, strings.Join(run.Copies, ", "),
			fmt.Sprintf("%s of %s", n(run.Done), n(run.Chosen)), n(run.Bytes), n(run.Problems), end, leafOf(run)))
	}
	t.More = further(len(t.Rows), len(a.Runs), a.More)
	s.Blocks = append(s.Blocks, block{Table: t})
	return s
}
