//go:build interop

package nasty

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// answer is the answer of the live site to one URL.
type answer struct {
	mime, body string
	status     int    // 0 means 200
	location   string // of a redirect
	announced  int    // Content-Length, if more than the body: the connection breaks off
	modified   bool   // with a Last-Modified of 2015
	coded      bool   // with gzip
	delay      time.Duration
}

// site is a live site. It notes when it answered each URL.
type site struct {
	*httptest.Server
	pages map[string]answer // by request URI

	mu   sync.Mutex
	seen map[string][]time.Time
}

// long is a name that is longer than a file name may be once crawlers add their endings.
var long = "/" + strings.Repeat("long-", 47) + "x"

// pages are the URLs of the site; "/" links to all of them.
func pages() map[string]answer {
	page := func(text string) answer {
		return answer{mime: "text/html", body: "<html><head><title>x</title></head><body>" + text +
			`<a href="/">home</a></body></html>`}
	}
	all := map[string]answer{
		"/plain.html": page("plain"), "/noending": page("no ending"), "/dir/": page("folder"),
		"/dir/sub.html": page(`<a href="../plain.html">up</a>`),
		"/case-3.html":  page("lower"), "/CASE-3.html": page("upper"),
		"/case.html": page("lower"), "/Case.html": page("upper"),
		"/q?": page("empty query"), "/q?a=1": page("query"), "/q?a=2&b=/x": page("slash"), "/page.php?x=@1": page("at"),
		"/at@.html": page("at in the name"), "/a%20b.html": page("space"), "/caf%C3%A9.html": page("cafe"),
		"/100%25.html": page("percent"), "/x.htmorig": page("like a backup"), "/y.orig": page("like a backup"),
		"/z.tmp": {mime: "text/plain", body: "like a temporary file"},
		long:     page("long"), "/dots..html": page("dots"), "/semi;colon=1.html": page("semicolon"),
		"/i.png":       {mime: "image/png", body: "\x89PNG\r\n\x1a\nxxxx", modified: true},
		"/wrong.png":   {mime: "text/html", body: "<html>not a picture"},
		"/style.css":   {mime: "text/css", body: `body{background:url("i.png")}`, modified: true},
		"/script.js":   {mime: "application/javascript", body: `<!-- hide` + "\n" + `var a="i.png";`, modified: true},
		"/doc.pdf":     {mime: "application/pdf", body: "%PDF-1.4 x", modified: true},
		"/empty":       {mime: "text/html"},
		"/zeros.bin":   {mime: "application/octet-stream", body: strings.Repeat("\x00", 5000)},
		"/short.bin":   {mime: "application/octet-stream", body: strings.Repeat("s", 5000), announced: 20000},
		"/short.pdf":   {mime: "application/pdf", body: "%PDF-1.4 " + strings.Repeat("p", 4000), announced: 9000},
		"/coded.html":  {mime: "text/html", body: "<html>coded", coded: true},
		"/old.html":    {status: 301, location: "/plain.html"},
		"/temp.html":   {status: 302, location: "/dir/"},
		"/loop1":       {status: 302, location: "/loop2"},
		"/loop2":       {status: 302, location: "/loop1"},
		"/gone.html":   {status: 404, mime: "text/html", body: "<html>gone"},
		"/denied.html": {status: 403, mime: "text/html", body: "<html>denied"},
		"/broken.html": {status: 500, mime: "text/html", body: "<html>broken"},
		"/dl/a.warc": {mime: "application/warc", body: "WARC/1.0\r\nWARC-Type: warcinfo\r\n" +
			"WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2015-01-01T00:00:00Z\r\nContent-Length: 21\r\n\r\n" +
			"software: Wget/1.21.3\r\n\r\n\r\n"},
	}
	for i := range 6 { // answers in several seconds, so that the clock of the log can be compared
		p := page(fmt.Sprint("slow ", i))
		p.delay = 700 * time.Millisecond
		all[fmt.Sprintf("/slow%d.html", i)] = p
	}
	return all
}

// few are the URLs for HTTrack in the short form: it takes a second for each.
var few = []string{"/plain.html", "/case-3.html", "/CASE-3.html", "/q?a=1", "/a%20b.html", "/caf%C3%A9.html",
	"/x.htmorig", "/z.tmp", "/i.png", "/short.bin", "/old.html", "/gone.html", "/dl/a.warc", "/empty"}

// withHome adds a page with links to all others.
func withHome(all map[string]answer) map[string]answer {
	var home strings.Builder
	home.WriteString(`<html><head><meta charset="utf-8"><title>nasty</title></head><body>`)
	for _, uri := range sorted(all) {
		fmt.Fprintf(&home, "<a href=\"%s\">x</a>\n", strings.ReplaceAll(uri, "&", "&amp;"))
	}
	all["/"] = answer{mime: "text/html", body: home.String() + "</body></html>"}
	all["/robots.txt"] = answer{status: 404, mime: "text/plain", body: "none"}
	return all
}

func sorted(all map[string]answer) (uris []string) {
	for uri := range all {
		uris = append(uris, uri)
	}
	slices.Sort(uris)
	return uris
}

func newSite(t *testing.T, short bool) *site {
	t.Helper()
	all := pages()
	if short {
		maps.DeleteFunc(all, func(uri string, _ answer) bool { return !slices.Contains(few, uri) })
	}
	s := &site{pages: withHome(all), seen: map[string][]time.Time{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	a, ok := s.pages[r.RequestURI]
	if !ok {
		a = answer{status: 404, mime: "text/plain", body: "unknown"}
	}
	time.Sleep(a.delay)
	s.mu.Lock()
	s.seen[r.RequestURI] = append(s.seen[r.RequestURI], time.Now())
	s.mu.Unlock()
	h := w.Header()
	if a.mime != "" {
		h.Set("Content-Type", a.mime)
	}
	if a.modified {
		h.Set("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
	}
	if a.location != "" {
		h.Set("Location", a.location)
	}
	body := []byte(a.body)
	if a.coded && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(body) // a buffer never fails
		_ = z.Close()
		body = b.Bytes()
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", fmt.Sprint(max(len(body), a.announced)))
	w.WriteHeader(max(a.status, 200))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
	if a.announced > len(body) {
		panic(http.ErrAbortHandler)
	}
}
