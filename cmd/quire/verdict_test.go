package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestUnreadableFileIsPassedOver checks that an unreadable file is reported, the others are read,
// and the call does not report success.
func TestUnreadableFileIsPassedOver(t *testing.T) {
	for _, test := range []struct {
		args, want string // in the output
	}{
		{"inspect", "crawl/a.warc\n  outcome    valid"},
		{"inspect --apart", "outcome    valid"},
		{"inspect --format json", `"outcome":"valid"`},
		{"inspect --format html", "it has 1 of 2 containers"},
		{"inspect --format containermd --out md", ""},
		{"inspect --format containermd --verbose --out md2", ""},
	} {
		workplace(t)
		if err := os.Symlink("/proc/self/mem", "gone.warc"); err != nil { // it opens, but cannot be read
			t.Fatal(err)
		}
		if _, err := os.Stat("gone.warc"); err != nil {
			t.Skip("no /proc on this system")
		}
		status, out, errs := call(t, append(strings.Fields(test.args), "gone.warc", "crawl/a.warc")...)
		if status != exitCall || !strings.Contains(out, test.want) ||
			!strings.Contains(errs, "1 file could not be read, of 2") || !strings.Contains(errs, "gone.warc") {
			t.Errorf("%s: status %d, %s\n%s", test.args, status, errs, out)
		}
		if strings.Contains(test.args, "md") {
			if found, err := os.ReadDir(test.args[strings.LastIndex(test.args, "md"):]); err != nil || len(found) != 1 {
				t.Errorf("%s: %v, %v", test.args, found, err)
			}
		}
	}
}

// TestValidateNamesErrors: a package that describes its containers rightly is valid, and the result says which of
// them have errors.
func TestValidateNamesErrors(t *testing.T) {
	workplace(t)
	good, err := os.ReadFile("crawl/a.warc")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("crawl/bad.warc", bytes.Replace(good, []byte("WARC-Date: "), []byte("WARC-Dote: "), 1),
		0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := call(t, "pack", "crawl", "--out", "p"); status != exitContent {
		t.Fatalf("%d %s", status, errs)
	}
	status, out, errs := call(t, "validate", "p")
	if status != exitGood || !strings.Contains(out, "1 container with errors when the package was made, such as "+
		"containers/bad.warc") {
		t.Errorf("%d %s %s", status, out, errs)
	}
}
