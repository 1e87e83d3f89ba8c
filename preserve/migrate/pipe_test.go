//go:build unix

package migrate

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"quire/preserve/aip"
	"quire/preserve/pack"
)

// Opening a pipe waits for a writer that never comes.
func TestPipeIsNotOpened(t *testing.T) {
	for _, name := range []string{"", aip.METSName} { // "" is the container
		pkg := packed(t, pack.Options{}, false)
		path := filepath.Join(pkg, name)
		if name == "" {
			found, err := filepath.Glob(filepath.Join(pkg, "containers", "*"))
			if err != nil || len(found) == 0 {
				t.Fatal(found, err)
			}
			path = found[0]
		}
		if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Skip(err)
		}
		if _, _, err := run(t, pkg, "gif-to-png", Options{}); err == nil || name == "" && !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
