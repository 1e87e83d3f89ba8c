package search

import (
	"slices"
	"strconv"
	"strings"
)

// The dimensions of filters and facets, by number.
const (
	byType = iota
	byYear
	byHost
	byCollection
	byLanguage
	byPackage
	dimensions
)

// dimensionOf are the fields, in the order of the numbers.
var dimensionOf = []string{Type, Year, Host, Collection, Language, Package}

// conditions are the filters of a question, in the numbers of a table.
type conditions struct {
	wanted   [dimensions]map[int32]bool // one of these; nil means whatever
	unwanted [dimensions]map[int32]bool // none of these
}

// conditions turns filters into numbers. A value that nothing has is a number that nothing has.
func (t *table) conditions(filters []Filter, m *membership) *conditions {
	c := &conditions{}
	for _, f := range filters {
		d := slices.Index(dimensionOf, f.Field)
		if d < 0 {
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

// numbersOf are the numbers that a value has: more than one of a host with those below it.
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

// holds says for which dimension a value does not hold.
func (c *conditions) holds(d int, n int32) bool {
	return (c.wanted[d] == nil || c.wanted[d][n]) && !c.unwanted[d][n]
}

// ofDocument gives the dimensions, as bits, of which a document does not fulfil the conditions.
func (c *conditions) ofDocument(d *document) (failed uint8) {
	if !c.holds(byType, int32(d.kind)) {
		failed |= 1 << byType
	}
	if !c.holds(byLanguage, int32(d.language)) {
		failed |= 1 << byLanguage
	}
	return failed
}

// ofCapture gives those of which a capture does not.
func (c *conditions) ofCapture(t *table, p *capture, m *membership) (failed uint8) {
	if !c.holds(byYear, p.year()) {
		failed |= 1 << byYear
	}
	if !c.holds(byHost, t.urls[p.url].host) {
		failed |= 1 << byHost
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

// membership says which collections packages are in, as far as the reader may know of them.
type membership struct {
	ids, titles []string  // of collections
	packages    [][]int32 // by package of the table
}

func (m *membership) of(pkg int32) []int32 {
	if int(pkg) < len(m.packages) {
		return m.packages[pkg]
	}
	return nil
}
