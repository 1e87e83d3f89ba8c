package pack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/metadata/oclc"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/describe/rowmatch"
)

// answer returns a response record.
func answer(id, url, status string, more ...string) string {
	block := "HTTP/1.1 " + status + " x\r\nContent-Type: text/html\r\n" + strings.Join(more, "") + "\r\n<html><title>" +
		url + "</title></html>"
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: "+
		"2024-01-02T03:04:05Z\r\nWARC-Target-URI: %s\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", id, url, len(block),
		block)
}

const sheetHead = "ID,Level,Title [fr],Description,Source of description,Language,URL (seed),Extent\n"

// sheetOf writes a sheet.
func sheetOf(t *testing.T, rows string) *Sheet {
	t.Helper()
	p := filepath.Join(t.TempDir(), "websites.csv")
	if err := os.WriteFile(p, []byte(sheetHead+rows), 0o666); err != nil {
		t.Fatal(err)
	}
	return &Sheet{Path: p}
}

func TestPackWithSheet(t *testing.T) {
	crawl := map[string]string{"a.warc": warcinfo + answer("1", "http://x.example/", "301", "Location: /fr/\r\n") +
		answer("2", "http://x.example/fr/", "200") + answer("3", "http://x.example/page", "200") +
		answer("4", "http://x.example/page", "200")}
	const rows = "all,collection,Tout,,,,,\n" +
		"x,site,Été,\"]]> <&>\",Par la bibliothèque,fr,http://X.example,trois\n" +
		"p,page,Une page,,,,http://x.example/page,\n" +
		"y,site,Autre,,,,http://y.example/,\n"
	for _, c := range []struct {
		name    string
		profile Profile
		version SchemaVersion
		want    Described
	}{
		{"compact", Compact, Current, Described{Sheet: "websites.csv", Rows: 4, Websites: 1, Absent: 1, Untold: 1}},
		{"full", Full, Current, Described{Sheet: "websites.csv", Rows: 4, Websites: 1, Pages: 1, Absent: 1}},
		{"legacy", Full, Legacy, Described{Sheet: "websites.csv", Rows: 4, Websites: 1, Pages: 1, Absent: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t)
			o.Profile, o.SchemaVersion, o.Sheet = c.profile, c.version, sheetOf(t, rows)
			r := mustPack(t, o, crawlOf(t, crawl))
			if r.Described == nil || *r.Described != c.want || r.Title != "Été" {
				t.Errorf("%+v, title %q", r.Described, r.Title)
			}
			if want := []rowmatch.Unfound{{Row: 5, URL: "http://y.example/"}}; !slices.Equal(r.Unfound, want) {
				t.Errorf("not found: %v, want %v", r.Unfound, want)
			}
			check(t, o.Out, aip.Options{})
			m := readMETS(t, o.Out)
			for _, want := range []string{
				`<mets:dmdSec ID="DMD-sheet-3">`, `DMDID="DMD-website DMD-sheet-3"`, `]]&gt; &lt;&amp;&gt;`,
				`documentation/websites.csv`, `#EVT-describe`,
				"DMD-sheet-3 (row 3): http://x.example/fr/, by its URL, which the record writes http://x.example/, a " +
					"redirect (301) to /fr/",
				"source of description: Par la bibliothèque", "row 2 describes a collection",
				"title: row 3 of the sheet websites.csv", "rows of the sheet about nothing that was captured here: 1",
				"row 5 describes http://y.example/, which was not captured here",
			} {
				if !strings.Contains(m, want) {
					t.Errorf("the METS has no %q", want)
				}
			}
			if got, want := strings.Count(m, `DMDID="DMD-sheet-4 DMD-page-c1-b`), c.want.Pages*2; got != want {
				t.Errorf("%d divs of the page name its description, want %d", got, want)
			}
			if strings.Contains(m, "DMD-sheet-2") || strings.Contains(m, "DMD-sheet-5") {
				t.Error("rows on other websites are reported")
			}
		})
	}
}

func readMETS(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// With several harvests, a description belongs to those with the website.
func TestSheetOfOneHarvest(t *testing.T) {
	source := crawlOf(t, map[string]string{
		"job-1/a.warc": warcinfo + answer("1", "http://x.example/", "200"),
		"job-2/b.warc": warcinfo + answer("1", "http://z.example/", "200"),
	})
	o := options(t)
	o.Sheet = sheetOf(t, "x,site,X,,,,http://x.example/,\nz,site,Z,,,,http://z.example/,\n")
	r := mustPack(t, o, filepath.Join(source, "job-1"), filepath.Join(source, "job-2"))
	if len(r.Harvests) != 2 || r.Described.Websites != 2 {
		t.Fatalf("%+v %+v", r.Harvests, r.Described)
	}
	check(t, o.Out, aip.Options{})
	m := readMETS(t, o.Out)
	for _, want := range []string{`DMDID="DMD-sheet-2" ADMID="EVT-capture" TYPE="harvest"`,
		`DMDID="DMD-sheet-3" ADMID="EVT-capture-2" TYPE="harvest"`, `DMDID="DMD-website" `} {
		if !strings.Contains(m, want) {
			t.Errorf("the METS has no %q:\n%s", want, m[strings.Index(m, "<mets:structMap"):])
		}
	}
	if r.Title == "X" || r.Title == "Z" {
		t.Errorf("of two websites, the title is %q", r.Title)
	}
}

func TestSheetIsRefused(t *testing.T) {
	o := options(t)
	o.Sheet = sheetOf(t, "x,site,X,,,,nowhere,\n")
	_, err := Pack(t.Context(), []string{crawlOf(t, map[string]string{"a.warc": good})}, o)
	if !errors.Is(err, ErrSheet) || !strings.Contains(err.Error(), "is no URL") {
		t.Error(err)
	}
	if _, err := os.Stat(o.Out); err == nil {
		t.Error("it is packed all the same")
	}
}

// Descriptions in the containers are reported.
func TestDescriptionsInContainers(t *testing.T) {
	o := options(t)
	r := mustPack(t, o, crawlOf(t,
		map[string]string{"a.warc": good + record("metadata", "title: x\r\n", "WARC-Refers-To: <urn:x:response>",
			"Content-Type: application/warc-fields", "Description-Standard: urn:x-quire:oclc-web-archiving:1")}))
	if m := readMETS(t, o.Out); r.Outcome != model.Valid ||
		!strings.Contains(m, "1 description in metadata records of the containers") {
		t.Error(r, m)
	}
}

// The schemas accept the METS of a sheet with hostile values.
func TestSheetIsValid(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		long := strings.Repeat("très long ", 20_000)
		o.Profile, o.SchemaVersion = Full, version
		o.Sheet = sheetOf(t, "x,site,\"a\u202eb ]]> 統計 𝄞 \ufeff\",\""+long+
			"\",\"<x>&amp;\",zh-Hant # gsw,http://x.example/,\"1\n2\"\n"+
			"p,page,,,,,http://x.example/p%C3%A9?q=[],\n")
		mustPack(t, o, crawlOf(t, map[string]string{"a.warc": warcinfo + answer("1", "http://x.example/", "200") +
			answer("2", "http://x.example/p%C3%A9?q=[]", "200")}))
		check(t, o.Out, aip.Options{Schemas: schemas})
	}
}

// TestDescriptionsBesideTheContainers checks files of "quire describe --out" beside the containers.
// They are packed, but are not a harvest: they were not captured, their date is not a date of the
// website, and their warcinfo does not describe the website.
func TestDescriptionsBesideTheContainers(t *testing.T) {
	info := "software: Quire/1\r\ndescription: " + oclc.InfoOfDescriptions + "\r\n"
	described := fmt.Sprintf("WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x:d>\r\nWARC-Date: "+
		"2026-01-01T00:00:00Z\r\n"+
		"Content-Type: application/warc-fields\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(info), info)
	page := answer("1", "http://x.example/", "200")
	for _, c := range []struct {
		name     string
		files    map[string]string
		harvests int
		last     string
	}{
		{"beside a harvest", map[string]string{"a.warc": page, "descriptions-20260101000000.warc": described}, 1,
			"2024-01-02"},
		{"alone", map[string]string{"descriptions-20260101000000.warc": described}, 1, "2026-01-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t)
			r := mustPack(t, o, crawlOf(t, c.files))
			check(t, o.Out, aip.Options{})
			m := readMETS(t, o.Out)
			if len(r.Harvests) != c.harvests || r.Last.Format("2006-01-02") != c.last ||
				r.Containers != int64(len(c.files)) {
				t.Errorf("%d harvests, last %s, %d containers", len(r.Harvests), r.Last, r.Containers)
			}
			if strings.Contains(m, "mods:abstract>") {
				t.Error("the description of a container is the abstract of the website")
			}
		})
	}
}
