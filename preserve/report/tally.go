package report

import (
	"cmp"
	"slices"
	"strings"
)

// A tally holds so many names, and so many bytes of them. Names that come later are summed as one:
// a crawl can hold more hosts than fit in memory, and a hostile one as many as it likes.
const (
	tallyNames = 50_000
	tallyBytes = 16 << 20
)

// Row is one line of a table: a name, how often it occurred, the payload bytes that went with it,
// in how many containers.
type Row struct {
	Name       string `json:"name"`
	PUID       string `json:"puid,omitempty"`
	Count      int64  `json:"count"`
	Bytes      int64  `json:"bytes"`
	Containers int64  `json:"containers"`
}

type rowKey struct{ name, puid string }

// tally sums rows by name.
type tally struct {
	rows  map[rowKey]*Row
	size  int
	other Row            // what came when the tally was full
	seen  map[*Row]int64 // the container that a row was last counted for, so that it is counted once
}

func newTally() *tally { return &tally{rows: map[rowKey]*Row{}, seen: map[*Row]int64{}} }

// add counts a name found in the n-th container; n begins at 1.
func (t *tally) add(n int64, name, puid string, count, bytes int64) {
	key := rowKey{name, puid}
	r := t.rows[key]
	if r == nil {
		r = t.enter(key)
	}
	r.Count += count
	r.Bytes += bytes
	if t.seen[r] != n {
		t.seen[r] = n
		r.Containers++
	}
}

func (t *tally) enter(key rowKey) *Row {
	if len(t.rows) >= tallyNames || t.size+len(key.name) > tallyBytes {
		return &t.other
	}
	// A copy, since the name may be a part of a larger text that would be kept with it.
	key = rowKey{strings.Clone(key.name), strings.Clone(key.puid)}
	r := &Row{Name: key.name, PUID: key.puid}
	t.rows[key] = r
	t.size += len(key.name)
	return r
}

// sorted lists the rows, the most frequent first; equal ones by name.
func (t *tally) sorted() []Row {
	all := make([]Row, 0, len(t.rows))
	for _, r := range t.rows {
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name), cmp.Compare(a.PUID, b.PUID))
	})
	return all
}
