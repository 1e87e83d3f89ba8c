package warcmeta

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/metadata/oclc"
	"quire/model"
	"quire/preserve/describe"
	"quire/preserve/inspect"
	"quire/source/records/lookup"
)

func TestNewFile(t *testing.T) {
	dir := t.TempDir()
	crawl(t, filepath.Join(dir, "a.warc.gz"), "2020-01-01 http://a.org/ 301 /nl/", "2020-01-01 http://a.org/nl/ 200")
	before := read(t, filepath.Join(dir, "a.warc.gz"))
	o := options(row(2, "http://a.org/"))
	o.As = []Form{YAML, JSON}
	if r := run(t, dir, o); r.New != 2 || r.Written != 0 || len(names(t, dir)) != 1 {
		t.Fatalf("written without a request: %+v, %s", r, names(t, dir))
	}
	o.Out = dir
	r := run(t, dir, o)
	if r.New != 2 || r.Written != 2 || r.Replacing != 0 || r.Outcome != Success || len(r.Files) != 1 {
		t.Fatalf("%+v", r)
	}
	d := r.Described[0]
	if d.RecordID != "<urn:x:1>" || d.TargetURI != "http://a.org/nl/" ||
		!strings.Contains(d.How, "a redirect (301) to /nl/") || d.Records[0].Is != IsWritten {
		t.Errorf("%+v", d)
	}
	all := list(t, dir)
	if len(all) != 2 || all[0].RefersTo != "<urn:x:1>" || all[0].URL != "http://a.org/" ||
		all[0].TargetURI != "http://a.org/nl/" || all[0].Row != "row-2" ||
		all[0].Level != describe.Site || all[0].Format != JSON || all[1].Format != YAML ||
		!all[0].Date.Equal(noon) {
		t.Errorf("%+v", all)
	}
	sound(t, r.Files[0].Path, 3)
	o.Now = func() time.Time { return noon.Add(time.Hour) }
	if r := run(t, dir, o); r.New != 0 || r.Written != 0 || r.Unchanged != 2 || len(r.Files) != 0 ||
		len(names(t, dir)) != 2 || r.Described[0].Records[0].ID != d.Records[0].ID {
		t.Errorf("doing it twice changes something: %+v, %s", r, names(t, dir))
	}
	if !bytes.Equal(before, read(t, filepath.Join(dir, "a.warc.gz"))) {
		t.Error("the container was changed")
	}
}

// sound inspects a container and fails if it is invalid.
func sound(t *testing.T, path string, records int64) {
	t.Helper()
	c, err := inspect.File(t.Context(), path, inspect.Options{MaxFindings: 10})
	if err != nil || c.Outcome != model.Valid || c.Records.Total != records {
		t.Errorf("%+v, %v", c, err)
	}
	for _, f := range c.Findings {
		if f.Severity != model.Info {
			t.Error(f)
		}
	}
}

// Descriptions in another file are also read, so that they are not written again.
func TestOtherFolder(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "descriptions")
	crawl(t, filepath.Join(dir, "a.warc"), "2020-01-01 http://a.org/ 200")
	o := options(row(2, "http://a.org/"))
	o.Out = out
	if r := run(t, dir, o); r.Written != 1 {
		t.Errorf("%+v", r)
	}
	if r := run(t, dir, o); r.Written != 0 || r.Unchanged != 1 {
		t.Errorf("%+v", r)
	}
	if got := names(t, out); !slices.Equal(got, []string{"descriptions-20261122120000.warc.gz"}) {
		t.Error(got)
	}
	o.Rows = []describe.Description{row(3, "http://a.org/")}
	if r := run(t, dir, o); r.Written != 1 || r.Replacing != 1 {
		t.Errorf("%+v", r)
	}
	if got := names(t, out); len(got) != 2 || got[0] != "descriptions-20261122120000-2.warc.gz" {
		t.Error(got)
	}
}

// A changed row adds a description that states which one it replaces; the old one stays. A row
// changed back is new again.
func TestChanged(t *testing.T) {
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		path := crawl(t, filepath.Join(t.TempDir(), name), "2020-01-01 http://a.org/ 200")
		var ids []string
		for i, title := range []string{"A", "B", "B", "A"} {
			d := row(2, "http://a.org/")
			d.Record[0].Value = title
			o := options(d)
			o.InPlace = true
			r := run(t, path, o) // all in the same second
			if want := int64(min(1, max(0, 1-i/2+i/3))); r.Written != want {
				t.Errorf("%s, %d: wrote %d, want %d", name, i, r.Written, want)
			}
			ids = append(ids, r.Described[0].Records[0].ID)
		}
		if ids[1] != ids[2] || ids[0] == ids[1] || ids[0] == ids[3] {
			t.Errorf("%q", ids)
		}
		all := list(t, path)
		if len(all) != 3 || all[0].Replaces != "" || all[1].Replaces != all[0].ID || all[2].Replaces != all[1].ID ||
			all[0].Document != all[2].Document {
			t.Errorf("%+v", all)
		}
		sound(t, path, 2+2*3)
	}
}

func TestInPlace(t *testing.T) {
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		dir := t.TempDir()
		path := crawl(t, filepath.Join(dir, name), "2020-01-01 http://a.org/ 200", "2020-01-01 http://b.org/ 200")
		before := read(t, path)
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
		o := options(row(2, "http://a.org/"), row(3, "http://b.org/"))
		o.InPlace, o.As = true, lossless
		if r := run(t, dir, o); r.Written != 8 || len(r.Files) != 1 || r.Files[0].Bytes != int64(len(read(t, path))) {
			t.Errorf("%+v", r)
		}
		after := read(t, path)
		if !bytes.HasPrefix(after, before) || !slices.Equal(names(t, dir), []string{name}) {
			t.Errorf("%s: the original content is missing or changed: %s", name, names(t, dir))
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o640 {
			t.Error(info.Mode(), err)
		}
		sound(t, path, 12)
		if r := run(t, dir, o); r.Written != 0 || r.Unchanged != 8 || !bytes.Equal(after, read(t, path)) {
			t.Errorf("doing it twice changes something: %+v", r)
		}
	}
}

func TestRefusedInPlace(t *testing.T) {
	page := "2020-01-01 http://a.org/ 200"
	for _, c := range []struct {
		name, want string
		make       func(t *testing.T, dir string) string
	}{
		{"part of a package", "whose METS has its digest", func(t *testing.T, dir string) string {
			for _, name := range []string{"mets.xml", "mets.xml.sha512"} {
				if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			return crawl(t, filepath.Join(dir, "containers", "a.warc.gz"), page)
		}},
		{"not finished", "has not finished it", func(t *testing.T, dir string) string {
			return crawl(t, filepath.Join(dir, "a.warc.open"), page)
		}},
		{"a torn end", "it is damaged, and other readers", func(t *testing.T, dir string) string {
			path := crawl(t, filepath.Join(dir, "a.warc.gz"), page, page)
			if err := os.Truncate(path, int64(len(read(t, path))-20)); err != nil {
				t.Fatal(err)
			}
			return path
		}},
		{"an ARC", "quire convert", func(t *testing.T, dir string) string {
			path := filepath.Join(dir, "a.arc")
			arc := "filedesc://a.arc 0.0.0.0 20040721232940 text/plain 77\n1 0 InternetArchive\nURL IP-address " +
				"Archive-date Content-type Archive-length\n\n" +
				"http://a.org/ 10.0.0.1 20040721232941 text/html 24\nHTTP/1.0 200 OK\r\n\r\nhello\n"
			if err := os.WriteFile(path, []byte(arc), 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := c.make(t, dir)
			before := read(t, path)
			o := options(row(2, "http://a.org/"))
			o.InPlace = true
			r := run(t, path, o)
			if r.Written != 0 || r.Outcome != Incomplete || len(r.Missing) != 1 ||
				!strings.Contains(r.Missing[0].Why, c.want) {
				t.Errorf("%+v", r)
			}
			if !bytes.Equal(before, read(t, path)) {
				t.Error("it was changed all the same")
			}
		})
	}
}

func TestBusy(t *testing.T) {
	path := crawl(t, filepath.Join(t.TempDir(), "a.warc"), "2020-01-01 http://a.org/ 200")
	o := options(row(2, "http://a.org/"))
	o.InPlace = true
	o.Now = func() time.Time { return noon }
	o.Start = func(int64) {} // a concurrent change of the file
	grown := false
	o.Progress = func(int64) {
		if !grown {
			grown = true
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.WriteString(response("<urn:x:9>", "2020-01-02 http://a.org/x 200"))
			if err := errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := Run(t.Context(), []string{path}, o); !errors.Is(err, errBusy) {
		t.Errorf("%v", err)
	}
	if got := list(t, path); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	path := crawl(t, filepath.Join(dir, "a.warc"), "2020-01-01 http://a.org/ 200", "2020-01-01 http://b.org/ 404",
		"2020-01-01 http://www.c.org/ 200")
	for _, c := range []struct {
		name string
		row  describe.Description
		want Missing
	}{
		{"not captured", row(2, "http://d.org/"),
			Missing{Row: 2, ID: "row-2", URL: "http://d.org/", Why: "it was not captured"}},
		{"something like it", row(2, "https://c.org"),
			Missing{Row: 2, ID: "row-2", URL: "https://c.org", Why: "it was not captured",
				Near: []string{"http://www.c.org/"}}},
		{"an error", row(2, "http://b.org/"),
			Missing{Row: 2, ID: "row-2", URL: "http://b.org/", Why: "the answer was 404"}},
		{"only for access", describe.Description{ID: "x", Level: describe.Site, Row: 5,
			Record: oclc.Record{{Element: oclc.URL, Value: "http://a.org/", Kind: "access"}}},
			Missing{Row: 5, ID: "x", Why: "the row has only a URL for access"}},
	} {
		r := run(t, path, options(c.row))
		if r.Outcome != Incomplete || len(r.Missing) != 1 || !reflect.DeepEqual(r.Missing[0], c.want) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	collection := row(2, "http://d.org/")
	collection.Level = describe.Collection
	if r := run(t, path, options(collection)); r.Outcome != Success || len(r.Left) != 1 {
		t.Errorf("%+v", r)
	}
	if r := run(t, path, options(row(2, "http://a.org/"), row(3, "http://a.org/"))); len(r.Missing) != 1 ||
		r.Missing[0].Row != 3 || !strings.HasPrefix(r.Missing[0].Why, "row 2 describes it already") {
		t.Errorf("%+v", r)
	}
	if _, err := Run(t.Context(), []string{t.TempDir()}, options()); !errors.Is(err, ErrNoContainer) {
		t.Error(err)
	}
}

func TestWhichCapture(t *testing.T) {
	path := crawl(t, filepath.Join(t.TempDir(), "a.warc"), "2014-01-01 http://a.org/ 200",
		"2015-07-07 http://a.org/ 200", "2020-01-01 http://a.org/ 200")
	captured := oclc.Statement{Element: oclc.Date, Value: "2015-07-08", Kind: "captured"}
	access := oclc.Statement{Element: oclc.URL, Value: "https://archive.example/web/20150708/http://a.org/",
		Kind: "access"}
	for _, c := range []struct {
		name  string
		row   describe.Description
		which lookup.Which
		want  []string
		how   string
	}{
		{"the first", row(2, "http://a.org/"), "", []string{"<urn:x:0>"}, "first of 3 captures"},
		{"the last", row(2, "http://a.org/"), lookup.Last, []string{"<urn:x:2>"}, "last of 3"},
		{"all", row(2, "http://a.org/"), lookup.All, []string{"<urn:x:0>", "<urn:x:1>", "<urn:x:2>"}, "all of 3"},
		{"by the date captured", row(2, "http://a.org/", captured), "", []string{"<urn:x:1>"},
			"nearest of 3 captures, to the date captured, 2015-07-08"},
		{"a range", row(2, "http://a.org/",
			oclc.Statement{Element: oclc.Date, Value: "2016/2020-01", Kind: "captured"}), "", []string{"<urn:x:2>"},
			"nearest"},
		{"which is not asked for", row(2, "http://a.org/", captured), lookup.First, []string{"<urn:x:0>"},
			"first of 3"},
		{"by the URL for access", row(2, "http://a.org/", access), "", []string{"<urn:x:1>"},
			"the date in the URL for access, 20150708"},
		{"a URL of an archive", row(2, "https://archive.example/web/20191231235959id_/http://a.org/"), "",
			[]string{"<urn:x:2>"},
			"the URL within, http://a.org/; its URL; nearest of 3 captures, to the date in the URL"},
		{"a date in words", row(2, "http://a.org/",
			oclc.Statement{Element: oclc.Date, Value: "in spring", Kind: "captured"}), "", []string{"<urn:x:0>"},
			"first"},
	} {
		o := options(c.row)
		o.Captures = c.which
		var got []string
		how := ""
		for _, d := range run(t, path, o).Described {
			got, how = append(got, d.RecordID), d.How
		}
		if !slices.Equal(got, c.want) || !strings.Contains(how, c.how) {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, got, how, c.want, c.how)
		}
	}
}
