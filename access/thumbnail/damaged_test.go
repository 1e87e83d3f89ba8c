package thumbnail

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestDamaged: bytes that are damaged in all copies leave nothing in the cache, neither a thumbnail nor
// that there is none, and are reported. The pictures are too long to be verified before they are read.
func TestDamaged(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://damaged.example/"
	long := tone(t, 100) + strings.Repeat("after the picture ", 80_000)
	r.Ingest(holdingstest.Package{ID: "damaged", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", at+"end.png", date, "image/png", long+"END") +
			holdingstest.Response("2", at+"start.png", date, "image/png", long)}})
	h := r.Open(holdings.Options{Problem: func(error) {}})
	problems := 0
	s, err := Open(h.Dir(), h, Options{Wait: time.Minute, Problem: func(error) { problems++ }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	damage(t, r)
	for _, name := range []string{"end.png", "start.png"} {
		before := problems
		if got := shown(t, s, holdings.Public, at+name); got == "100" {
			t.Errorf("%s: damaged bytes give a thumbnail", name)
		}
		s.all.Wait()
		if problems != before+1 {
			t.Errorf("%s: %d problems are reported", name, problems-before)
		}
	}
	if all, err := os.ReadDir(s.cache.dir); err != nil || len(all) > 0 {
		t.Errorf("the cache has %d files, %v", len(all), err)
	}
}

// damage changes the last bytes of the first picture and the first bytes of the second, in each copy.
func damage(t *testing.T, r *holdingstest.Repository) {
	t.Helper()
	n := 0
	if err := filepath.WalkDir(r.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "a.warc" || !strings.Contains(path, "copy-") {
			return err
		}
		n++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		damaged := []byte(strings.Replace(string(text), "END\r\n", "end\r\n", 1))
		damaged[strings.LastIndex(string(damaged), "PNG\r\n")] = 'X'
		return os.WriteFile(path, damaged, 0o666)
	}); err != nil || n != 2 {
		t.Fatal(n, err)
	}
}

// testFaults: a panic of a reader of archived bytes is reported once, and ends nothing.
func testFaults(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, s *Thumbnails) {
	var problems []error
	before := s.options.Problem
	s.options.Problem = func(err error) { problems = append(problems, err) }
	defer func() { s.options.Problem = before }()
	public := holdings.Reader{Class: holdings.Public}
	const url = "http://open.example/picture.png"
	c := r.Find(h, public, url)[0].Capture
	work := func([]byte, string) ([]byte, error) { panic("index out of range") }
	for range 2 {
		if _, err := s.kept(context.Background(), public, c, "fault", work); err != nil {
			t.Errorf("after a panic: %v", err)
		}
	}
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "index out of range") ||
		!strings.Contains(problems[0].Error(), url) {
		t.Errorf("reported: %v", problems)
	}
}
