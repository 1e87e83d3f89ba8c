package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/access/search"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/repotest"
	"quire/repository/store"
)

const (
	date1 = "2015-01-02T03:04:05Z"
	date2 = "2016-01-02T03:04:05Z"
)

var (
	public = holdings.Reader{Class: holdings.Public}
	onsite = holdings.Reader{Class: holdings.OnSite}
	staff  = holdings.Reader{Class: holdings.Staff}
)

func html(title, text string) string {
	return "<!DOCTYPE html><html lang=en><title>" + title + "</title><p>" + text
}

// open indexes a repository.
func open(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings) search.Engine {
	t.Helper()
	s, err := search.OpenEngine(t.Context(), filepath.Join(r.Dir, "text"), h, search.EngineOfTests(),
		search.Options{Problem: func(err error) { t.Log(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if search.EngineOfTests().Engine == search.SolrName {
		if err := s.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// answer returns the complete result of a query as JSON: every leak would be in it.
func answer(t *testing.T, s search.Engine, who holdings.Reader, q search.Query) (*search.Result, string) {
	t.Helper()
	r, err := s.Query(t.Context(), who, q)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(struct {
		Hits   []search.Hit
		Facets []search.Facet
	}{r.Hits, r.Facets})
	if err != nil {
		t.Fatal(err)
	}
	return r, string(b)
}

// TestRights: closed content is in no hit, count, facet or snippet, whatever closes it; and changes
// apply at once.
func TestRights(t *testing.T) {
	r := holdingstest.New(t)
	inner := html("Inner", "The secretword stands in the inner part as well.")
	r.Ingest(holdingstest.Package{ID: "open-1", Rights: "access: open", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("1", "http://a.example/", date1, "text/html",
			html("Front", "The secretword stands on the front page of all.")) +
		holdingstest.Response("2", "http://a.example/closed/x", date1, "text/html", inner) +
		holdingstest.Response("3", "http://b.example/", date2, "text/html",
			html("Other", "The secretword of another host, a year later."))}})
	r.Ingest(holdingstest.Package{ID: "closed-1", Containers: map[string]string{"a.warc": // no rights statement
	holdingstest.Response("4", "http://c.example/", date1, "text/html",
		html("Sealed", "The secretword that nobody may see, with hiddenword."))}})
	rules := r.Rules("rules: []\n")
	h := r.Open(holdings.Options{Rules: rules})
	s := open(t, r, h)

	for _, c := range []struct {
		name, rules string
		who         holdings.Reader
		total       int
		never       []string // must not be in the result
	}{
		{"rights of packages", "rules: []", public, 3, []string{"c.example", "hiddenword", "closed-1", "Sealed"}},
		{"staff", "rules: []", staff, 4, nil},
		{"a URL", "rules: [{urls: [http://a.example/closed/], access: blocked}]", public, 2,
			[]string{"closed/x", "Inner"}},
		{"a URL, hidden", "rules: [{urls: [http://a.example/closed/], access: blocked, hidden: true}]", public, 2,
			[]string{"closed/x", "Inner"}},
		{"a digest", "rules: [{digests: ['" + holdingstest.Digest(inner) + "'], access: blocked}]", public, 2,
			[]string{"closed/x", "Inner"}},
		{"on site, for the public", "rules: [{urls: [http://b.example/], access: onsite}]", public, 2,
			[]string{"b.example", "2016", "Other"}},
		{"on site, there", "rules: [{urls: [http://b.example/], access: onsite}]", onsite, 3, nil},
		{"a package", "rules: [{packages: [open-1], access: restricted}]", public, 0, []string{"example"}},
		{"no more rules", "rules: []", public, 3, []string{"c.example"}},
		{"bound to another package", "rules: [{urls: [http://b.example/], access: onsite}]",
			holdings.Reader{Class: holdings.OnSite, Packages: []string{"closed-1"}}, 2, []string{"b.example"}},
		{"bound to this package", "rules: [{urls: [http://b.example/], access: onsite}]",
			holdings.Reader{Class: holdings.OnSite, Packages: []string{"open-1"}}, 3, nil},
	} {
		r.Rules(c.rules)
		for _, q := range []search.Query{{Text: "secretword"}, {Text: "secretword", Level: search.Bytestreams}, {},
			{Text: "host:c.example OR secretword"}} {
			got, said := answer(t, s, c.who, q)
			if q.Text == "secretword" && got.Total != c.total {
				t.Errorf("%s: %+v: %d hits, not %d", c.name, q, got.Total, c.total)
			}
			if len(got.Hits) != got.Total {
				t.Errorf("%s: %+v: %d hits of %d", c.name, q, len(got.Hits), got.Total)
			}
			for _, word := range c.never {
				if strings.Contains(said, word) {
					t.Errorf("%s: %+v: %q is in the answer: %s", c.name, q, word, said)
				}
			}
		}
	}
}

// TestForgedDigest: a page is indexed with the text of its own bytes, even if another package
// claims the same digest for its page.
func TestForgedDigest(t *testing.T) {
	honest, forged := html("Museum", "What it said of the honestword."),
		html("Museum", "What somebody says of the forgedword.")
	r := holdingstest.New(t)
	dir := r.Pack(holdingstest.Package{ID: "forged", Rights: "access: open", Containers: map[string]string{
		"f.warc": holdingstest.Response("1", "http://forged.example/", date1, "text/html", forged),
	}})
	repotest.Forge(t, dir, "indexes/f.warc.cdxj.gz", func(old []byte) []byte {
		return repotest.Gzip(t, strings.ReplaceAll(repotest.Gunzip(t, old), holdingstest.Digest(forged),
			holdingstest.Digest(honest)))
	})
	if _, err := r.Store.Ingest(t.Context(), dir, store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	r.Ingest(holdingstest.Package{ID: "honest", Rights: "access: open", Containers: map[string]string{
		"h.warc": holdingstest.Response("2", "http://honest.example/", date1, "text/html", honest),
	}})
	h := r.Open(holdings.Options{})
	if c := r.Find(h, public, "http://forged.example/"); len(c) != 1 || c[0].Digest != holdingstest.Digest(honest) {
		t.Fatalf("the lines were not believed, so nothing is tested: %+v", c)
	}
	s := open(t, r, h)
	for word, url := range map[string]string{"honestword": "http://honest.example/",
		"forgedword": "http://forged.example/"} {
		if got, said := answer(t, s, public, search.Query{Text: word}); got.Total != 1 || len(got.Hits) != 1 ||
			got.Hits[0].URL != url || got.Hits[0].AlsoAt != 0 {
			t.Errorf("%s: %s", word, said)
		}
	}
}

// TestEmbargo: an embargo ends by the clock.
func TestEmbargo(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", date1, "text/html",
			html("Front", "Under embargo for now.")),
	}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules: [{packages: [p], asked: {to: 2027-01-01}, access: " +
		"restricted}]")})
	s := open(t, r, h)
	if got, _ := answer(t, s, public, search.Query{Text: "embargo"}); got.Total != 0 {
		t.Errorf("%d hits before its end", got.Total)
	}
	r.Clock.Set(time.Date(2027, 1, 2, 0, 0, 1, 0, time.UTC))
	if got, _ := answer(t, s, public, search.Query{Text: "embargo"}); got.Total != 1 {
		t.Errorf("%d hits behind its end", got.Total)
	}
}

// TestInfected: infected content is neither read nor found. The same applies to its revisits.
func TestInfected(t *testing.T) {
	r := holdingstest.New(t)
	bad := html("Infected", "virusword "+holdingstest.EICAR())
	r.Ingest(holdingstest.Package{ID: "p", Scan: true, Rights: "access: open",
		Containers: map[string]string{"a.warc": "" +
			holdingstest.Response("1", "http://a.example/", date1, "text/html", bad) +
			holdingstest.Response("2", "http://a.example/clean", date1, "text/html",
				html("Clean", "A clean page, that is found.")) +
			holdingstest.Revisit("3", "http://a.example/again", date2, "text/html", bad, "http://a.example/", date1)}})
	s := open(t, r, r.Open(holdings.Options{}))
	for _, who := range []holdings.Reader{public, staff} {
		if got, said := answer(t, s, who, search.Query{}); got.Total != 1 || strings.Contains(said, "virusword") ||
			strings.Contains(said, "Infected") {
			t.Errorf("%s", said)
		}
	}
	if search.EngineOfTests().Engine == search.SolrName {
		return
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, "text", "text.db"))
	if err != nil || strings.Contains(string(text), "virusword") {
		t.Errorf("it was indexed: %v", err)
	}
}

// TestFollowsHoldings: a new version of a package is read again, and a new package is found.
func TestFollowsHoldings(t *testing.T) {
	r := holdingstest.New(t)
	one := holdingstest.Response("1", "http://a.example/", date1, "text/html", html("One", "The first page of them."))
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{"a.warc": one}})
	h := r.Open(holdings.Options{})
	s := open(t, r, h)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	woken := make(chan struct{}, 1)
	go func() { defer close(done); s.Run(ctx, woken) }()
	go func() {
		_ = h.Follow(ctx, func(holdings.Change) error { // ends with the context
			select {
			case woken <- struct{}{}:
			default:
			}
			return nil
		})
	}()
	r.Ingest(holdingstest.Package{ID: "q", Rights: "access: open", Containers: map[string]string{
		"b.warc": holdingstest.Response("2", "http://b.example/", date1, "text/html",
			html("Two", "The second page of them.")),
	}})
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open",
		Containers: map[string]string{"a.warc": one, "c.warc": "" +
			holdingstest.Response("3", "http://a.example/c", date1, "text/html",
				html("Three", "The third page of them.")) +
			holdingstest.Revisit("4", "http://a.example/", date2, "text/html", html("One", "The first page of them."),
				"http://a.example/", date1)}})
	deadline := time.Now().Add(3 * time.Minute)
	got := 0
	for got != 3 && time.Now().Before(deadline) {
		result, _ := answer(t, s, public, search.Query{Text: "page"})
		if got = result.Total; got != 3 {
			time.Sleep(20 * time.Millisecond)
		}
	}
	cancel()
	<-done
	result, said := answer(t, s, public, search.Query{Text: "first"})
	if got != 3 || result.Total != 1 || result.Hits[0].Matching != 2 ||
		result.Hits[0].Capture.Timestamp != "20160102030405" {
		t.Errorf("%d pages; %s", got, said)
	}
}

// TestCollections: collections are facets, within the reader's rights.
func TestCollections(t *testing.T) {
	r := holdingstest.New(t)
	for i := range 3 {
		r.Ingest(holdingstest.Package{ID: fmt.Sprint("p", i), Rights: "access: open", Containers: map[string]string{
			"a.warc": holdingstest.Response(fmt.Sprint(i), fmt.Sprintf("http://%c.example/", 'a'+i), date1, "text/html",
				html("Page", fmt.Sprint("Of collections, number ", i))),
		}})
	}
	r.Collect("ships", "All the ships", "access: open", "p0", "p1")
	s := open(t, r, r.Open(holdings.Options{}))
	got, said := answer(t, s, public, search.Query{Text: "collections"})
	if got.Total != 3 || !strings.Contains(said,
		`{"field":"collection","values":[{"value":"ships","label":"All the ships","count":2}],"more":0}`) {
		t.Errorf("%s", said)
	}
	if got, said := answer(t, s, public, search.Query{Text: "collections collection:ships"}); got.Total != 2 {
		t.Errorf("%s", said)
	}
}
