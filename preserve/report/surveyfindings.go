package report

import (
	"quire/internal/humanize"
	"quire/model"
	"quire/source"
	"quire/source/survey"
)

// restricted shows the files with secrets, without revealing these.
func (p *lines) restricted(h *survey.HarvestSurvey, o TextOptions) {
	var list []string
	for _, r := range h.Restricted {
		list = append(list, r.Path+": "+r.Why)
	}
	p.some("restricted", list, o)
}

// because shows the evidence for the kind of harvest, and the discarded alternatives.
func (p *lines) because(h *survey.HarvestSurvey, o TextOptions) {
	p.some("because", h.Why, o)
	for _, over := range h.Overridden {
		what := systemOf(over.System) + " in " + over.Root + ", " + humanize.Number(over.Lost, "file", "files") + ": " +
			over.Why
		if over.Kept {
			what += "; it retains its other files"
		}
		p.field("and not", what)
	}
}

// surveyed shows findings by code, with examples. Those about secrets appear as restricted files.
func (p *lines) surveyed(findings []model.Finding, counts map[string]int64, o TextOptions) {
	shown := map[string]int64{}
	for _, severity := range []model.Severity{model.Error, model.Warning, model.Info} {
		for _, f := range findings {
			if f.Severity != severity || shownAsRestricted[f.Code] {
				continue
			}
			if shown[f.Code]++; shown[f.Code] > surveyFindings && !o.All {
				continue
			}
			p.wrapf(valueColumn, "  %-10s %s", string(severity), humanize.Visible(f.Code+"  "+placeOf(f)+f.Message))
		}
	}
	more := int64(0)
	for code, n := range counts {
		if listed := min(shown[code], surveyFindings); !o.All && !shownAsRestricted[code] {
			more += n - listed
		} else if o.All && !shownAsRestricted[code] {
			more += n - shown[code]
		}
	}
	if more > 0 {
		p.field("", "and "+humanize.Number(more, "finding", "findings")+" more of these kinds")
	}
}

// shownAsRestricted are the codes of findings that restrict a file; they are shown with the file.
var shownAsRestricted = map[string]bool{source.CodeSecret: true, source.CodePersonal: true}

func placeOf(f model.Finding) string {
	if f.Path == "" {
		return ""
	}
	if f.Offset > 0 {
		return f.Path + ", byte " + humanize.Grouped(f.Offset) + ": "
	}
	return f.Path + ": "
}
