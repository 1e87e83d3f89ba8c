package thumbnail

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/bmp"

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

// TestEarlierCache: an earlier program, which did not read BMP, kept an empty file for such a picture. It is read once
// more. A picture that still gives none is not read again.
func TestEarlierCache(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://old.example/"
	m := image.NewGray(image.Rect(0, 0, 30, 30))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{100}), image.Point{}, draw.Src)
	var picture bytes.Buffer
	if err := bmp.Encode(&picture, m); err != nil {
		t.Fatal(err)
	}
	r.Ingest(holdingstest.Package{ID: "old", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", at+"a.bmp", date, "image/bmp", picture.String()) +
			holdingstest.Response("2", at+"b.bmp", date, "image/bmp", "BM, but no picture")}})
	h := r.Open(holdings.Options{})
	s, err := Open(h.Dir(), h, Options{Wait: time.Minute, Problem: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for url, want := range map[string]string{at + "a.bmp": "100", at + "b.bmp": "empty"} {
		name := nameOf(r.Find(h, holdings.Reader{Class: holdings.Public}, url)[0].Capture, string(Picture))
		if err := s.cache.put(name, nil); err != nil {
			t.Fatal(err)
		}
		if got := shown(t, s, holdings.Public, url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
		file := filepath.Join(s.cache.dir, name)
		before, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := shown(t, s, holdings.Public, url); got != want {
			t.Errorf("%s again: %s, want %s", url, got, want)
		}
		if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) || after.Size() == 0 {
			t.Errorf("%s is made again, or its file is empty: %v", url, err)
		}
	}
}
