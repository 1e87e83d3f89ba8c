package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestCopy adds, lists, checks, moves, replaces and retires copies.
func TestCopy(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for _, args := range []string{"pack crawl --out p --id one", "init r", "ingest p --repo r"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 {
			t.Fatalf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string
	}{
		{"copy add fourth --repo r", exitGood, "copy-4: 1 package written, read back and matched; 0 not written"},
		{"copy add fourth --repo r", exitGood, "copy-4: 0 packages written"},
		{"copy list --repo r", exitGood, "copy-4    folder  present"},
		{"copy check --repo r", exitGood, "note: is on the same file system as"},
		{"copy move copy-4 elsewhere --repo r", exitCall, "fill a new one: quire copy replace copy-4"},
		{"copy replace copy-4 fifth --repo r", exitGood, "copy-4 retired: replaced by copy-5; its files stay in /"},
		{"copy retire copy-1 --because old --repo r", exitGood, "copy-1 retired: old"},
		{"copy retire copy-9 --because old --repo r", exitCall, "its copies are copy-2, copy-3, copy-5"},
		{"copy retire copy-2 --repo r", exitCall, "--because"},
		{"copy list --repo r", exitGood, "copy-1    folder  retired"},
		{"show one --repo r", exitGood, "fifth"},
		{"audit --repo r", exitGood, "copy-5: 1 package"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d and %q:\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
	if err := os.Rename("r/copy-2", "away"); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := call(t, "copy", "check", "copy-2", "--repo", "r"); status != exitContent ||
		!strings.Contains(out, "copy copy-2 is missing") {
		t.Errorf("check of a copy that is away: %d %s", status, out)
	}
	status, out, _ := call(t, "copy", "move", "copy-2", "away", "--repo", "r", "--json")
	var place struct{ Name, Path string }
	if err := json.Unmarshal([]byte(out), &place); status != 0 || err != nil || place.Name != "copy-2" {
		t.Errorf("move: %d %s %v", status, out, err)
	}
	if status, out, errs := call(t, "copy", "check", "--repo", "r", "--json"); status != 0 ||
		strings.Count(out, `"problems":[]`) != 3 {
		t.Errorf("check after the move: %d %s%s", status, out, errs)
	}
}
