package captures

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody makes this goroutine access files as a user who owns none of them.
func asNobody(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return // permissions already apply
	}
	runtime.LockOSThread()
	must(t, unix.Setfsuid(65534))
	t.Cleanup(func() {
		must(t, unix.Setfsuid(0))
		runtime.UnlockOSThread()
	})
}

// TestReadOnly: without write permission an existing index is used, in any version; a missing one
// is empty. Writing returns an error.
func TestReadOnly(t *testing.T) {
	parent := t.TempDir()
	must(t, os.Chmod(filepath.Dir(parent), 0o755))
	dir := filepath.Join(parent, DirName)
	x := open(t, dir)
	must(t, packages{"p": {"c.warc": aCrawl}}.add(t, x, "p"))
	want := ask(t, x, Query{})
	older := filepath.Join(parent, "older")
	must(t, os.CopyFS(older, os.DirFS(dir)))
	text, err := os.ReadFile(filepath.Join(older, manifestName))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(older, manifestName),
		[]byte(strings.Replace(string(text), `"version": 2`, `"version": 1`, 1)), 0o644))
	for _, d := range []string{dir, older, parent} {
		must(t, os.Chmod(d, 0o555))
		t.Cleanup(func() { _ = os.Chmod(d, 0o755) })
	}
	asNobody(t)
	for _, c := range []struct{ dir, want string }{{dir, want}, {older, want}, {filepath.Join(parent, "none"), ""}} {
		y := open(t, c.dir)
		if got := ask(t, y, Query{}); got != c.want {
			t.Errorf("%s: %q, and not %q", filepath.Base(c.dir), got, c.want)
		}
		if err := (packages{"q": {"d.warc": aCrawl}}).add(t, y, "q"); err == nil || !Unwritable(err) ||
			!strings.Contains(err.Error(), "is readable, but not writable") {
			t.Errorf("%s: %v", filepath.Base(c.dir), err)
		}
	}
}
