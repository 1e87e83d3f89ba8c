package pages_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quire/access/missed"
	"quire/access/pages"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// missLog is a crawl log: 150 URLs forbidden by robots.txt, one hidden by a rule, one with markup
// in its name, and one of another host.
func missLog() string {
	var b strings.Builder
	line := func(status int, url string) {
		fmt.Fprintf(&b, "2015-01-02T03:04:05.000Z %5d          - %s L http://a.example/ text/html #001 - - - -\n",
			status, url)
	}
	for i := range 150 {
		line(-9998, fmt.Sprintf("http://a.example/no/%03d", i))
	}
	line(-4, "http://a.example/secret/board")
	line(-4, "http://a.example/<script>alert(1)</script>")
	line(-1, "dns:gone.example")
	return b.String()
}

// TestMissedWithoutLog: a harvest without a log does not say that nothing failed.
func TestMissedWithoutLog(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "bare", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one")}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules: []\n")})
	lists := missed.Open(filepath.Join(r.Dir, "lists"), h)
	t.Cleanup(func() { _ = lists.Close() })
	page := room(t, h, pages.Options{Missed: lists}).page("/harvest/bare/1/missed", 200)
	says(t, page, "No log of this harvest records an attempt.")
	if strings.Contains(text(page), "0 of 0") {
		t.Error("the page says that nothing failed")
	}
}

func missing(t *testing.T, rules string) *reading {
	t.Helper()
	r := holdingstest.New(t)
	containers := map[string]string{"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z",
		"text/html", "<p>one")}
	r.Ingest(holdingstest.Package{ID: "site", Rights: "access: open", Containers: containers,
		Logs: map[string]string{"crawl.log": missLog()}})
	r.Ingest(holdingstest.Package{ID: "marked", Rights: "access: open", Containers: containers,
		Logs: map[string]string{"crawl.log": missLog()}, Restrict: []string{"logs/crawl.log"}})
	h := r.Open(holdings.Options{Rules: r.Rules(rules)})
	lists := missed.Open(filepath.Join(r.Dir, "lists"), h)
	t.Cleanup(func() { _ = lists.Close() })
	for _, id := range []string{"site", "marked"} { // avoids waiting on a busy machine
		list, err := lists.Of(t.Context(), id, 1)
		if err != nil {
			t.Fatal(err)
		}
		_ = list.Close()
	}
	return room(t, h, pages.Options{Missed: lists})
}

const missedAt = "/harvest/site/1/missed"

func TestMissed(t *testing.T) {
	r := missing(t, "rules: []\n")
	harvest := r.page("/harvest/site/1", 200)
	says(t, harvest, "Forbidden by robots.txt", "150", "List of these addresses")
	leads := map[string]bool{}
	for _, a := range all(harvest, "a") {
		href, _ := attr(a, "href")
		leads[href] = true
	}
	if !leads[missedAt] || !leads[missedAt+"?reason=robots"] {
		t.Errorf("the page of the harvest leads to %v", leads)
	}
	first := r.page(missedAt+"?reason=robots", 200)
	says(t, first, "150 of 153 addresses", "http://a.example/no/000", "http://a.example/no/099",
		"crawl.log, line 1", "2 January 2015, 03:04:05 UTC", "-9998: robots.txt forbids it")
	if strings.Contains(text(first), "no/100") {
		t.Error("more than a page")
	}
	says(t, r.page(next(t, first), 200), "http://a.example/no/100", "http://a.example/no/149")
	says(t, r.page(missedAt+"?host=gone.example", 200), "dns:gone.example", "the name could not be resolved",
		"1 of 153 addresses")
	says(t, r.page(missedAt+"?host=nowhere.example", 200), "No failed addresses are listed here.")
	says(t, r.page(missedAt, 200), "153 of 153 attempts in the logs failed.",
		"http://a.example/<script>alert(1)</script>")
	if strings.Contains(r.read(missedAt).Body.String(), "<script>alert") {
		t.Error("a URL is markup")
	}
	for target, want := range map[string]int{"/harvest/site/2/missed": 404, "/harvest/none/1/missed": 404,
		"/harvest/site/1/else": 404, missedAt + "?from=nonsense&reason=none": 200,
		missedAt + "?from=99999999999": 200} {
		r.page(target, want)
	}
	for _, target := range []string{missedAt, missedAt + "?reason=robots&host=a.example"} {
		s := sound{t, target, r.page(target, 200)}
		s.check()
	}

	var got struct {
		Total  *int64
		Missed []struct{ URL, Reason, Log string }
		Next   string
	}
	if err := json.Unmarshal(r.read(missedAt+"?as=json&reason=network").Body.Bytes(), &got); err != nil ||
		got.Total == nil || *got.Total != 3 || len(got.Missed) != 3 || got.Missed[0].Log != "logs/crawl.log" ||
		got.Next != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// next returns the target of the link to the next page.
func next(t *testing.T, page *html.Node) string {
	t.Helper()
	for _, a := range all(page, "a") {
		if rel, _ := attr(a, "rel"); rel == "next" {
			href, _ := attr(a, "href")
			return href
		}
	}
	t.Fatal("no next page")
	return ""
}

// TestMissedAndHidden: URLs hidden by a rule are never shown, whatever the query. Numbers and hosts
// that would reveal them are not shown either.
func TestMissedAndHidden(t *testing.T) {
	r := missing(t, "rules:\n  - urls: [http://a.example/secret/]\n    access: blocked\n    hidden: true\n")
	for _, class := range []holdings.Class{holdings.Public, holdings.OnSite} {
		r.class = class
		for _, arguments := range []string{"?reason=network", "?host=gone.example", "?as=json&reason=network"} {
			body := r.read(missedAt + arguments).Body.String()
			if strings.Contains(body, "secret") || strings.Contains(body, "153 attempts") ||
				strings.Contains(body, `"total"`) || strings.Contains(body, "Hosts with") ||
				!strings.Contains(body, "gone.example") {
				t.Errorf("%s, %s: %s", class, arguments, body)
			}
		}
		says(t, r.page(missedAt+"?reason=robots", 200), "http://a.example/no/000", "Only the parts of the "+
			"logs that are open to you")
	}
	r.class = holdings.Staff
	says(t, r.page(missedAt, 200), "153 attempts", "Hosts with most failures")
	says(t, r.page(missedAt+"?reason=network", 200), "http://a.example/secret/board")
}

// TestMissedAndMarked: a log with an access mark is not shown.
func TestMissedAndMarked(t *testing.T) {
	r := missing(t, "rules: []\n")
	for _, class := range []holdings.Class{holdings.Public, holdings.OnSite} {
		r.class = class
		if body := r.read("/harvest/marked/1/missed").Body.String(); strings.Contains(body, "http://a.example") ||
			strings.Contains(body, "gone.example") {
			t.Errorf("%s: %s", class, body)
		}
	}
	r.class = holdings.Staff
	says(t, r.page("/harvest/marked/1/missed?reason=network", 200), "dns:gone.example")

	closed := missing(t, "rules:\n  - packages: [site]\n    access: restricted\n")
	closed.page(missedAt, 404)
	if body := closed.read("/harvest/site/1").Body.String(); strings.Contains(body, "/missed") {
		t.Error("a list that cannot be had is linked")
	}
	closed.class = holdings.Staff
	closed.page(missedAt, 200)
}
