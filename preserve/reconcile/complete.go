package reconcile

import (
	"fmt"
	"strings"

	"quire/internal/humanize"
	"quire/model"
)

// Complete is the result of a [Completeness]: the expected containers, and the URLs of the log. The
// numbers count all; each list has at most 1000 entries.
type Complete struct {
	Lists   []string `json:"lists"`   // documents that name containers
	Indexes []string `json:"indexes"` // CDX and CDXJ files
	Serial  bool     `json:"serial"`  // the names of the containers have the crawler's numbers

	Expected int64      `json:"expected"` // containers that a list, an index or the log names
	Present  int64      `json:"present"`  // of these
	Empty    int64      `json:"empty"`    // of these, absent, and empty by their list
	Absent   int64      `json:"absent"`   // of these, the others that are absent
	Missed   []Absentee `json:"absent_containers"`
	Gaps     []string   `json:"gaps"`     // names for missing numbers that no source names
	Unlisted []string   `json:"unlisted"` // containers that are present, but in no list
	Sizes    []string   `json:"sizes"`    // containers with another size than listed, with both

	Lines     int64    `json:"log_lines"`
	NotStored int64    `json:"not_stored"` // fetched lines that the log states as duplicate, unwritten, empty
	Stored    int64    `json:"stored"`     // fetched lines with content that a container must hold
	Lookups   int64    `json:"lookups"`    // URLs of name look-ups, if no container has any
	URLs      int64    `json:"urls"`       // different URLs of the stored lines, without these look-ups
	Missing   int64    `json:"missing"`    // of these, URLs that no record of the harvest has
	Late      int64    `json:"late"`       // of these, URLs fetched later than the last record
	Examples  []string `json:"examples"`   // the first missing URLs, at most 10

	// fail if content is lost; warning if the sources disagree; else success
	Outcome model.EventOutcome `json:"outcome"`
}

// Absentee is a container that a source names, and that is absent.
type Absentee struct {
	Name     string   `json:"name"`
	ListedBy []string `json:"listed_by"` // at most 16
	Size     int64    `json:"size"`      // bytes, by a list; -1 if unknown
	Entries  int64    `json:"entries"`   // entries of indexes that name it
	Lines    int64    `json:"log_lines"` // lines of the log that name it
}

// String describes an absent container in one line.
func (a Absentee) String() string {
	parts := []string{a.Name}
	if a.Size >= 0 {
		parts = append(parts, bytesOf(a.Size))
	}
	if len(a.ListedBy) > 0 {
		parts = append(parts, "listed by "+strings.Join(a.ListedBy, ", "))
	}
	if a.Entries > 0 {
		parts = append(parts, humanize.Number(a.Entries, "entry", "entries")+" of the index")
	}
	if a.Lines > 0 {
		parts = append(parts, humanize.Number(a.Lines, "line", "lines")+" of the log")
	}
	return strings.Join(parts, "; ")
}

// Summary describes the differences in one line; "" without differences.
func (c *Complete) Summary() string {
	var parts []string
	for _, n := range []struct {
		count     int64
		one, many string
	}{
		{c.Absent, "container absent", "containers absent"},
		{int64(len(c.Gaps)), "number without a container", "numbers without a container"},
		{int64(len(c.Unlisted)), "container in no list", "containers in no list"},
		{int64(len(c.Sizes)), "container with another size than listed", "containers with another size than listed"},
		{c.Missing, "URL logged as stored, without a record", "URLs logged as stored, without a record"},
	} {
		if n.count > 0 {
			parts = append(parts, humanize.Number(n.count, n.one, n.many))
		}
	}
	return strings.Join(parts, "; ")
}

// Nothing reports whether there was nothing to compare the containers with.
func (c *Complete) Nothing() bool {
	return len(c.Lists)+len(c.Indexes) == 0 && !c.Serial && c.Stored == 0
}

// judge compares the containers with the lists, and decides the outcome.
func (r *side) judge() {
	out, listed := &r.result, false
	for _, at := range r.shelf.all {
		_, _, serial := serialOf(bareName(at.name))
		out.Serial = out.Serial || serial && at.present && !at.metadata
		for _, l := range at.listings {
			listed = listed || l.by != gapList
		}
	}
	for _, at := range r.shelf.all {
		switch {
		case !at.present:
			r.judgeAbsent(at)
		case !at.metadata:
			r.judgePresent(at, listed)
		}
	}
	out.Outcome = model.Success
	switch nowhere := out.Missing > 0 && r.records.content == 0; {
	case out.Absent > 0, out.Late > 0, nowhere:
		out.Outcome = model.Fail
	case out.Missing > 0, len(out.Gaps)+len(out.Unlisted)+len(out.Sizes) > 0:
		out.Outcome = model.Warned
	}
}

// judgeAbsent counts a container that is named, but absent. Containers of other harvests in the
// source are not absent.
func (r *side) judgeAbsent(at *container) {
	named := at.entries + at.lines
	byNumber := named == 0
	a := Absentee{Name: at.name, ListedBy: []string{}, Size: -1, Entries: at.entries, Lines: at.lines}
	for _, l := range at.listings {
		a.ListedBy = append(a.ListedBy, l.by)
		a.Size = max(a.Size, l.size)
		byNumber = byNumber && l.by == gapList
	}
	switch {
	case at.renamed, at.elsewhere != "", len(at.listings) == 0 && named == 0:
		return
	case byNumber:
		r.result.Gaps = limited(r.result.Gaps, at.name)
		return
	}
	r.result.Expected++
	if at.listsNothing() {
		r.result.Empty++
		return
	}
	r.result.Absent++
	r.result.Missed = limited(r.result.Missed, a)
}

// judgePresent compares an existing container with the lists.
func (r *side) judgePresent(at *container, listed bool) {
	if len(at.listings) > 0 || at.entries+at.lines > 0 {
		r.result.Expected++
		r.result.Present++
	}
	if listed && len(at.listings) == 0 && at.content > 0 {
		r.result.Unlisted = limited(r.result.Unlisted, at.path)
	}
	for _, l := range at.listings {
		if at.outcome == "" { // not read: it may be compressed
			break
		}
		if l.size >= 0 && l.size != at.size && (!at.gzipped || l.size != at.inflated) {
			r.result.Sizes = limited(r.result.Sizes, fmt.Sprintf("%s has %s, by %s %s", at.path, bytesOf(at.size), l.by,
				humanize.Number(l.size, "", "")))
		}
	}
}

// limited appends an entry to a list that is not full.
func limited[T any](list []T, entry T) []T {
	if len(list) >= maxTold {
		return list
	}
	return append(list, entry)
}
