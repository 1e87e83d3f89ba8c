package folder

import (
	"os"
	"regexp"
	"testing"
)

// docs/package-findings.md explains every code to the person who meets it, with its severity and check as they are here.
func TestFindingsAreExplained(t *testing.T) {
	text, err := os.ReadFile("../../docs/package-findings.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `(PKG-[A-Z-]+)` \\| (\\w+) \\| ([a-z]+) \\| .+ \\| .+ \\|$")
	explained := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		rule, known := rules[m[1]]
		if !known || string(rule.severity) != m[2] || rule.check != m[3] || explained[m[1]] {
			t.Errorf("the table says %q; the code has %+v", m[0], rule)
		}
		explained[m[1]] = true
	}
	for code := range rules {
		if !explained[code] {
			t.Errorf("%s is not explained", code)
		}
	}
}
