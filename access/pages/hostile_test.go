package pages_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"quire/access/address"
	"quire/access/pages"
	"quire/access/search"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// evil is an injection attempt for every place that may lack escaping.
const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'{{.}}<!--`

// TestHostileContent: archived content is shown as text, from every source: page titles, URLs,
// redirects, logs, search results.
func TestHostileContent(t *testing.T) {
	repository := holdingstest.New(t)
	at := "http://evil.example/?" + evil
	page := func(n int) string {
		return fmt.Sprintf(`<title>%s %d</title><p>&lt;script&gt;alert(3)&lt;/script&gt; %s line %d<img `+
			`src='http://evil.example/%s'>`, evil, n, strings.TrimSuffix(evil, "<!--"), n,
			strings.ReplaceAll(evil, "'", ""))
	}
	repository.Ingest(holdingstest.Package{ID: "evil",
		Rights: "access: open\ncopyright:\n  status: copyrighted\n  holder: '" + strings.ReplaceAll(evil, "'", "") +
			"'\n", Containers: map[string]string{
			"one.warc": holdingstest.Response("1", at, "2014-01-01T00:00:00Z", "text/html", page(1)) +
				holdingstest.Response("2", at, "2015-01-01T00:00:00Z", "text/html", page(2)) +
				holdingstest.Redirect("3", at, "2016-01-01T00:00:00Z", "javascript:alert(4)//"+evil),
		}, Logs: map[string]string{"logs/crawl.txt": evil + "\x00", "logs/" + "a'b&c<d>.txt": evil}})
	h := repository.Open(holdings.Options{})
	hit := search.Hit{URL: at, Title: []search.Span{{Text: evil, Match: true}}, Snippet: []search.Span{{Text: evil}},
		Type: evil, Language: evil, Capture: &captures.Capture{Timestamp: "20140101000000"},
		Details: []search.Detail{{Name: evil, Value: evil}}}
	result := &search.Result{Level: search.Pages, Total: 1, Hits: []search.Hit{hit}, Notes: []string{evil},
		Indexing: evil,
		Facets:   []search.Facet{{Field: search.Host, Values: []search.Value{{Value: evil, Label: evil, Count: 1}}}}}
	r := room(t, h, pages.Options{Name: evil, About: evil, Search: answers{result},
		Links: hostile{evil}})
	ui := address.UI("")
	for _, target := range []string{"/", "/site/", ui.Site("evil"), ui.Harvest("evil", 1), ui.History("evil"),
		ui.File("evil", "logs/crawl.txt"), ui.File("evil", "logs/a'b&c<d>.txt"),
		ui.Versions("all", at), ui.Versions("all", "http://none.example/"+evil),
		ui.Compare("all", at, "20140101", "20150101"), ui.Banner("all", "20140101000000", at),
		ui.Banner("all", "20160101000000", at),
		ui.Trends("x", evil), ui.Links(evil),
		ui.Search(evil), "/search?q=x&f=host:" + url.QueryEscape(evil), "/versions/all/?url=" + url.QueryEscape(evil),
		"/" + url.PathEscape(evil)} {
		w := r.read(target)
		if w.Code == 302 {
			if to := w.Header().Get("Location"); !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") ||
				strings.ContainsAny(to, "\r\n<>\"") {
				t.Errorf("%s leads to %q", target, to)
			}
			continue
		}
		s := sound{t, target, r.page(target, w.Code)}
		s.nothingRuns()
		if strings.Contains(w.Body.String(), "<script>alert") ||
			strings.Contains(w.Body.String(), "onerror=alert(2)>") && strings.Contains(w.Body.String(), "<img src=x") {
			t.Errorf("%s has the markup", target)
		}
	}
	compared := text(all(r.page(ui.Compare("all", at, "20140101", "20150101"), 200), "main")[0])
	if !strings.Contains(compared, "<script>alert(3)</script>") || !strings.Contains(compared, "line 1") ||
		!strings.Contains(compared, "line 2") {
		t.Errorf("the text is not shown as text: %s", compared)
	}
}

// testRawFile: a file of a crawl is served as bytes to be saved, never as a page of ours.
func testRawFile(t *testing.T, h *holdings.Holdings) {
	r := room(t, h, pages.Options{})
	w := r.read("/file/museum/logs/progress.txt?raw=1")
	head := w.Header()
	if head.Get("Content-Type") != "application/octet-stream" ||
		!strings.HasPrefix(head.Get("Content-Disposition"), "attachment") ||
		head.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.HasPrefix(head.Get("Content-Security-Policy"), "sandbox") ||
		!strings.HasSuffix(w.Body.String(), "last line\n") {
		t.Errorf("%v, %d bytes", head, w.Body.Len())
	}
	first := r.page("/file/museum/logs/progress.txt", 200)
	last := ""
	for i := 0; i < 10; i++ {
		last = text(all(first, "main")[0])
		next := ""
		for _, a := range all(first, "a") {
			if rel, _ := attr(a, "rel"); rel == "next" {
				next, _ = attr(a, "href")
			}
		}
		if next == "" {
			break
		}
		first = r.page(next, 200)
	}
	if !strings.Contains(last, "last line") {
		t.Error("the end of the log is not reached")
	}
	for _, target := range []string{"/file/museum/mets.xml", "/file/museum/containers/one.warc", "/file/museum/nothing",
		"/file/none/logs/x", "/file/museum/..%2f..%2fetc%2fpasswd"} {
		if w := r.read(target); w.Code != 404 {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}

// testHeads: our pages cannot be framed, and other methods do nothing.
func testHeads(t *testing.T, h *holdings.Holdings) {
	r := room(t, h, pages.Options{})
	head := r.read("/").Header()
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
		"Referrer-Policy": "same-origin"} {
		if head.Get(name) != want {
			t.Errorf("%s: %q", name, head.Get(name))
		}
	}
	banner := r.read("/museum/20140314092653/http://museum.example/").Header().Get("Content-Security-Policy")
	if !strings.Contains(banner, "frame-src 'self' "+replayHost) ||
		!strings.Contains(banner, "frame-ancestors 'self'") {
		t.Error(banner)
	}
	style := r.page("/", 200)
	href, _ := attr(all(style, "link")[0], "href")
	w := r.read(href)
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/css") ||
		!strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("%s: %d %v", href, w.Code, w.Header())
	}
	if w := r.read("/static/" + base64.StdEncoding.EncodeToString([]byte("x"))); w.Code != 404 {
		t.Error(w.Code)
	}
}
