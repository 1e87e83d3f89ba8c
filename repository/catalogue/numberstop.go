package catalogue

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
)

// The limits of a search for the most frequent names of several years.
const (
	topRounds  = 20  // pages of each year; then all names are added up
	topNames   = 500 // names of one statement
	candidates = 3   // so many times the asked names are worth adding up, instead of reading on
)

// topOfYears returns the most frequent names of several years together, without adding up all names. It reads the
// lists of the years in parallel, the most frequent first, from the index alone (the algorithm without random access
// of Fagin, Lotem and Naor, 2003). In a year whose list has not reached a name yet, the name has at most the last
// count read there. So each name has a least and a greatest sum. Only names whose greatest sum reaches the least one
// of the last asked name are added up. enough is false if the lists are too much alike for that.
func (c *Catalogue) topOfYears(ctx context.Context, q *NumberQuery) (top []NumberSum, enough bool, err error) {
	years, err := c.yearsOf(ctx, q)
	if err != nil {
		return nil, false, err
	}
	lists := make([]*yearList, 0, len(years))
	for _, year := range years {
		lists = append(lists, &yearList{year: year, counts: map[string]int64{}})
	}
	met := map[string]int64{} // the sum of the counts that were read
	var names []string
	for round := range topRounds {
		unmet := int64(0) // the greatest sum of a name that was not met
		for _, l := range lists {
			if err := c.nextOf(ctx, q, l, met); err != nil {
				return nil, false, err
			}
			unmet += l.last
		}
		least := leastOfTop(met, q.Top)
		if unmet > 0 && unmet >= least {
			continue
		}
		names = reaching(met, lists, unmet, least)
		if enough = true; unmet == 0 || len(names) <= candidates*q.Top || round == topRounds-1 {
			break
		}
	}
	if !enough {
		return nil, false, nil
	}
	top, err = c.sumsOf(ctx, q, years, names)
	slices.SortFunc(top, func(a, b NumberSum) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return top[:min(len(top), q.Top)], true, err
}

// leastOfTop returns the least sum of the last of the asked names, or 0 if fewer were met.
func leastOfTop(met map[string]int64, top int) int64 {
	if len(met) < top {
		return 0
	}
	sums := slices.Sorted(maps.Values(met))
	return sums[len(sums)-top]
}

// reaching returns the names whose greatest sum is not below the least one, sorted. unmet is the sum of the last
// counts of the lists.
func reaching(met map[string]int64, lists []*yearList, unmet, least int64) (names []string) {
	for name, sum := range met {
		if sum+unmet < least {
			continue
		}
		for _, l := range lists {
			if _, read := l.counts[name]; !read {
				sum += l.last
			}
		}
		if sum >= least {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// yearsOf returns the years of the query that have numbers.
func (c *Catalogue) yearsOf(ctx context.Context, q *NumberQuery) ([]int, error) {
	return collect(ctx, c, func(row scanner) (year int, err error) { return year, row.Scan(&year) },
		"SELECT year FROM sums WHERE scope = ? AND kind = ? AND year BETWEEN ? AND ? AND name = ? ORDER BY year",
		q.Collection, total, q.From, q.To, string(q.Kind))
}

// yearList is the list of the names of a year, the most frequent first, as far as it was read.
type yearList struct {
	year   int
	counts map[string]int64
	begun  bool
	last   int64  // the last count; 0 at the end
	name   string // and its name
}

// nextOf reads the next names of a year, and adds their counts to those that were met.
func (c *Catalogue) nextOf(ctx context.Context, q *NumberQuery, l *yearList, met map[string]int64) error {
	if l.begun && l.last == 0 {
		return nil
	}
	where, values := "", []any{q.Collection, string(q.Kind), l.year}
	if l.begun {
		where = " AND count <= ? AND (count < ? OR name > ?)"
		values = append(values, l.last, l.last, l.name)
	}
	page, err := collect(ctx, c, func(row scanner) (s NumberSum, err error) { return s, row.Scan(&s.Name, &s.Count) },
		"SELECT name, count FROM sums WHERE scope = ? AND kind = ? AND year = ?"+where+
			" ORDER BY count DESC, name LIMIT ?", append(values, q.Top)...)
	if err != nil {
		return err
	}
	l.begun, l.last = true, 0
	if len(page) == q.Top {
		l.last, l.name = page[len(page)-1].Count, page[len(page)-1].Name
	}
	for _, s := range page {
		if _, again := l.counts[s.Name]; !again { // a purge may have moved it down meanwhile
			l.counts[s.Name] = s.Count
			met[s.Name] += s.Count
		}
	}
	return nil
}

// sumsOf adds up names over years.
func (c *Catalogue) sumsOf(ctx context.Context, q *NumberQuery, years []int, names []string) ([]NumberSum, error) {
	sums := make(map[string]*NumberSum, len(names))
	for some := range slices.Chunk(names, topNames) {
		marks := strings.TrimPrefix(strings.Repeat(", ?", len(some)), ", ")
		for _, year := range years {
			values := []any{q.Collection, string(q.Kind), year}
			for _, name := range some {
				values = append(values, name)
			}
			found, err := collect(ctx, c, scanSum, "SELECT name, count, bytes, containers, packages FROM sums "+
				"WHERE scope = ? AND kind = ? AND year = ? AND name IN ("+marks+")", values...)
			if err != nil {
				return nil, err
			}
			for _, s := range found {
				sum := sums[s.Name]
				if sum == nil {
					sum = &NumberSum{Name: s.Name}
					sums[s.Name] = sum
				}
				sum.Count, sum.Bytes = sum.Count+s.Count, sum.Bytes+s.Bytes
				sum.Containers, sum.Packages = sum.Containers+s.Containers, sum.Packages+s.Packages
			}
		}
	}
	all := make([]NumberSum, 0, len(sums))
	for _, name := range names {
		if sums[name] != nil { // a purge may have removed it meanwhile
			all = append(all, *sums[name])
		}
	}
	return all, nil
}
