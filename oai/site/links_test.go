package site

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quire/oai/provider"
)

// pages is a site in memory.
type pages map[string]string

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, ok := p[r.URL.RequestURI()]
	if !ok {
		http.NotFound(w, r)
		return
	}
	typ := "text/html; charset=utf-8"
	switch {
	case strings.HasSuffix(r.URL.Path, ".css"):
		typ = "text/css"
	case strings.HasSuffix(r.URL.Path, ".xml"):
		typ = "application/xml"
	case strings.HasSuffix(r.URL.Path, ".png"):
		typ = "image/png"
	}
	w.Header().Set("Content-Type", typ)
	say(w, text)
}

func urlsOf(t *testing.T, s *Site, q provider.Query) string {
	t.Helper()
	var all []string
	for _, line := range listed(t, s, q) {
		_, url, _ := strings.Cut(line, " ")
		all = append(all, strings.TrimPrefix(url, "http://a.example"))
	}
	return strings.Join(all, "\n")
}

func TestLinks(t *testing.T) {
	site := pages{
		"/": `<link rel=stylesheet href=s.css><a href="/a/">a</a> <a href="http://b.example/">b</a> <a ` +
			`href="/gone">g</a><form action="/search"></form>`,
		"/a/":         `<base href="/b/"><img src="i.png"><a href="../">round</a><a href="?q=1">q</a>`,
		"/b/i.png":    "i",
		"/b/?q=1":     "<p>q",
		"/s.css":      `body { background: url("bg.png") } @import "t.css";`,
		"/t.css":      `a{}`,
		"/bg.png":     "bg",
		"/not-linked": "n",
		"/search":     "s",
	}
	s, c, _ := idle(t, Options{Next: site})
	scanned(t, s)
	want := "/\n/a/\n/b/?q=1\n/b/i.png\n/bg.png\n/s.css\n/t.css"
	if got := urlsOf(t, s, provider.Query{}); got != want {
		t.Errorf("found:\n%s\nwant:\n%s", got, want)
	}
	// An unchanged site shows no change, although its answers have neither a modification time nor
	// an ETag.
	c.forward(time.Hour)
	scanned(t, s)
	if got := urlsOf(t, s, provider.Query{From: noon.Add(time.Hour)}); got != "" {
		t.Errorf("changed: %s", got)
	}
	// A resource without links is deleted. A change is detected by the bytes.
	site["/s.css"] = `body { }`
	scanned(t, s)
	if got, want := urlsOf(t, s, provider.Query{From: noon.Add(time.Hour)}),
		"/bg.png deleted\n/s.css\n/t.css deleted"; got != want {
		t.Errorf("changed:\n%s\nwant:\n%s", got, want)
	}
}

// A site with endless pages is limited, and no resource is marked as deleted.
func TestEndlessLinks(t *testing.T) {
	var n atomic.Int64
	s, _, told := idle(t, Options{Find: Find{Seeds: []string{"/"}, Limit: 50},
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			say(w, fmt.Sprintf(`<a href="%s/x">deeper</a><a href="/%d">next</a>`, strings.TrimSuffix(r.URL.Path, "/"),
				n.Add(1)))
		})})
	scanned(t, s)
	if got := len(listed(t, s, provider.Query{})); got != 51 {
		t.Errorf("%d resources", got)
	}
	if !told.has("the limits are 50 resources") {
		t.Errorf("not told: %q", told.list)
	}
	st, err := s.Status(t.Context())
	if err != nil || st.Complete || !st.Ready || st.Resources != 51 {
		t.Errorf("%+v, %v", st, err)
	}
}

// A page with very many links has a bounded cost.
func TestManyLinks(t *testing.T) {
	var page strings.Builder
	for i := range maxLinks + 1000 {
		fmt.Fprintf(&page, "<a href=/x#%d>", i)
	}
	site := pages{"/": page.String(), "/x": "x"}
	s, _, told := idle(t, Options{Next: site, Find: Find{Seeds: []string{"/"}}})
	scanned(t, s)
	if got := urlsOf(t, s, provider.Query{}); got != "/\n/x" || !told.has("more than 50000 links") {
		t.Errorf("%s; %q", got, told.list)
	}
}

func TestSitemap(t *testing.T) {
	site := pages{
		"/sitemap.xml": `<?xml version="1.0"?><sitemapindex ` +
			`xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://a.example/one.xml</loc></sitemap>
			<sitemap><loc>http://a.example/sitemap.xml</loc></sitemap></sitemapindex>`,
		"/one.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="urn:i"><url><loc> ` +
			`http://a.example/p </loc><lastmod>2026-01-01T00:00:00Z</lastmod>
			<i:image><i:loc>http://a.example/no.png</i:loc></i:image></url><url><loc>` +
			`http://a.example/gone</loc></url><url><loc>http://b.example/</loc></url></urlset>`,
		"/p":      `<a href="/q">not followed</a>`,
		"/q":      "q",
		"/no.png": "n",
	}
	s, c, told := idle(t, Options{Next: site, Find: Find{Sitemap: "/sitemap.xml"}})
	scanned(t, s)
	if got := urlsOf(t, s, provider.Query{}); got != "/p" || !told.has("1 of its URLs are not on the site") {
		t.Errorf("%s; %q", got, told.list)
	}
	// An unchanged lastmod is trusted for a day; a changed one is not.
	site["/p"] = "changed"
	c.forward(time.Hour)
	scanned(t, s)
	if got := urlsOf(t, s, provider.Query{From: noon.Add(time.Hour)}); got != "" {
		t.Errorf("changed: %s", got)
	}
	site["/one.xml"] = strings.Replace(site["/one.xml"], "2026-01-01T00", "2026-01-02T00", 1)
	scanned(t, s)
	if got := urlsOf(t, s, provider.Query{From: noon.Add(time.Hour)}); got != "/p" {
		t.Errorf("changed: %s", got)
	}
	// An unreadable sitemap causes no deletions.
	delete(site, "/one.xml")
	scanned(t, s)
	if got := urlsOf(t, s, provider.Query{}); got != "/p" {
		t.Errorf("left: %s", got)
	}
}
