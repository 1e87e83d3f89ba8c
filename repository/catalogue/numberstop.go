package catalogue

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// The limits of a search for the most frequent names of several years.
const (
	topRounds = 20  // pages of each year; then all names are added up
	topNames  = 500 // names of one statement
)

// topOfYears returns the most frequent names of several years together, without adding up all names. It reads the
// lists of the years in parallel, the most frequent first, and adds up each name that it meets (the threshold
// algorithm of Fagin, Lotem and Naor, 2003). A name that it has not met has at most the sum of the last counts it
// read. enough is false if the lists are too much alike for that.
func (c *Catalogue) topOfYears(ctx context.Context, q *NumberQuery) (top []NumberSum, enough bool, err error) {
	years, err := c.yearsOf(ctx, q)
	if err != nil {
		return nil, false, err
	}
	lists := make([]yearList, 0, len(years))
	for _, year := range years {
		lists = append(lists, yearList{year: year})
	}
	met := map[string]bool{}
	for range topRounds {
		most := int64(0) // count of a name that was not met
		var names []string
		for i := range lists {
			l := &lists[i]
			if err := c.nextOf(ctx, q, l, met, &names); err != nil {
				return nil, false, err
			}
			most += l.last
		}
		more, err := c.sumsOf(ctx, q, years, names)
		if err != nil {
			return nil, false, err
		}
		top = append(top, more...)
		slices.SortFunc(top, func(a, b NumberSum) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
		})
		top = top[:min(len(top), q.Top)]
		if most == 0 || len(top) == q.Top && top[q.Top-1].Count > most {
			return top, true, nil
		}
	}
	return nil, false, nil
}

// yearsOf returns the years of the query that have numbers.
func (c *Catalogue) yearsOf(ctx context.Context, q *NumberQuery) ([]int, error) {
	return collect(ctx, c, func(row scanner) (year int, err error) { return year, row.Scan(&year) },
		"SELECT year FROM sums WHERE scope = ? AND kind = ? AND year BETWEEN ? AND ? AND name = ? ORDER BY year",
		q.Collection, total, q.From, q.To, string(q.Kind))
}

// yearList is the list of the names of a year, the most frequent first, as far as it was read.
type yearList struct {
	year  int
	begun bool
	last  int64  // the last count; 0 at the end
	name  string // and its name
}

// nextOf reads the next names of a year, and adds those that were not met.
func (c *Catalogue) nextOf(ctx context.Context, q *NumberQuery, l *yearList, met map[string]bool,
	names *[]string) error {
	if l.begun && l.last == 0 {
		return nil
	}
	where, values := "", []any{q.Collection, string(q.Kind), l.year}
	if l.begun {
		where = " AND count <= ? AND (count < ? OR name > ?)"
		values = append(values, l.last, l.last, l.name)
	}
	page, err := collect(ctx, c, scanSum, "SELECT name, count, bytes, containers, packages FROM sums "+
		"WHERE scope = ? AND kind = ? AND year = ?"+where+" ORDER BY count DESC, name LIMIT ?",
		append(values, q.Top)...)
	if err != nil {
		return err
	}
	l.begun, l.last = true, 0
	if len(page) == q.Top {
		l.last, l.name = page[len(page)-1].Count, page[len(page)-1].Name
	}
	for _, s := range page {
		if !met[s.Name] {
			met[s.Name] = true
			*names = append(*names, s.Name)
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
