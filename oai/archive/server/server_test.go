package server

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/oai/archive"
	"quire/oai/config"
	"quire/oai/crate"
	"quire/preserve/aip"
	"quire/preserve/pack"
	"quire/repository/store"
)

// crawl returns a WARC with a page, a chunked picture, an error without a body, and a file that was
// not fetched by HTTP.
func crawl() string {
	record := func(kind, id, uri, contentType, block string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: "+
			"2015-01-02T03:04:05Z\r\nWARC-Target-URI: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			kind, id, uri, contentType, len(block), block)
	}
	const http = "application/http;msgtype=response"
	return record("response", "1", "http://a.example/?q=é&x=<1>", http,
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Odd: \x01&<\r\n\r\n<html lang=de><title>Über uns</title><p>"+
			"text") +
		record("response", "2", "http://a.example/logo.png", http,
			"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\x89PNG\r\n0\r\n"+
				"\r\n") +
		record("response", "3", "http://a.example/gone", http, "HTTP/1.1 404 Not Found\r\n\r\n") +
		record("resource", "4", "ftp://a.example/file", "text/plain", "file")
}

// start serves a repository with one package.
func start(t *testing.T, c config.Config) (*Server, string) {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	source := filepath.Join(dir, "crawl.warc")
	if err := os.WriteFile(source, []byte(crawl()), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := pack.Pack(ctx, []string{source},
		pack.Options{Out: filepath.Join(dir, "package"), Agent: model.Agent{Name: "Quire", Version: "test"}}); err != nil {
		t.Fatal(err)
	}
	s, err := store.Init(ctx, filepath.Join(dir, "repo"), store.InitOptions{Describe: aip.Describe})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Ingest(ctx, filepath.Join(dir, "package"), store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := c.Complete(); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewUnstartedServer(nil)
	root := "http://" + web.Listener.Addr().String()
	provider, err := New(ctx, s, Options{Config: c, Dir: filepath.Join(dir, "repo", "oai"),
		Access: filepath.Join(dir, "repo", "access"), Root: root, Problem: func(err error) { t.Logf("told: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	web.Config.Handler = provider
	web.Start()
	t.Cleanup(func() {
		web.Close()
		_ = provider.Close()
	})
	return provider, provider.Base
}

func get(t *testing.T, address string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	r, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // read only
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			t.Fatal(err)
		}
	}
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// Every verb and every format of a repository is valid by the schemas.
func TestValid(t *testing.T) {
	_, base := start(t, config.Config{Repository: archive.Settings{Unstated: model.Open}})
	driver := driverWithOurs(t)
	_, formats := get(t, base+"?verb=ListMetadataFormats")
	prefixes := regexp.MustCompile("<metadataPrefix>([^<]*)<").FindAllStringSubmatch(formats, -1)
	if len(prefixes) != 7 {
		t.Errorf("formats: %v", prefixes)
	}
	queries := []string{"Identify", "ListMetadataFormats", "ListSets", "ListIdentifiers&metadataPrefix=oai_dc",
		"ListRecords&metadataPrefix=nothing"}
	for _, p := range prefixes {
		queries = append(queries, "ListRecords&metadataPrefix="+p[1])
	}
	for _, q := range queries {
		status, text := get(t, base+"?verb="+q)
		if err := schematest.InGo(driver, []byte(text)); err != nil || status != http.StatusOK {
			t.Errorf("%s: %d, %v\n%s", q, status, err, text)
		}
		want := map[string]int{"oai_crate": 4, "oai_dc": 4, "http_header": 3}
		if n, ok := want[strings.TrimPrefix(q, "ListRecords&metadataPrefix=")]; ok &&
			strings.Count(text, "<metadata>") != n {
			t.Errorf("%s has %d records, want %d", q, strings.Count(text, "<metadata>"), n)
		}
	}
	if _, text := get(t, base+"?verb=ListRecords&metadataPrefix=oai_crate"); !strings.Contains(text, "iVBORw==") &&
		!strings.Contains(text, "iVBORw") {
		t.Errorf("the picture is not in its CRATE, without chunks:\n%s", text)
	}
}

// driverWithOurs returns an OAI-PMH schema with all formats, including Quire's own.
func driverWithOurs(t *testing.T) string {
	t.Helper()
	schemas, dir := testsamples.Path(t, "schemas"), t.TempDir()
	entries, err := os.ReadDir(schemas)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries { // the driver expects them in its folder
		if e.Name() != "drivers" {
			if err := os.Symlink(filepath.Join(schemas, e.Name()), filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	ourSchemas, err := filepath.Abs("../../crate/schemas")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(schemas, "drivers", "oai-all.xsd"))
	if err != nil {
		t.Fatal(err)
	}
	ours := fmt.Sprintf(`<xs:import namespace="%s" schemaLocation="%s/crate.xsd"/><xs:import namespace="%s" `+
		`schemaLocation="%s/http_header.xsd"/></xs:schema>`,
		crate.Namespace, ourSchemas, crate.HeadNamespace, ourSchemas)
	file := filepath.Join(dir, "drivers", "oai-all.xsd")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "</xs:schema>", ours, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Captures without a rights statement are not shown, and a client without an agreement gets
// nothing.
func TestClosed(t *testing.T) {
	s, base := start(t, config.Config{})
	if _, text := get(t, base+"?verb=ListRecords&metadataPrefix=oai_dc"); !strings.Contains(text, "noRecordsMatch") ||
		strings.Contains(text, "a.example") {
		t.Error(text)
	}
	about, err := s.Archive.Summary(context.Background())
	if err != nil || about.Shown != 0 || about.Hidden != 4 || about.Unstated != 4 {
		t.Errorf("%+v, %v", about, err)
	}
	for _, path := range []string{"/", "/other"} {
		if status, _ := get(t, strings.TrimSuffix(base, "/modoai")+path); status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, status)
		}
	}
	if status, text := get(t, base+"/schemas/crate.xsd"); status != http.StatusOK || !strings.Contains(text, "schema") {
		t.Errorf("schemas: %d", status)
	}
}
