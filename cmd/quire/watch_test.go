package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWatch packs a delivery that is complete, and none whose name looks like a flag.
func TestWatch(t *testing.T) {
	workplace(t)
	if status, _, errs := call(t, "init", "repo"); status != exitGood {
		t.Fatal(errs)
	}
	for _, name := range []string{"first", "--out", "late"} {
		if err := os.MkdirAll(filepath.Join("in", name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("in", name, "a.warc"), []byte(container), 0o666); err != nil {
			t.Fatal(err)
		}
		if name == "late" {
			continue
		}
		if err := os.WriteFile(filepath.Join("in", name, "complete"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	status, out, errs := call(t, "watch", "in", "--repo", "repo", "--once", "--as",
		"pack {} --out {name} --id x-{name}")
	if status != exitContent || !strings.Contains(out, "job 1: ") || !strings.Contains(errs, "as a flag does") ||
		strings.Contains(out, "late") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	if status, out, errs = call(t, "work", "--repo", "repo", "--drain"); status != exitGood {
		t.Errorf("%s%s", out, errs)
	}
	if _, err := os.Stat(filepath.Join("first", "mets.xml")); err != nil {
		t.Error(err)
	}
	for as, want := range map[string]string{"pack x --out y": "has no {}", "serve --repo {}": "no worker runs",
		"pack {}": "--out"} {
		status, out, errs := call(t, "watch", "in", "--repo", "repo", "--once", "--as", as)
		if status != exitCall || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%s: status %d, %s%s", as, status, out, errs)
		}
	}
}
