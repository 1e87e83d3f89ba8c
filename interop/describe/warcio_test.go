//go:build interop

package describe

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/interop/internal/peers"
	"quire/preserve/describe"
)

// answer returns a record of a website.
func answer(id, url, status, more string) string {
	block := "HTTP/1.1 " + status + "\r\n" + more + "\r\n" + url
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: "+
		"<urn:uuid:00000000-0000-4000-8000-00000000000%s>\r\nWARC-Date: 2015-07-08T00:00:00Z\r\nWARC-Target-URI: "+
		"%s\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", id, url, len(block),
		block)
}

// found is a peer's reading of a description.
type found struct {
	Type       string
	Header     map[string]string
	Digest     bool
	There      bool
	URI        string
	Statements [][]string
}

// The example sheet goes into a crawl in all four forms, in place and into a new file. warcio must
// find each description and the record it refers to, with matching digests. Python must read the
// values of the sheet in it.
func TestWarcio(t *testing.T) {
	examples := filepath.Join("..", "..", "examples", "describe")
	rows := rowsOf(t, examples)
	for _, where := range []string{"plain, in place", "gzip, in place", "a new file"} {
		t.Run(where, func(t *testing.T) {
			dir := t.TempDir()
			crawl := filepath.Join(dir, "crawl.warc")
			content := answer("1", "http://statistics.example/", "302 Found", "Location: /nl/\r\n") +
				answer("2", "http://statistics.example/nl/", "200 OK", "") +
				answer("3", "http://census.statistics.example/nl/", "200 OK", "") +
				answer("4", "http://census.statistics.example/fr/%C3%A0-propos?a=1&b=2", "200 OK", "")
			if err := os.WriteFile(crawl, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			args := []string{"--in-place"}
			switch where {
			case "gzip, in place":
				gz := filepath.Join(t.TempDir(), "crawl.warc.gz")
				peers.Python(t, "recompress.py", []string{crawl + "\t" + gz})
				dir = filepath.Dir(gz)
			case "a new file":
				args = []string{"--out", dir}
			}
			args = append(args, "--sheet", filepath.Join(examples, "websites.csv"), "--mapping",
				filepath.Join(examples, "mapping.yaml"), "--as", "json,warc-fields,xml,yaml")
			peers.Call(t, nil, peers.Quire(t), append([]string{"describe", dir}, args...)...)
			files, err := filepath.Glob(filepath.Join(dir, "*.warc*"))
			if err != nil {
				t.Fatal(err)
			}
			forms := map[string]bool{}
			for line := range strings.Lines(peers.Python(t, "warcio_descriptions.py", files)) {
				var f found
				if err := json.Unmarshal([]byte(line), &f); err != nil {
					t.Fatal(err, line)
				}
				row := f.Header["Description-ID"]
				forms[row+" "+f.Header["Content-Type"]] = true
				if f.Type != "metadata" || !f.Digest || !f.There || f.URI != f.Header["WARC-Target-URI"] {
					t.Errorf("%+v", f)
				}
				if !reflect.DeepEqual(f.Statements, rows[row]) {
					t.Errorf("%s as %s:\n%q\nwant\n%q", row, f.Header["Content-Type"], f.Statements, rows[row])
				}
			}
			if len(forms) != 3*4 {
				t.Errorf("%d descriptions were found: %v", len(forms), forms)
			}
		})
	}
}

// rowsOf reads the example sheet: by id, element, language, kind and value of each statement.
func rowsOf(t *testing.T, examples string) map[string][][]string {
	t.Helper()
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
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][][]string{}
	for _, d := range sheet.Rows {
		for _, s := range d.Record {
			rows[d.ID] = append(rows[d.ID], []string{string(s.Element), s.Lang, s.Kind, s.Value})
		}
	}
	return rows
}
