package inspect

import (
	"cmp"
	"slices"
	"strings"

	"quire/model"
)

// maxNames bounds the number of distinct names (hosts, media types, user agents) in all tallies of
// a container together. Only a hostile crawl has so many in one container; the rest is summed under
// otherNames.
const maxNames = 150_000

// maxName bounds a name, in bytes. A host has at most 253.
const maxName = 256

const otherNames = "(other)"

// tally counts names and their bytes.
type tally struct {
	counts map[string]*model.Count
	room   *int // for more names, shared by the tallies of a container
}

func newTally(room *int) tally { return tally{map[string]*model.Count{}, room} }

// add counts a name, and returns its count.
func (t tally) add(name string, bytes int64) *model.Count {
	name = Shorten(name, maxName)
	c := t.counts[name]
	if c == nil {
		if *t.room <= 0 {
			name = otherNames
			c = t.counts[name]
		}
		if c == nil {
			c = &model.Count{Name: strings.Clone(name)} // a copy, independent of the header
			t.counts[c.Name] = c
			*t.room--
		}
	}
	c.Count++
	c.Bytes += bytes
	return c
}

// distinct returns the number of distinct names.
func (t tally) distinct() int64 {
	n := int64(len(t.counts))
	if t.counts[otherNames] != nil {
		n--
	}
	return n
}

// list returns the counts, the most frequent first.
func (t tally) list() []model.Count {
	all := make([]model.Count, 0, len(t.counts))
	for _, c := range t.counts {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b model.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// statusKey is the key for counting HTTP answers.
type statusKey struct{ status, version string }

// maxStatuses bounds the number of distinct answers. Three digits and a version make a few
// thousand.
const maxStatuses = 10_000

// statuses counts HTTP answers.
type statuses map[statusKey]*model.Status

func (t statuses) add(key statusKey, bytes int64) {
	s := t[key]
	if s == nil && len(t) >= maxStatuses {
		key = statusKey{status: otherNames}
		s = t[key]
	}
	if s == nil {
		key = statusKey{strings.Clone(key.status), strings.Clone(key.version)}
		s = &model.Status{Status: key.status, Version: key.version}
		t[key] = s
	}
	s.Count++
	s.Bytes += bytes
}

// byVersion lists the counts with their protocol versions, in the order of status codes.
func (t statuses) byVersion() []model.Status {
	all := make([]model.Status, 0, len(t))
	for _, s := range t {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b model.Status) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Version, b.Version))
	})
	return all
}

// list sums over the protocol versions.
func (t statuses) list() []model.Status {
	sums := make([]model.Status, 0, len(t))
	for _, s := range t.byVersion() {
		if n := len(sums); n > 0 && sums[n-1].Status == s.Status {
			sums[n-1].Count += s.Count
			sums[n-1].Bytes += s.Bytes
			continue
		}
		sums = append(sums, model.Status{Status: s.Status, Count: s.Count, Bytes: s.Bytes})
	}
	return sums
}
