package pages_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quire/access/pages"
	"quire/access/search"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// says checks that the main part of a page contains the texts.
func says(t *testing.T, page *html.Node, texts ...string) {
	t.Helper()
	got := text(all(page, "main")[0])
	for _, want := range texts {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}

// TestMuseum tests all pages of one repository.
func TestMuseum(t *testing.T) {
	h := museum(t).Open(holdings.Options{})
	for name, test := range map[string]func(*testing.T, *holdings.Holdings){"title entry page": testTitleEntryPage,
		"versions": testVersions, "banner": testBanner, "provenance": testProvenance,
		"closed": testNothingOfClosed, "navigation": testNavigation, "engines": testEngines,
		"compare": testCompare,
		"search":  testSearchPage, "locked": testLocked, "raw file": testRawFile, "heads": testHeads,
		"sound": testEveryPageIsSound} {
		t.Run(name, func(t *testing.T) { test(t, h) })
	}
}

func testTitleEntryPage(t *testing.T, h *holdings.Holdings) {
	r := room(t, h, pages.Options{Name: "Archive of Test", Public: "https://archive.example",
		Downloads: []string{"wacz"}})
	page := r.page("/site/museum", 200)
	says(t, page, "Captures of the front page", "http://museum.example/", "29 February 2016, 12:00:00 UTC", "Redirect",
		"Unchanged", "Error", "Everyone may read this.",
		"captured 14 March 2014 to 29 February 2016. Archive of Test. https://archive.example/site/museum (package "+
			"museum).", "Harbours", "WACZ", "Harvest 1")
	says(t, r.page("/collection/harbours", 200), "Harbours", "Captured 14 March 2014 to 29 February 2016",
		"By permission only")
	says(t, r.page("/harvest/museum/1", 200), "Records10", "museum.example", "text/html", "503 Service Unavailable",
		"logs/progress.txt", "Valid")
	says(t, r.page("/history/museum", 200), "The package was stored in the repository",
		"Checksums of all files were computed", "A crawler gathered the website", "Succeeded.")
	for _, target := range []string{"/site/none", "/harvest/museum/2", "/harvest/museum/0", "/history/none",
		"/collection/museum", "/site/harbours"} {
		r.page(target, 404)
	}
}

func testVersions(t *testing.T, h *holdings.Holdings) {
	r := room(t, h, pages.Options{})
	const at = "http://museum.example/"
	page := r.page("/versions/all/"+at, 200)
	says(t, page, "5 captures between 2014 and 2016", "302 Found to https://museum.example/", "Unchanged")
	bars := map[string]string{}
	for _, a := range all(page, "a") {
		for _, span := range all(a, "span") {
			if class, _ := attr(span, "class"); class == "sr" { // the name of the link
				bars[text(span)], _ = attr(a, "href")
			}
		}
	}
	if bars["2014, 2 captures: 1 Captured, 1 Unchanged"] != "/versions/all/2014/"+at ||
		bars["2015, 2 captures: 1 Redirect, 1 Error"] == "" {
		t.Errorf("%v", bars)
	}
	says(t, r.page("/versions/all/2014/"+at, 200), "2 captures, 2014", "March 2014", "Calendar", "2015 →")
	says(t, r.page("/versions/museum/201403/"+at, 200), "2 captures, March 2014", "January 2015 →")
	says(t, r.page("/versions/all/20140314/"+at, 200), "1 capture, 14 March 2014", "15 March 2014 →")
	says(t, r.page("/versions/all/2015/"+at, 200), "← 2014", "2016 →")
	for target, want := range map[string]string{
		"/versions/all/2013/" + at:           "/versions/all/" + at, // no captures then: all
		"/versions/all/20149999/" + at:       "/versions/all/" + at, // not a date
		"/versions/all/?url=museum.example":  "/versions/all/http://museum.example",
		"/all/*/" + at:                       "/versions/all/" + at,
		"/all/2014/" + at:                    "/all/20140314092653/" + at,
		"/all/" + at:                         "/all/20160229120000/" + at,
		"/compare/all/?url=" + at + "&a=x&b": "/versions/all/" + at,
	} {
		if w := r.read(target); w.Code != 302 || w.Header().Get("Location") != want {
			t.Errorf("%s: %d %q, want %s", target, w.Code, w.Header().Get("Location"), want)
		}
	}
	says(t, r.page("/versions/all/http://www.museum.example/nothing", 404), "No capture of this address is in "+
		"the archive", "Other archived pages of this host", at)
	r.page("/versions/nobody/"+at, 404)
}

func testBanner(t *testing.T, h *holdings.Holdings) {
	r := room(t, h, pages.Options{})
	page := r.page("/all/20140315092653/http://museum.example/", 200)
	frame := all(page, "iframe")[0]
	if src, _ := attr(frame, "src"); src != replayHost+"/all/20140315092653mp_/http://museum.example/" {
		t.Error(src)
	}
	if at, _ := attr(all(page, "header")[0], "data-at"); at != "/all/" {
		t.Error(at)
	}
	header := text(all(page, "header")[0])
	for _, want := range []string{"Archived page: 15 March 2014, 09:26:53 UTC", "14 March 2014", "1 January 2015",
		"had not changed"} {
		if !strings.Contains(header, want) {
			t.Errorf("%q is not in %s", want, header)
		}
	}
}

// testNavigation: the banner leads to the captures around the shown one, and to another address at
// the same date.
func testNavigation(t *testing.T, h *holdings.Holdings) {
	r := room(t, h, pages.Options{})
	page := r.page("/all/20140315092653/http://museum.example/", 200)
	hrefs := map[string]string{}
	for _, a := range all(page, "a") {
		href, _ := attr(a, "href")
		hrefs[href] = text(a)
	}
	for href, want := range map[string]string{
		"/all/20140314092653/http://museum.example/": "14 Mar 2014",
		"/all/20150101000000/http://museum.example/": "1 Jan 2015",
		"/all/20160229120000/http://museum.example/": "29 Feb 2016",
		"/versions/all/2014/http://museum.example/":  "Calendar of 2014",
		"/versions/all/2016/http://museum.example/":  "2016, 1 capture",
		"/versions/all/http://museum.example/":       "All captures",
	} {
		if hrefs[href] != want {
			t.Errorf("%s: %q, want %q", href, hrefs[href], want)
		}
	}
	if bars := len(all(page, "rect")); bars != 3 {
		t.Errorf("%d years are drawn, not 3", bars)
	}
	const at = "http://museum.example/"
	const style = at + "style.css"
	for target, want := range map[string]string{
		"/versions/all/?url=museum.example/style.css&at=20140314092653": "/all/20140314092653/" + style,
		"/versions/museum/?url=museum.example/s&at=20140314092653wb_":   "/museum/20140314092653wb_/" + at + "s",
		"/versions/all/?url=museum.example&at=2014":                     "/versions/all/http://museum.example",
		"/versions/all/?url=museum.example&at=20140314092653/../../-/x": "/versions/all/http://museum.example",
		"/all/20160101000000/" + style:                                  "/all/20160229120001/" + style,
	} {
		w := r.read(target)
		if got := w.Header().Get("Location"); got != want {
			t.Errorf("%s: %d %q, want %q", target, w.Code, got, want)
		}
	}
}

// testEngines: the banner offers the other engine only where it is installed, and keeps it.
func testEngines(t *testing.T, h *holdings.Holdings) {
	const at = "http://museum.example/"
	r := room(t, h, pages.Options{})
	if w := r.read("/all/20140314092653wb_/" + at); w.Header().Get("Location") != "/all/20140314092653/"+at {
		t.Errorf("without an engine: %d %s", w.Code, w.Header().Get("Location"))
	}
	if len(withID(r.page("/all/20140314092653/"+at, 200), "engine")) > 0 {
		t.Error("an engine is offered that is not installed")
	}
	r.engine = "http://127.0.0.1:9/-/wabac/open/"
	page := r.page("/all/20140314092653/"+at, 200)
	if href, _ := attr(withID(page, "engine")[0], "href"); href != "/all/20140314092653wb_/"+at {
		t.Errorf("the engine is at %s", href)
	}
	page = r.page("/all/20140314092653wb_/"+at, 200)
	if src, _ := attr(all(page, "iframe")[0], "src"); src != r.engine+"all/20140314092653/"+at {
		t.Errorf("the frame is %s", src)
	}
	if href, _ := attr(withID(page, "engine")[0], "href"); href != "/all/20140314092653/"+at {
		t.Errorf("the way back is %s", href)
	}
	if !strings.Contains(r.read("/all/2014wb_/"+at).Header().Get("Location"), "/all/20140314092653wb_/") {
		t.Error("the nearest capture is shown by another engine")
	}
	for _, a := range all(page, "a") {
		if rel, _ := attr(a, "rel"); rel == "next" {
			if href, _ := attr(a, "href"); href != "/all/20140315092653wb_/"+at {
				t.Errorf("the next capture is at %s", href)
			}
		}
	}
}

// withID returns the elements with an id.
func withID(n *html.Node, id string) (found []*html.Node) {
	for d := range n.Descendants() {
		if value, _ := attr(d, "id"); value == id {
			found = append(found, d)
		}
	}
	return found
}

func testCompare(t *testing.T, h *holdings.Holdings) {
	r := room(t, h, pages.Options{})
	page := r.page("/compare/all/?url=http://museum.example/&b=20140314092653&a=20160229120000", 200)
	says(t, page, "Earlier: 14 March 2014", "Later: 29 February 2016", "Museum 2014", "New: a café.",
		"Of 3 embedded resources, 2 differ.", "Changedhttp://museum.example/style.css",
		"Newly embeddedhttp://museum.example/img/new.pngnot embeddednot captured")
	marked := []string{}
	for _, m := range all(page, "mark") {
		marked = append(marked, text(m))
	}
	if strings.Join(marked, "|") != "2014|2016" {
		t.Errorf("marked: %q", marked)
	}
	if strings.Contains(text(page), "not text") {
		t.Error("a script is treated as text")
	}
	says(t, r.page("/compare/all/?url=http://museum.example/&a=20140314092653&b=20140315092653", 200),
		"the same content, byte for byte")
	says(t, r.page("/compare/all/?url=http://museum.example/img/tug.png&a=2014&b=2016", 200),
		"the same content, byte for byte")
}

func testSearchPage(t *testing.T, h *holdings.Holdings) {
	result := &search.Result{Level: search.Pages, Total: 31, Elsewhere: 7,
		Hits: []search.Hit{{URL: "http://a.example/",
			Title: []search.Span{{Text: "A "}, {Text: "harbour", Match: true}}, Type: "pdf", Matching: 3,
			Versions: 12}},
		Facets: []search.Facet{{Field: search.Type, Values: []search.Value{{Value: "pdf", Count: 5}}},
			{Field: search.Language, Values: []search.Value{{Value: "", Count: 2}}, More: 4}}}
	r := room(t, h, pages.Options{Search: answers{result}})
	page := r.page("/search?q=harbour&from=10", 200)
	says(t, page, "31 pages found", "All versions and files (7)", "3 of 12 versions match", "PDF", "not known",
		"and 4 more", "11 to 11 of 31")
	for name, want := range map[string]string{"PDF": "/search?f=type%3Apdf&q=harbour",
		"All versions and files (7)": "/search?level=bytestream&q=harbour", "← Previous": "/search?q=harbour",
		"Next →": "/search?from=20&q=harbour"} {
		if to := links(page)[name]; to != want {
			t.Errorf("%s leads to %s, want %s", name, to, want)
		}
	}
	if m := all(page, "mark"); len(m) != 1 || text(m[0]) != "harbour" {
		t.Error("nothing is marked")
	}
	// the answer decides on the level; the dates of the form replace the filter

	files := &search.Result{Level: search.Bytestreams, Total: 2, Suggestion: "harbour type:pdf"}
	asking := &recorder{answers: answers{files}}
	r = room(t, h, pages.Options{Search: asking})
	page = r.page("/search?q=harbuor+type:pdf&f=date:2001&begin=2015-03-01&end=2015-04-15&level=page", 200)
	says(t, page, "2 files found", "Did you mean harbour type:pdf?", "Date: 2015-03-01..2015-04-15")
	dates := "/search?f=date%3A2015-03-01..2015-04-15&"
	for name, want := range map[string]string{
		"Did you mean harbour type:pdf?": dates + "level=bytestream&q=harbour+type%3Apdf",
		"Web pages (0)":                  dates + "q=harbuor+type%3Apdf",
	} {
		if to := links(page)[name]; to != want {
			t.Errorf("%s leads to %s, want %s", name, to, want)
		}
	}
	if f := asking.q.Filters; len(f) != 1 || f[0].Field != search.Date || f[0].Value != "2015-03-01..2015-04-15" {
		t.Errorf("filters %v", f)
	}
	values := []string{}
	for _, input := range all(page, "input") {
		name, _ := attr(input, "name")
		value, _ := attr(input, "value")
		values = append(values, name+"="+value)
	}
	if got := strings.Join(values, " "); !strings.Contains(got, "begin=2015-03-01 end=2015-04-15") ||
		strings.Contains(got, "f=date") {
		t.Errorf("fields of the form: %s", got)
	}
	for query, want := range map[string][2]string{ // a date that is none is named, and the other one counts
		"begin=soon&end=2015-04-15":                    {"soon", "..2015-04-15"},
		"begin=2015-03-01&end=2015-13":                 {"2015-13", "2015-03-01.."},
		"begin=2016&end=2015":                          {"2016..2015", ""},
		"begin=soon&end=2015..2016&f=date:2001":        {"2015..2016", "2001"},
		"begin=" + url.QueryEscape(" 2015 ") + "&end=": {"", "2015.."},
	} {
		page := text(r.page("/search?q=harbour&"+query, 200))
		got := ""
		for _, f := range asking.q.Filters {
			got += f.Value
		}
		if got != want[1] || want[0] != "" && !strings.Contains(page, "“"+want[0]+"” is not a date") ||
			want[0] == "" && strings.Contains(page, "is not a date") {
			t.Errorf("%s: dates %q, not %q; %s", query, got, want[1], page)
		}
	}
	if r := room(t, h, pages.Options{}); r.read("/search?q=x").Code != 404 {
		t.Error("there is a search without one")
	}
}

// TestEmpty: an empty archive is described as empty.
func TestEmpty(t *testing.T) {
	r := room(t, holdingstest.New(t).Open(holdings.Options{}), pages.Options{})
	says(t, r.page("/", 200), "The archive is empty")
	says(t, r.page("/site/", 200), "No website is open to you")
	says(t, r.page("/collection/", 200), "There are no collections yet")
}

// BenchmarkTimeline measures the page of a URL with 100,000 captures: under 200 ms.
func BenchmarkTimeline(b *testing.B) {
	var warc strings.Builder
	for i := range 100_000 {
		day := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02dZ", 1998+i/3600, 1+i/300%12, 1+i/11%28, i%24, i%60, i/7%60)
		warc.WriteString(holdingstest.Response(fmt.Sprint(i), "http://many.example/", day, "text/html",
			fmt.Sprint("<p>", i/9)))
	}
	repository := holdingstest.New(b)
	repository.Ingest(holdingstest.Package{ID: "many", Rights: "access: open",
		Containers: map[string]string{"many.warc": warc.String()}})
	r := room(b, repository.Open(holdings.Options{}), pages.Options{})
	for _, period := range []string{"", "2010/", "201003/"} {
		b.Run("period "+period, func(b *testing.B) {
			for range b.N {
				if w := r.read("/versions/all/" + period + "http://many.example/"); w.Code != 200 {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
