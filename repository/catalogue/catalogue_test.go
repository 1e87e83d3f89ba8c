package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/internal/pgtest"
)

func open(t *testing.T, path string) *Catalogue {
	t.Helper()
	c, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// everyEngine runs a test with a new catalogue in each kind of database. again opens it once more.
func everyEngine(t *testing.T, test func(t *testing.T, again func() *Catalogue)) {
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "with space?&#.db")
		test(t, func() *Catalogue { return open(t, path) })
	})
	t.Run("database", func(t *testing.T) {
		place := pgtest.Place(t)
		c, err := CreateDatabase(context.Background(), place)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		test(t, func() *Catalogue {
			c, err := OpenDatabase(context.Background(), place, ForWriting)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			return c
		})
	})
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 123456789, time.UTC)

// record returns a Record with a value in every field.
func record(id string) Record {
	return Record{
		Package: Package{ID: id, Object: "urn:" + id, Path: "aaa/" + id, Title: "Café 'quoted'", Profile: "p",
			METS: "mets.xml", Head: 2,
			Inventory: "abc", Created: noon, Stored: noon.Add(1), First: noon.Add(2), Last: noon.Add(3), Containers: 4,
			Records: 5,
			Files:   1, Bytes: 7},
		Versions: []Version{
			{Number: 1, Created: noon, Message: "first", Inventory: "i1", Bytes: 3,
				Files: []File{{Path: "a", Size: 1, SHA512: "s1", Use: "u"}, {Path: "b", Size: 2, SHA512: "s2"}}},
			{Number: 2, Created: noon.Add(time.Hour), Message: "second", Inventory: "abc", Bytes: 7,
				Files: []File{{Path: "a", Size: 7, SHA512: "s3"}}},
		},
		Copies: []Copy{{Name: "copy-1", Status: Good, Since: noon, Checked: noon}, {Name: "copy-2", Status: Missing}},
		Events: []Event{{File: "e1.xml", ID: "1", Type: "ingestion", Time: noon, Outcome: "success", Detail: "d",
			Copy: "copy-1"}},
	}
}

func TestPutGet(t *testing.T) { everyEngine(t, testPutGet) }

func testPutGet(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	for _, id := range []string{"b", "a"} {
		if err := c.Put(ctx, record(id)); err != nil {
			t.Fatal(err)
		}
	}
	other := record("a")
	other.Package.Title = "another"
	other.Versions[1].Files = nil
	if err := c.Put(ctx, other); err != nil { // replaces the first
		t.Fatal(err)
	}
	for _, want := range []Record{other, record("b")} {
		got, err := c.Get(ctx, want.Package.ID)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v\nwant %+v", got, err, want)
		}
	}
	if p, err := c.AtPath(ctx, "aaa/b"); err != nil || p.ID != "b" {
		t.Errorf("at path: %+v, %v", p, err)
	}
	if n, err := c.SizeOf(ctx, "b", "s2"); err != nil || n != 2 {
		t.Errorf("size: %d, %v", n, err)
	}
	if sums, err := c.VersionInventories(ctx, "b"); err != nil || !reflect.DeepEqual(sums, []string{"i1", "abc"}) {
		t.Errorf("inventories: %v, %v", sums, err)
	}
}

func TestNotFound(t *testing.T) { everyEngine(t, testNotFound) }

func testNotFound(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	_, err1 := c.Package(ctx, "x")
	_, err2 := c.Get(ctx, "x")
	_, err3 := c.AtPath(ctx, "x")
	_, err4 := c.SizeOf(ctx, "x", "y")
	for i, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// TestPackagesPages checks that a list longer than a page is complete and in order, and that the
// caller may stop early.
func TestPackagesPages(t *testing.T) { everyEngine(t, testPackagesPages) }

func testPackagesPages(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	const many = 600
	for n := range many {
		if err := c.Put(ctx, Record{Package: Package{ID: fmt.Sprintf("%04d", many-n), Object: fmt.Sprint(n),
			Path: fmt.Sprint(n), Inventory: fmt.Sprint("of ", n)}}); err != nil {
			t.Fatal(err)
		}
	}
	last, count := "", 0
	for p, err := range c.Packages(ctx) {
		if err != nil || p.ID <= last {
			t.Fatalf("%s after %s, %v", p.ID, last, err)
		}
		last = p.ID
		count++
	}
	if count != many {
		t.Errorf("%d packages, want %d", count, many)
	}
	last, count = "", 0
	for n, err := range c.Heads(ctx) {
		if p, found := c.Package(ctx, n.ID); err != nil || found != nil || n.ID <= last ||
			n != (Head{p.ID, p.Object, p.Inventory}) {
			t.Fatalf("%+v of %+v after %s, %v, %v", n, p, last, err, found)
		}
		last = n.ID
		count++
	}
	if count != many {
		t.Errorf("%d heads, want %d", count, many)
	}
	for _, err := range c.Packages(ctx) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}

func TestStatusAndAudits(t *testing.T) { everyEngine(t, testStatusAndAudits) }

func testStatusAndAudits(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	if err := c.Put(ctx, record("a")); err != nil {
		t.Fatal(err)
	}
	later := noon.Add(24 * time.Hour)
	event := Event{File: "e2.xml", ID: "2", Type: "fixity check", Time: later, Outcome: "fail", Copy: "copy-1"}
	if err := c.SetStatus(ctx, "a", "copy-1", Damaged, later, event); err != nil {
		t.Fatal(err)
	}
	run := []Audit{
		{Run: "r1", Copy: "copy-1", Scope: "all", Started: later, Finished: later.Add(time.Minute), Objects: 1,
			Files: 2, Bytes: 3, Problems: 1},
		{Run: "r1", Copy: "copy-2", Scope: "all", Started: later, Finished: later.Add(time.Minute)},
	}
	ended := Run{Run: "r1", Kind: Sample, Share: 0.01, Choice: "{}", Resumes: "r0", Began: noon, Started: later,
		Finished: later.Add(time.Minute), Ended: Complete, Whole: true, Chosen: 2, Done: 1, Place: "p"}
	going := ended
	going.Finished, going.Ended = time.Time{}, ""
	checks := []Check{{"a", "copy-1", later.Add(time.Minute)}, {"a", "copy-2", time.Time{}}}
	if err := c.PutChecks(ctx, &going, checks); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Runs(ctx); err != nil || !reflect.DeepEqual(got, []Run{going}) {
		t.Errorf("runs: %+v, %v", got, err)
	}
	if known, err := c.Ended(ctx); err != nil || len(known) != 0 {
		t.Errorf("a run under way has ended: %v, %v", known, err)
	}
	if err := c.EndRun(ctx, ended, run); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Run(ctx, "r1"); err != nil || !reflect.DeepEqual(got, ended) {
		t.Errorf("run: %+v, %v", got, err)
	}
	if newest, err := c.Newest(ctx, []string{"a", "x"}); err != nil || len(newest) != 2 ||
		!newest[Check{Package: "a", Copy: "copy-1"}].Equal(later.Add(time.Minute)) {
		t.Errorf("newest: %v, %v", newest, err)
	}
	for k, err := range c.Candidates(ctx, "", true) {
		if err != nil || k.ID != "a" || k.Bytes != 7 || !k.Checked["copy-1"].Equal(later.Add(time.Minute)) ||
			len(k.Checked) != 2 || !k.Checked["copy-2"].IsZero() {
			t.Errorf("candidate: %+v, %v", k, err)
		}
	}
	want := []Copy{{Name: "copy-1", Status: Damaged, Since: later, Checked: later.Add(time.Minute)},
		{Name: "copy-2", Status: Missing}}
	if got, err := c.Copies(ctx, "a"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("copies: %+v, %v\nwant %+v", got, err, want)
	}
	if got, err := c.Audits(ctx, 10); err != nil || !reflect.DeepEqual(got, run) {
		t.Errorf("audits: %+v, %v\nwant %+v", got, err, run)
	}
	if known, err := c.Ended(ctx); err != nil || !known["r1"] {
		t.Errorf("ended: %v, %v", known, err)
	}
	if r, err := c.Get(ctx, "a"); err != nil || len(r.Events) != 2 {
		t.Errorf("events: %+v, %v", r.Events, err)
	}
	if err := c.SetStatus(ctx, "nobody", "copy-1", Good, later, event); err == nil {
		t.Error("a package that is not there got a status")
	}
}

// TestOpenTogether checks that processes that open and write at the same time wait for each other.
func TestOpenTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	ctx := context.Background()
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			c, err := Open(ctx, path)
			if err != nil {
				t.Error(err)
				return
			}
			if err := c.Put(ctx, record(fmt.Sprint(n))); err != nil {
				t.Error(err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	c := open(t, path)
	count := 0
	for _, err := range c.Packages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		count++
	}
	if count != 8 {
		t.Errorf("%d packages, want 8", count)
	}
}

// TestDurability checks that the database has the SQLite settings that the guarantees of the store
// need.
func TestDurability(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "c.db"))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1",
		"busy_timeout": "30000"} {
		var got string
		if err := c.db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", pragma, got, err, want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk.db")
	if err := os.WriteFile(junk, []byte(strings.Repeat("this is no database\n", 100)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, junk); err == nil || !strings.Contains(err.Error(), junk) {
		t.Errorf("junk: %v", err)
	}
	newer := filepath.Join(dir, "newer.db")
	db, err := sql.Open("sqlite", newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 999"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, newer); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("newer: %v", err)
	}
}

// TestLibcVersion checks the version of modernc.org/libc. modernc.org/sqlite is C translated to Go,
// and works only with the libc it was translated against; another version corrupts memory.
func TestLibcVersion(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "modernc.org/sqlite").Output()
	if err != nil {
		t.Skipf("asking go where modernc.org/sqlite is: %v", err)
	}
	theirs := libcVersion(t, filepath.Join(strings.TrimSpace(string(out)), "go.mod"))
	if ours := libcVersion(t, filepath.Join("..", "..", "go.mod")); ours != theirs {
		t.Errorf("go.mod asks for modernc.org/libc %s, modernc.org/sqlite for %s: they must be the same", ours, theirs)
	}
}

func libcVersion(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`modernc\.org/libc (v\S+)`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s does not name modernc.org/libc", path)
	}
	return string(m[1])
}

func TestChanges(t *testing.T) { everyEngine(t, testChanges) }

func testChanges(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	a, b := again(), again()
	asked := func() int64 {
		n, err := a.Changes(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := asked()
	if again := asked(); again != first {
		t.Errorf("nothing was written, and %d became %d", first, again)
	}
	for _, writer := range []*Catalogue{a, b} { // its own pool, and another process
		if err := writer.Put(ctx, Record{Package: Package{ID: "p"}}); err != nil {
			t.Fatal(err)
		}
		now := asked()
		if now == first {
			t.Errorf("it was written, and is %d still", now)
		}
		first = now
	}
	// The queue has tables in the same database.
	if _, err := b.db.Exec("CREATE TABLE of_the_queue (x INTEGER)"); err != nil {
		t.Fatal(err)
	}
	if now := asked(); now != first {
		t.Errorf("the queue was written, and %d became %d", first, now)
	}
}

// TestChangesReadOnly: a reader that may write nothing sees changes of the catalogue, and none of the queue.
func TestChangesReadOnly(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "c.db")
	c := open(t, path)
	if err := c.Put(ctx, Record{Package: Package{ID: "p"}}); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var seen []int64
	for _, write := range []func() error{
		func() error { return c.Put(ctx, Record{Package: Package{ID: "p"}}) },
		func() error { _, err := c.db.Exec("CREATE TABLE of_the_queue (x INTEGER)"); return err },
		func() error { return c.Put(ctx, Record{Package: Package{ID: "p"}}) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		n, err := r.Changes(ctx)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, n)
	}
	if seen[0] == 0 || seen[1] != seen[0] || seen[2] == seen[1] {
		t.Errorf("%v", seen)
	}
}
