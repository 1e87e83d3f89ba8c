package report

import (
	"cmp"
	"time"

	"quire/model"
)

// folder is the sum over all containers of a report.
type folder struct {
	Containers, Valid, Incomplete, Invalid, Foreign int64
	Records, Bytes, Inflated, Findings              int64
	First, Last                                     time.Time

	found    groups
	days     *timeline
	tallies  map[By]*tally
	versions *tally
	software *tally
	explain  Explainer

	IdentifiedBy string // tool that identified the formats of the first container that has any
}

// charted lists, in order, the tables of the page that show counts by name.
var charted = []By{ByYear, ByFormat, ByMIME, ByHost, ByStatus, ByType}

func newFolder(explain Explainer) *folder {
	f := &folder{found: groups{}, days: newTimeline(), tallies: map[By]*tally{}, versions: newTally(),
		software: newTally(), explain: explain}
	for _, by := range charted {
		f.tallies[by] = newTally()
	}
	return f
}

// add counts a container.
func (f *folder) add(c *model.Container) {
	f.Containers++
	switch c.Outcome {
	case model.Valid:
		f.Valid++
	case model.Incomplete:
		f.Incomplete++
	case model.Invalid:
		f.Invalid++
	default:
		f.Foreign++
	}
	f.Records += c.Records.Total
	f.Bytes += c.Bytes
	f.Inflated += c.InflatedBytes
	f.Findings += max(c.FindingsTotal, int64(len(c.Findings)))
	f.IdentifiedBy = cmp.Or(f.IdentifiedBy, c.IdentifiedBy)
	f.found.add(c, f.explain)
	f.days.add(c)
	f.span(c)
	for _, by := range charted {
		for _, r := range rowsOf(c, by) {
			f.tallies[by].add(f.Containers, r)
		}
	}
	f.versions.add(f.Containers, Row{Name: kindOf(c), Count: 1, Bytes: c.Bytes})
	if c.Software != "" {
		f.software.add(f.Containers, Row{Name: c.Software, Count: 1, Bytes: c.Bytes})
	}
}

func (f *folder) span(c *model.Container) {
	if c.First != nil && (f.First.IsZero() || c.First.Before(f.First)) {
		f.First = *c.First
	}
	if c.Last != nil && c.Last.After(f.Last) {
		f.Last = *c.Last
	}
}
