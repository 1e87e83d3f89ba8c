package ocfl

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// notObservable are the codes that no check can report: objects do not show them, or another code
// is more precise.
var notObservable = map[string]string{
	"E021": "any other name shows as E016 or E092",
	"E022": "a duty of tools",
	"E026": "shows as E056",
	"E027": "a duty of tools",
	"E028": "a duty of tools",
	"E034": "an inventory of another name shows as E063",
	"E044": "another key shows as E043 and E102",
	"E055": "another key shows as E102",
	"E062": "shows as E060",
	"E074": "nothing in a root shows that it needs another",
	"E082": "an object inside another shows as E001 or E023",
	"E087": "a duty of tools",
	"E098": "a duty of tools; a path that is no string shows as E092",
	"W012": "the purpose of logs is not visible",
}

// TestEveryCodeHasACase compares the cases with the list of codes: each code has a test, or is not
// observable.
func TestEveryCodeHasACase(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range objectCases {
		for _, code := range strings.Fields(c.codes) {
			covered[code] = true
		}
	}
	for _, c := range rootCases {
		for _, code := range strings.Fields(c.codes) {
			covered[code] = true
		}
	}
	for _, code := range slices.Sorted(maps.Keys(explanations)) {
		if _, exempt := notObservable[code]; exempt == covered[code] {
			t.Errorf("%s: provoked by a case %v, listed as not observable %v", code, covered[code], exempt)
		}
	}
	for code := range covered {
		if Explain(code) == "" {
			t.Errorf("%s is reported but not explained", code)
		}
	}
}

func TestExplain(t *testing.T) {
	for code, text := range explanations {
		if !strings.HasSuffix(text, ".") || (code[0] == 'W') != strings.Contains(text, "should") {
			t.Errorf("%s: %q does not read like the others", code, text)
		}
	}
	if Explain("E999") != "" {
		t.Error("an unknown code is explained")
	}
}

// TestCodesOf10 checks an object of OCFL 1.0 with the rules and codes of 1.0.
func TestCodesOf10(t *testing.T) {
	tests := []struct {
		name  string
		edit  func(*sample)
		codes string
	}{
		{"a good object", nil, ""},
		{"manifest is a list", replaceBlock("manifest", `["x"]`), "E023 E041 E057"},
		{"fixity is null", replaceBlock("fixity", `null`), "E057"},
		{"another id in v1", replacePrior("urn:example:1", "urn:example:2"), "E037"},
		{"content that no version uses", replaceState(`"index.html"`, ""), ""},
		{"unused digest", func(s *sample) { unused(s) }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSample(t)
			replace("ocfl.io/1.1/", "ocfl.io/1.0/")(s)
			delete(s.files, "0=ocfl_object_1.1")
			s.files["0=ocfl_object_1.0"] = "ocfl_object_1.0\n"
			if tt.edit != nil {
				tt.edit(s)
			}
			r := ValidateObject(t.Context(), s.seal(), sampleDir, Options{})
			if got := strings.Join(codesOf(r.Errors, r.Warnings), " "); got != tt.codes || r.Spec != "1.0" {
				t.Errorf("OCFL %s: codes %q, want %q", r.Spec, got, tt.codes)
			}
		})
	}
}

// unused adds content to v1 that no version uses; 1.1 forbids it.
func unused(s *sample) {
	replace(`"manifest": {`, `"manifest": { "`+sum(SHA512, "x")+`": ["v1/content/x"],`)(s)
	s.files["v1/content/x"] = "x"
}
