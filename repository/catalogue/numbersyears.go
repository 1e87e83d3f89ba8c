package catalogue

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// YearSum is a sum in one year.
type YearSum struct {
	Year         int
	Count, Bytes int64
}

// Span is the first and the last year of a name.
type Span struct{ First, Last int }

// ofYears returns the query without its limits: its range has all years if it had none.
func (q NumberQuery) ofYears() NumberQuery {
	const last = 9999
	q.Top = 0
	if q.From == 0 && q.To == 0 {
		q.To = last
	}
	return q
}

// TotalsByYear returns the sum of all names of a criterion in each year, sorted by year.
func (c *Catalogue) TotalsByYear(ctx context.Context, q NumberQuery) ([]YearSum, error) {
	name := string(q.Kind)
	q = q.ofYears()
	q.Kind = total
	where, values := q.where()
	sums, err := collect(ctx, c, scanYear, "SELECT year, count, bytes"+where+" AND name = ? ORDER BY year",
		append(values, name)...)
	return sums, c.notCounted(ctx, err)
}

// yearNames is the number of names of one statement: each statement reads all rows of its years.
const yearNames = 8000

// NamesByYear returns the sum of some names of a criterion in each year, sorted by year. The database adds up:
// otherwise each name and year would be a row to read.
func (c *Catalogue) NamesByYear(ctx context.Context, q NumberQuery, names []string) ([]YearSum, error) {
	q = q.ofYears()
	found := map[int]YearSum{}
	for some := range slices.Chunk(names, yearNames) {
		where, values := q.where()
		in, more := anyOf(some)
		years, err := collect(ctx, c, scanYear, "SELECT year, CAST(sum(count) AS BIGINT), CAST(sum(bytes) AS BIGINT)"+
			where+in+" GROUP BY year", append(values, more...)...)
		if err != nil {
			return nil, c.notCounted(ctx, err)
		}
		for _, y := range years {
			sum := found[y.Year]
			found[y.Year] = YearSum{y.Year, sum.Count + y.Count, sum.Bytes + y.Bytes}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b YearSum) int { return a.Year - b.Year }), nil
}

// fewNames is the number of names up to which the database looks for them. Beyond it, rows of other names cost less
// than the search in each row.
const fewNames = 100

// Spans returns the first and the last year of each of some names of a criterion. A name without a known year has
// none.
func (c *Catalogue) Spans(ctx context.Context, q NumberQuery, names []string) (map[string]Span, error) {
	q = q.ofYears()
	spans := make(map[string]Span, len(names))
	if len(names) == 0 {
		return spans, nil
	}
	where, values := q.where()
	asked := func(string) bool { return true }
	if len(names) <= fewNames {
		in, more := anyOf(names)
		where, values = where+in, append(values, more...)
	} else {
		all := make(map[string]bool, len(names))
		for _, name := range names {
			all[name] = true
		}
		asked = func(name string) bool { return all[name] }
	}
	_, err := collect(ctx, c, func(row scanner) (struct{}, error) {
		var name string
		var span Span
		err := row.Scan(&name, &span.First, &span.Last)
		if asked(name) {
			spans[name] = span
		}
		return struct{}{}, err
	}, "SELECT name, min(year), max(year)"+where+" AND year > 0 GROUP BY name", values...)
	return spans, c.notCounted(ctx, err)
}

// anyOf returns a condition on names, and its values.
func anyOf(names []string) (string, []any) {
	values := make([]any, 0, len(names))
	for _, name := range names {
		values = append(values, name)
	}
	return " AND name IN (" + strings.TrimPrefix(strings.Repeat(", ?", len(names)), ", ") + ")", values
}

func scanYear(row scanner) (s YearSum, err error) { return s, row.Scan(&s.Year, &s.Count, &s.Bytes) }
