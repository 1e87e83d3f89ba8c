package catalogue

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/internal/pgtest"
	"quire/internal/postgres"
)

// TestDatabaseMissing: a schema that is missing is not made silently, because the repository would then seem
// to have no package.
func TestDatabaseMissing(t *testing.T) {
	place := pgtest.Place(t)
	for _, m := range []Mode{ForWriting, ForReading, ReadOnly} {
		if _, err := OpenDatabase(context.Background(), place, m); !errors.Is(err, ErrNoSchema) {
			t.Errorf("mode %d: %v", m, err)
		}
	}
}

// TestDatabaseModes: reading only refuses to write, and a writer waits no longer than its patience.
func TestDatabaseModes(t *testing.T) {
	ctx := context.Background()
	place := pgtest.Place(t)
	c, err := CreateDatabase(ctx, place)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if err := c.Put(ctx, record("a")); err != nil {
		t.Fatal(err)
	}
	r, err := OpenDatabase(ctx, place, ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if err := r.Put(ctx, record("b")); !postgres.Denied(err) {
		t.Errorf("read only: %v", err)
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Exec("DELETE FROM packages WHERE id = 'a'"); err != nil {
		t.Fatal(err)
	}
	w, err := OpenDatabase(ctx, place, ForReading)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	var busy *BusyError
	if err := w.Put(ctx, record("a")); !errors.As(err, &busy) {
		t.Errorf("while another process writes: %v", err)
	}
}

// TestDatabaseReader opens a catalogue with an account that may only read.
func TestDatabaseReader(t *testing.T) {
	ctx := context.Background()
	place := pgtest.Place(t)
	c, err := CreateDatabase(ctx, place)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	for _, statement := range []string{"CREATE ROLE reader LOGIN",
		"GRANT USAGE ON SCHEMA " + place.Schema + " TO reader",
		"GRANT SELECT ON ALL TABLES IN SCHEMA " + place.Schema + " TO reader"} {
		if _, err := c.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	reader := place
	reader.Address = strings.Replace(place.Address, "//quire@", "//reader@", 1)
	for _, m := range []Mode{ForWriting, ForReading} {
		if _, err := OpenDatabase(ctx, reader, m); !errors.Is(err, ErrMayNotWrite) {
			t.Errorf("mode %d: %v", m, err)
		}
	}
	r, err := OpenDatabase(ctx, reader, ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if n, err := r.Count(ctx); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
}

// TestDatabaseTogetherOnOne: a package is written again and again while other processes add events, set states and
// record readings. No call fails.
func TestDatabaseTogetherOnOne(t *testing.T) {
	ctx := context.Background()
	place := pgtest.Place(t)
	c, err := CreateDatabase(ctx, place)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	for _, id := range []string{"a", "b"} {
		if err := c.Put(ctx, record(id)); err != nil {
			t.Fatal(err)
		}
	}
	other, err := OpenDatabase(ctx, place, ForWriting)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	var wait sync.WaitGroup
	const times = 40
	again := func(what string, f func(n int) error) {
		wait.Go(func() {
			for n := range times {
				if err := f(n); err != nil {
					t.Errorf("%s: %v", what, err)
					return
				}
			}
		})
	}
	for _, c := range []*Catalogue{c, other} {
		again("put", func(int) error { return c.Put(ctx, record("a")) })
	}
	again("event", func(n int) error {
		return other.AddEvent(ctx, "a", Event{File: "event-" + strconv.Itoa(n) + ".xml", Type: "t", Time: noon})
	})
	again("state", func(n int) error {
		return other.SetStatus(ctx, "a", "copy-1", Good, noon, Event{File: "state-" + strconv.Itoa(n) + ".xml"})
	})
	forward := []Check{{"a", "copy-1", noon}, {"a", "copy-2", noon}, {"b", "copy-1", noon}, {"b", "copy-2", noon}}
	backward := slices.Clone(forward)
	slices.Reverse(backward)
	again("readings", func(int) error { return c.PutChecks(ctx, nil, forward) })
	again("readings, in another order", func(int) error { return other.PutChecks(ctx, nil, backward) })
	wait.Wait()
	if r, err := c.Get(ctx, "a"); err != nil || len(r.Versions) != 2 || len(r.Copies) != 2 || len(r.Events) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// longPath returns a path that does not fit into a row of an index, also when it is compressed.
func longPath() string {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same in each run
	var b strings.Builder
	for b.Len() < 10_000 {
		b.WriteString(strconv.FormatUint(random.Uint64(), 36) + "/")
	}
	return b.String()
}

// TestDatabaseTexts stores texts that PostgreSQL refuses, and an order that differs between languages.
func TestDatabaseTexts(t *testing.T) {
	ctx := context.Background()
	c, err := CreateDatabase(ctx, pgtest.Place(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	ids := []string{"Z", "a", "Ä", "ä", "z", "a-b", "ab", "B", "日"}
	for _, id := range ids {
		r := record(id)
		r.Package.Title = "a\x00b\xff"
		r.Versions[0].Files = []File{{Path: longPath()}}
		for n := range 20 { // enough for COPY
			r.Versions[0].Files = append(r.Versions[0].Files, File{Path: "p\xfe" + string(rune('a'+n))})
		}
		if err := c.Put(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for p, err := range c.Packages(ctx) {
		if err != nil || p.Title != "a\uFFFDb\uFFFD" {
			t.Fatalf("%+v, %v", p, err)
		}
		got = append(got, p.ID)
	}
	slices.Sort(ids)
	if !reflect.DeepEqual(got, ids) {
		t.Errorf("order %q, want %q", got, ids)
	}
	r, err := c.Get(ctx, "a")
	if err != nil || len(r.Versions[0].Files) != 21 ||
		!strings.HasPrefix(r.Versions[0].Files[20].Path, "p\uFFFD") || r.Versions[0].Files[0].Path != longPath() {
		t.Errorf("files: %+v, %v", r.Versions, err)
	}
}

// TestDatabaseTogether: processes that migrate, write and replace the schema at once wait for each other.
func TestDatabaseTogether(t *testing.T) {
	ctx := context.Background()
	place := pgtest.Place(t)
	first, err := CreateDatabase(ctx, place)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Close() }()
	var wait sync.WaitGroup
	for n := range 6 {
		wait.Go(func() {
			c, err := OpenDatabase(ctx, place, ForWriting)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 10 {
				if err := c.Put(ctx, record(string(rune('a'+n))+string(rune('0'+i)))); err != nil {
					t.Error(err)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n, err := first.Count(ctx); err != nil || n != 60 {
		t.Errorf("%d packages, %v", n, err)
	}
	was, err := first.Changes(ctx)
	if err != nil || was != 60 {
		t.Errorf("%d changes, %v", was, err)
	}
	made := place
	made.Schema += "_new"
	next, err := CreateDatabase(ctx, made)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(next.Put(ctx, record("only")), next.Close(), ReplaceDatabase(ctx, place, made.Schema))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := first.Count(ctx); err != nil || n != 1 {
		t.Errorf("after the swap: %d packages, %v", n, err)
	}
	if now, err := first.Changes(ctx); err != nil || now == was {
		t.Errorf("the swap is no change: %d, %v", now, err)
	}
}

// TestDatabaseRestart: a catalogue that is open goes on after the server was killed and began again, with all
// that was written.
func TestDatabaseRestart(t *testing.T) {
	ctx := context.Background()
	c, err := CreateDatabase(ctx, pgtest.Place(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if err := c.Put(ctx, record("a")); err != nil {
		t.Fatal(err)
	}
	pgtest.Restart(t)
	until := time.Now().Add(time.Minute)
	for {
		got, err := c.Get(ctx, "a")
		if err == nil {
			if !reflect.DeepEqual(got, record("a")) {
				t.Errorf("got %+v", got)
			}
			return
		}
		if time.Now().After(until) {
			t.Fatal(err)
		}
	}
}
