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

// found matches the beginning of virus check notes that report a finding
// (docs/reference/310_package-format.md, 3.5).
var found = regexp.MustCompile(`^viral, [a-z ]+: ([0-9,]+) bytestream`)

// maxDetail limits the stored detail of an event, in bytes.
const maxDetail = 500

// event keeps the events of containers, and of the whole package.
func (r *reader) event(s *mets.Section, e *premis.Event) {
	n := 0
	switch {
	case s.AmdSec == aip.PackageAmdID && (s.ID == aip.CaptureEventID || s.ID == aip.IngestEventID):
	case s.AmdSec == aip.PackageAmdID:
		return // of packing itself, or of one harvest among several
	default:
		if _, err := fmt.Sscanf(s.AmdSec, "AMD-c%d", &n); err != nil || strings.Contains(s.ID, "-f") {
			return
		}
	}
	out := Event{Type: e.Type.Text, Detail: strings.Join(e.Details, "; ")}
	start, _, _ := strings.Cut(e.DateTime, "/") // of a span of time
	out.Time, _ = xmlstream.ParseTime(start)    // zero if invalid
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
		if _, counted := r.infected[n]; r.scans[n] == model.ScanInfected && !counted {
			r.infected[n] = -1 // the number of infected records is not stated
		}
	}
	if len(out.Detail) > maxDetail {
		out.Detail = strings.ToValidUTF8(out.Detail[:maxDetail], "") + " …"
	}
	r.events[n] = append(r.events[n], out)
}

// scanned returns the outcome of a virus check, from its first note or from its outcome
// (docs/reference/310_package-format.md, 3.5). Packages before that clause had other outcomes.
func scanned(e *premis.Event) model.ScanOutcome {
	for _, o := range e.Outcomes {
		for _, text := range append(o.Notes[:len(o.Notes):len(o.Notes)], o.Outcome.Text) {
			switch {
			case strings.HasPrefix(text, "viral, "):
				return model.ScanInfected
			case strings.HasPrefix(text, string(model.NoVirus)+" in "):
				return model.ScanIncomplete
			case strings.HasPrefix(text, string(model.NoVirus)):
				return model.ScanClean
			}
		}
	}
	return model.ScanNotDone
}

// Limits of the stored notes and agents of an event.
const maxNotes = 1000

// packageEvent keeps events of the whole package, and of its harvests.
func (r *reader) packageEvent(s *mets.Section, e *premis.Event) {
	if s.AmdSec != aip.PackageAmdID {
		return
	}
	p := PackageEvent{Event: Event{Type: e.Type.Text, Detail: strings.Join(e.Details, "; ")}, ID: s.ID}
	start, end, span := strings.Cut(e.DateTime, "/")
	p.Time, _ = xmlstream.ParseTime(start) // zero if invalid
	if span {
		p.End, _ = xmlstream.ParseTime(end)
	}
	for i, o := range e.Outcomes {
		if i == 0 {
			p.Outcome = o.Outcome.Text
		}
		p.Notes = append(p.Notes, o.Notes[:min(len(o.Notes), maxNotes-len(p.Notes))]...)
	}
	for i := range e.Agents[:min(len(e.Agents), maxNotes)] {
		if a := &e.Agents[i]; !aip.IsPlan(a) { // the facts have the job, its definition and the user agent
			p.Agents = append(p.Agents, a.Value)
		}
	}
	r.Events = append(r.Events, p)
}
