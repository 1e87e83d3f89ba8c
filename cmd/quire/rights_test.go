package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRights(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "who.yaml"), filepath.Join(dir, "package")
	text := "access: open\nembargo: {until: 2030-12-31, access: onsite}\nrules: [{urls: http://a.example/, access: " +
		"restricted}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var errors bytes.Buffer
	pack := []string{"pack", "../../examples/crawl", "--rights", file, "--out", out}
	if got := run(context.Background(), pack, &bytes.Buffer{}, &errors); got != exitGood {
		t.Fatalf("pack: status %d: %s", got, &errors)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{out, "--at", "2026-01-01"}, exitGood,
			[]string{"on 2026-01-01  onsite: in the reading rooms only", "from 2031-01-01  open: everyone may see it",
				"RGT-2 (other, decides)", "embargo until 2030-12-31", "[who.yaml, line 1]",
				"for some URLs  http://a.example/: restricted: only by permission (RGT-1)"}},
		{[]string{out, "--url", "https://a.example/x", "--at", "2031-01-01"}, exitGood,
			[]string{"https://a.example/x\n  on 2031-01-01  restricted"}},
		{[]string{out, "--at", "2031-01-01", "--json"}, exitGood,
			[]string{`"zone":"open"`, `"at":"2031-01-01"`, `"statement":"RGT-2"`, `"parts":[{"statement":"RGT-1"`}},
		{[]string{out, "--at", "soon"}, exitCall, nil},
		{[]string{out, "--url", "a.example/x"}, exitCall, nil},
		{[]string{out, "--harvest", "1", "--at", "2031-01-01"}, exitGood, []string{"open: everyone"}},
		{[]string{out, "--harvest", "2"}, exitCall, nil},
		{[]string{dir}, exitCall, nil},
	} {
		var printed bytes.Buffer
		if got := run(context.Background(), append([]string{"rights"}, c.args...), &printed, &errors); got != c.status {
			t.Errorf("%q: status %d, want %d; %s%s", c.args, got, c.status, &printed, &errors)
		}
		for _, want := range c.want {
			if !strings.Contains(printed.String(), want) {
				t.Errorf("%q: no %s in %s", c.args, want, &printed)
			}
		}
	}
}
