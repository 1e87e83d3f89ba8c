package main

import (
	"os"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestReport makes reports of a repository with damage on the command line, and verifies them.
func TestReport(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for name, content := range map[string]string{"open.yaml": "access: open\n",
		"attest.yaml": "form: 1\ninstitution: The Library\n", "wrong.yaml": "form: 1\nclaims: {x: {answer: yes}}\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"report --template", 0, "CTS-R01-response"},
		{"pack formats.warc --out package --id formats --rights open.yaml", 0, "package"},
		{"init repo", 0, "repository repo"},
		{"ingest package --repo repo", 0, "stored formats"},
		{"report --template --repo repo", 0, "copy-3"},
		{"report --repo repo", 2, "--out"},
		{"report --out r.html", 2, "--repo"},
		{"report --repo repo --out open.yaml", 2, "open.yaml"},
		{"report --repo repo --out repo/r.html", 2, "repo"},
		{"report --repo repo --out r.html --since yesterday", 2, "yesterday"},
		{"report --repo repo --out r.html --attest wrong.yaml", 2, "no claim"},
		{"report --repo repo --out r.html --format odt", 2, "odt"},
		{"report --repo repo --out r.html --attest attest.yaml", 0, "1 package, 0 audits, 0 incidents"},
		{"report --repo repo --out r.pdf --format pdf --since 2020-01-01", 0, "1 package"},
		{"report --repo repo --out r.json --format json --json", 0, `"incidents":0`},
		{"verify-report r.json", 0, "unchanged since it was signed"},
		{"verify-report r.pdf --key repo/register/keys --json", 0, `"compared":true`},
		{"verify-report open.yaml", 1, "no report"},
		{"verify-report open.yaml --json", 1, `"valid":false`},
		{"verify-report none.html", 2, "none.html"},
		{"verify-report r.html --key none", 2, "neither a verifier key"},
		{"audit --repo repo", 0, "all copies are whole"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
	}
	for name, want := range map[string]string{"r.html": "The Library", "r.json": `"format": 1`, "r.pdf": "%PDF-"} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
