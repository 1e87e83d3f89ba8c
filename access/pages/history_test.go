package pages

import (
	"testing"

	"quire/access/pages/uistrings"
	"quire/holdings"
	"quire/model"
)

// Each outcome of a virus check has its sentence and its class: infected content is never shown as a
// success.
func TestOutcomesOfVirusChecks(t *testing.T) {
	s := &site{words: uistrings.English()}
	for outcome, want := range map[model.EventOutcome][2]string{
		model.Success:      {"Succeeded.", ""},
		model.NoVirus:      {"No virus detected.", ""},
		model.ViralCleaned: {"Infected content was cleaned.", "warning"},
		model.ViralForced:  {"Infected content is kept as received.", "fail"},
		"of another tool":  {"Outcome: of another tool.", ""},
	} {
		got := s.describeEvent(&holdings.Event{Type: string(model.VirusCheck), Outcome: string(outcome)})
		if got.Outcome != want[0] || got.Class != want[1] ||
			got.Sentence != "The content was scanned for viruses" {
			t.Errorf("%s: %q, class %q, %q", outcome, got.Outcome, got.Class, got.Sentence)
		}
	}
}
