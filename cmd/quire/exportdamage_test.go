package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

// An export of a package whose container is lost or damaged in all copies has the same status in all
// forms that need the container. A dry run sees that it is lost.
func TestExportDamaged(t *testing.T) {
	prove.Serial(t)
	dryWorkplace(t)
	for _, lost := range []bool{true, false} {
		files, err := filepath.Glob("r/copy-*/ocfl/*/*/*/*one/v1/content/containers/old.warc")
		if err != nil || len(files) != 3 {
			t.Fatalf("%v, %v", files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err == nil {
				err = os.Rename(file, file+".was")
			}
			if err == nil && !lost {
				err = os.WriteFile(file, []byte(strings.Replace(string(text), "the same", "the sane", 1)), 0o444)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, form := range []string{"aip", "warc", "wacz", "bagit", "bagit --bag warc", "bagit --bag mirror",
			"dspace-saf",
			"dspace-mets", "eark", "mirror", "mets"} {
			args := "export one --repo r --for staff --out q --as " + form
			want := exitContent
			if strings.HasSuffix(form, "mirror") || form == "mets" { // they list the captures that cannot be read
				want = exitGood
			}
			wantDry := want
			if !lost {
				wantDry = exitGood
			}
			for dry, want := range map[string]int{"": want, " -n": wantDry} {
				status, out, errs := call(t, strings.Fields(args+dry)...)
				if status != want || strings.Contains(errs, "check the path") {
					t.Errorf("lost: %t: quire %s%s: status %d, want %d: %s%s", lost, args, dry, status, want, out, errs)
				}
				if err := os.RemoveAll("q"); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, file := range files {
			if err := os.Rename(file+".was", file); err != nil {
				t.Fatal(err)
			}
		}
	}
}
