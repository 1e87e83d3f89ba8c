// Package shared finds the folder of samples, schemas and conformance suites that lies beside the project. It is not part
// of the project and may be absent: a test that wants it skips, with the reason. CI sets QUIRE_SHARED_REQUIRED=1; there its
// absence is a failure, so that a green run cannot hide tests that never ran.
package shared

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path gives the path of a file or folder below the shared folder, or skips the test.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{Dir()}, elem...)...)
	if _, err := os.Stat(p); err != nil {
		if os.Getenv("QUIRE_SHARED_REQUIRED") == "1" {
			t.Fatalf("QUIRE_SHARED_REQUIRED is set and %v", err)
		}
		t.Skipf("%s is absent; set QUIRE_SHARED to the folder of shared test data", p)
	}
	return p
}

// Dir is the shared folder: QUIRE_SHARED (relative to the project's root), or ../shared beside the project.
func Dir() string {
	_, self, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(self)))
	dir := os.Getenv("QUIRE_SHARED")
	switch {
	case dir == "":
		return filepath.Join(root, "..", "shared")
	case filepath.IsAbs(dir):
		return dir
	}
	return filepath.Join(root, dir)
}
