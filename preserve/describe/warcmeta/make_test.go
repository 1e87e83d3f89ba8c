package warcmeta

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"quire/metadata/oclc"
	"quire/model"
	"quire/preserve/describe"
)

const warcinfo = "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x:info>\r\nWARC-Date: " +
	"2020-01-01T00:00:00Z\r\n" +
	"Content-Type: application/warc-fields\r\nContent-Length: 21\r\n\r\nsoftware: crawler/1\r\n\r\n\r\n"

// response returns a record for "DAY URL STATUS [LOCATION]".
func response(id, line string) string {
	cells := append(strings.Fields(line), "")
	block := "HTTP/1.1 " + cells[2] + " x\r\n"
	if cells[3] != "" {
		block += "Location: " + cells[3] + "\r\n"
	}
	block += "\r\n" + line
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: %s\r\nWARC-Date: %sT00:00:00Z\r\n"+
		"WARC-Target-URI: %s\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", id, cells[0],
		cells[1], len(block), block)
}

// crawl writes a container, which is compressed if its file name requires this. Its records have
// the ids <urn:x:0>, <urn:x:1>, …
func crawl(t *testing.T, path string, lines ...string) string {
	t.Helper()
	all := []string{warcinfo}
	for i, line := range lines {
		all = append(all, response(fmt.Sprintf("<urn:x:%d>", i), line))
	}
	var b bytes.Buffer
	for _, rec := range all {
		if !strings.HasSuffix(path, ".gz") {
			b.WriteString(rec)
			continue
		}
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, rec)
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// lossless are the forms that hold everything.
var lossless = []Form{JSON, Fields, XML, YAML}

// row returns the description of a URL.
func row(n int, url string, more ...oclc.Statement) describe.Description {
	record := oclc.Record{{Element: oclc.Title, Value: fmt.Sprintf("Title %d", n), Lang: "en"},
		{Element: oclc.URL, Value: url, Kind: "seed"}}
	return describe.Description{ID: fmt.Sprintf("row-%d", n), Level: describe.Site, Row: n,
		Record: append(record, more...)}
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func options(rows ...describe.Description) Options {
	return Options{Rows: rows, Agent: model.Agent{Name: "Quire", Version: "test"}, Now: func() time.Time {
		return noon
	}}
}

func run(t *testing.T, source string, o Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), []string{source}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func list(t *testing.T, source string) (all []Listed) {
	t.Helper()
	err := List(context.Background(), []string{source}, ListOptions{}, func(l Listed) error {
		all = append(all, l)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// names lists the files in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
