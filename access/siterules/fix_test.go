package siterules

import (
	"context"
	"errors"
	"regexp"
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
		out, by, err := Apply(t.Context(), s.Fixes("http://a.example/", "Text/HTML; charset=utf-8"), []byte(c.body))
		if err != nil || string(out) != c.want || (len(by) == 1) != (c.body != c.want) {
			t.Errorf("%s: %.80q, by %q, %v", c.name, out, by, err)
		}
		if f := Join(s, Own()).Fixes("http://a.example/", "text/css"); len(f) != 0 {
			t.Errorf("%s: fixes of another type: %v", c.name, f)
		}
		if f := Join(s, Own()).Fixes("http://a.example/", "text/html"); len(f) != 1 {
			t.Errorf("%s: fixes: %v", c.name, f)
		}
	}
}

// impatient is a context that is done after n looks.
type impatient struct {
	context.Context
	n int
}

func (i *impatient) Err() error {
	if i.n--; i.n < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestFixesEnd: the time is looked at at each match. A body whose fixes take too long stays as captured, whatever was
// replaced by then.
func TestFixesEnd(t *testing.T) {
	quick := &Fix{replace: regexp.MustCompile(`z`), With: "a", by: "quick"}
	long := &Fix{replace: regexp.MustCompile(`x([^y]*y)?`), With: "a", by: "long"}
	body := "z" + strings.Repeat("x", maxReplaced)
	ctx := &impatient{t.Context(), 1 << 20}
	out, by, err := apply(ctx, []*Fix{quick, long}, []byte(body))
	if looks := 1<<20 - ctx.n; err != nil || len(by) != 2 || looks < maxReplaced ||
		strings.Trim(string(out), "a") != "" {
		t.Fatalf("%v by %q, %d looks", err, by, looks)
	}
	for _, n := range []int{0, 2, 10, maxReplaced} {
		out, by, err := apply(&impatient{t.Context(), n}, []*Fix{quick, long}, []byte(body))
		if !errors.Is(err, context.DeadlineExceeded) || string(out) != body || by != nil {
			t.Errorf("%d looks: %v by %q, %.20s", n, err, by, out)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	out, _, err = Apply(gone, []*Fix{quick}, []byte(body))
	if !errors.Is(err, context.Canceled) || string(out) != body {
		t.Errorf("a client that has gone: %v, %.20s", err, out)
	}
	many := strings.Repeat("xy", maxReplaced+1)
	if out, by, err := Apply(t.Context(), []*Fix{long}, []byte(many)); err != nil || by != nil || string(out) != many {
		t.Errorf("too many: %v by %q", err, by)
	}
	ctx = &impatient{t.Context(), 1 << 20}
	if _, by, err := apply(ctx, []*Fix{quick}, []byte(strings.Repeat("z", 10*maxReplaced))); err != nil || by != nil ||
		1<<20-ctx.n > 2*maxReplaced {
		t.Errorf("the search goes on behind the last replacement allowed: %v by %q, %d looks", err, by, 1<<20-ctx.n)
	}
}
