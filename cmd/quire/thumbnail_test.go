package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/sandbox"
)

// TestThumbnail checks the calls; interop/browser runs Chromium.
func TestThumbnail(t *testing.T) {
	if err := sandbox.Required.Allows(sandbox.Jail()); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	file, out, repo := filepath.Join(dir, "who.yaml"), filepath.Join(dir, "package"), filepath.Join(dir, "repo")
	if err := os.WriteFile(file, []byte("access: open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"pack", "../../examples/crawl", "--rights", file, "--id", "crawl", "--out", out},
		{"init", repo}, {"ingest", "--repo", repo, out}} {
		if status, _, stderr := call(t, args...); status != exitGood {
			t.Fatalf("%v: status %d: %s", args, status, stderr)
		}
	}
	t.Setenv("QUIRE_CHROMIUM", "")
	for args, want := range map[string]string{
		"all":                                  "name the browser",
		"all --chromium no-such-browser":       "install it, or give its path",
		"all --chromium true --at 2015":        "--at is for one URL",
		"all --chromium true --time 1h":        "--time is from 1s to 10m",
		"nothing --chromium true":              `"nothing" is no package, collection or URL`,
		"http://never.example --chromium true": "no capture as a page that is open",
		"crawl --chromium true":                "true does not start", // a fault of the machine, not of the pages
	} {
		status, stdout, stderr := call(t, append([]string{"thumbnail", "--repo", repo}, strings.Fields(args)...)...)
		if status != exitCall || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d\n%s%s", args, status, stdout, stderr)
		}
	}
	if all, err := os.ReadDir(filepath.Join(repo, "access", "shots")); err != nil || len(all) > 0 {
		t.Errorf("%d files are kept, %v", len(all), err)
	}
}
