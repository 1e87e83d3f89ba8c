package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

// A result inside a repository, a copy or an OCFL storage root would damage it. Every command with
// --out refuses such a place, also in a dry run and behind a symbolic link.
func TestOutOutsideRepositories(t *testing.T) {
	prove.Serial(t)
	folders := dryWorkplace(t)
	for _, args := range []string{"init far --copy a --copy b", "ingest p --repo far"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 {
			t.Fatalf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
	object, err := filepath.Glob("a/ocfl/*/*/*/*/v1/content")
	if err != nil || len(object) != 1 {
		t.Fatalf("%v, %v", object, err)
	}
	for link, to := range map[string]string{"link": object[0], "lost": "b"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("root", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("root/0=ocfl_1.1", []byte("ocfl_1.1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	calls := []string{
		"export one --repo far", "export one --repo far --as warc", "export one --repo far --as wacz --for staff",
		"pack crawl", "pack --collection all.yaml", "convert arcs", "convert restore warcs/a.warc.gz",
		"dedup new.warc --within", "dedup undo slim --against old.warc", "describe old.warc --sheet good.csv",
		"describe export --sheet good.csv --format mods", "migrate p2 --using xbm-to-png",
	}
	for i, where := range []string{"a/ocfl/x", object[0] + "/sub", "far/journal/x", "link/x", "lost/a/b/c",
		"r/copy-1/x", "root/x"} {
		for k, args := range calls {
			if i > 0 && k > 3 { // the places are the same for all commands
				continue
			}
			for _, dry := range []string{"", " -n"} {
				before := listing(t, folders...)
				status, out, errs := call(t, strings.Fields(args+" --out "+where+dry)...)
				if status != exitCall || !strings.Contains(errs, "choose a folder outside") {
					t.Errorf("quire %s --out %s%s: status %d: %s%s", args, where, dry, status, out, errs)
				}
				if changed := differences(before, listing(t, folders...)); changed != nil {
					t.Errorf("quire %s --out %s%s wrote:\n%s", args, where, dry, strings.Join(changed, "\n"))
				}
			}
		}
	}
	if status, out, errs := call(t, "audit", "--repo", "far"); status != exitGood {
		t.Errorf("audit: %d %s%s", status, out, errs)
	}
	if status, out, errs := call(t, "export", "one", "--repo", "far", "--out", "afar"); status != exitGood {
		t.Errorf("beside the copy: %d %s%s", status, out, errs)
	}
}
