package aip

import (
	"cmp"
	"slices"
	"sync"

	"quire/internal/humanize"
	"quire/model"
)

// Report is what [Validate] found. Its JSON form is the contract of "quire validate --json".
type Report struct {
	Path          string          `json:"path"`    // of the package folder, as given
	ID            string          `json:"id"`      // of the package, as its METS says
	Outcome       string          `json:"outcome"` // "valid", or "invalid" when a finding is an error
	Checks        []Check         `json:"checks"`  // all of them, in the order of clause 4
	Findings      []model.Finding `json:"findings"`
	FindingsTotal int64           `json:"findings_total"` // Findings has at most MaxFindings of a code
	Files         int64           `json:"files"`          // files in the folder, listed or not
	Bytes         int64           `json:"bytes"`          // their size
}

// MaxFindings is how many findings of one code a report keeps.
const MaxFindings = 1000

// CheckOutcome says how a check ended.
type CheckOutcome string

// The outcomes of a check. One that was not done says why, and never counts as passed.
const (
	Passed  CheckOutcome = "passed"
	Failed  CheckOutcome = "failed"
	NotDone CheckOutcome = "not-done"
)

// Check is one of the checks that clause 4 asks for.
type Check struct {
	Name    string       `json:"name"`
	Outcome CheckOutcome `json:"outcome"`
	Detail  string       `json:"detail"`
}

// findings collects what the checks find. Several goroutines may add at once.
type findings struct {
	mu     sync.Mutex
	kept   []model.Finding
	counts map[string]int64 // by code
}

func newFindings() *findings { return &findings{kept: []model.Finding{}, counts: map[string]int64{}} }

func (f *findings) add(b *breach) {
	if b == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[b.code]++
	if f.counts[b.code] <= MaxFindings {
		f.kept = append(f.kept, b.finding())
	}
}

// sorted gives the findings by check and file; those of one file stay in the order they came in.
func (f *findings) sorted() []model.Finding {
	slices.SortStableFunc(f.kept, func(a, b model.Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(checkOrder, checkOf(a.Code)), slices.Index(checkOrder, checkOf(b.Code))),
			cmp.Compare(a.Path, b.Path),
		)
	})
	return f.kept
}

func checkOf(code string) string {
	e, _ := Catalogue.Explain(code)
	return e.Check
}

// total counts the findings of one check, or of all of them when check is "".
func (f *findings) total(check string, severity model.Severity) (n int64) {
	for code, count := range f.counts {
		e, _ := Catalogue.Explain(code)
		if (check == "" || e.Check == check) && e.Severity == severity {
			n += count
		}
	}
	return n
}

// outcome gives how a check ended. skipped is why it was not done, or not to its end.
func (f *findings) outcome(check, skipped, done string) Check {
	wrong, warnings := f.total(check, model.Error), f.total(check, model.Warning)
	c := Check{Name: check, Outcome: Passed, Detail: done}
	switch {
	case wrong > 0:
		c.Outcome, c.Detail = Failed, humanize.Count(wrong, "problem")
		if skipped != "" {
			c.Detail += "; " + skipped
		}
	case skipped != "":
		c.Outcome, c.Detail = NotDone, skipped
	}
	if warnings > 0 {
		c.Detail += "; " + humanize.Count(warnings, "warning")
	}
	return c
}
