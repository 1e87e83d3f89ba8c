package aip

import (
	"slices"
	"testing"

	"quire/internal/findingtest"
	"quire/model"
)

// Every entry of the catalogue is complete, and its document is current.
func TestFindingsAreExplained(t *testing.T) {
	findingtest.Document(t, "../../docs/reference/505_package-findings.md", findingtest.Table(Catalogue))
	for _, e := range Catalogue.All() {
		if e.Meaning == "" || e.Advice == "" || !slices.Contains(checkOrder, e.Check) || e.Severity != model.Error &&
			e.Severity != model.Warning {
			t.Errorf("quire explain %s: %+v", e.Code, e)
		}
	}
}
