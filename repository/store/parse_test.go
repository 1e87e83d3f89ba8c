package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

func testEvent() event {
	return event{
		Event: catalogue.Event{ID: "1b7e3a52-0000-4000-8000-000000000001", Type: string(model.FixityCheck),
			Outcome: string(model.Fail),
			Time:    time.Date(2026, 1, 2, 3, 4, 5, 678000, time.UTC), Detail: "read <in> & \"out\" \x01 größe",
			Copy: "urn:quire:copy:0-0:copy-2"},
		Package: "urn:test:package", Status: catalogue.Damaged, Agent: "quire 1.0",
	}
}

func TestEventRoundTrip(t *testing.T) {
	want := testEvent()
	text, err := want.marshal()
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseEvent(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if copyOf(got.Copy) != "copy-2" {
		t.Errorf("copy is %q", copyOf(got.Copy))
	}
}

func TestParseEventRefuses(t *testing.T) {
	for _, text := range []string{
		"", "<", "<premis/>", `<premis xmlns="http://www.loc.gov/premis/v3" version="3.0"/>`,
		`<mets xmlns="http://www.loc.gov/METS/"/>`,
	} {
		if e, err := parseEvent([]byte(text)); err == nil {
			t.Errorf("%q gives %+v", text, e)
		}
	}
}

// TestEventFileNames checks that names sort by time and are valid on every file system.
func TestEventFileNames(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678000, time.FixedZone("", 3600))
	got := eventFile(at, model.FixityCheck, "1b7e3a52-0000")
	if want := "20260102T020405.000678Z-fixity-check-1b7e3a52.xml"; got != want || unportable(got) != "" {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestObjectID(t *testing.T) {
	for id, want := range map[string]string{
		"urn:uuid:1b7e3a52-0000-4000-8000-000000000001": "urn:uuid:1b7e3a52-0000-4000-8000-000000000001",
		"https://example.org/a?b":                       "https://example.org/a?b",
		"ark:/12148/btv1b":                              "ark:/12148/btv1b",
		"demo-2026":                                     "urn:quire:demo-2026",
		"a b/ü":                                         "urn:quire:a%20b%2F%C3%BC",
		// otherwise two packages would share an object
		"urn:quire:demo-2026": "urn:quire:urn:quire:demo-2026",
		":x":                  "urn:quire::x",
	} {
		if got := objectID(id); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
}

func TestView(t *testing.T) {
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	o, err := openObject(r.Copies[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(viewOf(o, "v1"), append(sortedKeys(crawl), "mets.xml")...); err != nil {
		t.Error(err)
	}
}

// TestLocks checks that only shared locks are compatible, and that no lock file remains.
func TestLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	take := func(mode lockMode) (*lock, bool) {
		l, err := tryLock(path, mode, "x", "testing")
		return l, err == nil
	}
	one, ok1 := take(shared)
	two, ok2 := take(shared)
	_, ok3 := take(exclusive)
	if !ok1 || !ok2 || ok3 {
		t.Fatalf("two readers %v and %v, then a writer %v; the readers should have it", ok1, ok2, ok3)
	}
	one.release()
	one.release() // a second call does no harm
	two.release()
	writer, ok := take(exclusive)
	if _, free := take(shared); !ok || free {
		t.Fatalf("exclusive %v, then shared %v; want true, false", ok, free)
	}
	if _, err := tryLock(path, exclusive, "x", ""); err == nil || !strings.Contains(err.Error(), "(testing)") {
		t.Errorf("the holder is not reported: %v", err)
	}
	writer.release()
	if exists(path) {
		t.Error("the lock file is still there")
	}
	ctx, cancel := context.WithCancel(context.Background())
	held, _ := take(exclusive)
	cancel()
	if _, err := whenFree(ctx, func() (*lock, error) { return tryLock(path, shared, "x", "") }); err == nil {
		t.Error("waiting for a lock did not end with the context")
	}
	held.release()
}

// TestReadInPieces checks that files around the sizes of both buffers are read completely, with and
// without O_DIRECT.
func TestReadInPieces(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int{0, 1, 4095, 4096, 4097, smallSize - 1, smallSize, smallSize + 1, blockSize - 1,
		blockSize, blockSize + 1, 3 * blockSize} {
		text := strings.Repeat("x", size)
		path := filepath.Join(dir, "file")
		put(t, path, text)
		sum, n, err := sumCold(context.Background(), path, func(int64) {})
		if err != nil || n != int64(size) || sum != sumBytes([]byte(text)) {
			t.Errorf("%d bytes: read %d, %v", size, n, err)
		}
		if err := readBack(context.Background(), []string{path, path}, sum); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
		other := filepath.Join(dir, "other")
		put(t, other, text+"y")
		if err := readBack(context.Background(), []string{path, other}, sum); err == nil ||
			!strings.Contains(err.Error(), other) {
			t.Errorf("%d bytes and one more: %v, want an error about %s", size, err, other)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		plain := &coldFile{f: f, path: path}
		b := make([]byte, blockSize)
		total := 0
		for {
			n, err := plain.fill(b)
			if total += n; err != nil || n < len(b) {
				break
			}
		}
		plain.close()
		if total != size {
			t.Errorf("%d bytes: read %d without O_DIRECT", size, total)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	text, err := testEvent().marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("<premis:premis xmlns:premis='http://www.loc.gov/premis/v3'><premis:event/></premis:premis>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := parseEvent(text)
		if err != nil {
			return
		}
		again, err := e.marshal()
		if err != nil {
			return // a hostile file may hold values that cannot be written
		}
		if back, err := parseEvent(again); err != nil || back.ID != e.ID || back.Status != e.Status {
			t.Errorf("%+v comes back as %+v, %v", e, back, err)
		}
	})
}

func FuzzParseJournal(f *testing.F) {
	f.Add([]byte(`{"format":1,"kind":"ingest","state":"begun","tx":"ab-12","package":"p","object":"o","path":"a/b",` +
		`"version":1}`))
	f.Add([]byte(`{"format":1,"kind":"repair","state":"committed","tx":"../..","package":"p","object":"o",` +
		`"path":"/etc","version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		j, err := parseJournal(text)
		if err != nil {
			return
		}
		c := copyFolder{path: "/copy"}
		for _, path := range []string{c.staging(j.Tx), c.object(j.Path), c.quarantine(j.Tx)} {
			if !inside(path, "/copy") || path == "/copy" || path == "/copy/staging" || path == "/copy/ocfl" {
				t.Errorf("a journal leads to %s", path)
			}
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`{"format":1,"repository":"0-0","copies":[{"name":"copy-1","path":"copy-1"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		config, err := parseConfig(text)
		if err != nil {
			return
		}
		for _, c := range config.Copies {
			if !fs.ValidPath(c.Name) || strings.Contains(c.Name, "/") {
				t.Errorf("copy name %q", c.Name)
			}
		}
	})
}

// FuzzImportRun reads the record of an audit from a copy, where other programs may have written.
func FuzzImportRun(f *testing.F) {
	f.Add([]byte(`{"format":1,"run":"ab","scope":"all","started":"2026-01-02T03:04:05Z"}
{"package":"p","copy":"copy-1","status":"good","problems":0}
{"finished":"2026-01-02T03:04:06Z","copies":[{"name":"copy-1","objects":1}]}
`))
	f.Add([]byte(`{"format":2,"run":"ab","scope":"all","started":"2026-01-02T03:04:05Z","choice":{"kind":"full"}}
{"package":"p","copy":"copy-1","status":"good","problems":0}
{"checkpoint":{"at":"2026-01-02T03:04:06Z","place":{"after":"p"},"done":1,"copies":[{"name":"copy-1"}]}}
{"finished":"2026-01-02T03:04:06Z","copies":[{"name":"copy-1","objects":1}],"ended":"complete"}
`))
	dir := f.TempDir()
	cat, err := catalogue.Open(context.Background(), filepath.Join(dir, catalogueFile))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = cat.Close() })
	s := &Store{catalogue: cat}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(dir, "run.jsonl")
		put(t, path, string(text))
		if err := s.importRunFile(context.Background(), path); err != nil {
			return
		}
		if as, err := cat.Audits(context.Background(), 1); err != nil || len(as) == 0 {
			t.Errorf("taken, but not there: %v, %v", as, err)
		}
	})
}

// TestObjectsAreReadOnly checks that content is protected against accidental writes.
func TestObjectsAreReadOnly(t *testing.T) {
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	for _, name := range []string{"inventory.json", "v1/content/mets.xml", ocfl.SidecarName(ocfl.SHA512)} {
		info, err := os.Stat(filepath.Join(r.Copies[0].Path, name))
		if err != nil || info.Mode().Perm()&0o222 != 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// TestReadBackSizes: wrong bytes in any copy are found, in files that are read at once, in blocks, and at the
// bound between them.
func TestReadBackSizes(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	for _, size := range []int{0, 1, alignment, smallSize - 1, smallSize, smallSize + 1, blockSize + 1} {
		text := bytes.Repeat([]byte("a"), size)
		wrong := append(bytes.Clone(text), 'x')
		if size > 0 {
			wrong = bytes.Clone(text)
			wrong[size-1] ^= 1
		}
		good, bad := filepath.Join(dir, fmt.Sprint("good-", size)), filepath.Join(dir, fmt.Sprint("bad-", size))
		if err := errors.Join(os.WriteFile(good, text, 0o600), os.WriteFile(bad, wrong, 0o600)); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			paths []string
			fails bool
		}{
			{[]string{good}, false}, {[]string{good, good}, false}, {[]string{bad}, true}, {[]string{bad, bad}, true},
			{[]string{good, bad}, true}, {[]string{bad, good}, true}, {[]string{good, good, bad}, true},
		} {
			err := readBack(ctx, c.paths, sumBytes(text))
			if (err != nil) != c.fails || err != nil && !strings.Contains(err.Error(), bad) {
				t.Errorf("%d bytes, %v: %v", size, c.paths, err)
			}
		}
		sum, n, err := sumCold(ctx, bad, func(int64) {})
		if err != nil || sum != sumBytes(wrong) || n != int64(len(wrong)) {
			t.Errorf("%d bytes: %s of %d, %v", size, sum, n, err)
		}
	}
}
