package main

import (
	"os"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestRegister shows the register of a repository, keeps its checkpoints elsewhere, and replaces its key. An
// audit reports events that were removed and added in a copy, and mends the copy.
func TestRegister(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for _, name := range []string{"safe", "safe2", "safe3", "safe4"} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"pack crawl --out package --id one", 0, "packed one"},
		{"init repo", 0, "repository repo"},
		{"register show --repo repo", 0, "register: 1 leaf, root "},
		{"ingest package --repo repo", 0, "stored one"},
		{"register show --repo repo", 0, "no anchor; quire register anchor --add"},
		{"register anchor --add nowhere --repo repo", 2, "folder:PATH"},
		{"register anchor --add safe --repo repo", 0, "safe: 6 leaves, "},
		{"register anchor --remove folder:/x --repo repo", 2, "there is no anchor folder:/x"},
		{"register anchor --add command:false --repo repo", 2, "not each anchor has the newest checkpoint"},
		{"register show --repo repo --json", 0, `"reason":"false: `},
		{"register anchor --remove command:false --repo repo", 0, "safe: 6 leaves, "},
		{"register rotate --repo repo", 0, "key from leaf 6, rotated: "},
		{"audit --repo repo", 0, "all copies are whole"},
		{"register show --repo repo", 0, "safe: 8 leaves, "},
		{"show one --repo repo", 0, "safe: 8 leaves, "},
		{"show one --repo repo --json", 0, `"anchors":[{"anchor":"folder:`},
		{"init other --anchor nowhere", 2, "folder:PATH"},
		{"init other --anchor safe2 --anchor command:false", 0, "safe2: 1 leaf, "},
		{"register show --repo other", 0, "anchor command:false: 0 leaves, never; fails since "},
		{"show one --repo other", 2, "one"},
		{"init third --anchor safe3 --json", 0, `"anchors":[{"anchor":"folder:`},
		{"init rebuild third --anchor safe4", 0, "safe4: 1 leaf, "},
		{"register show --repo third", 0, "safe3: 1 leaf, "},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d and %q:\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
}
