package archive

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
)

// Summary says what is in the index, for those who run the server.
type Summary struct {
	Packages int64             `json:"packages"`
	Shown    int64             `json:"shown"`    // records, as they were when their package was looked at
	Hidden   int64             `json:"hidden"`   // that rights do not allow here
	Unstated int64             `json:"unstated"` // of these, those of which nobody says anything
	LeftOut  []LeftOut         `json:"left_out"` // captures that are no records
	Problems map[string]string `json:"problems"` // packages that could not be read, and why
}

// LeftOut is a reason why captures are no records, and how many.
type LeftOut struct {
	Why   string `json:"why"`
	Count int64  `json:"count"`
}

// Summary tells what is in the index now.
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
