package warcmeta

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/metadata/oclc"
	"quire/preserve/describe"
)

// The example sheet in four languages is written to a WARC and read from it unchanged, in all four
// forms.
func TestExampleSheet(t *testing.T) {
	examples := filepath.Join("..", "..", "..", "examples", "describe")
	f, err := os.Open(filepath.Join(examples, "mapping.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := describe.ReadMapping(f)
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := describe.OpenSheet(filepath.Join(examples, "websites.csv"), describe.SheetOptions{Mapping: m})
	if err != nil || sheet.Total > 0 {
		t.Fatal(sheet, err)
	}
	hostile := row(9, "http://hostile.example/")
	for _, v := range []string{"caf\xe9", "\x00", "]]>", "a\r\nb", " ends ", "=?utf-8?Q?x?=",
		strings.Repeat("long ", 200_000)} {
		hostile.Record = append(hostile.Record, oclc.Statement{Element: oclc.Note, Value: v})
	}
	rows := append(sheet.Rows, hostile)
	for _, inPlace := range []bool{false, true} {
		dir := t.TempDir()
		crawl(t, filepath.Join(dir, "a.warc.gz"),
			"2015-07-08 http://statistics.example/ 302 http://statistics.example/nl/",
			"2015-07-08 http://statistics.example/nl/ 200",
			"2011-03-01 http://census.statistics.example/nl/ 200",
			"2012-01-31 http://census.statistics.example/fr/%C3%A0-propos?a=1&b=2 200",
			"2020-01-01 http://hostile.example/ 200")
		o := options(rows...)
		if o.As, o.InPlace = lossless, inPlace; !inPlace {
			o.Out = dir
		}
		if r := run(t, dir, o); r.Written != 16 || len(r.Left) != 1 || len(r.Missing) != 0 {
			t.Fatalf("%+v", r)
		}
		got := map[string]Listed{}
		for _, l := range list(t, dir) {
			got[fmt.Sprint(l.Row, l.Format)] = l
		}
		for _, d := range rows {
			if d.Level == describe.Collection {
				continue
			}
			for _, f := range oclc.Formats {
				var want bytes.Buffer
				if err := oclc.Write(&want, f, d.Record); err != nil {
					t.Fatal(err)
				}
				l := got[fmt.Sprint(d.ID, f)]
				if l.Problem != "" || l.Document != want.String() || !reflect.DeepEqual(l.Record, d.Record) {
					t.Errorf("%s as %s: %.200q, problem %q", d.ID, f, l.Document, l.Problem)
				}
			}
		}
	}
}
