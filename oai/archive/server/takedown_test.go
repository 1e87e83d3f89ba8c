package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quire/access/server"
	"quire/internal/repotest"
	"quire/oai/config"
)

// A takedown rule in REPO/access/rules.yaml applies to harvesters within a second, also in a
// current list, while quire serve has the same repository open.
func TestTakedown(t *testing.T) {
	r := repotest.New(t)
	ctx := context.Background()
	for _, host := range []string{"a.example", "b.example"} {
		r.Ingest(repotest.Package{ID: host, Rights: "access: open\n", Containers: map[string]string{
			"a.warc": repotest.Response("1", "http://"+host+"/1", "2015-01-02T03:04:05Z", "text/html",
				"<p>SECRET of "+host) +
				repotest.Response("2", "http://"+host+"/2", "2015-01-02T03:04:05Z", "text/html", "<p>SECRET of "+host),
		}})
	}
	access := filepath.Join(r.Dir, "access")
	readers, err := server.New(ctx, r.Store,
		server.Options{Dir: access, Root: "http://127.0.0.1:8000", Problem: func(err error) {
			t.Errorf("readers: %v", err)
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = readers.Close() }() // no data to save
	c := config.Config{Pages: config.Pages{Records: 1}}
	if err := c.Complete(); err != nil {
		t.Fatal(err)
	}
	s, err := New(ctx, r.Store, Options{Config: c, Dir: filepath.Join(r.Dir, "oai"), Access: access,
		Root:    "http://127.0.0.1:8000",
		Problem: func(err error) { t.Errorf("harvesters: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // as above
	ask := func(query string) string {
		t.Helper()
		request, err := http.NewRequest(http.MethodGet, s.Base+"?"+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.RemoteAddr = "127.0.0.1:1234"
		out := record(s, request)
		if out.Code != http.StatusOK {
			t.Errorf("%s: %d %s", query, out.Code, out.Body)
		}
		return out.Body.String()
	}
	if err := s.Archive.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	first := ask("verb=ListRecords&metadataPrefix=oai_didl")
	token := regexp.MustCompile(`<resumptionToken[^>]*>([^<]+)<`).FindStringSubmatch(first)
	if token == nil || !strings.Contains(ask("verb=ListSets"), "host:a.example") {
		t.Fatal(first)
	}
	identifiers := regexp.MustCompile(`<identifier>([^<]*)<`).FindAllStringSubmatch(
		ask("verb=ListIdentifiers&metadataPrefix=oai_didl"), -1)

	rules := "rules:\n  - {urls: [http://a.example/, http://b.example/], access: blocked, hidden: true}\n"
	if err := os.WriteFile(filepath.Join(access, "rules.yaml"), []byte(rules), 0o666); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	for _, query := range []string{"verb=ListRecords&resumptionToken=" + token[1],
		"verb=ListRecords&metadataPrefix=oai_didl", "verb=ListRecords&metadataPrefix=oai_crate",
		"verb=GetRecord&metadataPrefix=oai_didl&identifier=" + identifiers[0][1]} {
		text := ask(query)
		if strings.Contains(text, "SECRET") || strings.Contains(text, "U0VDUkVU") ||
			strings.Contains(text, "<metadata>") {
			t.Errorf("%s:\n%s", query, text)
		}
	}
	time.Sleep(time.Second) // deleted headers come after the lists answered before
	if text := ask("verb=ListIdentifiers&metadataPrefix=oai_didl"); strings.Count(text, `status="deleted"`) != 4 ||
		strings.Count(text, "<header") != 4 {
		t.Error(text)
	}
}

func record(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
