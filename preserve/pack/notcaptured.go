package pack

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"quire/internal/humanize"
	"quire/model"
	"quire/source"
)

// missed counts the URLs that a harvest did not capture, by reason.
type missed struct {
	fetches int64 // in the logs
	by      map[model.Miss]int64
	copies  int64 // reported as equal to content in another file
	odd     int64 // unreadable lines
}

// countMissed reads the logs of a harvest once, and passes each line to line.
func countMissed(ctx context.Context, h source.Harvest, line func(*model.Fetch) error) (missed, error) {
	m := missed{by: map[model.Miss]int64{}}
	for f, err := range h.Fetches(ctx, func(model.Finding) { m.odd++ }) {
		if err != nil {
			return m, err
		}
		if err := line(&f); err != nil {
			return m, err
		}
		m.fetches++
		if f.Miss != "" {
			m.by[f.Miss]++
		}
		if f.Duplicate != nil {
			m.copies++
		}
	}
	return m, ctx.Err()
}

// notes returns the counts as notes of an event.
func (m *missed) notes() []string {
	if m.fetches == 0 {
		return nil
	}
	notes := []string{fmt.Sprintf("the logs tell of %s", humanize.Count(m.fetches, "attempt"))}
	for _, reason := range slices.Sorted(maps.Keys(m.by)) {
		notes = append(notes, fmt.Sprintf("not captured, %s: %d", reason, m.by[reason]))
	}
	if m.copies > 0 {
		notes = append(notes, fmt.Sprintf("not captured again, since the content was in another file: %d", m.copies))
	}
	if m.odd > 0 {
		notes = append(notes, fmt.Sprintf("lines of the logs that cannot be read: %d", m.odd))
	}
	return notes
}
