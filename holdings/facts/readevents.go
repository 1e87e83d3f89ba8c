package facts

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
)

// found is how the notes of a virus check begin when something was found
// (docs/reference/310_package-format.md, 3.5).
var found = regexp.MustCompile(`^viral, [a-z ]+: ([0-9,]+) bytestream`)

// maxDetail is the kept length of an event's detail, in bytes.
const maxDetail = 500

// event keeps the events that are about a container or the package as a whole.
func (r *reader) event(s *mets.Section, e *premis.Event) {
	n := 0
	switch {
	case s.AmdSec == aip.PackageAmdID && (s.ID == aip.CaptureEventID || s.ID == aip.IngestEventID):
	case s.AmdSec == aip.PackageAmdID:
		return // of the package's making, or of one harvest among several
	default:
		if _, err := fmt.Sscanf(s.AmdSec, "AMD-c%d", &n); err != nil || strings.Contains(s.ID, "-f") {
			return
		}
	}
	out := Event{Type: e.Type.Text, Detail: strings.Join(e.Details, "; ")}
	out.Time, _ = xmlstream.ParseTime(e.DateTime) // a span has none: it is left out
	for i, o := range e.Outcomes {
		if i == 0 {
			out.Outcome = o.Outcome.Text
		}
		for _, note := range o.Notes {
			if m := found.FindStringSubmatch(note); m != nil {
				count, err := strconv.ParseInt(strings.ReplaceAll(m[1], ",", ""), 10, 64)
				if err != nil {
					count = -1
				}
				r.infected[n] = count
			}
		}
	}
	if e.Type.Text == string(model.VirusCheck) {
		r.scans[n] = scanned(e)
	}
	if len(out.Detail) > maxDetail {
		out.Detail = strings.ToValidUTF8(out.Detail[:maxDetail], "") + " …"
	}
	r.events[n] = append(r.events[n], out)
}

// scanned is the outcome of a virus check, by its first note (docs/reference/310_package-format.md,
// 3.5).
func scanned(e *premis.Event) model.ScanOutcome {
	for _, o := range e.Outcomes {
		for _, note := range o.Notes {
			switch {
			case strings.HasPrefix(note, "viral, "):
				return model.ScanInfected
			case strings.HasPrefix(note, "no virus detected in "):
				return model.ScanIncomplete
			case strings.HasPrefix(note, "no virus detected"):
				return model.ScanClean
			}
		}
	}
	return model.ScanNotDone
}

// The most notes, and agents, that are kept of an event.
const maxNotes = 1000

// packageEvent keeps events of the package as a whole, and of its harvests.
func (r *reader) packageEvent(s *mets.Section, e *premis.Event) {
	if s.AmdSec != aip.PackageAmdID {
		return
	}
	p := PackageEvent{Event: Event{Type: e.Type.Text, Detail: strings.Join(e.Details, "; ")}, ID: s.ID}
	start, end, span := strings.Cut(e.DateTime, "/")
	p.Time, _ = xmlstream.ParseTime(start) // zero when it is no time
	if span {
		p.End, _ = xmlstream.ParseTime(end)
	}
	for i, o := range e.Outcomes {
		if i == 0 {
			p.Outcome = o.Outcome.Text
		}
		p.Notes = append(p.Notes, o.Notes[:min(len(o.Notes), maxNotes-len(p.Notes))]...)
	}
	for _, a := range e.Agents[:min(len(e.Agents), maxNotes)] {
		p.Agents = append(p.Agents, a.Value)
	}
	r.Events = append(r.Events, p)
}
