package report

import (
	"fmt"

	"quire/internal/humanize"
	"quire/model"
)

// infectedShown limits the infected payloads on a screen.
const infectedShown = 5

// scan shows the result of the virus scanner, if used.
func (p *lines) scan(s *model.Scan) {
	if s == nil {
		return
	}
	p.field("viruses", ScanSummary(s))
	shown := s.Found[:min(len(s.Found), infectedShown)]
	for _, f := range shown {
		p.wrapf(valueColumn, "  %-10s %s at byte %d, %s", "", humanize.Visible(f.Signature), f.Offset,
			humanize.Visible(humanize.Clip(f.URI, 2*nameWidth)))
	}
	if more := s.Infected - int64(len(shown)); more > 0 {
		p.addf("  %-10s and %s more", "", humanize.Grouped(more))
	}
	for _, r := range s.Reasons[:min(len(s.Reasons), namesShown)] {
		p.field("", "not scanned: "+humanize.Number(r.Count, "payload", "payloads")+", "+r.Name)
	}
	for _, by := range s.Scanners {
		p.field("scanned", "by "+by.String())
	}
}

// ScanSummary describes the findings in a line: the number of infected payloads, or that none was
// scanned.
func ScanSummary(s *model.Scan) string {
	switch s.Outcome {
	case model.ScanInfected:
		return fmt.Sprintf("found in %s, of %s scanned%s", humanize.Grouped(s.Infected), humanize.Grouped(s.Scanned),
			unscanned(s))
	case model.ScanNotDone:
		return "not scanned"
	}
	return "none found in " + humanize.Number(s.Scanned, "payload", "payloads") + unscanned(s)
}

func unscanned(s *model.Scan) string {
	if s.NotScanned == 0 {
		return ""
	}
	return "; " + humanize.Grouped(s.NotScanned) + " not scanned"
}
