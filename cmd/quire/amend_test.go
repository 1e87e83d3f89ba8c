package main

import (
	"os"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestAmend changes title and rights of a stored package, compares the versions, and exports both.
func TestAmend(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for name, content := range map[string]string{"open.yaml": "access: open\n", "onsite.yaml": "access: onsite\n",
		"wrong.yaml": "acces: open\n", "sheet.csv": "ID,Level,Title,URL\nx,site,Of the sheet,http://a.org/x\n",
		"other.csv": "ID,Level,Title,URL\nx,site,X,http://elsewhere.example/\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"pack formats.warc --out package --id formats --rights open.yaml", 0, "package"},
		{"init repo --require-validation", 0, "repository repo"},
		{"ingest package --repo repo", 0, "stored formats"},
		{"amend formats --repo repo --because why", 2, "nothing to amend"},
		{"amend formats --repo repo --title T", 2, "--because"},
		{"amend formats --repo repo --rights wrong.yaml --because why", 2, "acces"},
		{"amend none --repo repo --title T --because why", 2, "none: no such package"},
		{"show formats --repo repo --versions --json", 0, `"number":1,`},
		{"amend formats --repo repo --title Formats --rights onsite.yaml --note N --because why --by Ada", 0,
			"amended formats, version 2"},
		{"show formats --repo repo --versions", 0, "Ada: why"},
		{"diff formats v1 v2 --repo repo", 0, "title        Formats"},
		{"diff formats 1 2 --repo repo --json", 0, `"part":"rights"`},
		{"diff formats 2 3 --repo repo", 2, "version 3"},
		{"diff formats x 3 --repo repo", 2, "x"},
		{"rules explain --repo repo --url http://a.org/x", 0, "because it is onsite"},
		{"export formats --repo repo --version 1 --out one", 0, "exported formats, v1"},
		{"validate one", 0, "valid"},
		{"export formats --repo repo --out two", 0, "exported formats, v2"},
		{"validate two", 0, "valid"},
		{"export formats --repo repo --version 1 --as warc --out public", 1, "nothing of package formats is open"},
		{"export formats --repo repo --version 1 --as warc --for onsite --out onsite", 0,
			"exported formats, v1, as warc"},
		{"export formats --repo repo --version 3 --as warc --out three", 2, "version 3"},
		{"amend formats --repo repo --mapping open.yaml --because why", 2, "name a sheet with --sheet"},
		{"amend formats --repo repo --sheet other.csv --because why", 1, "no row of the sheet describes this package"},
		{"amend formats --repo repo --sheet sheet.csv --because why", 0, "sheet: 1 description of websites and 0 "},
		{"diff formats 2 3 --repo repo", 0, "DMD-sheet-2"},
		{"audit --repo repo", 0, "all copies are whole"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
	}
}
