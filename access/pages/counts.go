package pages

import (
	"quire/access/index"
)

// counts counts what the reader may know of, by periods of so many digits, the earliest first.
func (s *site) counts(q *request, query index.Query, digits int) ([]bucket, error) {
	var all []bucket
	for c, err := range s.h.Captures(q.Context(), q.who, query) {
		if err != nil {
			return nil, err
		}
		if len(c.Timestamp) < digits {
			continue
		}
		period := c.Timestamp[:digits]
		if n := len(all); n == 0 || all[n-1].Period != period {
			all = append(all, bucket{period, tally{}})
		}
		kind := locked
		if c.Allowed {
			kind = kindOf(c.Capture)
		}
		all[len(all)-1].tally[kind]++
	}
	return all, nil
}
