package main

import (
	"os"
	"strings"
	"testing"
)

// TestSalvage salvages a damaged and a whole container, and names the damage in other commands.
func TestSalvage(t *testing.T) {
	workplace(t)
	whole, err := os.ReadFile("crawl/a.warc")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"damaged.warc": string(whole[:len(whole)-20]), "prose.txt": "prose",
		"a.cdx": " CDX N b a m s k r M S V g\n" +
			"a)/lost 20200101000000 http://lost.example/ text/html 200 - - - 10 7 damaged.warc\n"} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("bad", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Link("damaged.warc", "bad/damaged.warc"); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args   string
		status int
		want   string
	}{
		{"salvage damaged.warc", 2, "--out"},
		{"salvage absent.warc --out n", 2, "absent.warc"},
		{"salvage damaged.warc --out d --cdx a.cdx --dry-run", 1, "would move  112 bytes"},
		{"salvage damaged.warc --out d --cdx a.cdx -n --json", 1, `{"dryRun":true,"out":"d"`},
		{"salvage crawl/a.warc --out w", 0, "in w/a-salvaged.warc.gz"},
		{"salvage damaged.warc --out d --cdx a.cdx", 1,
			"lost      http://lost.example/ 2020-01-01T00:00:00Z (a.cdx, line 2)"},
		{"salvage damaged.warc --out d", 2, "not empty"},
		{"salvage damaged.warc --output e --json", 1, `"whole":false`},
		{"salvage prose.txt --out p", 1, "no whole record"},
		{"inspect d/damaged-aside.warc.gz", 0, "valid"},
		{"inspect damaged.warc", 1, "rescue its whole records with quire salvage"},
		{"convert bad --out c", 1, "rescue the whole records with quire salvage"},
		{"convert bad --out f --json", 1, `"damaged_files":1`},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d with %q\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
}
