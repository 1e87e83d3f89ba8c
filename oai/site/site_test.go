package site

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
)

// clock is a clock set by the test.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// noon is the start time of the tests.
var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// problems collects the reported problems.
type problems struct {
	mu   sync.Mutex
	list []string
}

func (p *problems) add(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, s)
}

func (p *problems) has(s string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Contains(strings.Join(p.list, "\n"), s)
}

// idle returns a site that scans only on the test's demand.
func idle(t *testing.T, o Options) (*Site, *clock, *problems) {
	t.Helper()
	told := &problems{}
	if o.State == "" {
		o.State = t.TempDir()
	}
	if o.Root == "" {
		o.Root = "http://a.example/"
	}
	o.Problem = told.add
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	s := &Site{opt: o, find: o.Find, wake: make(chan struct{}, 1), turn: make(chan struct{}), stop: func() {}}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.index, err = openIndex(t.Context(), o.State); err != nil {
		t.Fatal(err)
	}
	c := &clock{t: noon}
	s.index.now = c.now
	if s.ready, err = s.seen(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, c, told
}

// folder writes files with one old time.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text, noon.Add(-1000*time.Hour))
	}
	return dir
}

func write(t *testing.T, dir, name, text string, modified time.Time) {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(p, modified, modified); err != nil {
		t.Fatal(err)
	}
}

// serve serves a folder like quire.
func serve(t *testing.T, dir string) http.Handler {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return Files(root)
}

func scanned(t *testing.T, s *Site) {
	t.Helper()
	if err := s.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Lists of the test use this scan.
	s.mu.Lock()
	s.took = time.Hour
	s.mu.Unlock()
}

// listed returns a list, a line each: datestamp, URL, and whether it is deleted.
func listed(t *testing.T, s *Site, q provider.Query) []string {
	t.Helper()
	var list []string
	for h, err := range s.List(context.Background(), q) {
		if err != nil {
			t.Fatal(err)
		}
		line := protocol.FormatDatestamp(h.Datestamp) + " " + h.Identifier
		if h.Deleted {
			line += " deleted"
		}
		list = append(list, line)
	}
	return list
}

func wantList(t *testing.T, s *Site, q provider.Query, want ...string) {
	t.Helper()
	got := listed(t, s, q)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("list:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFolder(t *testing.T) {
	dir := folder(t, map[string]string{
		"index.html": "<p>a", "a.png": "\x89PNG\r\n\x1a\n", ".htaccess": "secret", "sub/index.html": "b",
		"sub/.git/config": "c", "sub/deep/c.css": "d{}",
		".well-known/security.txt": "Contact: mailto:a@a.example",
	})
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "passwd")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.png", filepath.Join(dir, "b.png")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..", filepath.Join(dir, "sub", "round")); err != nil {
		t.Fatal(err)
	}
	s, c, _ := idle(t, Options{Next: serve(t, dir), Folder: dir, Find: Find{Exclude: []string{"/sub/round/"}}})
	scanned(t, s)
	old := protocol.FormatDatestamp(noon.Add(-1000 * time.Hour))
	all := []string{
		old + " http://a.example/",
		old + " http://a.example/.well-known/security.txt",
		old + " http://a.example/a.png",
		old + " http://a.example/b.png",
		old + " http://a.example/sub/",
		old + " http://a.example/sub/deep/c.css",
	}
	wantList(t, s, provider.Query{}, all...)
	wantList(t, s, provider.Query{Set: "mime:image"}, all[2], all[3])
	wantList(t, s, provider.Query{Set: "mime:image:png"}, all[2], all[3])
	wantList(t, s, provider.Query{Set: "host:a.example"}, all...)
	wantList(t, s, provider.Query{Set: "host:b.example"})
	wantList(t, s, provider.Query{Set: "year:2026"}, all...)
	wantList(t, s, provider.Query{From: noon})

	// A new resource gets the datestamp of its discovery, however old the file is.
	c.forward(time.Hour)
	write(t, dir, "new.txt", "new", noon.Add(-2000*time.Hour))
	if err := os.Remove(filepath.Join(dir, "a.png")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "b.png")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "sub/index.html", "changed", noon)
	scanned(t, s)
	one := protocol.FormatDatestamp(noon.Add(time.Hour))
	wantList(t, s, provider.Query{From: noon},
		one+" http://a.example/a.png deleted", one+" http://a.example/b.png deleted", one+" http://a.example/new.txt",
		one+" http://a.example/sub/")
	if n, ok, err := s.Count(t.Context(), provider.Query{}); n != 7 || !ok || err != nil {
		t.Errorf("count: %d, %v, %v", n, ok, err)
	}
	if n, ok, err := s.Count(t.Context(), provider.Query{Set: "mime:image:png"}); n != 2 || !ok || err != nil {
		t.Errorf("count of a set: %d, %v, %v", n, ok, err)
	}
	if n, ok, err := s.Count(t.Context(), provider.Query{From: noon}); n != 4 || !ok || err != nil {
		t.Errorf("count of a part: %d, %v, %v", n, ok, err)
	}

	// Without a change, no datestamp changes.
	c.forward(time.Hour)
	scanned(t, s)
	wantList(t, s, provider.Query{From: noon.Add(2 * time.Hour)})

	// A resource that returns is no longer marked as deleted, and has a new datestamp.
	write(t, dir, "a.png", "\x89PNG\r\n\x1a\n", noon.Add(-1000*time.Hour))
	scanned(t, s)
	two := protocol.FormatDatestamp(noon.Add(2 * time.Hour))
	wantList(t, s, provider.Query{From: noon.Add(2 * time.Hour)}, two+" http://a.example/a.png")
}
