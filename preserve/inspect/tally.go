package inspect

import (
	"cmp"
	"slices"

	"quire/model"
)

// maxNames bounds how many different names (hosts, types) are counted one by one. A domain crawl has hundreds of thousands
// of hosts in one container only when someone means harm; what is beyond is summed under otherNames.
const maxNames = 50_000

const otherNames = "(other)"

// tally counts names and the bytes that went with them.
type tally map[string]*model.Count

func (t tally) add(name string, bytes int64) {
	c := t[name]
	if c == nil {
		if len(t) >= maxNames {
			name = otherNames
			c = t[name]
		}
		if c == nil {
			c = &model.Count{Name: name}
			t[name] = c
		}
	}
	c.Count++
	c.Bytes += bytes
}

// list gives the counts, the most frequent first.
func (t tally) list() []model.Count {
	all := make([]model.Count, 0, len(t))
	for _, c := range t {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b model.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// statusKey is what HTTP answers are counted by.
type statusKey struct{ status, version string }

// statuses counts HTTP answers.
type statuses map[statusKey]*model.Status

func (t statuses) add(key statusKey, bytes int64) {
	s := t[key]
	if s == nil && len(t) >= maxNames {
		key = statusKey{status: otherNames}
		s = t[key]
	}
	if s == nil {
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
