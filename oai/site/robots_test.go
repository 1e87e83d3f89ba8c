package site

import (
	"net/http"
	"strings"
	"testing"

	"quire/oai/provider"
)

// ruled is a site in memory with headers.
type ruled struct {
	pages
	tags   map[string][]string // X-Robots-Tag
	status int                 // of robots.txt; 0 for that of the pages
}

func (r ruled) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.URL.Path == "/robots.txt" && r.status != 0 {
		w.WriteHeader(r.status)
		return
	}
	for _, tag := range r.tags[q.URL.Path] {
		w.Header().Add("X-Robots-Tag", tag)
	}
	r.pages.ServeHTTP(w, q)
}

// TestRobots: links are followed where the site allows it: by robots.txt, in the page, in its header, and at the link.
func TestRobots(t *testing.T) {
	site := ruled{tags: map[string][]string{"/header": {"otherbot: noindex", "noindex, nofollow"},
		"/others": {"otherbot: noindex, nofollow", "max-snippet: 3"},
		"/valued": {"max-snippet: 3, nofollow"}}, pages: pages{
		"/robots.txt": "User-agent: *\nDisallow: /\n\nUser-agent: Quire-Crate\nDisallow: /private/\n" +
			"Allow: /private/open\n",
		"/": `<a href="/private/a">no</a><a href="/private/open">yes</a><a rel="noopener NoFollow" href="/rel">no</a>` +
			`<a href="/meta">m</a><a href="/own">o</a><a href="/header">h</a><a href="/others">o</a>` +
			`<a rel=next href="/next">n</a><a href="/valued">v</a>`,
		"/private/a": "a", "/private/open": "<p>", "/rel": "r", "/next": "n",
		"/meta":      `<meta name="ROBOTS" content="noindex, NOFOLLOW"><a href="/from-meta">no</a>`,
		"/own":       `<meta name="quire-crate" content="none"><a href="/from-own">no</a>`,
		"/header":    `<a href="/from-header">no</a>`,
		"/valued":    `<a href="/from-header">no</a>`,
		"/others":    `<meta name="otherbot" content="nofollow"><a href="/from-others">yes</a>`,
		"/from-meta": "x", "/from-own": "x", "/from-header": "x", "/from-others": "x",
	}}
	const open = "/\n/from-others\n/header\n/meta\n/next\n/others\n/own\n/private/open\n/valued"
	for _, c := range []struct {
		name string
		find Find
		site ruled
		want string
	}{
		{"obeyed", Find{Seeds: []string{"/"}}, site, open},
		{"a seed is named", Find{Seeds: []string{"/", "/private/a"}}, site, strings.Replace(open, "/private/open",
			"/private/a\n/private/open", 1)},
		{"ignored", Find{Seeds: []string{"/"}, IgnoreRobots: true}, site,
			"/\n/from-header\n/from-meta\n/from-others\n/from-own\n/header\n/meta\n/next\n/others\n/own\n/private/a\n" +
				"/private/open\n/rel\n/valued"},
		{"no rules", Find{Seeds: []string{"/"}}, ruled{pages: site.pages, tags: site.tags, status: http.StatusNotFound},
			strings.Replace(open, "/private/open", "/private/a\n/private/open", 1)},
		{"unreachable rules", Find{Seeds: []string{"/"}},
			ruled{pages: site.pages, tags: site.tags, status: http.StatusBadGateway}, "/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _, told := idle(t, Options{Next: c.site, Find: c.find})
			scanned(t, s)
			if got := urlsOf(t, s, provider.Query{}); got != c.want {
				t.Errorf("found:\n%s\nwant:\n%s", got, c.want)
			}
			unreachable := c.site.status == http.StatusBadGateway
			if unreachable != told.has("robots.txt: the status is 502") {
				t.Errorf("told: %q", told.list)
			}
		})
	}
}
