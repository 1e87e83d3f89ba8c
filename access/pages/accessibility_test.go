package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quire/access/pages"
	"quire/access/search"
	"quire/holdings"
	"quire/holdings/captures"
)

// testEveryPageIsSound: every page reachable from the first works with a screen reader, with the
// keyboard, and under our content security policy.
func testEveryPageIsSound(t *testing.T, h *holdings.Holdings) {
	found := &search.Result{Level: search.Pages, Total: 25, Elsewhere: 3,
		Hits: []search.Hit{{URL: "http://museum.example/",
			Title:   []search.Span{{Text: "The "}, {Text: "Museum", Match: true}},
			Snippet: []search.Span{{Text: "steam"}}, Type: "page",
			Capture:  &captures.Capture{Timestamp: "20140314092653"},
			Matching: 3, Versions: 12, First: "20140314092653", Last: "20160229120000"}},
		Facets: []search.Facet{{Field: search.Year, Values: []search.Value{{Value: "2014", Count: 3}}, More: 2}}}
	r := room(t, h, pages.Options{Search: answers{found}, Links: twoHosts, Downloads: []string{"aip", "wacz"}})
	seen := map[string]bool{}
	todo := []string{"/", "/nothing/here", "/search?q=museum&f=year:2014&from=10", "/trends?q=museum&q=tug",
		"/links?host=museum.example",
		"/versions/all/http://nowhere.example/", "/museum/20160229120003/http://museum.example/board/minutes.html",
		"/file/museum/logs/progress.txt", "/compare/all/?url=http://museum.example/&a=20140314092653&b=20160229120000"}
	kinds := map[string]int{}
	for len(todo) > 0 && len(seen) < 2000 {
		target := todo[0]
		todo = todo[1:]
		if seen[target] || strings.HasPrefix(target, "/export/") || strings.Contains(target, "/timemap/") ||
			strings.Contains(target, "raw=1") || strings.Count(target, "f=") > 1 { // filters of filters are without end
			continue
		}
		seen[target] = true
		w := r.read(target)
		if w.Code == http.StatusFound {
			todo = append(todo, w.Header().Get("Location"))
			continue
		}
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		if w.Code >= 500 {
			t.Fatalf("%s: %d", target, w.Code)
		}
		kind, _, _ := strings.Cut(strings.Split(target, "/")[1], "?")
		kinds[kind]++
		if p := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'self';") ||
			strings.Contains(p, "unsafe") {
			t.Errorf("%s: policy %q", target, p)
		}
		doc, err := html.Parse(strings.NewReader(w.Body.String()))
		if err != nil {
			t.Fatal(err)
		}
		s := sound{t, target, doc}
		s.check()
		todo = append(todo, s.links()...)
	}
	for _, k := range []string{"", "site", "collection", "versions", "compare", "harvest", "history", "file", "search",
		"trends", "links", "provenance",
		"museum", "all"} {
		if kinds[k] == 0 {
			t.Errorf("no page of /%s/ was reached: %v", k, kinds)
		}
	}
	if len(todo) > 0 {
		t.Errorf("%d pages were not looked at, %v first", len(todo), todo[:min(len(todo), 5)])
	}
}

// sound checks one page.
type sound struct {
	t    *testing.T
	at   string
	page *html.Node
}

func (s *sound) wrong(format string, args ...any) {
	s.t.Helper()
	s.t.Errorf(s.at+": "+format, args...)
}

func (s *sound) check() {
	s.structure()
	s.nothingRuns()
	s.tables()
	s.controls()
	s.headings()
	ids := map[string]bool{}
	for n := range s.page.Descendants() {
		if id, ok := attr(n, "id"); ok {
			if ids[id] {
				s.wrong("id %q is there twice", id)
			}
			ids[id] = true
		}
	}
	for n := range s.page.Descendants() {
		for _, name := range []string{"aria-labelledby", "aria-describedby", "for"} {
			if id, ok := attr(n, name); ok && !ids[id] {
				s.wrong("%s=%q leads nowhere", name, id)
			}
		}
	}
}

// structure checks language, title, landmarks, and a first link that skips to the content.
func (s *sound) structure() {
	if lang, _ := attr(all(s.page, "html")[0], "lang"); lang != "en" {
		s.wrong("its language is %q", lang)
	}
	if titles := all(all(s.page, "head")[0], "title"); len(titles) != 1 || len(text(titles[0])) < 5 {
		s.wrong("%d titles", len(titles))
	}
	if n := len(all(s.page, "h1")); n != 1 {
		s.wrong("%d h1", n)
	}
	mains := all(s.page, "main")
	if id, _ := attr(mains[0], "id"); len(mains) != 1 || id != "main" {
		s.wrong("%d main", len(mains))
	}
	if len(all(s.page, "header")) != 1 {
		s.wrong("no header")
	}
	first := all(s.page, "a")[0]
	if href, _ := attr(first, "href"); href != "#main" {
		s.wrong("the first link leads to %s", href)
	}
	labels := map[string]bool{}
	for _, nav := range all(s.page, "nav") {
		label, _ := attr(nav, "aria-label")
		if label == "" || labels[label] {
			s.wrong("a nav is called %q, as another is", label)
		}
		labels[label] = true
	}
	for _, a := range all(s.page, "a") {
		label, _ := attr(a, "aria-label")
		if text(a) == "" && label == "" {
			s.wrong("a link without a text")
		}
	}
}

// nothingRuns checks for foreign scripts, event handlers, inline styles, and external resources.
func (s *sound) nothingRuns() {
	for n := range s.page.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		src, hasSrc := attr(n, "src")
		switch {
		case n.Data == "script" && (!hasSrc || !strings.HasPrefix(src, "/static/") || n.FirstChild != nil):
			s.wrong("a script %q", src)
		case n.Data == "style" || n.Data == "base" || n.Data == "object" || n.Data == "embed":
			s.wrong("an element %s", n.Data)
		case hasSrc && n.Data != "script" && !strings.HasPrefix(src, replayHost+"/"):
			s.wrong("%s from %s", n.Data, src)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				s.wrong("attribute %s=%q", a.Key, a.Val)
			}
			if a.Key == "href" && !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") &&
				!strings.HasPrefix(a.Val, replayHost+"/") {
				s.wrong("a link to %s", a.Val)
			}
		}
	}
}

func (s *sound) tables() {
	for _, table := range all(s.page, "table") {
		if c := all(table, "caption"); len(c) != 1 || text(c[0]) == "" {
			s.wrong("a table without caption")
		}
		for _, th := range all(table, "th") {
			if scope, _ := attr(th, "scope"); scope != "row" && scope != "col" {
				s.wrong("a th without scope: %s", text(th))
			}
		}
	}
}

// controls checks that every field has a label.
func (s *sound) controls() {
	labelled := map[string]bool{}
	for _, l := range all(s.page, "label") {
		if id, ok := attr(l, "for"); ok {
			labelled[id] = true
		}
	}
	for _, in := range all(s.page, "input") {
		kind, _ := attr(in, "type")
		id, _ := attr(in, "id")
		within := false
		for p := in.Parent; p != nil; p = p.Parent {
			within = within || p.Data == "label"
		}
		if kind != "hidden" && !within && !labelled[id] {
			s.wrong("a field without label: %v", in.Attr)
		}
	}
	for _, f := range all(s.page, "iframe") {
		title, _ := attr(f, "title")
		if _, sandboxed := attr(f, "sandbox"); title == "" || !sandboxed {
			s.wrong("the frame: %v", f.Attr)
		}
	}
}

// headings checks that no level is skipped.
func (s *sound) headings() {
	last := 0
	for n := range s.page.Descendants() {
		if n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			level := int(n.Data[1] - '0')
			if level > last+1 {
				s.wrong("h%d %q follows h%d", level, text(n), last)
			}
			last = level
		}
	}
}

// links returns the links to our own pages.
func (s *sound) links() (all0 []string) {
	for _, a := range all(s.page, "a") {
		href, _ := attr(a, "href")
		if u, err := url.Parse(href); err == nil && u.Host == "" && strings.HasPrefix(href, "/") {
			all0 = append(all0, href)
		}
	}
	return all0
}
