package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/preserve/policy"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// TestPolicies checks, explains and applies policies on the command line, with the statuses and the
// text that a person sees.
func TestPolicies(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for name, content := range map[string]string{
		"whole.yaml": "name: whole\nfindings: {at_most: warning}\ncopies: 3\nfixity_interval: 90 days\n",
		"stop.yaml":  "name: strict\non_refusal: stop\nfindings: {at_most: warning}\n",
		"many.yaml":  "name: many\ncopies: 4\n",
		"scan.yaml":  "name: scanned\nviruses: {scan: required}\n",
		"new.yaml": "name: new\nrules: [{id: old, scope: harvest, severity: warn, when: harvest.start.year < 2025," +
			" message: It is old.}]\n",
		"png.yaml": "name: png\nrules: [{id: png, scope: format, severity: refuse, when: 'format.puid == " +
			"\"fmt/11\" && harvest.start.year < 2025', message: No pictures.}]\n",
		"tool.yaml": "name: tooled\ntools: [{label: lines, formats: [fmt/11], command: [grep, -c, ., '{input}'], " +
			"version: [grep, --version], statuses: [0, 1], facts: {more: 'size(output) > 0'}}]\n" +
			"rules: [{id: long, scope: record, severity: refuse, when: tool.lines.more, message: It has lines.}]\n",
		"gone.yaml": "name: gone\ntools: [{label: gone, formats: [fmt/11], command: [validator-not-here, '{input}'], " +
			"version: [validator-not-here, -v], facts: {valid: output == 'valid'}}]\n" +
			"rules: [{id: bad, scope: record, severity: refuse, when: '!tool.gone.valid', message: m}]\n",
		"wrong.yaml": "name: wrong\nrules: [{id: a, scope: record, severity: warn, when: record.year < 2000, " +
			"message: m}]\n",
		"binary.yaml": "\x00\x01",
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
		{"policy check whole.yaml png.yaml", 0, "png.yaml: policy png is right"},
		{"policy check wrong.yaml whole.yaml", 1,
			`line 2, rules, no. 1, when: rule a, character 1 of the expression: "record.year" is not a variable; ` +
				`the variables of this scope are: record.bytes, `},
		{"policy check wrong.yaml whole.yaml", 1, "whole.yaml: policy whole is right"},
		{"policy check binary.yaml", 1, "reading the policy"},
		{"policy explain tool.yaml", 0, "  lines: grep -c . {input}\n             on fmt/11\n"},
		{"stats formats.warc --policy tool.yaml", 1, "refuse long: broken by 1 record\n"},
		{"stats formats.warc --policy gone.yaml", 0,
			"quire: the policy gone names the tool gone (validator-not-here), " +
				"which is not installed here: rules that need it are not judged"},
		{"stats formats.warc --policy gone.yaml", 0, "refuse bad: not-judged; not judged for 1 record: " +
			"tool.gone.valid is not known: the tool gone was not run"},
		{"stats formats.warc --policy gone.yaml --json", 0, `"not_run":1,"why":"exec: \"validator-not-here\"`},
		{"pack formats.warc --out tooled --policy tool.yaml", 1, "tool lines (grep, version grep (GNU grep) "},
		{"validate tooled --policy tool.yaml", 1, "tool lines (grep, version grep (GNU grep) "},
		{"policy check wrong.yaml --json", 1,
			`{"file":"wrong.yaml","name":"","right":false,"wrong":"wrong.yaml: reading the policy: line 2`},
		{"policy check none.yaml", 2, "no such file"},
		{"policy explain whole.yaml", 0, "refuse   findings.at_most: no container has a finding graver than warning"},
		{"policy explain whole.yaml", 0, "read each copy again every 90 days"},
		{"policy explain png.yaml --json", 0, `"uses":["format.puid","harvest.start.year"]`},
		{"policy explain wrong.yaml", 2, "wrong.yaml"},

		{"pack crawl --out good --policy whole.yaml", 0, "policy whole: accepted (1 of 1 rule kept)"},
		{"validate good --policy whole.yaml", 0, "policy whole: accepted"},
		{"validate good --policy new.yaml", 0, "warn old: broken by 1 harvest\n      It is old.\n      - harvest 1"},
		{"validate good --policy new.yaml --json", 0, `"policy":{"policy":"new","title":"","sha512":"`},
		{"validate good --json", 0, `"policy":null`},
		{"validate good --policy scan.yaml", 1, "no virus scanner was asked"},
		{"validate good --policy wrong.yaml", 2, "record.year"},
		{"pack bad.warc --out bad --policy whole.yaml --id bad", 1,
			"refuse findings.at_most: broken by 1 kind of finding"},
		{"validate bad --policy whole.yaml", 1, "policy whole: refused (0 of 1 rule kept)"},
		{"pack bad.warc --out bad2 --policy stop.yaml", 1,
			"quire:   refuse findings.at_most: broken by 1 kind of finding, the first: containers/bad.warc at byte 0"},
		{"pack bad.warc --out bad2 --policy stop.yaml --json", 1, `{"package":null,"policy":{"policy":"strict"`},
		{"validate bad2", 2, "package folder bad2 is missing"},
		{"pack crawl --out none --policy scan.yaml", 2,
			"the policy scanned requires a virus check: name a scanner with --clamd"},
		{"pack formats.warc --out png --policy png.yaml", 1, "refuse png: broken by 1 format (1 payload, 45 bytes)"},
		{"validate png --policy png.yaml", 1, "fmt/11 Portable Network Graphics 1.0, 1 payload, 45 bytes"},
		{"stats formats.warc --policy png.yaml", 1,
			"- formats.warc: fmt/11 Portable Network Graphics 1.0, 1 payload, 45 bytes"},
		{"stats crawl --policy new.yaml --json", 0, `"outcome":"warned"`},
		{"stats crawl --policy new.yaml --format csv", 2, "are reported as text or json"},

		{"init repo", 0, "repository repo"},
		{"ingest good --repo repo --policy many.yaml", 2,
			"the policy many asks for 4 copies, and this repository keeps 3"},
		{"ingest bad --repo repo --policy whole.yaml", 1, "not storing bad: refused by the policy whole"},
		{"list --repo repo", 0, "no package yet"},
		{"ingest good --repo repo --policy whole.yaml", 0, "stored crawl-20240102"},
		{"ingest png --repo repo --policy new.yaml", 0, "stored formats"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
	}
	_, listed, _ := call(t, "list", "--repo", "repo")
	id, _, _ := strings.Cut(listed, " ")
	if _, shown, errs := call(t, "show", id, "--repo", "repo", "--policy", "whole.yaml"); !strings.Contains(shown,
		"copies    3, as many as asked") || !strings.Contains(shown, "every 90 days; due ") {
		t.Errorf("shown %s%s", shown, errs)
	}
	if _, shown, _ := call(t, "show", id, "--repo", "repo", "--policy", "many.yaml", "--json"); !strings.Contains(shown,
		`"copies_asked":4,"copies_kept":3`) {
		t.Errorf("shown %s", shown)
	}
}

func TestWhenFixityIsDue(t *testing.T) {
	p, err := policy.Read(strings.NewReader("name: a\nfixity_interval: 3 months\n"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	d := &store.Details{Record: catalogue.Record{Copies: []catalogue.Copy{
		{Name: "a", Checked: now.AddDate(0, -2, 0)}, {Name: "b", Checked: now.AddDate(0, -3, 0)}, {Name: "c"},
	}}}
	f := fixityOf(p, d, now)
	for i, overdue := range []bool{false, true, true} {
		if f.Copies[i].Overdue != overdue {
			t.Errorf("copy %d: %+v", i, f.Copies[i])
		}
	}
	if want := now.AddDate(0, 1, 0); !f.Copies[0].Due.Equal(want) {
		t.Errorf("due %v, want %v", f.Copies[0].Due, want)
	}
}
