package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"quire/internal/humanize"
	"quire/model"
)

// TextOptions selects the shown details of a container. The zero value shows one screen.
type TextOptions struct {
	All     bool      // every listed finding, instead of a few of each code
	Explain Explainer // explains codes; nil shows the codes alone
	Width   int       // of the screen, in characters; 0 means no line breaks
	Palette humanize.Palette
	Next    func(*model.Container) string // the next step for a container, "" for none; may be nil
}

// Limits of the screen output per container.
const (
	namesShown    = 5 // hosts, types and other names
	codesShown    = 8
	findingsShown = 2 // of each code
	nameWidth     = 60
)

// Text shows one container on a screen: the verdict, its content, and the reasons; then an empty
// line. It returns only errors of w.
func Text(w io.Writer, c *model.Container, o TextOptions) error {
	found := groups{}
	found.add(c, o.Explain)
	p := &lines{width: o.Width, palette: o.Palette}
	p.addf("%s", humanize.Visible(c.Path))
	word := outcomeOf(c.Outcome)
	p.paintf(word, valueColumn, "  %-10s %s", "outcome", word+found.summary())
	p.field("container", kindOf(c))
	p.field("size", sizesOf(c))
	p.field("records", recordsOf(c))
	p.field("captured", capturedOf(c))
	p.field("software", c.Software)
	p.names("hosts", c.Hosts)
	p.names("types", c.MIMETypes)
	p.names("formats", formatNames(c.Formats))
	if c.IdentifiedBy != "" {
		p.field("identified", "by "+c.IdentifiedBy)
	}
	p.names("answers", statusNames(c.Responses))
	p.scan(c.Scan)
	p.field("SHA-512", c.SHA512)
	p.findings(c, found.sorted(), o)
	if c.Outcome == model.NotContainer {
		p.addf("  no ARC or WARC record found")
	}
	if o.Next != nil {
		if step := o.Next(c); step != "" {
			p.wrapf(2, "  %s", step)
		}
	}
	p.addf("")
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("printing the report on %s: %w", c.Path, err)
	}
	return nil
}

// Between shows the findings between files: c contains only these, each with the path of its file.
// Without findings it prints nothing.
func Between(w io.Writer, c *model.Container, o TextOptions) error {
	found := groups{}
	found.add(c, o.Explain)
	if len(found) == 0 {
		return nil
	}
	p := &lines{width: o.Width, palette: o.Palette}
	p.addf("between the files%s", found.summary())
	p.findings(c, found.sorted(), o)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("printing the findings between files: %w", err)
	}
	return nil
}

// lines are the lines of one screen.
type lines struct {
	strings.Builder
	width   int
	palette humanize.Palette
}

// Continuation lines start below the value of a field, or below the text of a finding.
const (
	valueColumn   = 13
	findingColumn = 11
)

func (p *lines) addf(format string, args ...any) { fmt.Fprintf(&p.Builder, format+"\n", args...) }

// wrapf adds a line of any length, wrapped.
func (p *lines) wrapf(indent int, format string, args ...any) {
	p.addf("%s", humanize.Wrap(fmt.Sprintf(format, args...), indent, p.width))
}

// paintf is wrapf for a line that begins with an outcome or a severity, which is coloured.
func (p *lines) paintf(word string, indent int, format string, args ...any) {
	p.addf("%s", p.palette.Line(humanize.Wrap(fmt.Sprintf(format, args...), indent, p.width), word))
}

// field shows a named value, unless it is empty.
func (p *lines) field(name, value string) {
	if value != "" {
		p.wrapf(valueColumn, "  %-10s %s", name, humanize.Visible(value))
	}
}

// names shows the most frequent names, one per line, with aligned numbers.
func (p *lines) names(what string, counts []model.Count) {
	shown := counts[:min(len(counts), namesShown)]
	width, digits := 0, 0
	for _, c := range shown {
		width = max(width, len([]rune(humanize.Clip(humanize.Visible(c.Name), nameWidth))))
		digits = max(digits, len(humanize.Grouped(c.Count)))
	}
	for _, c := range shown {
		p.addf("  %-10s %-*s  %*s", what, width, humanize.Clip(humanize.Visible(c.Name), nameWidth), digits,
			humanize.Grouped(c.Count))
		what = ""
	}
	if more := len(counts) - len(shown); more > 0 {
		p.addf("  %-10s and %s more", "", humanize.Grouped(int64(more)))
	}
}

// findings shows the findings by code, errors first.
func (p *lines) findings(c *model.Container, all []*group, o TextOptions) {
	width := 0
	for _, g := range all {
		width = max(width, len(g.Code))
	}
	for i, g := range all {
		if i == codesShown && !o.All {
			p.addf("  and findings of %s", humanize.Number(int64(len(all)-i), "more kind", "more kinds"))
			break
		}
		p.paintf(string(g.Severity), findingColumn+width+2, "  %-7s  %-*s  %s", humanize.Visible(string(g.Severity)), width,
			humanize.Visible(g.Code), strings.TrimSpace("× "+humanize.Grouped(g.Count)+"  "+
				humanize.Visible(g.Explained.Meaning)))
		p.reasons(c, g, o)
	}
}

// reasons shows some findings of a kind, without repeating equal findings. Records in the same
// compressed member have the same place.
func (p *lines) reasons(c *model.Container, g *group, o TextOptions) {
	shown := int64(0)
	last := ""
	for _, f := range c.Findings {
		if f.Code != g.Code {
			continue
		}
		place := "byte " + humanize.Grouped(f.Offset)
		if f.Path != "" {
			place = humanize.Visible(f.Path) + " " + place
		}
		line := place + ": " + humanize.Visible(f.Message)
		if line == last && !o.All {
			continue
		}
		if shown == findingsShown && !o.All {
			break
		}
		shown++
		last = line
		p.wrapf(findingColumn+2, "%*s%s", findingColumn, "", line)
	}
	if more := g.Count - shown; more > 0 && shown > 0 {
		p.addf("%*sand %s more", findingColumn, "", humanize.Grouped(more))
	}
}

// sizesOf describes the size of the file and, if different, its inflated size.
func sizesOf(c *model.Container) string {
	if c.Format == "" || c.Compression == "none" {
		return humanize.Size(c.Bytes)
	}
	return humanize.Size(c.Bytes) + " stored, " + humanize.Size(c.InflatedBytes) + " inflated"
}

// recordsOf describes the number of records, by type.
func recordsOf(c *model.Container) string {
	if c.Format == "" {
		return ""
	}
	rows := typesOf(c)
	list := make([]string, 0, len(rows))
	for _, r := range rows {
		list = append(list, humanize.Grouped(r.Count)+" "+cmp.Or(r.Name, "of no type"))
	}
	if len(list) == 0 {
		return humanize.Grouped(c.Records.Total)
	}
	return humanize.Grouped(c.Records.Total) + ": " + strings.Join(list, ", ")
}

func capturedOf(c *model.Container) string {
	if c.First == nil || c.Last == nil {
		return ""
	}
	const layout = "2006-01-02 15:04:05"
	if c.First.Equal(*c.Last) {
		return c.First.UTC().Format(layout) + " UTC"
	}
	return c.First.UTC().Format(layout) + " to " + c.Last.UTC().Format(layout) + " UTC"
}

func formatNames(formats []model.Format) []model.Count {
	counts := make([]model.Count, 0, len(formats))
	for i := range formats {
		f := &formats[i]
		counts = append(counts, model.Count{Name: strings.TrimSpace(f.PUID + " " + f.FullName()), Count: f.Count,
			Bytes: f.Bytes})
	}
	return counts
}

func statusNames(statuses []model.Status) []model.Count {
	counts := make([]model.Count, 0, len(statuses))
	for _, s := range statuses {
		counts = append(counts, model.Count{Name: s.Status, Count: s.Count, Bytes: s.Bytes})
	}
	return counts
}
