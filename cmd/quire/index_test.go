package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIndex(t *testing.T) {
	dir := t.TempDir()
	file, out, repo := filepath.Join(dir, "who.yaml"), filepath.Join(dir, "package"), filepath.Join(dir, "repo")
	if err := os.WriteFile(file, []byte("access: onsite\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"pack", "../../examples/crawl", "--rights", file, "--out", out}, {"init", repo}, {"ingest", "--repo", repo, out}} {
		if status, _, stderr := call(t, args...); status != exitGood {
			t.Fatalf("%v: status %d: %s", args, status, stderr)
		}
	}
	lines := filepath.Join(dir, "lines")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, exitGood, "40 captures of 2 containers in 1 package\n"},
		{[]string{"--rebuild", "--json"}, exitGood, `{"packages":1,"containers":2,"captures":40,`},
		{[]string{"--export", "cdxj", "--out", lines}, exitGood, "0 captures written to " + lines + "\n  kept back: "},
		{[]string{"--export", "cdxj", "--out", lines, "--for", "onsite"}, exitGood, " written to " + lines + "\n"},
		{[]string{"--export", "cdx", "--out", "-", "--for", "staff"}, exitGood, " CDX N b a m s k r M S V g\n"},
		{[]string{"--export", "cdx"}, exitCall, ""},
		{[]string{"--export", "xml", "--out", lines}, exitCall, ""},
	} {
		status, stdout, stderr := call(t, append([]string{"index", "--repo", repo}, c.args...)...)
		if status != c.status || !strings.Contains(stdout, c.want) {
			t.Errorf("%v: status %d\n%s%s", c.args, status, stdout, stderr)
		}
	}
	text, err := os.ReadFile(lines)
	if err != nil || !strings.Contains(string(text), `"filename": "`+repo) {
		t.Errorf("%v, no path of ours in\n%s", err, text)
	}
}
