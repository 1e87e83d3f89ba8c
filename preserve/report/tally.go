package report

import (
	"cmp"
	"slices"
	"strings"
)

// Limits of a tally: the number of names, and their bytes. Later names are summed as one: a crawl
// can have more hosts than fit in memory, and a hostile one any number.
const (
	tallyNames = 50_000
	tallyBytes = 16 << 20
)

// Row is one line of a table: a name, its frequency, its payload bytes, and its number of
// containers. A format also has a version and an identifier in PRONOM, if known.
type Row struct {
	Name       string `json:"name"`
	Version    string `json:"version,omitempty"`
	PUID       string `json:"puid,omitempty"`
	Count      int64  `json:"count"`
	Bytes      int64  `json:"bytes"`
	Containers int64  `json:"containers"`
	Packages   int64  `json:"packages,omitempty"` // of a repository
}

type rowKey struct{ name, version, puid string }

// tally sums rows by name.
type tally struct {
	rows  map[rowKey]*Row
	size  int
	other Row            // the sum after the tally was full
	seen  map[*Row]int64 // the last container counted for a row, so that a container is counted once
}

func newTally() *tally { return &tally{rows: map[rowKey]*Row{}, seen: map[*Row]int64{}} }

// add counts a row of the n-th container; n starts at 1.
func (t *tally) add(n int64, more Row) {
	key := rowKey{more.Name, more.Version, more.PUID}
	r := t.rows[key]
	if r == nil {
		r = t.enter(key)
	}
	r.Count += more.Count
	r.Bytes += more.Bytes
	if t.seen[r] != n {
		t.seen[r] = n
		r.Containers++
	}
}

func (t *tally) enter(key rowKey) *Row {
	if len(t.rows) >= tallyNames || t.size+len(key.name) > tallyBytes {
		return &t.other
	}
	// A copy, because the name may be part of a larger text that would stay in memory.
	key = rowKey{strings.Clone(key.name), strings.Clone(key.version), strings.Clone(key.puid)}
	r := &Row{Name: key.name, Version: key.version, PUID: key.puid}
	t.rows[key] = r
	t.size += len(key.name)
	return r
}

// sorted returns the rows, the most frequent first, then by name.
func (t *tally) sorted() []Row {
	all := make([]Row, 0, len(t.rows))
	for _, r := range t.rows {
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name), cmp.Compare(a.PUID, b.PUID),
			cmp.Compare(a.Version, b.Version))
	})
	return all
}
