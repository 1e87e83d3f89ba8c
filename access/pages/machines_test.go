package pages_test

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/access/pages"
	"quire/access/search"
	"quire/holdings"
	"quire/holdings/captures"
)

// one is a search with a hit whose texts are hostile, and further hits.
func one() answers {
	return answers{&search.Result{Level: search.Pages, Total: 25, Elsewhere: 31, Notes: []string{"a note"},
		Hits: []search.Hit{{URL: "http://museum.example/", Host: "museum.example", Type: "page", MIME: "text/html",
			Language: "en", Size: 300, Title: []search.Span{{Text: "<b>Tug\x01 & "}, {Text: "steam", Match: true}},
			Snippet: []search.Span{{Text: "has "}, {Text: "steam", Match: true}, {Text: " </entry>"}},
			Capture: &captures.Capture{URL: "http://museum.example/", Timestamp: "20160229120000", Package: "museum"},
			First:   "20140314092653", Last: "20160229120000", Matching: 2, Versions: 3, Packages: []string{"museum"}}},
		Facets: []search.Facet{{Field: search.Type, Values: []search.Value{{Value: "page", Count: 25}}}}}}
}

func TestSearchJSON(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Search: one()})
	w := r.read("/search.json?q=steam&from=10")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/json" ||
		w.Header().Get("Cache-Control") != "private, no-cache" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if keys := slices.Sorted(maps.Keys(got)); !slices.Equal(keys, []string{"facets", "filters", "from", "hits", "level",
		"next", "notes", "order", "previous", "query", "totals"}) {
		t.Errorf("keys: %q", keys)
	}
	hit, _ := got["hits"].([]any)[0].(map[string]any)
	if keys := slices.Sorted(maps.Keys(hit)); !slices.Equal(keys, []string{"capture", "captures", "collections",
		"first", "language", "last", "marked", "matching", "mime", "packages", "size", "snippet",
		"timestamp", "title", "type", "url", "versions"}) {
		t.Errorf("keys of a hit: %q", keys)
	}
	for key, want := range map[string]any{"url": "http://museum.example/", "timestamp": "20160229120000",
		"title": "<b>Tug\x01 & steam", "snippet": "has steam </entry>", "type": "page", "language": "en",
		"capture":  "http://archive.example/all/20160229120000/http://museum.example/",
		"captures": "http://archive.example/versions/all/http://museum.example/"} {
		if hit[key] != want {
			t.Errorf("%s is %q, want %q", key, hit[key], want)
		}
	}
	if c, _ := hit["collections"].([]any); len(c) != 1 || c[0] != "harbours" {
		t.Errorf("collections: %v", hit["collections"])
	}
	if totals, _ := got["totals"].(map[string]any); totals["page"] != 25.0 || totals["bytestream"] != 31.0 {
		t.Errorf("totals: %v", totals)
	}
	if got["next"] != "http://archive.example/search.json?from=20&q=steam" ||
		got["previous"] != "http://archive.example/search.json?q=steam" {
		t.Errorf("next %v, previous %v", got["next"], got["previous"])
	}
	for _, none := range []string{"/search.json", "/search.atom?q=%20"} {
		if w := r.read(none); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", none, w.Code)
		}
	}
	r = room(t, museum(t).Open(holdings.Options{}), pages.Options{})
	for _, at := range []string{"/search.json?q=a", "/search.atom?q=a", "/opensearch.xml", "/sitemap.xml",
		"/sitemap-1.xml", "/sitemap-01.xml"} {
		if w := r.read(at); w.Code != http.StatusNotFound {
			t.Errorf("%s without a search or sitemap: %d", at, w.Code)
		}
	}
}

// read is a feed as a reader of feeds sees it.
type read struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      []string `xml:"http://www.w3.org/2005/Atom id"`
	Title   []string `xml:"http://www.w3.org/2005/Atom title"`
	Updated []string `xml:"http://www.w3.org/2005/Atom updated"`
	Author  []string `xml:"http://www.w3.org/2005/Atom author>name"`
	Total   string   `xml:"http://a9.com/-/spec/opensearch/1.1/ totalResults"`
	Links   []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	} `xml:"http://www.w3.org/2005/Atom link"`
	Entries []struct {
		ID      []string `xml:"http://www.w3.org/2005/Atom id"`
		Title   []string `xml:"http://www.w3.org/2005/Atom title"`
		Updated []string `xml:"http://www.w3.org/2005/Atom updated"`
		Summary string   `xml:"http://www.w3.org/2005/Atom summary"`
		Link    struct {
			Rel  string `xml:"rel,attr"`
			Href string `xml:"href,attr"`
		} `xml:"http://www.w3.org/2005/Atom link"`
	} `xml:"http://www.w3.org/2005/Atom entry"`
}

// feed requests a feed, and checks the requirements of RFC 4287 (4.1.1, 4.1.2).
func feed(t *testing.T, r *reading, at string) *read {
	t.Helper()
	w := r.read(at)
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/atom+xml; charset=utf-8" {
		t.Fatalf("%s: %d %v", at, w.Code, w.Header())
	}
	f := &read{}
	if err := xml.Unmarshal(w.Body.Bytes(), f); err != nil {
		t.Fatalf("%s: %v\n%s", at, err, w.Body)
	}
	ids, self := map[string]bool{}, 0
	sound := func(id, title, updated []string) {
		t.Helper()
		if len(id) != 1 || !strings.HasPrefix(id[0], "http://archive.example/") || ids[id[0]] {
			t.Errorf("%s: id %q", at, id)
		}
		ids[strings.Join(id, "")] = true
		if len(title) != 1 || title[0] == "" {
			t.Errorf("%s: title %q", at, title)
		}
		if len(updated) != 1 {
			t.Errorf("%s: updated %q", at, updated)
		} else if _, err := time.Parse(time.RFC3339, updated[0]); err != nil {
			t.Error(err)
		}
	}
	sound(f.ID, f.Title, f.Updated)
	for _, l := range f.Links {
		if l.Rel == "self" && l.Href == f.ID[0] {
			self++
		}
	}
	if self != 1 || len(f.Author) != 1 || f.Author[0] == "" {
		t.Errorf("%s: %d links to itself, author %q", at, self, f.Author)
	}
	for _, e := range f.Entries {
		sound(e.ID, e.Title, e.Updated)
		if e.Link.Rel != "alternate" || e.Link.Href == "" {
			t.Errorf("%s: an entry without content links to no page: %v", at, e.Link)
		}
	}
	return f
}

// TestLevelOfJSON: the totals have the names of their levels, also if the query itself chose the level.
func TestLevelOfJSON(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Search: answers{&search.Result{
		Level: search.Bytestreams, Total: 3, Elsewhere: 9}}})
	var got struct {
		Level  string
		Totals struct{ Page, Bytestream int }
	}
	if err := json.Unmarshal(r.read("/search.json?q=type:pdf").Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Level != "bytestream" || got.Totals.Bytestream != 3 || got.Totals.Page != 9 {
		t.Errorf("%+v", got)
	}
}

// TestEmptyFeed: a feed without entries has the same date at each request.
func TestEmptyFeed(t *testing.T) {
	h := museum(t).Open(holdings.Options{})
	r := room(t, h, pages.Options{Search: answers{&search.Result{Level: search.Pages}}})
	if f := feed(t, r, "/search.atom?q=nothing"); len(f.Entries) != 0 || f.Updated[0] != "1970-01-01T00:00:00Z" {
		t.Errorf("%+v", f)
	}
}

func TestFeeds(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Search: one()})
	f := feed(t, r, "/feed.atom")
	if len(f.Entries) != 2 {
		t.Fatalf("%d entries", len(f.Entries))
	}
	newest := ""
	for _, e := range f.Entries {
		newest = max(newest, e.Updated[0])
		if strings.Contains(e.Title[0]+e.Summary, "CLOSED") {
			t.Errorf("closed content: %q", e)
		}
	}
	if f.Updated[0] != newest {
		t.Errorf("updated %s, the newest entry %s", f.Updated[0], newest)
	}
	f = feed(t, r, "/search.atom?q=steam&from=10")
	if e := f.Entries; len(e) != 1 || e[0].Title[0] != "<b>Tug & steam" || e[0].Summary != "has steam </entry>" ||
		e[0].Updated[0] != "2016-02-29T12:00:00Z" || f.Total != "25" {
		t.Errorf("%+v", f)
	}
	for rel, want := range map[string]string{"next": "http://archive.example/search.atom?from=20&order=newest&q=steam",
		"search": "http://archive.example/opensearch.xml"} {
		if !slices.ContainsFunc(f.Links, func(l struct {
			Rel  string `xml:"rel,attr"`
			Href string `xml:"href,attr"`
		}) bool {
			return l.Rel == rel && l.Href == want
		}) {
			t.Errorf("no link %s to %s: %v", rel, want, f.Links)
		}
	}
	head := r.read("/search?q=steam").Body.String()
	for _, want := range []string{`rel="search" type="application/opensearchdescription&#43;xml"`,
		`href="/search.atom?q=steam"`, `href="/search.json?q=steam"`, `href="/feed.atom"`} {
		if !strings.Contains(head, want) {
			t.Errorf("the page of results has no link %s", want)
		}
	}
}

func TestOpenSearch(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}),
		pages.Options{Search: one(), Name: "The Web Archive of a Province"})
	w := r.read("/opensearch.xml")
	var d struct {
		XMLName     xml.Name `xml:"http://a9.com/-/spec/opensearch/1.1/ OpenSearchDescription"`
		ShortName   string
		LongName    string
		Description string
		URLs        []struct {
			Type     string `xml:"type,attr"`
			Template string `xml:"template,attr"`
		} `xml:"Url"`
	}
	if err := xml.Unmarshal(w.Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(d.ShortName)); n == 0 || n > 16 || d.LongName != "The Web Archive of a Province" ||
		d.Description == "" || len(d.URLs) != 4 {
		t.Errorf("%+v", d)
	}
	if d.URLs[0].Template != "http://archive.example/search?q={searchTerms}&from={startIndex?}" {
		t.Error(d.URLs[0].Template)
	}
	if w.Header().Get("Content-Type") != "application/opensearchdescription+xml; charset=utf-8" {
		t.Error(w.Header())
	}
}

// TestRobots: crawlers get the pages about the holdings, and nothing else (RFC 9309).
func TestRobots(t *testing.T) {
	for mount, ui := range map[string]string{"": "", "/web": "/web"} {
		r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Sitemap: true, UI: address.UI(ui)})
		rules := r.read(mount + "/robots.txt").Body.String()
		for path, want := range map[string]bool{"/": true, "/site/museum": true, "/collection/": true,
			"/history/museum": true, "/harvest/museum/1": true, "/static/quire.css?v=1": true, "/sitemap-2.xml": true,
			"/search?q=a": false, "/search.json?q=a": false, "/all/20150102030405/http://a.example/": false,
			"/all/20150102030405mp_/http://a.example/": false, "/export/museum": false, "/file/museum/a.log": false,
			"/compare/all/?url=a": false, "/-/sign-in": false, "/all/cdx?url=a": false,
			"/harvest/museum/1/missed?from=9": false,
			"/site/museum?thumbnail":          false} {
			if got := mayCrawl(rules, mount+path); got != want {
				t.Errorf("%s: %v, want %v\n%s", mount+path, got, want, rules)
			}
		}
		if !strings.Contains(rules, "\nSitemap: http://archive.example"+mount+"/sitemap.xml\n") {
			t.Errorf("no sitemap: %s", rules)
		}
	}
}

// mayCrawl applies rules: the longest match decides, and of equal ones that which allows.
func mayCrawl(rules, path string) bool {
	longest, allowed := -1, true
	for line := range strings.Lines(rules) {
		name, pattern, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name != "Allow" && name != "Disallow" {
			continue
		}
		whole, ends := strings.CutSuffix(pattern, "$")
		form := "^" + strings.ReplaceAll(regexp.QuoteMeta(whole), `\*`, ".*")
		if ends {
			form += "$"
		}
		if matches := regexp.MustCompile(form).MatchString(path); matches &&
			(len(pattern) > longest || len(pattern) == longest && name == "Allow") {
			longest, allowed = len(pattern), name == "Allow"
		}
	}
	return allowed
}

// TestSitemap: only titles that are open to the public, even for a curator.
func TestSitemap(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Sitemap: true})
	for _, class := range []holdings.Class{holdings.Public, holdings.Staff} {
		r.class = class
		w := r.read("/sitemap.xml")
		var m struct {
			XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
			Loc     []string `xml:"url>loc"`
		}
		if err := xml.Unmarshal(w.Body.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		want := []string{"http://archive.example/", "http://archive.example/site/museum"}
		if !slices.Equal(m.Loc, want) {
			t.Errorf("%s: %q", class, m.Loc)
		}
	}
}
