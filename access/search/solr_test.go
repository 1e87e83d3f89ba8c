package search

import (
	"cmp"
	"os"
	"reflect"
	"strings"
	"testing"

	"quire/access/search/extract"
	"quire/holdings/captures"
)

// engine returns the engine that the tests of both run on: Solr if QUIRE_SOLR names a server with the
// collections quire and webarchive of deploy/solr, else SQLite. interop/solr starts Solr and sets it.
func engine() Settings {
	if server := os.Getenv("QUIRE_SOLR"); server != "" {
		return Settings{Engine: SolrName, Solr: SolrSettings{URL: server, Collection: "quire",
			Open: cmp.Or(os.Getenv("QUIRE_SOLR_OPEN"), "webarchive")}}
	}
	return Settings{}
}

// openEngine opens an empty index in the engine of the tests.
func openEngine(t testing.TB, h *house) Engine {
	t.Helper()
	return openEngineIn(t, t.TempDir(), h)
}

// openEngineIn opens the index of a folder in the engine of the tests. In Solr it begins empty.
func openEngineIn(t testing.TB, dir string, h *house) Engine {
	t.Helper()
	s, err := OpenEngine(t.Context(), dir, h, engine(), Options{Problem: func(err error) { t.Log(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if engine().Engine == SolrName && os.Getenv("QUIRE_INDEX") == "" {
		if err := s.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	updateIndex(t, s)
	return s
}

// EngineOfTests is the engine of the tests, for those outside of the package.
func EngineOfTests() Settings { return engine() }

// NoteOf writes the note of an engine in Solr, as its first update does.
func NoteOf(t *testing.T, s Engine) {
	t.Helper()
	if err := s.(*Solr).note(); err != nil {
		t.Fatal(err)
	}
}

// TestSolrConditions: no part of a query becomes syntax of Solr. Words have letters and digits only; values of
// filters are quoted.
func TestSolrConditions(t *testing.T) {
	t.Parallel()
	s := &Solr{}
	for _, c := range []struct{ text, match, filters string }{
		{"ships", `+((quire_title_words:"ships"^8 OR quire_url_words:"ships"^3 OR quire_body_words:"ships"^1))`, ""},
		{"title:Été*", `+((quire_title_words:ete*^8))`, ""},
		{`{!terms f=id}x`, "+" + anyWords("terms") + " +" + anyWords("f id x"), ""},
		{`"a) OR *:*"`, "+" + anyWords("a or"), ""},
		{`-tug`, "+*:* -" + anyWords("tug"), ""},
		{`host:"a\" OR *:*"`, "+" + anyWords("or") + " +" + anyWords(""), `+(quire_host:("a\\"))`},
		{`package:x")`, "", `+(quire_package:("x"))`},
		{`language:en")OR(*:*`, "", `+(quire_language:("en"))`},
	} {
		a := &solrAsk{s: s, view: &solrView{}, question: parse(c.text), level: Bytestreams, lists: map[string]string{}}
		a.build()
		for _, r := range a.match {
			if strings.ContainsRune("{!}$\\", r) {
				t.Errorf("%s: %q is in %s", c.text, r, a.match)
			}
		}
		if c.filters != "" && (len(a.filters) != 1 || !strings.HasSuffix(a.filters[0], c.filters)) {
			t.Errorf("%s: filters %q, not %s", c.text, a.filters, c.filters)
		}
		if c.filters == "" && a.match != c.match {
			t.Errorf("%s: %s, not %s", c.text, a.match, c.match)
		}
	}
}

func anyWords(phrase string) string {
	q := `"` + phrase + `"`
	return "((quire_title_words:" + q + "^8 OR quire_url_words:" + q + "^3 OR quire_body_words:" + q + "^1))"
}

// TestOpenDocument: the forms of webarchive-discovery.
func TestOpenDocument(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"https://www.A.example/x/?q=1":  "http://a.example/x/?q=1",
		"http://a.example":              "http://a.example/",
		"https://a.example:443/dir/#at": "http://a.example/dir",
	} {
		if got := normURL(from); got != want {
			t.Errorf("%s: %s, not %s", from, got, want)
		}
	}
	c := &captures.Capture{URL: "http://a.example/", Timestamp: "20150102030405"}
	if got := openID(c); got != "20150102030405/sw1PWeuXUXsp23v0x745fQ==" {
		t.Error(got)
	}
}

// TestSolrSettings: settings that mix open and closed records are refused.
func TestSolrSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    SolrSettings
		want string
	}{
		{SolrSettings{URL: "http://solr.example:8983/solr", Collection: "own", Open: "open"}, ""},
		{SolrSettings{URL: "http://solr.example:8983/solr", Collection: "own"}, ""},
		{SolrSettings{URL: "http://solr.example:8983/solr", Collection: "one", Open: "one"}, "same collection"},
		{SolrSettings{URL: "http://u:p@solr.example/solr", Collection: "own"}, "not the URL"},
		{SolrSettings{URL: "solr.example", Collection: "own"}, "not the URL"},
		{SolrSettings{URL: "http://solr.example/solr", Collection: "../x"}, "name the collection"},
	} {
		err := (&Settings{Engine: SolrName, Solr: c.s}).Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.s, err)
		}
	}
	if err := (&Settings{Solr: SolrSettings{URL: "http://solr.example"}}).Check(); err == nil {
		t.Error("a URL without an engine is not refused")
	}
}

// TestSolrOpenLinks: the document for other programs has links and pictures in the form of url_norm, and where a
// picture was taken.
func TestSolrOpenLinks(t *testing.T) {
	t.Parallel()
	const url = "http://www.a.example/dir/"
	text := extract.From(extract.Content{URL: url, MIME: "text/html", Pictures: true, Bytes: []byte(pageOfLinks),
		In: strings.NewReader(pageOfLinks), Size: int64(len(pageOfLinks))})
	text.Details = append(text.Details, extract.Detail{Name: "position", Value: "48.85837, -2.29448"})
	d := openDocument(&captures.Capture{URL: url, Timestamp: "20200102030405", Type: "response"},
		&fresh{text: text}, "")
	for name, want := range map[string]any{
		"links":         []string{"http://a.example/dir/x", "http://b.example/"},
		"links_images":  []string{"http://a.example/big.png", "http://pics.example/a.jpg"},
		"links_hosts":   []string{"b.example"},
		"exif_location": "48.85837,-2.29448",
	} {
		if !reflect.DeepEqual(d[name], want) {
			t.Errorf("%s: %v, not %v", name, d[name], want)
		}
	}
}

const pageOfLinks = `<!DOCTYPE html><title>t</title><link rel=icon href="/icon.png">
<a href="x/">one</a> <a href="https://b.example">two</a> <a href="x">again</a>
<IMG src="/big.png"> <img src="https://www.pics.example/a.jpg"> <img src="data:image/gif;base64,R0lGODlh">
<script src="/s.js"></script>`
