package report

import (
	"fmt"
	"strconv"
	"time"

	"quire/internal/humanize"
	"quire/model"
)

// page is the data of the template.
type page struct {
	*folder
	Options
	Groups []*group
	Unit   string
	Bars   []bar
	Most   int64 // containers in the highest bar
	Few    bool  // bars
	Before int64 // containers with captures dated before the web
	Behind int64 // containers with captures dated after the report
	Charts []chart
}

// chart is a table with bars.
type chart struct {
	ID, Title string
	Heading   string // heading of the names
	Counted   string // heading of the counts
	Nothing   string
	Order     string // of the rows
	By        string // source of the data, "" for the containers themselves
	Plain     bool   // without a column of containers
	Rows      []chartRow
	More      int64 // number of names not shown
	MoreCount int64 // their total count
}

type chartRow struct {
	Row
	Width string // of the bar, 0 to 100
}

// line is a container's row in the table.
type line struct {
	*model.Container
	Codes []codeCount
	More  int
}

type codeCount struct {
	Code     string
	Severity model.Severity
	Count    int64
}

// statsPage is a page with one table.
type statsPage struct {
	Title string
	Notes []string
	Chart chart
}

const (
	timelineHigh = 150 // of the highest bar of the timeline, in CSS pixels
	fewBars      = 120 // limit of name characters side by side
	majorBars    = 15  // names that fit on a narrow page, one above the other
)

// headings lists three headings for each table: the heading of the table, of the names, and of the
// counts.
var headings = map[By][3]string{
	ByCompleteness: {"Harvests by completeness", "Outcome of the comparison", "Harvests"},
	ByContainer:    {"Containers", "Container", "Records"},
	ByDefinition:   {"Packages by harvest definition", "Definition", "Packages"},
	ByFinding:      {"Findings in containers", "Code", "Findings"},
	ByFormat:       {"Identified formats", "Format", "Payloads"},
	ByLanguage:     {"Languages of pages and texts", "Language", "Captures"},
	ByMIME:         {"Types as declared by the servers", "Type", "Payloads"},
	ByHost:         {"Hosts", "Host", "Captures"},
	ByOutcome:      {"Containers by the outcome of their check", "Outcome", "Containers"},
	ByStatus:       {"Answers of the servers", "Status", "Answers"},
	ByType:         {"Types of records", "Type", "Records"},
	ByYear:         {"Years of capture", "Year", "Captures"},
}

func (f *folder) page(o Options) page {
	if o.Title == "" {
		o.Title = "Web archive containers"
	}
	if o.Rows <= 0 {
		o.Rows = 15
	}
	p := page{folder: f, Options: o, Groups: f.found.sorted()}
	if len(f.days.first) > 0 {
		var begin, end time.Time
		begin, end, p.Before, p.Behind = f.days.ends(o.Made)
		p.Unit, p.Bars = f.days.bars(begin, end)
	}
	p.place()
	for _, by := range charted {
		rows := o.Rows
		if by == ByYear { // all: there are few, in order of time
			rows = max(rows, mostBars)
		}
		p.Charts = append(p.Charts, tableOf(by, f.Containers, f.tallies[by], f.IdentifiedBy).chart(rows))
	}
	p.Charts = append(p.Charts, chartOf("containers-by-kind", "Kinds of containers", "Kind", f.versions.sorted(),
		o.Rows),
		chartOf("software", "Software that wrote the containers", "Software", f.software.sorted(), o.Rows))
	return p
}

// place sets the height of each bar of the timeline, and selects the names for narrow pages.
func (p *page) place() {
	for _, b := range p.Bars {
		p.Most = max(p.Most, b.Count)
	}
	step := (len(p.Bars) + majorBars - 1) / majorBars
	for i := range p.Bars {
		p.Bars[i].High = timelineHigh * p.Bars[i].Count / max(p.Most, 1)
		p.Bars[i].Major = i%step == 0
	}
	p.Few = len(p.Bars) > 0 && len(p.Bars)*len(p.Bars[0].Label) <= fewBars
}

func (t *Table) title() string { return headings[t.By][0] + t.Scope.title() }

// title names the part of the repository.
func (s *Scope) title() string {
	if s == nil {
		return ""
	}
	title := " in the repository"
	switch {
	case s.Collection != "":
		title = " in collection " + s.Collection
	case s.Container != "":
		title = fmt.Sprintf(" in %s of package %s", s.Container, s.Package)
	case s.Harvest > 0:
		title = fmt.Sprintf(" in harvest %d of package %s", s.Harvest, s.Package)
	case s.Package != "":
		title = " in package " + s.Package
	}
	switch {
	case s.From != 0 && s.From == s.To:
		title += fmt.Sprintf(", %d", s.From)
	case s.From != 0 || s.To != 0:
		title += fmt.Sprintf(", %d to %d", s.From, s.To)
	}
	return title
}

// Notes says which packages and containers were not counted, or only in part.
func (s *Scope) Notes() []string {
	if s == nil {
		return nil
	}
	notes := []string{}
	if s.Partly > 0 {
		notes = append(notes, fmt.Sprintf("Of %s, %s counted in part: the METS, of an earlier version of Quire, does "+
			"not state all numbers.", humanize.Number(s.Packages, "package", "packages"), are(s.Partly)))
	}
	if s.Uncounted > 0 {
		notes = append(notes, fmt.Sprintf("Of %s, %s not counted yet. Count with quire stats --repo REPO --count.",
			humanize.Number(s.Packages, "package", "packages"), are(s.Uncounted)))
	}
	if s.Unidentified > 0 {
		notes = append(notes, fmt.Sprintf("The formats in %s are not known: the profile compact does not identify "+
			"them.",
			humanize.Number(s.Unidentified, "container", "containers")))
	}
	if s.Unlisted > 0 {
		notes = append(notes, fmt.Sprintf("The languages in %s are not recorded: an earlier version of Quire made "+
			"their packages.", humanize.Number(s.Unlisted, "container", "containers")))
	}
	return notes
}

func are(n int64) string { return humanize.Number(n, "is", "are") }

// chart returns the first rows of the table with bars, and sums the rest.
func (t *Table) chart(rows int) chart {
	h := headings[t.By]
	c := chartOf(string(t.By), h[0], h[1], t.Rows, rows)
	c.count(h[2])
	c.By = t.IdentifiedBy
	c.Nothing = t.nothing()
	if t.By == ByYear {
		c.Order = "in their order"
	}
	if t.Other != nil {
		c.More++
		c.MoreCount += t.Other.Count
	}
	return c
}

func chartOf(id, title, heading string, rows []Row, most int) chart {
	c := chart{ID: id, Title: title, Heading: heading, Order: "the most frequent first",
		Nothing: "Nothing was counted."}
	c.count("Containers")
	highest := int64(1)
	for _, r := range rows {
		highest = max(highest, r.Count)
	}
	for i, r := range rows {
		if i >= most {
			c.More++
			c.MoreCount += r.Count
			continue
		}
		width := 100 * float64(r.Count) / float64(highest)
		c.Rows = append(c.Rows, chartRow{r, strconv.FormatFloat(width, 'f', 1, 64)})
	}
	return c
}

// newLine selects the worst codes of a container for its row.
func newLine(c *model.Container, all *folder) line {
	const shown = 3
	gs := groups{}
	gs.add(c, all.explain)
	l := line{Container: c}
	for _, g := range gs.sorted() {
		if len(l.Codes) == shown {
			l.More++
			continue
		}
		l.Codes = append(l.Codes, codeCount{g.Code, g.Severity, g.Count})
	}
	return l
}

// count sets the heading of the counts. Containers need no second column.
func (c *chart) count(heading string) { c.Counted, c.Plain = heading, heading == "Containers" }
