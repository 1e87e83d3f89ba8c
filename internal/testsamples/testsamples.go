// Package testsamples finds the folder of samples, schemas and conformance suites beside the
// project. The folder is not part of the project and may be absent: a test that needs it skips,
// with the reason. CI sets QUIRE_SHARED_REQUIRED=1, which makes its absence a failure, so that a
// green run cannot hide skipped tests.
package testsamples

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Path returns the path of a file or folder below the shared folder, or skips the test.
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

// Dir returns the shared folder. QUIRE_SHARED names it, relative to the project's root. The default
// is ../shared next to the project.
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

// Samples returns the paths of the samples of a kind, by the manifest, or skips the test.
func Samples(t testing.TB, kind string) []string {
	t.Helper()
	manifest, err := os.ReadFile(Path(t, "samples", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for line := range strings.Lines(string(manifest)) {
		if fields := strings.Split(line, "\t"); len(fields) > 3 && fields[3] == kind {
			paths = append(paths, Path(t, "samples", filepath.FromSlash(fields[0])))
		}
	}
	if len(paths) == 0 {
		t.Fatalf("the manifest has no sample of the kind %q", kind)
	}
	return paths
}
