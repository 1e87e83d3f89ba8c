package pages_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quire/access/pages"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestYearMap: the first page counts the websites that a reader may list by year, and each year leads to
// them. Hidden websites count nowhere.
func TestYearMap(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	for id, date := range map[string]string{"one": "2013-01-02T03:04:05Z", "two": "2013-05-02T03:04:05Z",
		"three": "2015-12-31T23:59:59Z", "shut": "2015-01-02T03:04:05Z", "never": "2017-01-02T03:04:05Z"} {
		access := "access: open"
		if id == "shut" {
			access = "access: restricted"
		}
		record := holdingstest.Response(id, "http://"+id+".example/", date, "text/html", "<title>"+id+"</title>")
		r.Ingest(holdingstest.Package{ID: id, Rights: access, Containers: map[string]string{"a.warc": record}})
	}
	s := room(t, r.Open(holdings.Options{Rules: r.Rules("rules:\n  - packages: [never]\n    access: blocked\n" +
		"    hidden: true\n")}), pages.Options{})
	front := s.page("/", http.StatusOK)
	var columns []string
	for _, li := range all(front, "li") {
		if words := text(li); strings.Contains(words, "first captured") {
			shades := 0
			for _, cell := range all(li, "rect") {
				if class, _ := attr(cell, "class"); class != "m0" {
					shades++
				}
			}
			columns = append(columns, fmt.Sprint(words, " ", shades))
		}
	}
	want := []string{"2013: 2 websites first captured22013 2", "2014: 0 websites first captured2014 0",
		"2015: 2 websites first captured22015 2"}
	if fmt.Sprint(columns) != fmt.Sprint(want) {
		t.Errorf("%q", columns)
	}
	for year, want := range map[string]string{"2013": "[one two]", "2015": "[shut three]", "2017": "[]", "13": "all",
		"2013 or": "all"} {
		page := s.page("/site/?year="+strings.ReplaceAll(year, " ", "%20"), http.StatusOK)
		var titles []string
		for _, h := range all(page, "h3") {
			titles = append(titles, strings.Fields(text(h))[0])
		}
		if want == "all" {
			want = "[one shut three two]"
		}
		if got := strings.ToLower(fmt.Sprint(titles)); got != want {
			t.Errorf("%s: %s", year, got)
		}
	}
}

// TestCards: a card of the first page has host and open captures, unless its website is closed; a
// collection has the picture of a member that is open to the reader.
func TestCards(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	page := func(host string) string {
		return holdingstest.Response("1", "http://"+host+"/", "2013-01-02T03:04:05Z", "text/html",
			"<title>"+host+"</title>")
	}
	r.Ingest(holdingstest.Package{ID: "first", Rights: "access: restricted", Containers: map[string]string{
		"a.warc": page("first.example")}})
	r.Ingest(holdingstest.Package{ID: "second", Rights: "access: open", Containers: map[string]string{
		"a.warc": page("second.example") + holdingstest.Response("2", "http://second.example/a.png",
			"2014-01-02T03:04:05Z", "image/png", "x")}})
	r.Collect("both", "Both", "access: open", "first", "second")
	r.Collect("shut", "Shut", "access: open", "first")
	s := room(t, r.Open(holdings.Options{}), pages.Options{Thumbnails: true})
	cards := map[string]string{}
	for _, li := range all(s.page("/", http.StatusOK), "li") {
		if h := all(li, "h3"); len(h) == 1 {
			cards[text(h[0])] = text(li)
		}
	}
	got := cards["second.example"]
	if strings.Count(got, "second.example") != 2 || !strings.Contains(got, "2 captures") {
		t.Errorf("second: %s of %v", got, cards)
	}
	if got := cards["first"]; got == "" || strings.Contains(got, "first.example") || strings.Contains(got, "capture ") {
		t.Errorf("first: %q", got)
	}
	for target, want := range map[string]string{
		"/collection/both?thumbnail": "/-/thumbnail/second/20130102030405/http://second.example/",
		"/collection/shut?thumbnail": "/static/sheet.svg"} {
		if w := s.read(target); w.Code != http.StatusFound || w.Header().Get("Location") != want {
			t.Errorf("%s: %d to %s", target, w.Code, w.Header().Get("Location"))
		}
	}
}

// TestCollectionsPaged: the list of collections has pages, and each collection is on one of them.
func TestCollectionsPaged(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	record := holdingstest.Response("1", "http://a.example/", "2013-01-02T03:04:05Z", "text/html", "a")
	r.Ingest(holdingstest.Package{ID: "one", Rights: "access: open", Containers: map[string]string{"a.warc": record}})
	for n := range 62 {
		r.Collect(fmt.Sprint("c", n), fmt.Sprintf("Title %02d", n), "access: open", "one")
	}
	s := room(t, r.Open(holdings.Options{}), pages.Options{})
	seen := 0
	for _, target := range []string{"/collection/", "/collection/?from=60"} {
		seen += len(all(s.page(target, http.StatusOK), "h3"))
	}
	first := links(s.page("/collection/", http.StatusOK))
	if seen != 62 || first["Next →"] != "/collection/?from=60" {
		t.Errorf("%d collections; %v", seen, first)
	}
}
