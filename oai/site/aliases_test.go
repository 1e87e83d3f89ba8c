package site

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
)

// TestAliases: links to folders of the site list nothing twice, and leave no tombstones. A link to a hidden folder is
// the only address of its files. A link to a file is an address of its own.
func TestAliases(t *testing.T) {
	dir := folder(t, map[string]string{"a.txt": "a", "sub/b.txt": "b", ".data/deep/c.txt": "c", ".data/sub/d.txt": "d"})
	for name, target := range map[string]string{"l1": ".", "l2": "sub", "sub/l3": "..", "l4": "l1/sub", "data": ".data",
		".data/l5": "../sub", "link.txt": "a.txt"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s, c, told := idle(t, Options{Next: serve(t, dir), Folder: dir})
	scanned(t, s)
	want := "/a.txt\n/data/deep/c.txt\n/data/sub/d.txt\n/link.txt\n/sub/b.txt"
	if got := urlsOf(t, s, provider.Query{}); got != want {
		t.Errorf("listed:\n%s\nwant:\n%s", got, want)
	}
	if !told.has("symbolic links to folders of the site") || len(told.list) != 1 {
		t.Errorf("told: %q", told.list)
	}
	// A request for a record by such an address adds none.
	if h, err := s.Header(t.Context(), "http://a.example/l2/b.txt"); err == nil {
		t.Errorf("an alias has the record %v", h)
	}
	if h, err := s.Header(t.Context(), "http://a.example/data/sub/d.txt"); err != nil {
		t.Errorf("%v %v", h, err)
	}
	if err := os.Remove(filepath.Join(dir, "l1")); err != nil {
		t.Fatal(err)
	}
	c.forward(time.Hour)
	scanned(t, s)
	if got := urlsOf(t, s, provider.Query{From: noon.Add(time.Hour)}); got != "" {
		t.Errorf("changed: %s", got)
	}
}

// TestSameTimeAndSize: other bytes with the size and the time of those before are a change. Later, a new time of the
// inode with the same bytes is none.
func TestSameTimeAndSize(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the time of the inode's change is unknown here")
	}
	dir := folder(t, map[string]string{"a.txt": "before", "b.txt": "always"})
	old := noon.Add(-1000 * time.Hour)
	s, c, _ := idle(t, Options{Next: serve(t, dir), Folder: dir})
	scanned(t, s)
	for i, text := range []string{"behind", "behind", "middle"} {
		c.forward(time.Hour)
		time.Sleep(20 * time.Millisecond) // the clock of the file system has steps
		write(t, dir, "a.txt", text, old)
		scanned(t, s)
		now := noon.Add(time.Duration(i+1) * time.Hour)
		want := protocol.FormatDatestamp(now) + " http://a.example/a.txt"
		if i == 1 {
			want = ""
		}
		if got := strings.Join(listed(t, s, provider.Query{From: now}), "\n"); got != want {
			t.Errorf("%s: changed %q, want %q", text, got, want)
		}
	}
}

// TestExcludedTarget: a link to an excluded folder is the only address of its files.
func TestExcludedTarget(t *testing.T) {
	dir := folder(t, map[string]string{"releases/42/a.txt": "a", "b.txt": "b"})
	if err := os.Symlink("releases/42", filepath.Join(dir, "current")); err != nil {
		t.Fatal(err)
	}
	s, _, _ := idle(t, Options{Next: serve(t, dir), Folder: dir, Find: Find{Exclude: []string{"/releases/*"}}})
	scanned(t, s)
	if got, want := urlsOf(t, s, provider.Query{}), "/b.txt\n/current/a.txt"; got != want {
		t.Errorf("listed:\n%s\nwant:\n%s", got, want)
	}
}
