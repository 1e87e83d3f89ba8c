package captures

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody has what this goroutine does with files be done as by somebody who owns none of them.
func asNobody(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return // permissions hold already
	}
	runtime.LockOSThread()
	must(t, unix.Setfsuid(65534))
	t.Cleanup(func() {
		must(t, unix.Setfsuid(0))
		runtime.UnlockOSThread()
	})
}

// Where nobody may write, an index that is there is used, of whatever version it is; one that is
// not there is empty. Who wants to write is told.
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
			!strings.Contains(err.Error(), "can be read, and not written") {
			t.Errorf("%s: %v", filepath.Base(c.dir), err)
		}
	}
}
