package catalogue

import (
	"context"
	"errors"
	"fmt"

	"quire/model"
)

// ErrNotCounted reports that the catalogue has no numbers: its schema is of an earlier version.
var ErrNotCounted = errors.New("the catalogue has no numbers yet: open the repository once for writing, such as " +
	"with quire stats --repo REPO --count")

// NumberQuery chooses sums.
type NumberQuery struct {
	Kind       model.NumberKind
	Collection string // "" for the repository
	From, To   int    // years of the first capture of the containers; both 0 for all
	Top        int    // rows at most; 0 for all
}

// NumberSum is the sum of a value.
type NumberSum struct {
	Name                               string
	Count, Bytes, Containers, Packages int64
}

// single returns the only year of the query, or -1 if it is about all of them together.
func (q *NumberQuery) single() (year int, ok bool) {
	if q.From == 0 && q.To == 0 {
		return allYears, true
	}
	return q.From, q.From == q.To
}

// where returns the condition on sums, and its values.
func (q *NumberQuery) where() (string, []any) {
	if year, ok := q.single(); ok {
		return " FROM sums WHERE scope = ? AND kind = ? AND year = ?", []any{q.Collection, string(q.Kind), year}
	}
	return " FROM sums WHERE scope = ? AND kind = ? AND year BETWEEN ? AND ?",
		[]any{q.Collection, string(q.Kind), q.From, q.To}
}

func scanSum(row scanner) (s NumberSum, err error) {
	return s, row.Scan(&s.Name, &s.Count, &s.Bytes, &s.Containers, &s.Packages)
}

// Sums returns the sums of the values of a criterion, the most frequent first, then by name. They were added up
// when packages were stored.
func (c *Catalogue) Sums(ctx context.Context, q NumberQuery) ([]NumberSum, error) {
	if _, ok := q.single(); !ok && q.Top > 0 {
		if sums, enough, err := c.topOfYears(ctx, &q); enough || err != nil {
			return sums, c.notCounted(ctx, err)
		}
	}
	where, values := q.where()
	query := "SELECT name, count, bytes, containers, packages" + where + " ORDER BY count DESC, name"
	if _, ok := q.single(); !ok {
		query = "SELECT name, CAST(sum(count) AS BIGINT), CAST(sum(bytes) AS BIGINT), " +
			"CAST(sum(containers) AS BIGINT), CAST(sum(packages) AS BIGINT)" + where +
			" GROUP BY name ORDER BY 2 DESC, name"
	}
	if q.Top > 0 {
		query += " LIMIT ?"
		values = append(values, q.Top)
	}
	sums, err := collect(ctx, c, scanSum, query, values...)
	return sums, c.notCounted(ctx, err)
}

// Total returns the sum of all names of a criterion: count, bytes and packages. A package that has two years counts in
// each of them.
func (c *Catalogue) Total(ctx context.Context, q NumberQuery) (sum NumberSum, err error) {
	name := string(q.Kind)
	q.Kind, q.Top = total, 0
	where, values := q.where()
	err = c.row(ctx, "SELECT CAST(coalesce(sum(count), 0) AS BIGINT), CAST(coalesce(sum(bytes), 0) AS BIGINT), "+
		"CAST(coalesce(sum(packages), 0) AS BIGINT)"+where+" AND name = ?", append(values, name)...).Scan(&sum.Count,
		&sum.Bytes, &sum.Packages)
	return sum, c.notCounted(ctx, err)
}

// CountStates returns the number of packages by the state of their numbers.
func (c *Catalogue) CountStates(ctx context.Context, q NumberQuery) (map[NumberState]int64, error) {
	q.Kind, q.Top = byPackage, 0
	sums, err := c.Sums(ctx, q)
	states := map[NumberState]int64{}
	for _, s := range sums {
		states[NumberState(s.Name)] = s.Count
	}
	return states, err
}

// Numbers returns the numbers of one package, with their state. The error is [ErrNotFound] for an unknown one.
func (c *Catalogue) Numbers(ctx context.Context, id string) (n []model.Number, state NumberState, err error) {
	if _, err := c.Package(ctx, id); err != nil {
		return nil, "", err
	}
	states, err := collect(ctx, c, scanText, "SELECT state FROM counted WHERE package = ?", id)
	if err == nil && len(states) > 0 {
		n, err = collect(ctx, c, scanNumber, numberQuery+" WHERE kind != '"+byPackage+
			"' AND package = (SELECT number FROM counted WHERE package = ?) ORDER BY kind, name, harvest, year", id)
		return n, NumberState(states[0]), c.notCounted(ctx, err)
	}
	return nil, NotCounted, c.notCounted(ctx, err)
}

// Members returns the identifiers of the packages of a collection, sorted. Some may not be stored. known is false
// if the catalogue has not read the collection for them.
func (c *Catalogue) Members(ctx context.Context, id string) (members []string, known bool, err error) {
	_, state, err := c.Numbers(ctx, id)
	if err != nil || state == NotCounted {
		return nil, false, err
	}
	members, err = collect(ctx, c, scanText, "SELECT package FROM members WHERE collection = ? ORDER BY package", id)
	return members, true, err
}

// Uncounted returns the packages and collections after an id whose METS was not read for numbers yet, sorted, at
// most limit.
func (c *Catalogue) Uncounted(ctx context.Context, after string, limit int) ([]Package, error) {
	all, err := collect(ctx, c, scanPackage, "SELECT "+packageColumns+" FROM packages WHERE id IN (SELECT package "+
		"FROM counted WHERE state = 'none' AND package > ? ORDER BY package LIMIT ?) ORDER BY id", after, limit)
	return all, c.notCounted(ctx, err)
}

// Names returns the names of the numbers of the packages behind after, up to and with last, of some kinds. A package
// that is not counted has no entry.
func (c *Catalogue) Names(ctx context.Context, after, last string, kinds []model.NumberKind) (
	map[string]map[model.NumberKind][]string, error) {
	all := map[string]map[model.NumberKind][]string{}
	_, err := collect(ctx, c, func(row scanner) (struct{}, error) {
		var id string
		err := row.Scan(&id)
		all[id] = map[model.NumberKind][]string{}
		return struct{}{}, err
	}, "SELECT package FROM counted WHERE package > ? AND package <= ? AND state != 'none'", after, last)
	for _, kind := range kinds {
		if err != nil {
			break
		}
		_, err = collect(ctx, c, func(row scanner) (struct{}, error) {
			var id, name string
			err := row.Scan(&id, &name)
			if names := all[id]; names != nil {
				names[kind] = append(names[kind], name)
			}
			return struct{}{}, err
		}, "SELECT DISTINCT c.package, n.name FROM counted c CROSS JOIN numbers n "+
			"WHERE n.package = c.number AND c.package > ? AND c.package <= ? AND n.kind = ? "+
			"ORDER BY c.package, n.name", after, last, string(kind))
	}
	return all, c.notCounted(ctx, err)
}

// notCounted explains an error by an earlier schema.
func (c *Catalogue) notCounted(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if c.db.PingContext(ctx) == nil && !c.engine.numbers(ctx) {
		return ErrNotCounted
	}
	return fmt.Errorf("catalogue: reading the numbers: %w", err)
}
