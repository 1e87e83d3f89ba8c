// Package testsamples finds the folder of samples, schemas and conformance suites beside the
// project. The folder is not part of the project and may be absent: a test that needs it skips,
// with the reason. CI sets QUIRE_SHARED_REQUIRED=1, which makes its absence a failure, so that a
// green run cannot hide skipped tests.
package testsamples

import (
	"os"
	"path/filepath"
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
	dir := os.Getenv("QUIRE_SHARED")
	switch {
	case dir == "":
		return filepath.Join(Root(), "..", "shared")
	case filepath.IsAbs(dir):
		return dir
	}
	return filepath.Join(Root(), dir)
}

// Root returns the project's folder, or "." if the test began outside of it.
func Root() string { return root }

// root is found before a test changes its folder: go test begins in the folder of the package.
var root = findRoot()

func findRoot() string {
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		text, _ := os.ReadFile(filepath.Join(dir, "go.mod"))
		if first, _, _ := strings.Cut(string(text), "\n"); strings.TrimSpace(first) == "module quire" {
			return dir
		}
	}
	return "."
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
