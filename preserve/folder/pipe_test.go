//go:build unix

package folder

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Who opens a pipe waits for a writer that never comes.
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
