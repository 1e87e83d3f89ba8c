package numbers

import (
	"context"
	"io"

	"quire/preserve/report"
	"quire/repository/store"
)

// pageRows is the number of names of a chart on a page of all criteria.
const pageRows = 25

// onPage are the criteria of a page, in its order.
var onPage = []report.By{report.ByYear, report.ByFormat, report.ByMIME, report.ByLanguage, report.ByHost,
	report.ByStatus, report.ByType, report.ByOutcome, report.ByFinding, report.ByCompleteness, report.ByDefinition}

// Page writes a page with a chart for each criterion. Each has the most frequent names, by default 25; years are
// complete.
func Page(ctx context.Context, s *store.Store, q Query, w io.Writer) error {
	if q.Top == 0 {
		q.Top = pageRows
	}
	var charts []report.Chart
	var scope *report.Scope
	for _, by := range onPage {
		of := q
		if of.By = by; by == report.ByYear {
			of.Top = 0
		}
		t, err := Table(ctx, s, of)
		if err != nil {
			return err
		}
		if scope == nil {
			scope = t.Scope
		}
		scope.Unidentified = max(scope.Unidentified, t.Scope.Unidentified)
		scope.Unlisted = max(scope.Unlisted, t.Scope.Unlisted)
		charts = append(charts, t.Chart())
	}
	return report.Charts(w, "The collection in numbers:"+scope.Title(), scope.Notes(), charts...)
}
