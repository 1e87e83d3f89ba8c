package search_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/access/search"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// openRecords asks the collection of open records as another program does: it returns all documents.
func openRecords(t *testing.T) []map[string]any {
	t.Helper()
	at := search.EngineOfTests().Solr
	r, err := http.Get(at.URL + "/" + at.Open + "/select?rows=1000&q=" + url.QueryEscape("*:*"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var a struct {
		Response struct{ Docs []map[string]any }
	}
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a.Response.Docs
}

func urlsOf(docs []map[string]any) string {
	var all []string
	for _, d := range docs {
		all = append(all, fmt.Sprint(d["url"]))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestOpenRecords: the collection for other programs has open records alone, with the fields that SolrWayback
// asks for. A rule, a takedown and a purge delete from it.
func TestOpenRecords(t *testing.T) {
	if search.EngineOfTests().Engine != search.SolrName {
		t.Skip("it needs Solr: interop/run solr")
	}
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "open-1", Rights: "access: open", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("1", "http://www.a.example/", date1, "text/html",
			html("Front", "The secretword in front.")) +
		holdingstest.Response("2", "https://a.example/x/", date1, "text/html",
			html("Inner", "The secretword inside."))}})
	r.Ingest(holdingstest.Package{ID: "open-2", Rights: "access: open", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("3", "http://b.example/", date2, "text/html",
			html("Other", "The secretword elsewhere."))}})
	r.Ingest(holdingstest.Package{ID: "onsite", Rights: "access: onsite", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("4", "http://c.example/", date2, "text/html",
			html("Room", "The secretword to read here."))}})
	r.Ingest(holdingstest.Package{ID: "closed", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("5", "http://d.example/", date2, "text/html",
			html("Sealed", "The secretword in a sealed page."))}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules: []\n")})
	s := open(t, r, h)
	docs := openRecords(t)
	if got := urlsOf(docs); got != "http://b.example/ http://www.a.example/ https://a.example/x/" {
		t.Errorf("open records: %s", got)
	}
	for _, d := range docs {
		for _, field := range []string{"id", "title", "url", "url_norm", "source_file_path", "source_file",
			"source_file_offset", "domain", "host", "resourcename", "content_type", "content_type_full",
			"content_type_norm", "hash", "type", "crawl_date", "status_code", "content_length", "wayback_date",
			"record_type", "content"} {
			if _, ok := d[field]; !ok {
				t.Errorf("%v has no %s", d["url"], field)
			}
		}
		if d["url"] == "https://a.example/x/" && d["url_norm"] != "http://a.example/x" {
			t.Errorf("url_norm %v", d["url_norm"])
		}
	}

	r.Rules("rules: [{urls: [http://b.example/], access: onsite}]")
	// Before Solr knows the rule, no reader finds the capture by Quire, and no count has it.
	if got, said := answer(t, s, public, search.Query{Text: "secretword"}); got.Total != 2 ||
		strings.Contains(said, "b.example") || len(got.Facets) > 0 {
		t.Errorf("before the update: %s", said)
	}
	update(t, s)
	if got := urlsOf(openRecords(t)); got != "http://www.a.example/ https://a.example/x/" {
		t.Errorf("after a rule: %s", got)
	}
	got, said := answer(t, s, public, search.Query{Text: "secretword"})
	if got.Total != 2 || len(got.Facets) == 0 || strings.Contains(said, "b.example") {
		t.Errorf("after a rule: %s", said)
	}
	if got, _ := answer(t, s, onsite, search.Query{Text: "secretword"}); got.Total != 4 {
		t.Errorf("in the reading room: %d", got.Total)
	}

	r.Rules("rules: [{urls: [http://a.example/x/], access: blocked, hidden: true}]")
	dir := filepath.Join(r.Dir, "text")
	if err := search.Takedown(t.Context(), dir, h, []string{"open-1"}, false); err != nil {
		t.Fatal(err)
	}
	if got := urlsOf(openRecords(t)); got != "http://www.a.example/" {
		t.Errorf("after a takedown: %s", got)
	}
	update(t, s)
	if got := urlsOf(openRecords(t)); got != "http://b.example/ http://www.a.example/" {
		t.Errorf("after the update: %s", got)
	}
	if err := search.Takedown(t.Context(), dir, h, []string{"open-2"}, true); err != nil {
		t.Fatal(err)
	}
	if got := urlsOf(openRecords(t)); got != "http://www.a.example/" {
		t.Errorf("after a purge: %s", got)
	}
}

func update(t *testing.T, s search.Engine) {
	t.Helper()
	if err := s.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestTakedownWithoutSolr: while Solr does not answer, a takedown fails loudly, and names what Solr still has.
func TestTakedownWithoutSolr(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := search.Takedown(t.Context(), dir, nil, []string{"p"}, true); err != nil {
		t.Errorf("no Solr has texts: %v", err)
	}
	s, err := search.OpenEngine(t.Context(), dir, nil, search.Settings{Engine: search.SolrName,
		Solr: search.SolrSettings{URL: "http://127.0.0.1:1/solr", Collection: "own", Open: "others"}}, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	search.NoteOf(t, s)
	err = search.Takedown(t.Context(), dir, nil, []string{"p"}, true)
	if err == nil || !strings.Contains(err.Error(), "SOLR STILL HOLDS") || !strings.Contains(err.Error(), "others") {
		t.Errorf("%v", err)
	}
}
