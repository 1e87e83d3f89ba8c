package search

import (
	"slices"
	"strconv"
	"strings"
)

// The numbered dimensions of filters and facets.
const (
	byType = iota
	byYear
	byHost
	byCollection
	byLanguage
	byPackage
	byDate
	dimensions
)

// dimensionOf lists the fields by dimension number.
var dimensionOf = []string{Type, Year, Host, Collection, Language, Package, Date}

// conditions are the filters of a query, in the numbers of a table.
type conditions struct {
	wanted   [dimensions]numberSet // any of these; nil means no condition
	unwanted [dimensions]numberSet // none of these
	any      bool                  // there is a condition

	during, notDuring []period
}

// numberSet is a set of small numbers: one lookup for each match of a query must cost little.
type numberSet []bool

func (s numberSet) has(n int32) bool { return n >= 0 && int(n) < len(s) && s[n] }

// with adds a number, which takes memory for all before it: [table.numbersOf] returns those of names, and years.
func (s numberSet) with(n int32) numberSet {
	if n < 0 {
		return s
	}
	if int(n) >= len(s) {
		s = append(s, make(numberSet, int(n)+1-len(s))...)
	}
	s[n] = true
	return s
}

// conditions converts filters to numbers. An unknown value becomes an unused number.
func (t *table) conditions(filters []Filter, m *membership) *conditions {
	c := &conditions{}
	for _, f := range filters {
		d := slices.Index(dimensionOf, f.Field)
		if d < 0 {
			continue
		}
		c.any = true
		if d == byDate {
			if p, _ := periodOf(f.Value); f.Not {
				c.notDuring = append(c.notDuring, p)
			} else {
				c.during = append(c.during, p)
			}
			continue
		}
		sets := &c.wanted
		if f.Not {
			sets = &c.unwanted
		}
		if sets[d] == nil {
			sets[d] = numberSet{}
		}
		for _, n := range t.numbersOf(d, f.Value, m) {
			sets[d] = sets[d].with(n)
		}
	}
	return c
}

// numbersOf returns the numbers of a value. For a host, it also returns the numbers of its
// subdomains.
func (t *table) numbersOf(d int, value string, m *membership) (all []int32) {
	list := map[int][]string{byType: Types, byHost: t.hosts, byCollection: m.ids, byLanguage: t.languages,
		byPackage: t.packages}[d]
	if d == byYear {
		// A filter can come from an address: a year takes memory for all before it.
		if y, err := strconv.ParseInt(value, 10, 32); err == nil && y <= lastYear {
			return []int32{int32(y)}
		}
		return nil
	}
	for i, v := range list {
		if v == value || d == byHost && strings.HasPrefix(value, ".") &&
			(v == value[1:] || strings.HasSuffix(v, value)) {
			all = append(all, int32(i)) //nolint:gosec // there are fewer than 2^31
		}
	}
	return all
}

// holds reports whether a number fulfils the condition of a dimension.
func (c *conditions) holds(d int, n int32) bool {
	return (c.wanted[d] == nil || c.wanted[d].has(n)) && !c.unwanted[d].has(n)
}

// ofDocument returns the conditions that a document fails. Each bit of the result is one dimension.
func (c *conditions) ofDocument(d *document) (failed uint8) {
	if !c.holds(byType, int32(d.kind)) {
		failed |= 1 << byType
	}
	if !c.holds(byLanguage, int32(d.language)) {
		failed |= 1 << byLanguage
	}
	return failed
}

// ofCapture returns the conditions that a capture fails. Each bit of the result is one dimension.
func (c *conditions) ofCapture(p *brief, m *membership) (failed uint8) {
	if !c.any {
		return 0
	}
	if !c.holds(byYear, p.year()) {
		failed |= 1 << byYear
	}
	if !c.holds(byHost, p.host) {
		failed |= 1 << byHost
	}
	if len(c.during) > 0 && !within(p.time, c.during) || within(p.time, c.notDuring) {
		failed |= 1 << byDate
	}
	if !c.holds(byPackage, p.pkg) {
		failed |= 1 << byPackage
	}
	if c.wanted[byCollection] == nil && c.unwanted[byCollection] == nil {
		return failed
	}
	in := m.of(p.pkg)
	if c.wanted[byCollection] != nil &&
		!slices.ContainsFunc(in, func(n int32) bool { return c.wanted[byCollection].has(n) }) ||
		slices.ContainsFunc(in, func(n int32) bool { return c.unwanted[byCollection].has(n) }) {
		failed |= 1 << byCollection
	}
	return failed
}

func (p *brief) year() int32 { return yearOf(p.time) }

// yearOf returns the year of a time.
func yearOf(time int64) int32 { return int32(time / 1e10) } //nolint:gosec // of a timestamp of 14 digits

// membership maps packages to their collections, as visible to the reader.
type membership struct {
	ids, titles []string  // of collections
	packages    [][]int32 // by package of the table
}

func (m *membership) of(pkg int32) []int32 {
	if pkg >= 0 && int(pkg) < len(m.packages) { // a damaged row of the table may have any number
		return m.packages[pkg]
	}
	return nil
}
