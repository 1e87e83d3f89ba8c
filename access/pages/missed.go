package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"quire/holdings"
)

// missedRow is the number of URLs not captured for a reason.
type missedRow struct {
	Reason, Text, Value string
	Width               int    // of its bar, in per cent of the longest
	URL                 string // of its list; "" if none
}

// reason explains in words why a URL was not captured.
func (s *site) reason(name string) string { return s.words.Reason(name) }

// missedNote translates the notes of quire pack about logs; other notes stay as recorded.
func (s *site) missedNote(note string) string {
	rest, ok := strings.CutPrefix(note, "the logs tell of ")
	number, _, _ := strings.Cut(rest, " ")
	if n, err := strconv.ParseInt(number, 10, 64); ok && err == nil {
		return s.words.N("missed.attempts", n)
	}
	return note
}

// countedThen adds up the URLs that were not captured, from the counts made when the package was
// made. told reports whether there are such counts.
func countedThen(run *holdings.Harvest) (sum int64, told bool) {
	for _, note := range run.Missed {
		rest, ok := strings.CutPrefix(note, "not captured, ")
		if _, number, more := strings.Cut(rest, ": "); ok && more {
			if n, err := strconv.ParseInt(number, 10, 64); err == nil {
				sum, told = sum+n, true
			}
		}
	}
	return sum, told
}

// linkMissed links the numbers to the list, if the reader may see the logs that the list was made
// from.
func (s *site) linkMissed(q *request, h *harvestPage, id string, n int) error {
	if s.Missed == nil || len(h.Missed) == 0 {
		return nil
	}
	names, err := s.h.Naming(q.Context(), q.who, id, n)
	if err != nil || !names.Open() {
		return notFoundIf(err)
	}
	h.MissedList = s.ui.Missed(id, n, "", "", 0)
	for i := range h.Missed {
		h.Missed[i].URL = s.ui.Missed(id, n, h.Missed[i].Reason, "", 0)
	}
	return nil
}

// missed shows the URLs not captured, as noted in the package
// (docs/reference/310_package-format.md, 3.3): "not captured, robots: 17".
func (s *site) missed(h *harvestPage, run *holdings.Harvest) {
	h.MissedWords = s.words.T("harvest.missed.unknown")
	most, all := int64(0), []count(nil)
	for _, note := range run.Missed {
		rest, ok := strings.CutPrefix(note, "not captured, ")
		if !ok {
			h.MissedNotes = append(h.MissedNotes, s.missedNote(note))
			h.MissedWords = s.words.T("harvest.missed.none")
			continue
		}
		name, number, _ := strings.Cut(rest, ": ")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			all, most = append(all, count{Name: name, N: n}), max(most, n)
		} else {
			h.MissedNotes = append(h.MissedNotes, note)
		}
	}
	slices.SortStableFunc(all, func(a, b count) int { return cmp.Compare(b.N, a.N) })
	for _, m := range all {
		h.MissedWords = s.words.T("harvest.missed.some")
		h.Missed = append(h.Missed, missedRow{Reason: m.Name, Text: s.reason(m.Name), Value: s.words.Number(m.N),
			Width: max(1, int(m.N*100/max(1, most)))})
	}
}
