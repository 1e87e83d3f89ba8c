package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"quire/oai/crate"
	"quire/oai/plugin"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/provider/providertest"
	"quire/oai/resource"
)

// onlinePages is a collection of resources in memory.
type onlinePages struct{ *providertest.Records }

// Resource implements resource.Collection.
func (p onlinePages) Resource(_ context.Context, id string) (*resource.Resource, error) {
	return &resource.Resource{Identifier: id, URL: id, Proto: "HTTP/1.1", Status: 200, MIMEType: "text/html",
		Size:   int64(len(id)),
		Header: []resource.Field{{Name: "Content-Type", Value: "text/html"}},
		Open:   func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(id)), nil }}, nil
}

// counting is a tool.
type counting struct{}

func (counting) Run(_ context.Context, c *plugin.Content) ([]plugin.Result, error) {
	return []plugin.Result{{Label: "count", Version: "2.1",
		Output: plugin.Output{MIMEType: "text/plain", Bytes: fmt.Append(nil, c.Size)}}}, nil
}

func servePages(t *testing.T, n int) string {
	p := onlinePages{providertest.New()}
	for i := range n {
		p.Put(protocol.Header{Identifier: fmt.Sprintf("https://a.example/%03d.html", i),
			Datestamp: time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC)})
	}
	p.Delete("https://a.example/000.html", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	return providertest.Serve(t, (&crate.Disseminator{Tools: counting{}}).Backend(p), provider.Options{Records: 10})
}

// TestHarvestPackage harvests a server into a valid package that names the tools run by the server.
func TestHarvestPackage(t *testing.T) {
	workplace(t)
	url := servePages(t, 25)
	status, out, errs := call(t, "oai", "harvest", url, "--as", "package", "--out", "p", "--contact",
		"archive@a.example")
	if status != 0 || !strings.Contains(out, "25, 1 of them deleted") || !strings.Contains(out, "packed") {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	if status, out, errs := call(t, "validate", "p"); status != 0 {
		t.Errorf("%d %s %s", status, out, errs)
	}
	mets, err := os.ReadFile("p/mets.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"count 2.1", "Records of a test", `name="deleted records" source="`,
		"\">1</harvest:fact>", `name="resources" source="`, "\">24</harvest:fact>", url, "oai_crate"} {
		if !strings.Contains(string(mets), want) {
			t.Errorf("the METS does not say %q", want)
		}
	}
	if n := strings.Count(string(mets), ">HTTP user agent</premis:agentType>"); n != 1 {
		t.Errorf("%d agents presented themselves to the server, not one", n)
	}
	if status, _, errs := call(t, "oai", "harvest", url, "--as", "package", "--out", "p"); status != 2 ||
		!strings.Contains(errs, "exist") {
		t.Errorf("%d %s", status, errs)
	}
	if status, out, _ := call(t, "inspect", "p.harvest"); status != 0 {
		t.Errorf("%d %s", status, out)
	}
}

// TestHarvestLacking: a harvest without some records is not complete, and its package says so.
func TestHarvestLacking(t *testing.T) {
	workplace(t)
	from, err := url.Parse(servePages(t, 25))
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = from.Scheme, from.Host
		r.Out.Header.Del("Accept-Encoding")
	}, ModifyResponse: func(answer *http.Response) error {
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		spoiled := bytes.Replace(text, []byte("<identifier>"), []byte("<identifier>\x03"), 1) // one of each page
		answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(spoiled)), int64(len(spoiled))
		answer.Header.Del("Content-Length")
		return nil
	}}
	s := httptest.NewServer(proxy)
	defer s.Close()
	status, out, errs := call(t, "oai", "harvest", s.URL+from.Path, "--as", "package", "--out", "p")
	if status != exitContent || !strings.Contains(out, "NOT COMPLETE") || !strings.Contains(out, "packed") ||
		!strings.Contains(out, "records that cannot be read: 3 of 25") {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	mets, err := os.ReadFile("p/mets.xml")
	if err != nil || !strings.Contains(string(mets), "HARVEST-INCOMPLETE") {
		t.Errorf("the METS does not say that the harvest is incomplete: %v", err)
	}
}

// TestHarvestJSON checks the output for scripts.
func TestHarvestJSON(t *testing.T) {
	workplace(t)
	status, out, errs := call(t, "oai", "harvest", servePages(t, 5), "--out", "h", "--json", "--prefix", "oai_dc")
	var r struct {
		Complete bool           `json:"complete"`
		Prefix   string         `json:"prefix"`
		Counts   map[string]int `json:"counts"`
		Package  *int           `json:"package"`
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != 0 || !r.Complete || r.Prefix != "oai_dc" ||
		r.Counts["records"] != 5 || r.Package != nil {
		t.Errorf("%d %s %s %v", status, out, errs, err)
	}
}

// TestHarvestUnknownSet checks the message about an unknown set: the protocol treats it as an empty
// set, so its name may be wrong.
func TestHarvestUnknownSet(t *testing.T) {
	workplace(t)
	records := providertest.New()
	records.Put(protocol.Header{Identifier: "urn:x:1", Datestamp: time.Now().Add(-time.Hour),
		Sets: []string{"mime:text"}})
	if status, out, errs := call(t, "oai", "harvest", providertest.Serve(t, records, provider.Options{}), "--out", "h",
		"--set", "no:such"); status != 0 || !strings.Contains(out, "verb=ListSets") {
		t.Errorf("%d %s %s", status, out, errs)
	}
}

// TestHarvestRefused checks that the error of a wrong call names the next step.
func TestHarvestRefused(t *testing.T) {
	workplace(t)
	server := providertest.Serve(t, providertest.New(), provider.Options{})
	for _, c := range []struct{ args, want string }{
		{"oai harvest ftp://a.example/ --out h", "http"},
		{"oai harvest " + server + " --out h --from yesterday", "--from"},
		{"oai harvest " + server + " --out h --prefix none", "oai_dc"},
		{"oai harvest " + server + " --out crawl", "a.warc in it"},
		{"oai harvest http://127.0.0.1:1/ --out h", "no server answers"},
	} {
		if status, out, errs := call(t, strings.Fields(c.args)...); status != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %d %s %s", c.args, status, out, errs)
		}
	}
}
