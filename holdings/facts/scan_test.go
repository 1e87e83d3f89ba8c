package facts

import (
	"testing"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/model"
)

// The outcome of a virus check is read from packages of every age. If infected records are not
// counted, nothing of the container may be shown.
func TestOutcomeOfAVirusCheck(t *testing.T) {
	for _, c := range []struct {
		outcome, note string
		want          model.ScanOutcome
		infected      int64
	}{
		{"no virus detected", "no virus detected; 3 bytestreams scanned", model.ScanClean, 0},
		{"viral, failed but forced", "viral, failed but forced: 2 bytestreams of 3 scanned", model.ScanInfected, 2},
		{"viral, cleaned", "viral, cleaned: 1 bytestream of 3 scanned", model.ScanInfected, 1},
		{"success", "no virus detected; 3 bytestreams scanned", model.ScanClean, 0},
		{"fail", "viral, failed but forced: 2 bytestreams of 3 scanned", model.ScanInfected, 2},
		{"warning", "viral, cleaned: 1 bytestream of 3 scanned", model.ScanInfected, 1},
		{"warning", "no virus detected in 2 bytestreams; 1 bytestream not scanned", model.ScanIncomplete, 0},
		{"fail", "not scanned: clamd was away", model.ScanNotDone, 0},
		{"no virus detected", "", model.ScanClean, 0},
		{"viral, cleaned", "", model.ScanInfected, -1},
		{"viral, failed but forced", "of another program", model.ScanInfected, -1},
	} {
		r := &reader{Facts: &Facts{}, events: map[int][]Event{}, infected: map[int]int64{},
			scans: map[int]model.ScanOutcome{}, agents: map[string]string{}}
		e := premis.Event{Type: premis.EventType("virus check"),
			Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(c.outcome)}}}
		if c.note != "" {
			e.Outcomes[0].Notes = []string{c.note}
		}
		r.event(&mets.Section{ID: "EVT-vir-c1", AmdSec: "AMD-c1"}, &e)
		if r.scans[1] != c.want || r.infected[1] != c.infected {
			t.Errorf("%s, %q: %s, %d infected", c.outcome, c.note, r.scans[1], r.infected[1])
		}
	}
}
