package aip

import (
	"cmp"
	"slices"
	"sync"

	"quire/internal/humanize"
	"quire/model"
)

// Report is the result of [Validate]. Its JSON form is the contract of "quire validate --json".
type Report struct {
	Path          string          `json:"path"`    // of the package folder, as given
	ID            string          `json:"id"`      // of the package, as in its METS
	Outcome       string          `json:"outcome"` // "valid", or "invalid" when a finding is an error
	Checks        []Check         `json:"checks"`  // all checks, in the order of clause 4
	Findings      []model.Finding `json:"findings"`
	FindingsTotal int64           `json:"findings_total"` // Findings has at most MaxFindings per code
	Files         int64           `json:"files"`          // files in the folder, listed or not
	Bytes         int64           `json:"bytes"`          // their total size
}

// MaxFindings is how many findings of one code a report keeps.
const MaxFindings = 1000

// CheckOutcome is the outcome of a check.
type CheckOutcome string

// The outcomes of a check. A skipped check is not done: it states the reason, and is never treated
// as passed.
const (
	Passed  CheckOutcome = "passed"
	Failed  CheckOutcome = "failed"
	NotDone CheckOutcome = "not-done"
)

// Check is one of the checks of clause 4.
type Check struct {
	Name    string       `json:"name"`
	Outcome CheckOutcome `json:"outcome"`
	Detail  string       `json:"detail"`
}

// findings collects the findings of the checks. Several goroutines may add at once.
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

// sorted returns the findings by check and file. Findings of one file keep their order of arrival.
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

// total counts the findings of one check, or of all checks if check is "".
func (f *findings) total(check string, severity model.Severity) (n int64) {
	for code, count := range f.counts {
		e, _ := Catalogue.Explain(code)
		if (check == "" || e.Check == check) && e.Severity == severity {
			n += count
		}
	}
	return n
}

// outcome returns the outcome of a check. skipped is the reason why it was not done, or not
// finished.
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
