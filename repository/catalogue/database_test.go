package catalogue

import (
	"context"
	"errors"
	"reflect"
	"slices"
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
		r.Versions[0].Files = nil
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
	if err != nil || len(r.Versions[0].Files) != 20 || !strings.HasPrefix(r.Versions[0].Files[0].Path, "p\uFFFD") {
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
