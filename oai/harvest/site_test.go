package harvest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/format/warc"
	"quire/model"
	"quire/oai/crate"
	"quire/oai/plugin"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/provider/providertest"
	"quire/oai/resource"
)

// site is a collection of resources in memory.
type site struct {
	*providertest.Records
	mu     sync.Mutex
	bodies map[string]string
	base   string // base URL of the files
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func newSite() *site { return &site{Records: providertest.New(), bodies: map[string]string{}} }

func (s *site) put(url, body string, at time.Time) {
	s.mu.Lock()
	s.bodies[url] = body
	s.mu.Unlock()
	s.Put(protocol.Header{Identifier: url, Datestamp: at, Sets: []string{"mime:text:plain"}})
}

func (s *site) body(url string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[url]
}

// Resource implements resource.Collection.
func (s *site) Resource(_ context.Context, id string) (*resource.Resource, error) {
	body := s.body(id)
	r := &resource.Resource{Identifier: id, URL: id, Proto: "HTTP/1.1", Status: 200, MIMEType: "text/plain",
		Size:   int64(len(body)),
		Header: []resource.Field{{Name: "Content-Type", Value: "text/plain"}, {Name: "X-Of", Value: id}},
		Open:   func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }}
	if s.base != "" {
		r.URL = s.base + "/" + strings.TrimPrefix(id, "http://a.example/")
	}
	return r, nil
}

// lengthTool outputs the number of bytes.
type lengthTool struct{}

func (lengthTool) Run(_ context.Context, c *plugin.Content) ([]plugin.Result, error) {
	return []plugin.Result{
		{Label: "length", Version: "1.0",
			Output: plugin.Output{MIMEType: "text/plain", Bytes: fmt.Append(nil, c.Size)}},
		{Label: "broken", Version: "0.1", Outcome: plugin.Failed,
			Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("cannot\x00")}},
	}, nil
}

// serve starts the site. If tap is not nil, it may answer instead.
func (s *site) serve(t testing.TB, d crate.Disseminator, o provider.Options,
	tap func(http.ResponseWriter, *http.Request) bool) string {
	t.Helper()
	return s.serveOf(t, s, d, o, tap)
}

// serveOf starts the site with the resources of a collection.
func (s *site) serveOf(t testing.TB, c resource.Collection, d crate.Disseminator, o provider.Options,
	tap func(http.ResponseWriter, *http.Request) bool) string {
	t.Helper()
	if d.Tools == nil {
		d.Tools = lengthTool{}
	}
	p := providertest.Provider(t, d.Backend(c), o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tap != nil && tap(w, r) {
			return
		}
		if rest, ok := strings.CutPrefix(r.URL.Path, "/file/"); ok {
			_, _ = io.WriteString(w, s.body("http://a.example/"+rest)) // the client may have left
			return
		}
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/oai"
}

var agent = model.Agent{Name: "Quire", Version: "test"}

// options returns the options of a test, without waits.
func options(url, out string) Options {
	return Options{BaseURL: url, Out: out, Agent: agent, Sleep: func(ctx context.Context, _ time.Duration) error {
		return ctx.Err()
	}}
}

func mustRun(t testing.TB, o Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// written is one record of the containers.
type written struct {
	kind, uri, id, concurrent, part, label, contentType, identifier string
	block                                                           string
}

// containersOf reads all containers of a folder, in order.
func containersOf(t testing.TB, dir string) []written {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "data-*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(names)
	var all []written
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r := warc.NewReader(f)
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			block, err := io.ReadAll(rec)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, written{rec.Get("WARC-Type"), rec.Get("WARC-Target-URI"), rec.Get("WARC-Record-ID"),
				rec.Get("WARC-Concurrent-To"),
				rec.Get(FieldPart), rec.Get(FieldLabel), rec.Get("Content-Type"), rec.Get(fieldIdentifier),
				string(block)})
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}
		}
		f.Close()
	}
	return all
}

// resourcesOf returns the bytes of the resource records by URI. A duplicate fails the test.
func resourcesOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, r := range containersOf(t, dir) {
		if r.kind != "resource" {
			continue
		}
		if _, twice := all[r.uri]; twice {
			t.Errorf("%s is duplicated", r.uri)
		}
		all[r.uri] = r.block
	}
	return all
}
