package pages

import (
	"quire/holdings"
	"quire/holdings/captures"
)

// counts adds up the captures that the reader may know of, by periods of that many digits, the
// earliest first. It needs some milliseconds for a hundred thousand captures. Periods of a minute
// are counted one by one, because an hour never has that many captures.
func (s *site) counts(q *request, query captures.Query, digits int) (all []bucket, err error) {
	if digits > int(captures.Hour) {
		return s.countEach(q, query, digits)
	}
	counts, err := s.h.Counts(q.Context(), q.who, query, captures.Period(digits))
	for i := range counts {
		all = append(all, bucket{counts[i].Period, tallyOf(&counts[i])})
	}
	return all, err
}

// tallyOf classifies counted captures, like kindOf.
func tallyOf(c *holdings.Count) tally {
	t := tally{locked: int64(c.Denied), same: int64(c.Revisits)}
	for class, kind := range [...]string{other, good, good, moved, failed, failed} {
		t[kind] += int64(c.Class[class] - c.Repeated[class])
	}
	return t
}

func (s *site) countEach(q *request, query captures.Query, digits int) (all []bucket, err error) {
	for c, err := range s.h.Captures(q.Context(), q.who, query) {
		if err != nil {
			return nil, err
		}
		if n := len(all); n == 0 || all[n-1].Period != c.Timestamp[:digits] {
			all = append(all, bucket{c.Timestamp[:digits], tally{}})
		}
		kind := locked
		if c.Allowed {
			kind = kindOf(c.Capture)
		}
		all[len(all)-1].tally[kind]++
	}
	return all, nil
}
