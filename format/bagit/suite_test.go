package bagit

import (
	"os"
	"path/filepath"
	"testing"

	"quire/internal/testsamples"
)

// TestSuite checks the verdicts of the Library of Congress's conformance suite on 42 bags.
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
		t.Errorf("%d of 42 bags have the suite's verdict", right)
	}
}

// TestSuitePlatforms checks that paths that lead out of the bag on Linux or Windows are refused on
// both.
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

// TestSuiteWarnings checks that bad practice is reported. Two of the six bags are invalid on a
// case-sensitive file system, because a listed file is missing there.
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
