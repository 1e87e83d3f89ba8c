package ocfl

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"quire/internal/testsamples"
)

// TestFixtures validates every object of the OCFL community's conformance suite. The folder of a
// bad or warn object is named after the expected codes.
func TestFixtures(t *testing.T) {
	for _, spec := range []string{"1.0", "1.1"} {
		for kind, check := range map[string]func(*testing.T, string, *Result){
			"good": checkGood, "warn": checkWarn, "bad": checkBad,
		} {
			dir := testsamples.Path(t, "conformance", "ocfl-fixtures", spec, kind+"-objects")
			names, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range names {
				t.Run(spec+"/"+kind+"/"+e.Name(), func(t *testing.T) {
					r := ValidateObject(context.Background(), os.DirFS(dir), e.Name(), Options{})
					if kind != "bad" && r.Spec != spec {
						t.Errorf("declares OCFL %q, want %q", r.Spec, spec)
					}
					check(t, e.Name(), r)
				})
			}
		}
	}
}

var code = regexp.MustCompile(`[EW]\d{3}`)

func checkGood(t *testing.T, _ string, r *Result) {
	if !r.Valid() || len(r.Warnings) > 0 {
		t.Errorf("a good object: errors %v, warnings %v", r.Errors, r.Warnings)
	}
}

func checkWarn(t *testing.T, name string, r *Result) {
	if !r.Valid() {
		t.Errorf("valid with warnings, but has errors %v", r.Errors)
	}
	wantCodes(t, name, r.Warnings)
}

func checkBad(t *testing.T, name string, r *Result) {
	if r.Valid() {
		t.Error("a bad object passed")
	}
	wantCodes(t, name, r.Errors)
}

func wantCodes(t *testing.T, name string, found []Issue) {
	for _, c := range code.FindAllString(filepath.Base(name), -1) {
		if !slices.ContainsFunc(found, func(i Issue) bool { return i.Code == c }) {
			t.Errorf("%s is not among %v", c, found)
		}
	}
}
