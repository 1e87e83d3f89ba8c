package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quire/holdings"
)

// EmptyError reports that nothing of a package is open to the readers of an export. Run and Plan
// return it before anything is written: an item without content would pass as the website.
type EmptyError struct {
	ID   string // of the package
	For  holdings.Class
	Kept map[Reason]int64 // withheld captures and files, by reason; hidden ones are not counted
}

// Error implements error.
func (e *EmptyError) Error() string {
	text := fmt.Sprintf("nothing of package %s is open to readers of the class %s", e.ID, e.For)
	var counts []string
	for _, r := range slices.Sorted(maps.Keys(e.Kept)) {
		counts = append(counts, fmt.Sprintf("%s: %d", r, e.Kept[r]))
	}
	if len(counts) > 0 {
		text += " (withheld by " + strings.Join(counts, ", ") + ")"
	}
	return text
}

// empty returns an EmptyError if the export would have no content. For the public, a package without
// captures is like one with only hidden captures: the difference would reveal them.
func (w *work) empty() error {
	s := w.source
	switch {
	case s.given > 0,
		s.Who.Class == holdings.Staff && s.kept.withheld() == 0,
		w.request.Options.Infected && s.kept.counts[Infected] > 0,
		w.format.Besides != nil && w.format.Besides(s, w.request.Options):
		return nil
	}
	counts := maps.Clone(s.kept.counts)
	delete(counts, Damaged) // nothing of it was withheld
	return &EmptyError{s.ID(), s.Who.Class, counts}
}
