package main

import (
	"os"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestCopyAway stores a package while a copy is away, shows its state, and writes it there afterwards.
func TestCopyAway(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	steps := func(steps ...[3]string) {
		t.Helper()
		for _, s := range steps {
			status, out, errs := call(t, strings.Fields(s[0])...)
			if got := map[int]string{0: "good", 1: "content", 2: "call"}[status]; got != s[1] ||
				!strings.Contains(out+errs, s[2]) {
				t.Errorf("quire %s: %s, want %s with %q:\n%s%s", s[0], got, s[1], s[2], out, errs)
			}
		}
	}
	steps(
		[3]string{"pack crawl --out p --id one", "good", ""},
		[3]string{"init wrong --require 4", "call", "4 copies cannot be required"},
		[3]string{"init r --require 2", "good", ""},
	)
	move("r/copy-3", "away")
	steps(
		[3]string{"ingest p --repo r", "good", "verified in each of 2 copies"},
		[3]string{"ingest p --repo r", "good", "copy-3  owed"},
		[3]string{"ingest p --repo r --json", "good", `"owed":["copy-3"]`},
		[3]string{"list --repo r", "good", "owed"},
		[3]string{"list --repo r --owed", "good", "copy-3      owed"},
		[3]string{"show one --repo r", "good", "(last known: owed)"},
		[3]string{"show one --repo r --json", "good", `"status":"away"`},
		[3]string{"amend one --title T --because b --repo r", "good",
			"version 2, verified in each of 2 copies\n  copy-3  owed"},
		[3]string{"document set note crawl/a.warc --because b --repo r", "good",
			"version 1, verified in each of 2 copies"},
		[3]string{"withdraw one --because b --authority c --repo r", "good",
			"kept in each of 2 copies: document withdrawals, version 1\n  copy-3  owed"},
		[3]string{"audit --repair --repo r", "content", "copy-3 is missing"},
		[3]string{"audit --owed --repo r", "call", "--owed needs --repair"},
		[3]string{"audit --repair --owed --dry-run --repo r", "call", "--owed has no dry run"},
	)
	move("away", "r/copy-3")
	steps(
		[3]string{"audit --repair --owed --repo r", "good", "repaired one in [copy-3] from copy-1"},
		[3]string{"list --repo r --owed", "good", "no copy lacks a package"},
		[3]string{"audit --repo r", "good", "all copies are whole"},
	)
	if err := os.WriteFile("r/copy-2/quire-copy.json", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	steps(
		[3]string{"list --repo r", "good", "away"},
		[3]string{"init rebuild r", "good", "copy-2: its damaged quire-copy.json was written again"},
	)
	move("r/copy-1", "away")
	steps([3]string{"list --repo r", "good", "away"})
}

// TestRepairAcrossCopies damages another file in each copy.
func TestRepairAcrossCopies(t *testing.T) {
	workplace(t)
	for _, args := range []string{"pack crawl --out p --id one", "init r", "ingest p --repo r"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 {
			t.Fatalf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
	for copied, name := range map[string]string{"copy-1": "containers/a.warc", "copy-2": "mets.xml",
		"copy-3": "mets.xml.sha512"} {
		path := "r/" + copied + "/ocfl/" + strings.TrimPrefix(onlyObject(t, copied), "/") + "/v1/content/" + name
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[0] ^= 1
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const plan = "would repair one in [copy-1 copy-2 copy-3] from copy-2, copy-1"
	if status, out, errs := call(t, "audit", "--repair", "--dry-run", "--repo", "r"); status != 0 ||
		!strings.Contains(out, plan) {
		t.Errorf("dry run: status %d:\n%s%s", status, out, errs)
	}
	if status, out, errs := call(t, "audit", "--repair", "--repo", "r"); status != 0 ||
		!strings.Contains(out, "1 package mended") {
		t.Errorf("repair: status %d:\n%s%s", status, out, errs)
	}
	if status, out, _ := call(t, "audit", "--repo", "r"); status != exitGood {
		t.Errorf("after the repair: status %d:\n%s", status, out)
	}
}

// onlyObject returns the path of the only object in a copy, below the storage root.
func onlyObject(t *testing.T, copied string) string {
	t.Helper()
	root := "r/" + copied + "/ocfl"
	path := ""
	for range 4 {
		entries, err := os.ReadDir(root + path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() && e.Name() != "extensions" {
				path += "/" + e.Name()
				break
			}
		}
	}
	return path
}
