package aip

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// docs/package-findings.md explains every code to the person who meets it, with its severity and check as they are here.
func TestFindingsAreExplained(t *testing.T) {
	text, err := os.ReadFile("../../docs/package-findings.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `(PKG-[A-Z-]+)` \\| (\\w+) \\| ([a-z]+) \\| (.+) \\| (.+) \\|$")
	told := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		rule, known := rules[m[1]]
		if !known || string(rule.severity) != m[2] || rule.check != m[3] || told[m[1]] {
			t.Errorf("the table says %q; the code has %+v", m[0], rule)
		}
		if i := slices.IndexFunc(catalogue, func(e explained) bool { return e.code == m[1] }); i < 0 || catalogue[i].meaning != m[4] || catalogue[i].advice != m[5] {
			t.Errorf("the catalogue does not say of %s what the table says", m[1])
		}
		told[m[1]] = true
	}
	for code := range rules {
		if e, ok := Explain(code); !ok || e.Meaning == "" || e.Advice == "" || e.Severity != rules[code].severity || e.Check != rules[code].check {
			t.Errorf("quire explain %s: %+v", code, e)
		}
		if !told[code] {
			t.Errorf("%s is not explained", code)
		}
	}
}
