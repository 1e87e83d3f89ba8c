package main

import (
	"os"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestAccessRules checks rules and explains their effect on a capture on the command line, with the
// statuses and the text that a person sees.
func TestAccessRules(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for name, content := range map[string]string{
		"none.yaml": "rules: []\n",
		"onsite.yaml": "rules:\n  - urls: [a.org]\n    access: onsite\n    message: Come to us.\n    comment: " +
			"minutes\n    by: Ada\n",
		"wrong.yaml": "rules:\n  - urls: [/x]\n    access: onsite\n",
		"open.yaml":  "access: open\n",
		"quire.yaml": "rules: onsite.yaml\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"rules check none.yaml", 0, "0 rules, right"},
		{"rules check onsite.yaml --json", 0, `"right":true`},
		{"rules check wrong.yaml", 1, "line 2, rules, no. 1, urls: "},
		{"rules check wrong.yaml --json", 1, `"right":false`},
		{"rules check missing.yaml", 2, "missing.yaml"},

		{"pack formats.warc --out package --rights open.yaml", 0, "package"},
		{"init repo", 0, "repository repo"},
		{"ingest package --repo repo", 0, "stored formats"},
		{"rules explain --repo repo --url http://a.org/x", 0, "public  may have it"},
		{"rules explain --repo repo --url http://a.org/x --rules onsite.yaml", 0,
			"public  may not have it: Come to us."},
		{"rules explain --repo repo --url http://a.org/x --config quire.yaml --at 2020", 0,
			"because it is onsite: onsite.yaml, line 2: minutes (Ada)"},
		{"rules explain --repo repo --url http://a.org/x --json", 0,
			`"readers":[{"class":"public","verdict":"open","allowed":true`},
		{"rules explain --repo repo --url http://a.org/x --rules wrong.yaml", 2, "has no host"},
		{"rules explain --repo repo --url http://b.org/", 2, "no capture of http://b.org/"},
		{"rules explain --repo repo --url http://a.org/x --at soon", 2, "not a timestamp"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
	}
}

// TestSiteRules checks site rules on the command line.
func TestSiteRules(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for name, content := range map[string]string{
		"good.yaml": "version: 7\nrules: [{name: a, reason: r, urls: [a.org], ignore: [width]}]\n",
		"bad.yaml":  "version: 7\nrules: [{name: a, reason: r}]\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const explain = "site-rules explain --url http://a.org/x?width=1 --captured http://a.org/x"
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"site-rules check good.yaml", 0, "good.yaml: version 7, 1 rule, right"},
		{"site-rules check good.yaml --json", 0, `"right":true,"wrong":"","version":"7"`},
		{"site-rules check bad.yaml", 1, "line 2, rules, no. 1: has no effect"},
		{"site-rules check bad.yaml --json", 1, `"right":false`},
		{"site-rules check missing.yaml", 2, "missing.yaml"},
		{"site-rules show", 0, "  - name: cache-busters"},
		{explain, 1, "http://a.org/x does not answer it"},
		{explain + " --rules good.yaml", 0, "http://a.org/x answers it, by a (good.yaml 7)"},
		{explain + " --rules bad.yaml", 2, "has no effect"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
	}
}
