package policy

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the variables into docs/reference/330_policy.md anew")

// TestDocument checks that docs/reference/330_policy.md lists the same variables as the package.
func TestDocument(t *testing.T) {
	const path, begin, end = "../../docs/reference/330_policy.md", "<!-- variables -->\n", "<!-- end of variables -->\n"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(doc), begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no place for the variables", path)
	}
	want := before + begin + table() + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil { //nolint:gosec // a document for everyone
			t.Fatal(err)
		}
	} else if string(doc) != want {
		t.Errorf("%s is not current: go test ./preserve/policy -run TestDocument -update", path)
	}
}

// table returns the variables, a table row each.
func table() string {
	var b strings.Builder
	b.WriteString("\n| variable | type | in rules of scope | is |\n|---|---|---|---|\n")
	for _, v := range Variables() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", v.Name, v.Type, listed(v.Scopes),
			strings.ReplaceAll(v.Meaning, `""`, "`\"\"`"))
	}
	b.WriteString("\n")
	return b.String()
}

// Each variable can be used in each of its scopes, with a value of its type.
func TestVariablesHaveTheirTypes(t *testing.T) {
	for _, v := range Variables() {
		for _, scope := range v.Scopes {
			same := map[string]string{"string": "%s != 'x' || %s == 'x'", "int": "%s > 1 || %s <= 1",
				"bool": "%s || !%s", "timestamp": "%s > timestamp('2000-01-01T00:00:00Z') || %s.getFullYear() < 2000",
				"list(string)": "%s.size() > 1 || %s.size() <= 1"}[v.Type]
			judged := judge(t, ruleOf(string(scope), fmt.Sprintf(same, v.Name, v.Name)), func(c *ContainerFacts) {
				c.Read.FindingCounts["WARC-DATE"] = 1
			})
			if r := judged.Rules[0]; r.Count == 0 || r.NotJudged > 0 && !strings.Contains(r.Why, "") {
				t.Errorf("%s in the scope %s: %s", v.Name, scope, &r)
			}
		}
	}
}

// The examples are valid, and state the requirements of a service level.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/policy/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		p, err := ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if p.Name+".yaml" != filepath.Base(file) || p.Title == "" || p.Description == "" || p.Copies == 0 ||
			p.Fixity.IsZero() || len(p.Rules) < 3 {
			t.Errorf("%s says too little for an example: %+v", file, p.Explain())
		}
	}
}
