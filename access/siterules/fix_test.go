package siterules

import (
	"strings"
	"testing"
)

// TestApply checks replacements, and their bounds.
func TestApply(t *testing.T) {
	for _, c := range []struct{ name, replace, with, body, want string }{
		{"a group", `"(a+)"`, `[$1]`, `"aa" "b" "a"`, `[aa] "b" [a]`},
		{"nothing", `x`, `y`, `abc`, `abc`},
		{"removed", `(?s)<!--.*?-->`, ``, "a<!-- \n -->b", "ab"},
		{"a beginning", `(?m)^a`, `b`, "aa\naa", "ba\nba"},
		{"too many", `x`, `y`, strings.Repeat("x", maxReplaced+1), strings.Repeat("x", maxReplaced+1)},
		{"as many as may be", `x`, `y`, strings.Repeat("x", maxReplaced), strings.Repeat("y", maxReplaced)},
		{"too much", `x+`, strings.Repeat("$0", 400), strings.Repeat("x", 1000), strings.Repeat("x", 1000)},
	} {
		s, err := Read(strings.NewReader("version: 1\nrules:\n- name: a\n"+
			"  reason: b\n  fixes:\n  - types: [text/html]\n"+
			"    replace: '"+c.replace+"'\n    with: '"+c.with+"'\n"), "x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		out, by := Apply(s.Fixes("http://a.example/", "Text/HTML; charset=utf-8"), []byte(c.body))
		if string(out) != c.want || (len(by) == 1) != (c.body != c.want) {
			t.Errorf("%s: %.80q, by %q", c.name, out, by)
		}
		if f := Join(s, Own()).Fixes("http://a.example/", "text/css"); len(f) != 0 {
			t.Errorf("%s: fixes of another type: %v", c.name, f)
		}
		if f := Join(s, Own()).Fixes("http://a.example/", "text/html"); len(f) != 1 {
			t.Errorf("%s: fixes: %v", c.name, f)
		}
	}
}
