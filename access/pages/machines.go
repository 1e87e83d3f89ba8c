package pages

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"quire/access/address"
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

// document returns an XML document.
func document(mime string, root any) (answer, error) {
	out, err := xml.MarshalIndent(root, "", " ")
	if err != nil {
		return answer{}, fmt.Errorf("writing %s: %w", mime, err)
	}
	return sent(mime+"; charset=utf-8", append([]byte(xml.Header), out...)), nil
}

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
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, path := range crawled {
		b.WriteString("Allow: " + mount(s.ui) + path + "\n")
	}
	for _, path := range []string{"/", "/harvest/*/missed", "/site/*?"} {
		b.WriteString("Disallow: " + mount(s.ui) + path + "\n")
	}
	if s.Sitemap {
		b.WriteString("\nSitemap: " + s.absolute(q, string(s.ui)+"/sitemap.xml") + "\n")
	}
	return b.String()
}

// RefuseRobots is the robots.txt of a host with archived pages: crawlers stay out, because search
// engines would show old content as the site's own.
const RefuseRobots = "User-agent: *\nDisallow: /\n"

type openSearchDescription struct {
	XMLName       xml.Name        `xml:"http://a9.com/-/spec/opensearch/1.1/ OpenSearchDescription"`
	ShortName     string          // at most 16 characters
	LongName      string          // at most 48
	Description   string          // at most 1024
	URLs          []openSearchURL `xml:"Url"`
	Language      string
	InputEncoding string
}

type openSearchURL struct {
	Type        string `xml:"type,attr"`
	Rel         string `xml:"rel,attr,omitempty"`
	Template    string `xml:"template,attr"`
	IndexOffset string `xml:"indexOffset,attr,omitempty"`
}

// openSearch describes the search for browsers (OpenSearch 1.1, draft 6).
func (s *site) openSearch(q *request) (answer, error) {
	if s.Search == nil {
		return answer{}, errNotFound
	}
	at := func(path string) string { return s.absolute(q, string(s.ui)+path) }
	const asked = "?q={searchTerms}&from={startIndex?}"
	about := s.About
	if about == "" {
		about = s.words.T("front.about")
	}
	return document("application/opensearchdescription+xml", openSearchDescription{
		ShortName: shorten(s.Name, 16), LongName: shorten(s.Name, 48), Description: shorten(about, 1024),
		URLs: []openSearchURL{
			{Type: "text/html", Template: at("/search" + asked), IndexOffset: "0"},
			{Type: "application/atom+xml", Template: at("/search.atom" + asked), IndexOffset: "0"},
			{Type: "application/json", Template: at("/search.json" + asked), IndexOffset: "0"},
			{Type: "application/opensearchdescription+xml", Rel: "self", Template: at("/opensearch.xml")},
		}, Language: s.words.Language(), InputEncoding: "UTF-8"})
}

// shorten cuts a text to a number of characters.
func shorten(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
