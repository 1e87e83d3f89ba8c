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
	wanted   [dimensions]map[int32]bool // any of these; nil means no condition
	unwanted [dimensions]map[int32]bool // none of these

	during, notDuring []period
}

// conditions converts filters to numbers. An unknown value becomes an unused number.
func (t *table) conditions(filters []Filter, m *membership) *conditions {
	c := &conditions{}
	for _, f := range filters {
		d := slices.Index(dimensionOf, f.Field)
		if d < 0 {
			continue
		}
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
			sets[d] = map[int32]bool{}
		}
		for _, n := range t.numbersOf(d, f.Value, m) {
			sets[d][n] = true
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
		if y, err := strconv.ParseInt(value, 10, 32); err == nil {
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
	return (c.wanted[d] == nil || c.wanted[d][n]) && !c.unwanted[d][n]
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
func (c *conditions) ofCapture(t *table, p *capture, m *membership) (failed uint8) {
	if !c.holds(byYear, p.year()) {
		failed |= 1 << byYear
	}
	if !c.holds(byHost, t.hostOf(p.url)) {
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
		!slices.ContainsFunc(in, func(n int32) bool { return c.wanted[byCollection][n] }) ||
		slices.ContainsFunc(in, func(n int32) bool { return c.unwanted[byCollection][n] }) {
		failed |= 1 << byCollection
	}
	return failed
}

func (p *capture) year() int32 { return int32(p.time / 1e10) } //nolint:gosec // of a timestamp of 14 digits

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
