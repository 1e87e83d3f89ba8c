package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDescribe goes from a sheet and a crawl to descriptions in the crawl, with the possible
// errors.
func TestDescribe(t *testing.T) {
	workplace(t)
	block := "HTTP/1.1 200 OK\r\n\r\nthe page"
	page := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:a>\r\nWARC-Target-URI: "+
		"http://a.org/\r\nWARC-Date: 2023-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
	for name, content := range map[string]string{
		"site/a.warc": container + page,
		"own.warc": container + page + "WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:x:j>\r\n" +
			"WARC-Date: 2023-01-01T00:00:00Z\r\nContent-Type: application/json\r\nContent-Length: 65\r\n\r\n" +
			`{"URL":"http://a.org/","Date":"2023","Collector":"K","Titel":"T"}` + "\r\n\r\n",
		"map.yaml":    "columns:\n  Titel: {element: title}\n",
		"good.csv":    "ID,Title [fr],URL\na,Été,http://a.org\n",
		"changed.csv": "ID,Title [fr],URL\na,Hiver,http://a.org\n",
		"lost.csv":    "Title,URL\nOther,https://www.a.org/\n",
		"bad.csv":     "Title,URL\nOther,nowhere\n",
	} {
		if err := os.MkdirAll("site", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"describe", 2, "name a spreadsheet"},
		{"describe --sheet good.csv", 0, "1 description, nothing wrong"},
		{"describe site --sheet good.csv", 0, "nothing was written: say where with"},
		{"describe site --sheet good.csv --out site --as json,xml --date 2026-11-22T12:00:00Z", 0, "wrote"},
		{"describe site --sheet good.csv --in-place --as json --as xml", 0,
			"0 new (0 in the place of another), 2 there already, 0 written"},
		{"describe site --sheet changed.csv --in-place --as json", 0, "1 new (1 in the place of another)"},
		{"describe check --sheet good.csv", 0, "1 description, nothing wrong"},
		{"describe write site --sheet good.csv", 0, "nothing was written: say where with"},
		{"describe export --sheet good.csv --format mods --out records", 0, "1 description"},
		{"describe export --sheet good.csv --format unimarc --out unimarc", 0, "1 description"},
		{"describe list site", 0, "3 descriptions"},
		{"describe own.warc --sheet good.csv --as mods --as marcxml --out forms", 0,
			"the form has no place for 1 value; --json lists them"},
		{"describe list forms --as mods", 0, `<mods:titleInfo lang="fr">`},
		{"describe list own.warc", 0, "by another system, as JSON; 3 values of OCLC read"},
		{"describe list own.warc --json", 0, `"own":true,"unread":["Titel"]`},
		{"describe list own.warc --mapping map.yaml", 0, "4 values of OCLC read"},
		{"describe list own.warc --mapping absent.yaml", 2, "absent.yaml"},
		{"describe list site --as xml", 0, "<oclc:title xml:lang=\"fr\">Été</oclc:title>"},
		{"describe pages site", 0, "0 pages in 2 containers"},
		{"describe site --list", 0, "3 descriptions"},
		{"describe site --list --as xml", 0, "<oclc:title xml:lang=\"fr\">Été</oclc:title>"},
		{"describe site --list --json", 0, `"statements":[{"element":"title","lang":"fr","value":"Hiver"}`},
		{"describe site --sheet lost.csv --in-place", 1, "was captured: http://a.org/"},
		{"describe site --sheet lost.csv --json", 1, `"near":["http://a.org/"]`},
		{"describe site --sheet bad.csv --in-place", 1, "is no URL"},
		{"describe site --sheet good.csv --in-place --out x", 2, "one of the two"},
		{"describe site --pages --in-place", 2, "leave out the flags that make"},
		{"describe site", 2, "how is the source described?"},
		{"describe site --sheet good.csv --export mods --out x", 2, "leave the source out"},
		{"describe --sheet good.csv --in-place", 2, "name one"},
		{"describe --sheet good.csv --export mods", 2, "give both"},
		{"describe --list", 2, "name a spreadsheet"},
		{"describe site --list --sheet good.csv", 2, "leave out the flags that make something"},
		{"describe absent --sheet good.csv", 2, "absent"},
		{"describe good.csv --sheet good.csv", 1, "no ARC or WARC file"},
		{"describe good.csv --list", 1, "no ARC or WARC file"},
		{"pack site --out package --sheet good.csv --json", 0,
			`"described":{"sheet":"good.csv","rows":1,"websites":1,"pages":0,"absent":0,"untold":0,"losses":0}`},
		{"validate package", 0, "valid"},
		{"describe package --sheet good.csv --in-place --as xml", 0,
			"0 new (0 in the place of another), 1 there already"},
		{"describe package --sheet good.csv --in-place", 1, "whose METS has its digest"},
		{"describe package --sheet lost.csv --in-place", 1, "was not captured"},
		{"pack site --out other --sheet lost.csv", 1, "row 2  https://www.a.org/: not captured here"},
		{"pack site --out third --sheet bad.csv", 1, "the sheet has problems"},
		{"pack site --out third --separator x", 2, "name a sheet with --sheet"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d, and %q in\n%s%s", step.args, status, step.status, step.want, out,
				errs)
		}
	}
}
