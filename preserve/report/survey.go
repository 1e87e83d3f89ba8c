package report

import (
	"fmt"
	"io"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/humanize"
	"quire/model"
	"quire/source/detect"
	"quire/source/survey"
)

// Limits of the screen output.
const (
	unclaimedShown = 10
	reasonsShown   = 3
	surveyFindings = 3 // of each code
	noteWidth      = 300
)

// Survey shows the content of a source: each harvest with its known facts, then files outside all
// harvests, then rejected files. With All, it shows each fact with its evidence.
func Survey(w io.Writer, v *survey.Survey, o TextOptions) error {
	p := &lines{width: o.Width}
	sources := strings.Join(v.Sources, ", ")
	switch n := int64(len(v.Harvests)); n {
	case 0:
		p.wrapf(2, "No harvest recognized in %s.", humanize.Visible(sources))
	default:
		p.wrapf(2, "%s in %s", humanize.Number(n, "harvest", "harvests"), humanize.Visible(sources))
	}
	for i := range v.Harvests {
		p.addf("")
		p.harvest(i+1, &v.Harvests[i], o)
	}
	p.opened(v)
	p.unclaimed(v, o)
	p.refused(v, o)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("printing the survey of %s: %w", sources, err)
	}
	return nil
}

// oneLine removes line ends and indents from text entered in forms and XML.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func isEmpty(s string) bool { return s == "" }

// some shows the first values of a field, one per line, and the number of others.
func (p *lines) some(name string, values []string, o TextOptions) {
	p.someOf(name, values, int64(len(values)), o)
}

// someOf is some with a separate total.
func (p *lines) someOf(name string, values []string, total int64, o TextOptions) {
	shown := int64(0)
	for _, value := range values {
		if shown == reasonsShown && !o.All {
			break
		}
		p.wrapf(valueColumn, "  %-10s %s", name, humanize.Visible(value))
		name = ""
		shown++
	}
	if more := total - shown; more > 0 {
		p.field(name, "and "+humanize.Grouped(more)+" more")
	}
}

// opened shows the opened archives.
func (p *lines) opened(v *survey.Survey) {
	if len(v.Opened) == 0 {
		return
	}
	p.addf("")
	p.addf("Opened: %s", humanize.Number(int64(len(v.Opened)), "archive with harvests",
		"archives with harvests"))
	for i, a := range v.Opened {
		if i == unclaimedShown {
			p.addf("  and %s more", humanize.Grouped(int64(len(v.Opened)-i)))
			break
		}
		p.addf("  %s, %s", humanize.Visible(a.Path), humanize.Size(a.Size))
	}
}

// unclaimed shows the files outside all harvests, with reasons.
func (p *lines) unclaimed(v *survey.Survey, o TextOptions) {
	if v.UnclaimedTotal == 0 {
		return
	}
	p.addf("")
	p.addf("In no harvest: %s", humanize.Number(v.UnclaimedTotal, "file", "files"))
	for i, u := range v.Unclaimed {
		if i == unclaimedShown && !o.All {
			break
		}
		p.wrapf(4, "  %s, %s: %s", humanize.Visible(u.Path), humanize.Size(u.Size), humanize.Visible(u.Why))
	}
	shown := int64(len(v.Unclaimed))
	if !o.All {
		shown = min(shown, unclaimedShown)
	}
	if more := v.UnclaimedTotal - shown; more > 0 {
		p.addf("  and %s more", humanize.Grouped(more))
	}
}

// parts are the findings about the source itself, in sections: only those of the last one are about
// refused parts.
var parts = []struct {
	title string
	code  string // "" for all others
}{
	{"Links within the source", string(archivefs.FaultAlias)},
	{"Containers within a website", detect.CodeDownload},
	{"Refused", ""},
}

// refused shows the links that lead to files of the source, the containers that a website may have
// offered for download, and the files and entries rejected while opening folders and archives.
func (p *lines) refused(v *survey.Survey, o TextOptions) {
	named := map[string]bool{}
	for _, part := range parts {
		named[part.code] = true
		var found []model.Finding
		counts := map[string]int64{}
		for _, f := range v.Findings {
			if f.Code == part.code || part.code == "" && !named[f.Code] {
				found = append(found, f)
				counts[f.Code]++
			}
		}
		if len(found) == 0 {
			continue
		}
		p.addf("")
		p.addf("%s", part.title)
		p.surveyed(found, counts, o)
	}
}
