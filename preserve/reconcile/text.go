package reconcile

import (
	"fmt"
	"io"
	"strings"

	"quire/internal/humanize"
)

// Limits of the screen output per harvest.
const (
	hostsShown      = 12
	containersShown = 12
	examplesShown   = 3
)

// Text writes the result for people: for each harvest the sources, the worst hosts, the totals, and
// the explanations.
func (r *Result) Text(w io.Writer) error {
	p := &page{}
	if len(r.Harvests) == 0 {
		p.line("no harvest found in %s", humanize.Visible(r.Source))
	}
	for i, h := range r.Harvests {
		if i > 0 {
			p.line("")
		}
		p.harvest(h)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.Builder, format+"\n", args...) }

func (p *page) harvest(h *HarvestResult) {
	p.line("%s %s: %s", humanize.Visible(string(h.System)), humanize.Visible(h.ID), h.verdict())
	p.witnesses(h)
	for _, note := range h.Notes {
		p.line("  note       %s", humanize.Visible(note))
	}
	p.hosts(h)
	p.containers(h)
	p.differences(h)
	p.foreign(h)
}

// verdict summarizes the result in a sentence.
func (h *HarvestResult) verdict() string {
	t := h.Totals
	switch {
	case t.Unexplained > 0:
		return humanize.Number(t.Unexplained, "difference is", "differences are") + " not explained" + h.lost(", and ")
	case t.Lost > 0:
		return "every difference is explained" + h.lost("; ")
	case t.Explained > 0:
		return "every difference is explained, and there are no losses"
	case h.lonely():
		return "nothing to compare: there is only one source"
	}
	return "the witnesses agree"
}

// lost describes the losses.
func (h *HarvestResult) lost(before string) string {
	if h.Totals.Lost == 0 {
		return ""
	}
	if h.LostCaptures == 0 {
		return before + "content is lost"
	}
	return before + humanize.Number(h.LostCaptures, "capture is", "captures are") + " lost"
}

// lonely reports whether there is only one source.
func (h *HarvestResult) lonely() bool {
	w := &h.Witnesses
	n := 0
	for _, there := range []bool{w.Log.Present, w.Index.Entries > 0, w.Records.Records > 0, len(w.Lists) > 0,
		len(w.Pages) > 0, len(w.Reports) > 0} {
		if there {
			n++
		}
	}
	return n < 2
}

func (p *page) witnesses(h *HarvestResult) {
	w := &h.Witnesses
	if w.Log.Present {
		p.line("  log        %s, %s fetched, %s not%s", humanize.Number(w.Log.Lines, "line", "lines"),
			number(w.Log.Fetched), number(w.Log.NotFetched), unreadable(w.Log.Unreadable))
	}
	records := humanize.Number(w.Records.Records, "record", "records")
	if w.Records.Containers > 0 {
		records += " in " + humanize.Number(w.Records.Containers, "container", "containers")
	}
	p.line("  records    %s", records)
	if len(w.Index.Files) > 0 {
		p.line("  index      %s in %s%s", humanize.Number(w.Index.Entries, "entry", "entries"),
			humanize.Number(int64(len(w.Index.Files)), "file", "files"), unreadable(w.Index.Unreadable))
	}
	for _, l := range w.Lists {
		p.line("  list       %s: %s", humanize.Visible(l.File),
			humanize.Number(l.Containers, "container", "containers"))
	}
	for _, f := range w.Pages {
		p.line("  pages      %s: %s", humanize.Visible(f.File), humanize.Number(f.Rows, "page", "pages"))
	}
	if len(w.Reports) > 0 {
		p.line("  reports    %s", humanize.Number(int64(len(w.Reports)), "report", "reports"))
	}
	j := &h.Joined
	p.line("  matched    %s by place, %s by URL, second and digest, %s by URL and second, %s otherwise; "+
		"index: %s by place, %s by URL and second",
		number(j.Place), number(j.Digest), number(j.Second), number(j.Near+j.AnyTime+j.Size+j.Mirror),
		number(j.IndexAt), number(j.IndexTime))
}

func unreadable(n int64) string {
	if n == 0 {
		return ""
	}
	return "; " + number(n) + " unreadable"
}

// number formats a count with thousands separators.
func number(n int64) string { return strings.TrimSuffix(humanize.Number(n, "", ""), " ") }

func (p *page) hosts(h *HarvestResult) {
	shown := h.Hosts[:min(len(h.Hosts), hostsShown)]
	if len(shown) == 0 {
		return
	}
	p.line("")
	p.line("  %29s   %19s", "captures -------------------", "differences -------")
	p.line("  %9s %9s %9s   %9s %9s  %s", "logged", "recorded", "lost", "explained", "not expl.", "host")
	for i := range shown {
		p.host(&shown[i], humanize.Visible(shown[i].Host))
	}
	if more := h.HostsTotal - int64(len(shown)); more > 0 {
		rest := h.HostsRest
		for i := len(shown); i < len(h.Hosts); i++ {
			rest.Fetched += h.Hosts[i].Fetched
			rest.Records += h.Hosts[i].Records
			rest.Explained += h.Hosts[i].Explained
			rest.LostCaptures += h.Hosts[i].LostCaptures
			rest.Unexplained += h.Hosts[i].Unexplained
		}
		p.host(&rest, "("+humanize.Number(more, "more host", "more hosts")+")")
	}
}

func (p *page) host(h *Host, name string) {
	p.line("  %9s %9s %9s   %9s %9s  %s", number(h.Fetched), number(h.Records), number(h.LostCaptures),
		number(h.Explained), number(h.Unexplained), name)
}

func (p *page) containers(h *HarvestResult) {
	if len(h.Containers) == 0 {
		return
	}
	p.line("")
	for i := range h.Containers[:min(len(h.Containers), containersShown)] {
		c := &h.Containers[i]
		var said []string
		if c.Path == "" {
			said = append(said, "absent", "listed by "+strings.Join(c.ListedBy, ", "))
		}
		if c.CutReason != "" {
			said = append(said, "cut: "+c.CutReason)
		}
		if c.Damage > 0 {
			said = append(said, "damaged")
		}
		if c.Within != "" {
			said = append(said, "was called "+c.Within)
		}
		if c.LostURLs > 0 {
			said = append(said, humanize.Number(c.LostURLs, "URL", "URLs")+" lost with it")
		}
		if c.Path != "" && string(c.Outcome) != "valid" {
			said = append(said, "inspected: "+string(c.Outcome))
		}
		p.line("  container  %s: %s", humanize.Visible(c.Name), humanize.Visible(strings.Join(said, "; ")))
	}
	if more := len(h.Containers) - containersShown; more > 0 {
		p.line("             and %s", humanize.Number(int64(more), "more", "more"))
	}
}

func (p *page) differences(h *HarvestResult) {
	for _, part := range []struct {
		class Class
		title string
	}{{Unexplained, "not explained"}, {Lost, "lost"}, {Explained, "explained by"}} {
		begun := false
		for _, d := range h.Differences {
			for i := range d.Reasons {
				b := &d.Reasons[i]
				if b.Class != part.class {
					continue
				}
				if !begun {
					p.line("")
					p.line("  %s", part.title)
					begun = true
				}
				p.reason(d, b)
			}
		}
	}
}

func (p *page) reason(d *Difference, b *Because) {
	if b.Code == "" {
		p.line("    %9s  %s", number(b.Count), d.Kind.Means())
	} else {
		p.line("    %9s  %s: %s", number(b.Count), d.Kind.Means(), b.Means)
	}
	if b.Class == Explained {
		return
	}
	for i := range b.Examples[:min(len(b.Examples), examplesShown)] {
		p.line("               %s", humanize.Visible(b.Examples[i].String()))
	}
	if more := b.Count - int64(min(len(b.Examples), examplesShown)); more > 0 {
		p.line("               and %s more", number(more))
	}
}

// String formats a case on one line.
func (c Case) String() string {
	var parts []string
	if c.URL != "" {
		parts = append(parts, c.URL)
	}
	if c.Time != nil {
		parts = append(parts, c.Time.Format(timeForm))
	}
	if c.Container != "" {
		place := c.Container
		if c.Offset != nil {
			place += fmt.Sprintf(" byte %d", *c.Offset)
		}
		parts = append(parts, place)
	}
	if c.Detail != "" && c.Detail != c.Container {
		parts = append(parts, c.Detail)
	}
	return strings.Join(parts, "  ")
}

func (p *page) foreign(h *HarvestResult) {
	if len(h.DependsOn) == 0 {
		return
	}
	p.line("")
	p.line("  depends on %s of other harvests with the originals of its duplicates",
		humanize.Number(int64(len(h.DependsOn)), "container", "containers"))
	for i, f := range h.DependsOn {
		if i == containersShown {
			p.line("             and %s", humanize.Number(int64(len(h.DependsOn)-i), "more", "more"))
			break
		}
		p.line("             %s: %s", humanize.Visible(f.Name), humanize.Number(f.URLs, "URL", "URLs"))
	}
}
