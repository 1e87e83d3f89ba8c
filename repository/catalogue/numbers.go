package catalogue

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quire/model"
)

// NumberState says how much of the numbers of a package is known.
type NumberState string

// The states.
const (
	NotCounted  NumberState = "none" // its METS was not read for numbers yet
	PartCounted NumberState = "part" // its METS, of an earlier version of Quire, does not state all
	Counted     NumberState = "exact"
)

// byPackage is the kind of the row that counts the package itself, by its state.
const byPackage = "package"

// total is the kind of the sums of all names; their names are the kinds.
const total = "total"

// allYears is the year of the sums of all years.
const allYears = -1

// stateOf returns the state of the numbers in a record.
func stateOf(r *Record) NumberState {
	switch {
	case r.Package.IsCollection() && r.Members != nil, r.Numbers != nil && r.Numbers.Exact:
		return Counted
	case r.Numbers != nil:
		return PartCounted
	}
	return NotCounted
}

// numbersOf returns all rows of a package, with the row that counts it.
func numbersOf(r *Record) []model.Number {
	p := &r.Package
	if _, document := DocumentName(p.Object); document || p.IsCollection() {
		return nil
	}
	year := 0
	if !p.First.IsZero() {
		year = p.First.UTC().Year()
	}
	rows := []model.Number{{Year: year, Kind: byPackage, Name: string(stateOf(r)), Count: 1, Bytes: p.Bytes,
		Containers: p.Containers}}
	if r.Numbers != nil {
		rows = append(rows, r.Numbers.Rows...)
	}
	return rows
}

// putNumbers replaces the numbers of a package and the members of a collection, and changes the sums.
func putNumbers(ctx context.Context, tx *transaction, r *Record) error {
	if _, document := DocumentName(r.Package.Object); document {
		return nil
	}
	if err := tx.engine.counting(ctx, tx, r.Package.IsCollection()); err != nil {
		return err
	}
	id := r.Package.ID
	if _, err := tx.ExecContext(ctx, "INSERT INTO counted (package, state) VALUES (?, ?) ON CONFLICT (package) DO "+
		"UPDATE SET state = excluded.state", id, string(stateOf(r))); err != nil {
		return err
	}
	if r.Package.IsCollection() {
		return putMembers(ctx, tx, id, r.Members)
	}
	return changeNumbers(ctx, tx, id, numbersOf(r))
}

// changeNumbers replaces the rows of a package. Rows that stay cost no write.
func changeNumbers(ctx context.Context, tx *transaction, id string, rows []model.Number) error {
	var number int64
	err := tx.QueryRowContext(ctx, "SELECT number FROM counted WHERE package = ?", id).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	old, err := collectIn(ctx, tx, scanNumber, numberQuery+" WHERE package = ?", number)
	if err != nil || sameNumbers(old, rows) {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM numbers WHERE package = ?", number); err != nil {
		return err
	}
	all := make([][]any, 0, len(rows))
	for _, r := range rows {
		all = append(all, []any{number, string(r.Kind), r.Name, r.Harvest, r.Year, r.Count, r.Bytes, r.Containers})
	}
	if err := tx.engine.insert(ctx, tx, "numbers", []string{"package", "kind", "name", "harvest", "year", "count",
		"bytes", "containers"}, all); err != nil {
		return err
	}
	scopes, err := collectIn(ctx, tx, scanText, "SELECT collection FROM members WHERE package = ?", id)
	if err != nil {
		return err
	}
	return changeSums(ctx, tx, append(scopes, ""), differences(old, rows))
}

func sameNumbers(a, b []model.Number) bool {
	if len(a) != len(b) {
		return false
	}
	known := make(map[model.Number]bool, len(a))
	for _, n := range a {
		known[n] = true
	}
	return !slices.ContainsFunc(b, func(n model.Number) bool { return !known[n] })
}

// sumKey is a row of the sums in one scope.
type sumKey struct {
	kind model.NumberKind
	year int
	name string
}

// change is what is added to a row of the sums.
type change struct{ count, bytes, containers, packages int64 }

// differences returns the changes of the sums.
func differences(old, rows []model.Number) map[sumKey]change {
	all := map[sumKey]change{}
	add := func(list []model.Number, sign int64) {
		met := map[sumKey]bool{}
		for _, n := range list {
			for _, year := range []int{n.Year, allYears} {
				for _, key := range []sumKey{{n.Kind, year, n.Name}, {total, year, string(n.Kind)}} {
					if key.kind == total && n.Kind == byPackage {
						continue
					}
					c := all[key]
					c.count, c.bytes = c.count+sign*n.Count, c.bytes+sign*n.Bytes
					if key.kind != total { // a container can have several names
						c.containers += sign * n.Containers
					}
					if !met[key] {
						met[key] = true
						c.packages += sign
					}
					all[key] = c
				}
			}
		}
	}
	add(old, -1)
	add(rows, 1)
	maps.DeleteFunc(all, func(_ sumKey, c change) bool { return c == change{} })
	return all
}

// sumColumns and sumsAtOnce are the size of a statement that changes sums: SQLite and PostgreSQL take some ten
// thousand values.
const (
	sumColumns = 8
	sumsAtOnce = 500
)

// changeSums adds changes to the sums of some scopes. All transactions change the rows in the same order, so two
// of them never wait for each other in a circle. The rows are locked until the end of the transaction, so this is
// its last step but one.
func changeSums(ctx context.Context, tx *transaction, scopes []string, changes map[sumKey]change) error {
	keys := slices.SortedFunc(maps.Keys(changes), func(a, b sumKey) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.year, b.year), cmp.Compare(a.name, b.name))
	})
	slices.Sort(scopes)
	for _, scope := range scopes {
		for some := range slices.Chunk(keys, sumsAtOnce) {
			if err := addSums(ctx, tx, scope, some, changes); err != nil {
				return err
			}
		}
		if err := removeSums(ctx, tx, scope, keys, changes); err != nil {
			return err
		}
	}
	return nil
}

func addSums(ctx context.Context, tx *transaction, scope string, keys []sumKey, changes map[sumKey]change) error {
	marks := strings.TrimPrefix(strings.Repeat(", (?, ?, ?, ?, ?, ?, ?, ?)", len(keys)), ", ")
	values := make([]any, 0, sumColumns*len(keys))
	for _, k := range keys {
		c := changes[k]
		values = append(values, scope, string(k.kind), k.year, k.name, c.count, c.bytes, c.containers, c.packages)
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO sums (scope, kind, year, name, count, bytes, containers, packages) "+
		"VALUES "+marks+" ON CONFLICT (scope, kind, year, name) DO UPDATE SET count = sums.count + excluded.count, "+
		"bytes = sums.bytes + excluded.bytes, containers = sums.containers + excluded.containers, "+
		"packages = sums.packages + excluded.packages", values...)
	return err
}

// removeSums removes the rows that count no package any longer, so that no name stays.
func removeSums(ctx context.Context, tx *transaction, scope string, keys []sumKey, changes map[sumKey]change) error {
	for _, k := range keys {
		if changes[k].packages >= 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM sums WHERE scope = ? AND kind = ? AND year = ? AND name = ? "+
			"AND packages = 0", scope, string(k.kind), k.year, k.name); err != nil {
			return err
		}
	}
	return nil
}

// putMembers replaces the members of a collection. Its sums are made again only if they changed.
func putMembers(ctx context.Context, tx *transaction, id string, members []string) error {
	old, err := collectIn(ctx, tx, scanText, "SELECT package FROM members WHERE collection = ? ORDER BY package", id)
	if err != nil {
		return err
	}
	members = slices.Compact(slices.Sorted(slices.Values(members)))
	if slices.Equal(old, members) {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM members WHERE collection = ?", id); err != nil {
		return err
	}
	rows := make([][]any, 0, len(members))
	for _, m := range members {
		rows = append(rows, []any{id, m})
	}
	if err := tx.engine.insert(ctx, tx, "members", []string{"collection", "package"}, rows); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM sums WHERE scope = ?", id); err != nil {
		return err
	}
	const from = ", count(DISTINCT n.package) FROM members m JOIN counted c ON c.package = m.package " +
		"JOIN numbers n ON n.package = c.number WHERE m.collection = ? AND kind != "
	const sums = ", CAST(sum(count) AS BIGINT), CAST(sum(bytes) AS BIGINT), "
	const each, all = sums + "CAST(sum(containers) AS BIGINT)" + from + "'' GROUP BY kind, name, ",
		sums + "0" + from + "'" + byPackage + "' GROUP BY kind, "
	for _, part := range []string{"kind, year, name" + each + "year, ", "kind, -1, name" + each,
		"'" + total + "', year, kind" + all + "year, ", "'" + total + "', -1, kind" + all} {
		if _, err := tx.ExecContext(ctx, "INSERT INTO sums (scope, kind, year, name, count, bytes, containers, "+
			"packages) SELECT m.collection, "+part+"m.collection", id); err != nil {
			return err
		}
	}
	return nil
}

// removeNumbers takes the numbers of a package out of the sums, and removes those of a collection.
func removeNumbers(ctx context.Context, tx *transaction, id string) error {
	if err := tx.engine.counting(ctx, tx, true); err != nil {
		return err
	}
	if err := changeNumbers(ctx, tx, id, nil); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM sums WHERE scope = ?", id)
	return err
}

const numberQuery = "SELECT kind, name, harvest, year, count, bytes, containers FROM numbers"

func scanNumber(row scanner) (n model.Number, err error) {
	return n, row.Scan(&n.Kind, &n.Name, &n.Harvest, &n.Year, &n.Count, &n.Bytes, &n.Containers)
}

func scanText(row scanner) (s string, err error) { return s, row.Scan(&s) }

// collectIn runs a query in a transaction and scans every row.
func collectIn[T any](ctx context.Context, tx *transaction, scan func(scanner) (T, error), query string,
	args ...any) ([]T, error) {
	rows, err := tx.QueryContext(ctx, tx.engine.statement(query), tx.engine.values(args)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err below reports the error
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// SetNumbers replaces the numbers of a package, or the members of a collection, whose newest version still has
// this inventory. Otherwise it changes nothing: the writer of the newer version did it.
func (c *Catalogue) SetNumbers(ctx context.Context, id, inventory string, numbers *model.Numbers,
	members []string) error {
	err := c.inTx(ctx, func(tx *transaction) error {
		p, err := scanPackage(tx.QueryRowContext(ctx, "SELECT "+packageColumns+
			" FROM packages WHERE id = ? AND inventory = ?"+tx.engine.locked(), id, inventory))
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return putNumbers(ctx, tx, &Record{Package: p, Numbers: numbers, Members: members})
	})
	if err != nil {
		return fmt.Errorf("catalogue: writing the numbers of %s: %w", id, err)
	}
	return nil
}
