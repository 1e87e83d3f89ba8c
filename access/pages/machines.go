package pages

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"quire/access/address"
	"quire/access/machines"
)

// Paths for machines; ParseUI does not know them.
const (
	robots      address.Kind = "robots.txt"
	openSearch  address.Kind = "opensearch.xml"
	searchJSON  address.Kind = "search.json"
	searchFeed  address.Kind = "search.atom"
	newestFeed  address.Kind = "feed.atom"
	sitemap     address.Kind = "sitemap.xml"
	sitemapPart address.Kind = "sitemap" // /sitemap-N.xml
)

var machineKinds = map[string]address.Kind{"/robots.txt": robots, "/opensearch.xml": openSearch,
	"/search.json": searchJSON, "/search.atom": searchFeed, "/feed.atom": newestFeed, "/sitemap.xml": sitemap}

// parseMachine reads the paths for machines.
func parseMachine(path string) (address.Place, bool) {
	if kind, ok := machineKinds[path]; ok {
		return address.Place{Request: address.Request{Kind: kind}}, true
	}
	number, found := strings.CutPrefix(path, "/sitemap-")
	number, xml := strings.CutSuffix(number, ".xml")
	n, err := strconv.Atoi(number)
	if !found || !xml || err != nil || n < 1 || strconv.Itoa(n) != number {
		return address.Place{}, false
	}
	return address.Place{Request: address.Request{Kind: sitemapPart}, Number: n}, true
}

// machine answers a request to a path for machines.
func (s *site) machine(q *request) (answer, error) {
	switch q.place.Kind {
	case robots:
		return sent("text/plain; charset=utf-8", []byte(s.robots(q))), nil
	case openSearch:
		return s.openSearch(q)
	case searchJSON:
		return s.searchJSON(q)
	case searchFeed:
		return s.searchFeed(q)
	case newestFeed:
		return s.newestFeed(q)
	case sitemap, sitemapPart:
		return s.sitemap(q)
	}
	return answer{}, errNotFound
}

// sent is the answer with a complete document.
func sent(mime string, body []byte) answer {
	return answer{stream: func(w http.ResponseWriter) {
		h := w.Header()
		h.Set("Content-Type", mime)
		h.Set("Content-Length", strconv.Itoa(len(body)))
		h.Set("X-Robots-Tag", "noindex") // crawlers read it, and index the pages that it names
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(body) // the client may have gone
	}}
}

// document is the answer with an XML document.
func document(mime string, text []byte) answer { return sent(mime+"; charset=utf-8", text) }

// absolute returns the whole URL of one of our pages.
func (s *site) absolute(q *request, at string) string {
	if strings.HasPrefix(at, "/") {
		return s.base(q) + at
	}
	return at
}

// crawled are the pages that search engines may read: about packages and collections. The longest
// match decides (RFC 9309, 2.2.2). Searches, archived pages, comparisons, downloads, interfaces for
// machines, lists of missed addresses and thumbnails stay out: they are copies of these, or endless.
var crawled = []string{"/$", "/site/", "/collection/", "/harvest/", "/history/", "/static/", "/feed.atom$",
	"/sitemap"}

func (s *site) robots(q *request) string {
	below := func(paths ...string) (all []string) {
		for _, path := range paths {
			all = append(all, mount(s.ui)+path)
		}
		return all
	}
	at := ""
	if s.Sitemap {
		at = s.absolute(q, string(s.ui)+"/sitemap.xml")
	}
	return machines.Robots(below(crawled...), below("/", "/harvest/*/missed", "/site/*?"), at)
}

// openSearch describes the search for browsers.
func (s *site) openSearch(q *request) (answer, error) {
	if s.Search == nil {
		return answer{}, errNotFound
	}
	at := func(path string) string { return s.absolute(q, string(s.ui)+path) }
	const asked = "?q={searchTerms}&from={startIndex?}"
	d := machines.OpenSearch{Name: s.Name, About: cmp.Or(s.About, s.words.T("front.about")),
		Language: s.words.Language(), Address: at("/opensearch.xml"), Forms: []machines.SearchForm{
			{Type: "text/html", Template: at("/search" + asked)},
			{Type: machines.FeedType, Template: at("/search.atom" + asked)},
			{Type: "application/json", Template: at("/search.json" + asked)}}}
	text, err := d.Document()
	return document(machines.OpenSearchType, text), err
}
