package catalogue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"quire/internal/pgtest"
	"quire/model"
	"quire/preserve/aip"
)

// counted returns a record with numbers: for each row its year, kind, name and count.
func countedRecord(id string, exact bool, rows ...model.Number) Record {
	r := record(id)
	r.Numbers = &model.Numbers{Exact: exact, Rows: rows}
	return r
}

func number(harvest, year int, kind model.NumberKind, name string, count int64) model.Number {
	return model.Number{Harvest: harvest, Year: year, Kind: kind, Name: name, Count: count, Bytes: 10 * count,
		Containers: 1}
}

// collectionOf returns the record of a collection.
func collectionOf(id string, members ...string) Record {
	r := record(id)
	r.Package.Profile = aip.CollectionProfile
	r.Members = append([]string{}, members...)
	return r
}

// listed returns the sums of a query, in short.
func listed(t *testing.T, c *Catalogue, q NumberQuery) string {
	t.Helper()
	sums, err := c.Sums(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, s := range sums {
		text += fmt.Sprintf("%s %d %d %d %d; ", s.Name, s.Count, s.Bytes, s.Containers, s.Packages)
	}
	return text
}

// TestNumbers puts packages and collections, replaces and removes them. The sums follow each change.
func TestNumbers(t *testing.T) { everyEngine(t, testNumbers) }

func testNumbers(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	host := NumberQuery{Kind: model.ByHost}
	want := func(q NumberQuery, want string) {
		t.Helper()
		if got := listed(t, c, q); got != want {
			t.Errorf("%+v:\n got %s\nwant %s", q, got, want)
		}
	}
	must(c.Put(ctx, collectionOf("all", "a", "b", "later")))
	must(c.Put(ctx, countedRecord("a", true, number(1, 2008, model.ByHost, "x.example", 3),
		number(2, 2009, model.ByHost, "x.example", 4), number(1, 2008, model.ByHost, "y.example", 7),
		number(1, 2008, model.ByType, "response", 9))))
	must(c.Put(ctx, countedRecord("b", false, number(1, 2009, model.ByHost, "x.example", 1))))
	must(c.Put(ctx, record("none")))
	want(host, "x.example 8 80 3 2; y.example 7 70 1 1; ")
	want(NumberQuery{Kind: model.ByHost, Top: 1}, "x.example 8 80 3 2; ")
	want(NumberQuery{Kind: model.ByHost, From: 2009, To: 2009}, "x.example 5 50 2 2; ")
	want(NumberQuery{Kind: model.ByHost, From: 2000, To: 2008}, "y.example 7 70 1 1; x.example 3 30 1 1; ")
	want(NumberQuery{Kind: model.ByHost, Collection: "all"}, "x.example 8 80 3 2; y.example 7 70 1 1; ")
	states := map[NumberState]int64{Counted: 1, PartCounted: 1, NotCounted: 1}
	if got, err := c.CountStates(ctx, host); err != nil || !reflect.DeepEqual(got, states) {
		t.Errorf("states: %v, %v", got, err)
	}
	for _, q := range []struct {
		NumberQuery
		count, packages int64
	}{{host, 15, 2}, {NumberQuery{Kind: model.ByHost, From: 2009, To: 2010}, 5, 2},
		{NumberQuery{Kind: model.ByHost, Collection: "all"}, 15, 2}, {NumberQuery{Kind: model.ByType}, 9, 1}} {
		if all, err := c.Total(ctx, q.NumberQuery); err != nil || all.Count != q.count || all.Packages != q.packages {
			t.Errorf("all of %+v: %+v, %v", q, all, err)
		}
	}
	years, err := c.TotalsByYear(ctx, host)
	if err != nil || fmt.Sprint(years) != "[{2008 10 100} {2009 5 50}]" {
		t.Errorf("by year: %v, %v", years, err)
	}
	for _, y := range []struct {
		from, to int
		names    []string
		want     string
	}{
		{0, 0, []string{"x.example"}, "[{2008 3 30} {2009 5 50}] map[x.example:{2008 2009}]"},
		{0, 0, []string{"x.example", "y.example", "absent"},
			"[{2008 10 100} {2009 5 50}] map[x.example:{2008 2009} y.example:{2008 2008}]"},
		{2009, 2010, []string{"x.example", "y.example"}, "[{2009 5 50}] map[x.example:{2009 2009}]"},
		{0, 0, nil, "[] map[]"},
	} {
		q := NumberQuery{Kind: model.ByHost, From: y.from, To: y.to}
		for range 2 {
			years, err := c.NamesByYear(ctx, q, y.names)
			must(err)
			spans, err := c.Spans(ctx, q, y.names)
			if got := fmt.Sprint(years, " ", spans); err != nil || got != y.want {
				t.Errorf("%v from %d to %d: %s, %v, want %s", y.names, y.from, y.to, got, err, y.want)
			}
			for k := range 2 * fewNames { // so many names are found in another way
				if len(y.names) > 0 {
					y.names = append(y.names, fmt.Sprint("absent ", k))
				}
			}
		}
	}
	rows, state, err := c.Numbers(ctx, "a")
	if err != nil || state != Counted || len(rows) != 4 || rows[1].Harvest != 2 || rows[1].Year != 2009 {
		t.Errorf("numbers of a package: %+v, %s, %v", rows, state, err)
	}

	// a new version of a package, a package that comes later, and one that is counted later
	must(c.Put(ctx, countedRecord("a", true, number(1, 2008, model.ByHost, "y.example", 5))))
	must(c.Put(ctx, countedRecord("later", true, number(1, 0, model.ByHost, "z.example", 2))))
	if spans, err := c.Spans(ctx, host, []string{"z.example"}); err != nil || len(spans) > 0 {
		t.Errorf("the years of a name without one: %v, %v", spans, err)
	}
	if p, err := c.Uncounted(ctx, "", 9); err != nil || len(p) != 1 || p[0].ID != "none" {
		t.Errorf("uncounted: %+v, %v", p, err)
	}
	n := &model.Numbers{Exact: true, Rows: []model.Number{number(0, 2010, model.ByHost, "y.example", 1)}}
	must(c.SetNumbers(ctx, "none", "an earlier inventory", n, nil))
	must(c.SetNumbers(ctx, "absent", "abc", n, nil))
	want(host, "y.example 5 50 1 1; z.example 2 20 1 1; x.example 1 10 1 1; ")
	must(c.SetNumbers(ctx, "none", "abc", n, nil))
	want(host, "y.example 6 60 2 2; z.example 2 20 1 1; x.example 1 10 1 1; ")
	want(NumberQuery{Kind: model.ByHost, Collection: "all"}, "y.example 5 50 1 1; z.example 2 20 1 1; "+
		"x.example 1 10 1 1; ")

	// the collection has other members, and loses one for ever
	must(c.Put(ctx, collectionOf("all", "none", "b")))
	want(NumberQuery{Kind: model.ByHost, Collection: "all"}, "x.example 1 10 1 1; y.example 1 10 1 1; ")
	if all, err := c.Total(ctx, NumberQuery{Kind: model.ByHost, Collection: "all"}); err != nil || all.Count != 2 {
		t.Errorf("all of the collection: %+v, %v", all, err)
	}
	if m, known, err := c.Members(ctx, "all"); err != nil || !known || fmt.Sprint(m) != "[b none]" {
		t.Errorf("members: %v, %t, %v", m, known, err)
	}
	must(c.Remove(ctx, "b"))
	want(NumberQuery{Kind: model.ByHost, Collection: "all"}, "y.example 1 10 1 1; ")
	want(host, "y.example 6 60 2 2; z.example 2 20 1 1; ")
	must(c.Remove(ctx, "all"))
	want(NumberQuery{Kind: model.ByHost, Collection: "all"}, "")
	for _, id := range []string{"a", "later", "none"} {
		must(c.Remove(ctx, id))
	}
	for _, table := range []string{"counted", "numbers", "sums", "members"} {
		var left int
		if err := c.db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&left); err != nil || left != 0 {
			t.Errorf("%s has %d rows after all packages were removed, %v", table, left, err)
		}
	}
}

// TestNumbersTogether puts packages from several catalogues at once, with names in common.
func TestNumbersTogether(t *testing.T) { everyEngine(t, testNumbersTogether) }

func testNumbersTogether(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	const writers, each = 4, 8
	var wait sync.WaitGroup
	first := again()
	if err := first.Put(ctx, collectionOf("all", "0-0", "1-1", "3-7")); err != nil {
		t.Fatal(err)
	}
	for w := range writers {
		c := again()
		wait.Go(func() {
			for i := range each {
				rows := make([]model.Number, 0, 20)
				for k := range 20 { // in another order for each writer
					rows = append(rows, number(1, 2000, model.ByHost, fmt.Sprint("h", (k*7+w*3)%20), 1))
				}
				if err := c.Put(ctx, countedRecord(fmt.Sprintf("%d-%d", w, i), true, rows...)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	sums, err := first.Sums(ctx, NumberQuery{Kind: model.ByHost})
	if err != nil || len(sums) != 20 {
		t.Fatalf("%d sums, %v", len(sums), err)
	}
	for _, s := range sums {
		if s.Count != writers*each || s.Packages != writers*each {
			t.Errorf("%+v", s)
		}
	}
	if got := listed(t, first, NumberQuery{Kind: model.ByHost, Collection: "all", Top: 1}); got != "h0 3 30 3 3; " {
		t.Errorf("the collection: %s", got)
	}
}

// TestNumbersErased: after a removal, no file of the catalogue has a name of the package.
func TestNumbersErased(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "c.db")
	c := open(t, path)
	for id, host := range map[string]string{"kept": "kept.example", "gone": "secret.example"} {
		if err := c.Put(ctx, countedRecord(id, true, number(1, 2000, model.ByHost, host, 1))); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Remove(ctx, "gone"); err != nil {
		t.Fatal(err)
	}
	text := func(ending string) []byte {
		b, err := os.ReadFile(path + ending)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return b
	}
	all := append(text(""), text("-wal")...)
	if !bytes.Contains(all, []byte("kept.example")) || bytes.Contains(all, []byte("secret.example")) {
		t.Error("the files have a name of the removed package, or lost one that stays")
	}
}

// TestNumbersOfBefore migrates a catalogue without numbers: its packages are counted as such, and can be read
// before.
func TestNumbersOfBefore(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "c.db")
	steps, err := migrations.ReadDir("migrations/sqlite")
	if err != nil {
		t.Fatal(err)
	}
	c, err := opened(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := transact(ctx, c.db, c.engine, patience, func(tx *transaction) error {
		return apply(ctx, tx, steps[:2])
	}); err != nil {
		t.Fatal(err)
	}
	for id, profile := range map[string]string{"a": "p", "b": "p", "c": aip.CollectionProfile} {
		if _, err := c.db.Exec(`INSERT INTO packages VALUES (?, ?, ?, '', ?, '', 1, 'abc', '', '',
			'2008-04-30T00:00:00.000000000Z', '', 2, 3, 4, 5)`, id, "urn:"+id, id, profile); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	old, err := OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.Sums(ctx, NumberQuery{Kind: model.ByHost}); !errors.Is(err, ErrNotCounted) {
		t.Errorf("sums of an earlier schema: %v", err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	c = open(t, path)
	for _, q := range []NumberQuery{{Kind: byPackage}, {Kind: byPackage, From: 2008, To: 2008}} {
		if got := listed(t, c, q); got != "none 2 10 4 2; " {
			t.Errorf("%+v: %s", q, got)
		}
	}
	if p, err := c.Uncounted(ctx, "a", 9); err != nil || len(p) != 2 || p[0].ID != "b" || p[1].ID != "c" {
		t.Errorf("uncounted: %+v, %v", p, err)
	}
	if err := c.SetNumbers(ctx, "c", "abc", nil, []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if got := listed(t, c, NumberQuery{Kind: byPackage, Collection: "c"}); got != "none 1 5 2 1; " {
		t.Errorf("the collection: %s", got)
	}
}

// TestTotalsOfBefore migrates a catalogue with numbers, without the sums of all names.
func TestTotalsOfBefore(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "c.db")
	c := open(t, path)
	for _, r := range []Record{countedRecord("a", true, number(1, 2000, model.ByHost, "x.example", 1),
		number(2, 2001, model.ByHost, "y.example", 2)), countedRecord("b", true,
		number(1, 2001, model.ByHost, "x.example", 4)), collectionOf("c", "a")} {
		if err := c.Put(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	rows := func() (all []string) {
		sums, err := collect(ctx, c, scanText, "SELECT scope || ' ' || year || ' ' || name || ' ' || count || ' ' "+
			"|| bytes || ' ' || containers || ' ' || packages FROM sums WHERE kind = 'total' ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		return sums
	}
	want := rows()
	for _, statement := range []string{"DELETE FROM sums WHERE kind = 'total'",
		"CREATE INDEX numbers_name ON numbers (kind, name)", "DROP TABLE changes", "PRAGMA user_version = 4"} {
		if _, err := c.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = open(t, path)
	if got := rows(); !reflect.DeepEqual(got, want) || len(got) != 6 {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestNumbersTransfer moves numbers and members between a file and a database.
func TestNumbersTransfer(t *testing.T) {
	ctx := context.Background()
	first := open(t, filepath.Join(t.TempDir(), "c.db"))
	for _, r := range []Record{countedRecord("a", true, number(1, 2000, model.ByHost, "x.example", 1)),
		countedRecord("b", false, number(1, 2001, model.ByHost, "x.example", 2)), record("none"),
		collectionOf("c", "a", "none"), collectionOf("empty")} {
		if err := first.Put(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	second, err := CreateDatabase(ctx, pgtest.Place(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Close() }()
	third := open(t, filepath.Join(t.TempDir(), "c.db"))
	for _, step := range [][2]*Catalogue{{first, second}, {second, third}} {
		if _, err := Transfer(ctx, step[0], step[1], nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []NumberQuery{{Kind: model.ByHost}, {Kind: byPackage}, {Kind: model.ByHost, Collection: "c"},
		{Kind: byPackage, Collection: "c"}} {
		if a, b := listed(t, first, q), listed(t, third, q); a != b || a == "" {
			t.Errorf("%+v: %s, then %s", q, a, b)
		}
	}
	if _, known, err := third.Members(ctx, "empty"); err != nil || !known {
		t.Errorf("the empty collection: %t, %v", known, err)
	}
}
