package catalogue

import (
	"fmt"
	"iter"
)

// paged yields the rows after an id, one page after another. read returns the rows after an id,
// and key the id of a row.
func paged[T any](after string, read func(after string) ([]T, error), key func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		after := after
		for {
			page, err := read(after)
			if err != nil {
				var none T
				yield(none, fmt.Errorf("catalogue: listing the packages: %w", err))
				return
			}
			if len(page) == 0 {
				return
			}
			for _, row := range page {
				if !yield(row, nil) {
					return
				}
			}
			after = key(page[len(page)-1])
		}
	}
}
