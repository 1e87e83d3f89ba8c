package siterules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ name, rule, want string }{
		{"nothing", "name: a\n  reason: b", "has no effect"},
		{"no name", "reason: b\n  ignore: [x]", "has no name"},
		{"no reason", "name: a\n  ignore: [x]", "has no reason"},
		{"a name with blanks", "name: a b\n  reason: b\n  ignore: [x]", `"a b" is not a name`},
		{"an unknown key", "name: a\n  reason: b\n  ignored: [x]", "unknown key; allowed are bare-times, callbacks"},
		{"an empty list", "name: a\n  reason: b\n  ignore: []", "is empty"},
		{"a pattern", "name: a\n  reason: b\n  urls: [/x]\n  ignore: [x]", "line 5, rules, no. 1, urls"},
		{"a media type", "name: a\n  reason: b\n  types: [html]\n  ignore: [x]", "is not a media type"},
		{"an expression", "name: a\n  reason: b\n  match: '(['\n  same: $1", "is not a regular expression"},
		{"an expression that is too long",
			"name: a\n  reason: b\n  match: " + strings.Repeat("x", 1001) + "\n  same: $1",
			"longer than 1000 bytes"},
		{"a look behind", "name: a\n  reason: b\n  match: '(?<=x)y'\n  same: $1", "is not a regular expression"},
		{"match without same", "name: a\n  reason: b\n  match: x", "belong together"},
		{"a missing group", "name: a\n  reason: b\n  match: '(x)'\n  same: $2", `no group "2"`},
		{"a group and a letter", "name: a\n  reason: b\n  match: '(x)'\n  same: $1x", `no group "1x"; write ${1}`},
		{"same without a group",
			"name: a\n  reason: b\n  match: '(x)'\n  same: x", "all requests that match would have one answer"},
		{"match and require", "name: a\n  reason: b\n  match: '(x)'\n  same: $1\n  require: [x]", "exclude each other"},
		{"compare alone", "name: a\n  reason: b\n  ignore: [y]\n  compare: [x]", "compare adds to require"},
		{"require everywhere", "name: a\n  reason: b\n  require: [x]", "require needs urls"},
		{"within alone", "name: a\n  reason: b\n  ignore: [x]\n  within: [a.example/]", "within belongs to"},
		{"within with a scheme",
			"name: a\n  reason: b\n  urls: [a.example]\n  require: [x]\n  within: ['http://a.example/']",
			"must begin with a host"},
		{"within a whole top domain",
			"name: a\n  reason: b\n  urls: [a.example]\n  require: [x]\n  within: ['*.example']",
			"must begin with a host"},
		{"off with more", "name: a\n  reason: b\n  off: true\n  ignore: [x]", "remove the other keys"},
		{"a name twice",
			"name: a\n  reason: b\n  ignore: [x]\n- name: a\n  reason: b\n  ignore: [x]", "give each its own name"},
		{"a fix without a type",
			"name: a\n  reason: b\n  fixes: [{replace: x, with: y}]", "needs types, replace and with"},
		{"a fix without a text", "name: a\n  reason: b\n  fixes: [{types: [text/css], replace: x}]", "needs types"},
		{"a fix of nothing",
			"name: a\n  reason: b\n  fixes: [{types: [text/css], replace: 'x*', with: y}]", "everywhere"},
		{"a fix with a missing group",
			"name: a\n  reason: b\n  fixes: [{types: [text/css], replace: x, with: $1}]", `no group "1"`},
		{"no fix", "name: a\n  reason: b\n  fixes: []", "has 0 fixes"},
		{"no URL", "name: a\n  reason: b\n  ignore: [x]\n  source: RFC", "is not a URL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader("version: 1\nrules:\n- "+c.rule+"\n"), "x.yaml")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want %q", err, c.want)
			}
		})
	}
	for doc, want := range map[string]string{"rules: []\n": "has no version", "version: 1\n": "has no list of rules",
		"version: \"\\u0001\"\nrules: []\n": "control character"} {
		if _, err := Read(strings.NewReader(doc), "x.yaml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", doc, err)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Duration(len(text)) * time.Second) // another time, however fast the test is
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
}

// TestFollow checks that a file adds to our rules, replaces and removes them by name, and is
// followed; an invalid one changes nothing.
func TestFollow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.yaml")
	if _, err := Follow(file, nil); err == nil {
		t.Error("a missing file is accepted")
	}
	write(t, file, "version: 1\nrules: [{name: a}]\n")
	if _, err := Follow(file, nil); err == nil {
		t.Error("an invalid file is accepted")
	}
	write(t, file, "version: one\nrules:\n- {name: mine, reason: r, ignore: [mine]}\n"+
		"- {name: campaigns, reason: no, off: true}\n"+
		"- {name: cache-busters, reason: r, urls: [a.example], ignore: [_]}\n")
	var problems []string
	l, err := Follow(file, func(err error) { problems = append(problems, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	alike := func(asked, captured string) bool {
		_, ok := l.Now().Lookup(request(asked, "")).Compare(request(captured, ""))
		return ok
	}
	if !strings.HasPrefix(l.Now().Version, "one, and ours: "+Own().Version) {
		t.Error(l.Now().Version)
	}
	for pair, want := range map[[2]string]bool{{"http://b.example/?mine=1", "http://b.example/"}: true,
		{"http://b.example/?utm_source=1", "http://b.example/"}: false,
		{"http://b.example/?_=1", "http://b.example/"}:          false,
		{"http://a.example/?_=1", "http://a.example/"}:          true} {
		if alike(pair[0], pair[1]) != want {
			t.Errorf("%v: not %v", pair, want)
		}
	}
	for range 2 {
		write(t, file, "version: two\nrules: [{name: broken}]\n")
		if !alike("http://b.example/?mine=1", "http://b.example/") {
			t.Error("an invalid file ends the rules before")
		}
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "the rules before stay in force") {
		t.Errorf("problems: %q", problems)
	}
	write(t, file, "version: three\nrules: []\n")
	if alike("http://b.example/?mine=1", "http://b.example/") || !strings.HasPrefix(l.Now().Version, "three") {
		t.Error("the file is not followed")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if l.Now(); !strings.HasPrefix(l.Now().Version, "three") || len(problems) != 3 {
		t.Errorf("a removed file: version %s, problems %q", l.Now().Version, problems)
	}
}
