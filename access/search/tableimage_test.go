package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"quire/internal/prove"
)

// TestSavedTable: the next start maps the saved table, which equals the one that the database gives.
func TestSavedTable(t *testing.T) {
	h := many(300)
	dir := t.TempDir()
	s := openIn(t, dir, h)
	updateIndex(t, s)
	want := ask(t, s, public, Query{Text: "ka", Limit: 50})
	if len(want.Hits) < 10 {
		t.Fatalf("%d hits", len(want.Hits))
	}
	again := openIn(t, dir, h)
	if again.table.image == nil {
		t.Error("the saved table is not used")
	}
	fresh, err := readTable(t.Context(), again.db)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range fresh.lists() {
		if other := again.table.lists()[i]; !bytes.Equal(*l, *other) || len(*l) == 0 {
			t.Errorf("list %d: %d bytes, %d saved", i, len(*l), len(*other))
		}
	}
	if !reflect.DeepEqual(again.table.hosts, fresh.hosts) || again.table.pages != fresh.pages ||
		again.table.usualLength != fresh.usualLength {
		t.Error("names or numbers differ")
	}
	if got := ask(t, again, public, Query{Text: "ka", Limit: 50}); urls(got) != urls(want) {
		t.Errorf("%s, not %s", urls(got), urls(want))
	}
}

// TestOtherTable: the table of another state, of another database or a damaged one is not used.
func TestOtherTable(t *testing.T) {
	h := many(100)
	dir := t.TempDir()
	s := openIn(t, dir, h)
	updateIndex(t, s)
	path := filepath.Join(dir, tableFile)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	updateIndex(t, openIn(t, other, h))
	ofOther, err := os.ReadFile(filepath.Join(other, tableFile))
	if err != nil {
		t.Fatal(err)
	}
	older := *s.table
	older.changes--
	if err := older.save(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(tableMagic)+20] ^= 1
	for name, text := range map[string][]byte{"of another database": ofOther, "cut": good[:len(good)-1],
		"longer": append(bytes.Clone(good), 0), "empty": {}, "a changed header": flipped} {
		// A rename, as the program does: cutting a mapped file would take its pages from the readers.
		if err := os.WriteFile(path+".new", text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		if saved, err := savedTable(t.Context(), s.db, dir); saved != nil || err != nil {
			t.Errorf("%s: used, %v", name, err)
		}
	}
	if err := older.save(dir); err != nil {
		t.Fatal(err)
	}
	if saved, err := savedTable(t.Context(), s.db, dir); saved != nil || err != nil {
		t.Errorf("of an older state: used, %v", err)
	}
	if n := len(ask(t, openIn(t, dir, h), public, Query{}).Hits); n != 10 {
		t.Errorf("%d hits", n)
	}
}

// TestDamagedRows: damage in the rows of a saved table, which no checksum covers, never ends the
// process, and never shows the text of another document.
func TestDamagedRows(t *testing.T) {
	prove.Serial(t)
	h := many(100)
	dir := t.TempDir()
	s := openIn(t, dir, h)
	updateIndex(t, s)
	path := filepath.Join(dir, tableFile)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, l := range s.table.lists() {
		rows += len(*l)
	}
	titles := map[string]string{} // by digest
	for _, hit := range ask(t, s, public, Query{Limit: 100}).Hits {
		titles[digestOf(hit.Capture)] = fmt.Sprint(hit.Title)
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	for n := range 300 {
		bad := bytes.Clone(good)
		if first := len(good) - rows; n == 0 { // two documents change places
			copy(bad[first:first+8], good[first+documentSize:])
			copy(bad[first+documentSize:], good[first:first+8])
		}
		for range 1 + random.IntN(40) {
			bad[len(bad)-1-random.IntN(rows)] = byte(random.Uint32())
		}
		if err := os.WriteFile(path+".new", bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		damaged, err := savedTable(t.Context(), s.db, dir)
		if err != nil || damaged == nil {
			t.Fatalf("%v, %v", damaged, err)
		}
		s.table, s.judged = damaged, judgements{}
		for _, q := range []Query{{}, {Text: "ka"}, {Text: "lu -ka", Level: Bytestreams}, {Text: "year:2015"},
			{Text: "collection:x ka"}, {Limit: 100}} {
			for _, hit := range ask(t, s, public, q).Hits {
				if hit.Capture == nil || hit.Capture.URL == "" {
					t.Fatalf("%+v", hit)
				}
				if got := fmt.Sprint(hit.Title); q.Text == "" && got != titles[digestOf(hit.Capture)] {
					t.Fatalf("%s: title %s, was %s", hit.URL, got, titles[digestOf(hit.Capture)])
				}
			}
		}
	}
}
