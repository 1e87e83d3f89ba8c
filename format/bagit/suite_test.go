package bagit

import (
	"os"
	"path/filepath"
	"testing"

	"quire/internal/testsamples"
)

// TestSuite: the Library of Congress's conformance suite says of 42 bags what they are.
func TestSuite(t *testing.T) {
	root := testsamples.Path(t, "conformance", "bagit-suite")
	right := 0
	for _, kind := range []string{"valid", "invalid"} {
		bags, err := filepath.Glob(filepath.Join(root, "v*", kind, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, bag := range bags {
			if info, err := os.Stat(bag); err != nil || !info.IsDir() {
				continue
			}
			report := check(t, bag)
			if report.Valid() != (kind == "valid") {
				t.Errorf("%s: %v", bag, report.Findings)
				continue
			}
			right++
		}
	}
	if right != 42 {
		t.Errorf("%d of 42 bags are what the suite says", right)
	}
}

// TestSuitePlatforms: paths that lead out of the bag on Linux, or on Windows, are refused on both.
func TestSuitePlatforms(t *testing.T) {
	root := testsamples.Path(t, "conformance", "bagit-suite")
	for _, kind := range []string{"linux-only", "windows-only"} {
		bags, err := filepath.Glob(filepath.Join(root, "v*", kind, "*"))
		if err != nil || len(bags) == 0 {
			t.Fatal(err, len(bags))
		}
		for _, bag := range bags {
			if report := check(t, bag); report.Valid() {
				t.Errorf("%s is valid", bag)
			}
		}
	}
}

// TestSuiteWarnings: what is no good practice is told. Two of the six are no valid bags on a file
// system that tells cases apart, for a file is listed that is not there.
func TestSuiteWarnings(t *testing.T) {
	root := testsamples.Path(t, "conformance", "bagit-suite", "v0.97", "warning")
	for name, want := range map[string]struct {
		code  Code
		valid bool
	}{
		"made-with-md5sum-tools":                                  {CodePathForm, true},
		"relative-path":                                           {CodePathForm, true},
		"same-filename-listed-twice-with-the-same-hash":           {CodeTwice, true},
		"same-filename-listed-twice-with-different-normalization": {CodeNormalization, true},
		"special-system-files":                                    {CodeSystemFile, false},
		"duplicate-file-with-different-case":                      {CodeMissing, false},
	} {
		report := check(t, filepath.Join(root, name))
		found := false
		for _, f := range report.Findings {
			found = found || f.Code == want.code
		}
		if !found || report.Valid() != want.valid {
			t.Errorf("%s: valid %t: %v", name, report.Valid(), report.Findings)
		}
	}
}

func check(t *testing.T, bag string) *Report {
	t.Helper()
	dir, err := os.OpenRoot(bag)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	report, err := Validate(t.Context(), dir.FS(), Options{Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return report
}
