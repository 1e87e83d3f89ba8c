//go:build unix

package aip

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a pipe waits for a writer that never comes.
func TestPipeIsNotOpened(t *testing.T) {
	for path, want := range map[string][]string{
		logPath:    {CodeFileMissing, CodeExtraKind},
		METSName:   {CodeMETSMissing, CodeExtraKind},
		DigestName: {CodeSidecarForm, CodeExtraKind},
	} {
		t.Run(path, func(t *testing.T) {
			dir := ordinary().write(t)
			remove(path)(t, dir)
			if err := syscall.Mkfifo(filepath.Join(dir, filepath.FromSlash(path)), 0o600); err != nil {
				t.Skip(err)
			}
			r := mustValidate(t, dir, Options{})
			if len(r.Findings) != 2 || r.Findings[0].Code != want[0] || r.Findings[1].Code != want[1] {
				t.Errorf("%v", r.Findings)
			}
		})
	}
}

// Reading without validation does not open a pipe either.
func TestOpenOpensNoPipe(t *testing.T) {
	for _, name := range []string{METSName, DigestName} {
		dir := ordinary().write(t)
		remove(name)(t, dir)
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
		if _, err := Describe(os.DirFS(dir)); err == nil ||
			!strings.Contains(err.Error(), "it is a named pipe, not a file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
