package archive

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
)

// Summary describes the content of the index for administrators.
type Summary struct {
	Packages int64             `json:"packages"`
	Shown    int64             `json:"shown"`    // records, at the time of the last reading of their package
	Hidden   int64             `json:"hidden"`   // withheld here by rights
	Unstated int64             `json:"unstated"` // of these, without a rights statement
	LeftOut  []LeftOut         `json:"left_out"` // captures that are not records
	Problems map[string]string `json:"problems"` // unreadable packages, with the reason
}

// LeftOut is a reason why captures are not records, with their number.
type LeftOut struct {
	Why   string `json:"why"`
	Count int64  `json:"count"`
}

// Summary returns the current content of the index.
func (a *Archive) Summary(ctx context.Context) (s Summary, err error) {
	left := map[string]int64{}
	s.Problems = map[string]string{}
	err = each(ctx, a.index.db, func(scan func(...any) error) error {
		var name, problem, out string
		var shown, hidden, unstated int64
		if err := scan(&name, &problem, &shown, &hidden, &unstated, &out); err != nil {
			return err
		}
		s.Packages++
		s.Shown, s.Hidden, s.Unstated = s.Shown+shown, s.Hidden+hidden, s.Unstated+unstated
		if problem != "" {
			s.Problems[name] = problem
		}
		counts := map[string]int64{}
		if out != "" {
			if err := json.Unmarshal([]byte(out), &counts); err != nil {
				return err
			}
		}
		for why, n := range counts {
			left[why] += n
		}
		return nil
	}, "SELECT name, problem, shown, hidden, unstated, left_out FROM package")
	for _, why := range slices.Sorted(maps.Keys(left)) {
		s.LeftOut = append(s.LeftOut, LeftOut{why, left[why]})
	}
	return s, err
}
