package catalogue

import (
	"context"
	"fmt"
	"iter"
)

// Debt is a package that a copy does not have yet, or has in an older version only.
type Debt struct {
	Package string `json:"package"`
	Copy    string `json:"copy"`
	Status  Status `json:"status"` // owed, or missing
}

// Debts yields the packages that a copy lacks, as far as known, sorted by package and copy. It reads
// in pages and holds no lock between them. The error is the last value yielded.
func (c *Catalogue) Debts(ctx context.Context) iter.Seq2[Debt, error] {
	return func(yield func(Debt, error) bool) {
		var last Debt
		for {
			page, err := collect(ctx, c, func(row scanner) (Debt, error) {
				var d Debt
				err := row.Scan(&d.Package, &d.Copy, &d.Status)
				return d, err
			}, `SELECT package, name, status FROM copies WHERE (package, name) > (?, ?)
				AND status IN ('owed', 'missing') ORDER BY package, name LIMIT 256`, last.Package, last.Copy)
			if err != nil {
				yield(Debt{}, fmt.Errorf("catalogue: listing owed packages: %w", err))
				return
			}
			if len(page) == 0 {
				return
			}
			for _, d := range page {
				if !yield(d, nil) {
					return
				}
			}
			last = page[len(page)-1]
		}
	}
}
