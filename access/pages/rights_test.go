package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quire/access/address"
	"quire/access/pages"
	"quire/access/statement"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestMatrix: every verdict, for every class of readers, on every page: no page contains a byte of
// closed content, or mentions hidden content.
func TestMatrix(t *testing.T) {
	repository, o, cases := holdingstest.Matrix(t)
	keys, err := statement.OpenKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := room(t, repository.Open(o), pages.Options{Keys: keys, Sitemap: true})
	ui := address.UI("")
	for _, class := range []holdings.Class{holdings.Public, holdings.OnSite, holdings.Staff} {
		r.class = class
		for _, c := range cases {
			t.Run(string(class)+"/"+c.Name, func(t *testing.T) {
				want := c.Of(class)
				compare := ui.Compare("all", c.URL, c.At, c.At)
				at := map[string]string{"versions": ui.Versions("all", c.URL), "banner": ui.Banner("all", c.At, c.URL),
					"compare": compare, "latest": ui.Latest("all", c.URL)}
				for _, m := range []address.Modifier{"", address.Parts, address.Mixed, address.Statement} {
					noFacts(t, r, ui.Provenance("all", c.At, m, c.URL), want)
				}
				for name, target := range at {
					w := r.read(target)
					body := w.Body.String()
					if want != holdingstest.Allowed && c.Body != "" && strings.Contains(body, c.Body) {
						t.Errorf("%s shows closed content", name)
					}
					if want == holdingstest.Hidden && w.Code != http.StatusNotFound && name != "compare" {
						t.Errorf("%s of hidden content: %d", name, w.Code)
					}
					if want == holdingstest.Hidden && name == "compare" &&
						(w.Code != http.StatusFound || w.Header().Get("Location") != ui.Versions("all", c.URL)) {
						t.Errorf("compare of hidden content: %d", w.Code)
					}
					if want == holdingstest.Denied && name == "banner" {
						denied(t, r, target, w.Code, &c)
					}
				}
			})
		}
		overview(t, r, cases, class)
	}
}

// noFacts checks that the facts about a capture are only for readers who may see it.
func noFacts(t *testing.T, r *reading, target, want string) {
	t.Helper()
	w := r.read(target)
	if got := w.Code == http.StatusOK; got != (want == holdingstest.Allowed) {
		t.Errorf("%s: %d, and the content is %s", target, w.Code, want)
	}
	if want != holdingstest.Allowed && (w.Code != http.StatusFound || w.Body.Len() > 0) {
		t.Errorf("%s: %d %s", target, w.Code, w.Body)
	}
}

// denied checks that the banner gives the reason, with a lock, and has no frame.
func denied(t *testing.T, r *reading, target string, status int, c *holdingstest.Case) {
	t.Helper()
	want := http.StatusUnavailableForLegalReasons
	if c.Infected || c.Verdict == holdings.Reading {
		want = http.StatusForbidden
	}
	if status != want {
		t.Errorf("%s: %d, want %d", target, status, want)
		return
	}
	page := r.page(target, want)
	if len(all(page, "iframe")) > 0 {
		t.Error("there is a frame all the same")
	}
	for n := range page.Descendants() {
		if class, _ := attr(n, "class"); class == "notice warn" && len(text(n)) > 10 {
			return
		}
	}
	t.Error("nobody says why")
}

// overview checks that the pages about packages mention nothing hidden, and show no content.
func overview(t *testing.T, r *reading, cases []holdingstest.Case, class holdings.Class) {
	t.Helper()
	var text strings.Builder
	ui := address.UI("")
	text.WriteString(r.read("/").Body.String() + r.read("/site/").Body.String() + r.read("/collection/").Body.String() +
		r.read("/feed.atom").Body.String() + r.read("/browse/all/").Body.String() +
		r.read("/sitemap.xml").Body.String() + r.read("/robots.txt").Body.String())
	for _, c := range cases {
		for _, target := range []string{ui.Site(c.Package), ui.Harvest(c.Package, 1), ui.History(c.Package)} {
			text.WriteString(r.read(target).Body.String())
		}
	}
	for _, c := range cases {
		if c.Of(class) != holdingstest.Allowed && c.Body != "" && strings.Contains(text.String(), c.Body) {
			t.Errorf("%s, %s: the content is on a page about the package", class, c.Name)
		}
		if u, err := url.Parse(c.URL); err == nil && c.Of(class) == holdingstest.Hidden &&
			strings.Contains(text.String(), u.Path) && len(u.Path) > 1 {
			t.Errorf("%s, %s: %s is named", class, c.Name, c.URL)
		}
	}
}

// testLocked: denied captures are listed with a lock, and only with URL, date and message.
func testLocked(t *testing.T, h *holdings.Holdings) {
	r := room(t, h, pages.Options{})
	list := text(all(r.page("/versions/all/http://museum.example/board/minutes.html", 200), "main")[0])
	for _, want := range []string{"1 of them is not open to you", "In the reading rooms",
		"29 February 2016, 12:00:03 UTC", "Not shown"} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is not in %s", want, list)
		}
	}
	for _, never := range []string{"SECRET", "bytes", "200", "Minutes"} {
		if strings.Contains(strings.ReplaceAll(list, "20160229120003", ""), never) {
			t.Errorf("%q is in %s", never, list)
		}
	}
	r.page("/museum/20160229120003/http://museum.example/board/minutes.html", http.StatusForbidden)
	r.class = holdings.OnSite
	r.page("/museum/20160229120003/http://museum.example/board/minutes.html", http.StatusOK)

	r.class = holdings.Public
	site := text(all(r.page("/site/closed", 200), "main")[0])
	if !strings.Contains(site, "By permission only") || strings.Contains(site, "CLOSED") ||
		strings.Contains(site, "Download") {
		t.Error(site)
	}
	if w := r.read("/harvest/closed/1"); strings.Contains(w.Body.String(), "closed.example") {
		t.Error("hosts of a closed package are shown")
	}
}

// TestYearsFollowRules: the drawing of the banner counts anew when a rule changes.
func TestYearsFollowRules(t *testing.T) {
	repository := museum(t)
	rules := "rules: []\n"
	h := repository.Open(holdings.Options{Rules: repository.Rules(rules)})
	r := room(t, h, pages.Options{})
	const target = "/museum/20140314092653/http://museum.example/"
	years := func() int { return len(all(r.page(target, 200), "rect")) }
	if first, again := years(), years(); first != 3 || again != 3 {
		t.Errorf("%d and %d years, want 3", first, again)
	}
	repository.Rules("rules:\n  - urls: [http://museum.example/]\n    captured: {from: 2016-01-01}\n" +
		"    access: blocked\n    hidden: true\n")
	if got := years(); got != 2 {
		t.Errorf("%d years after a rule hides one, want 2", got)
	}
	r.class = holdings.Staff
	if got := years(); got != 3 {
		t.Errorf("curators see %d years, want 3", got)
	}
}

// TestHiddenIsNotNamed: if a package has hidden content, everything that could name it is withheld:
// notes of events, facts of harvests, logs.
func TestHiddenIsNotNamed(t *testing.T) {
	repository := museum(t)
	h := repository.Open(holdings.Options{Rules: repository.Rules(
		"rules:\n  - urls: [http://museum.example/board/]\n    access: blocked\n    hidden: true\n")})
	r := room(t, h, pages.Options{})
	for class, want := range map[holdings.Class]bool{holdings.Public: false, holdings.Staff: true} {
		r.class = class
		history, harvest := text(r.page("/history/museum", 200)), text(r.page("/harvest/museum/1", 200))
		if got := strings.Contains(history, "the evidence"); got != want {
			t.Errorf("%s: notes of events: %v", class, got)
		}
		if got := strings.Contains(harvest, "Other recorded facts"); got != want {
			t.Errorf("%s: facts of the harvest: %v", class, got)
		}
		if got := strings.Contains(harvest, "museum.example"); got != want {
			t.Errorf("%s: hosts: %v", class, got)
		}
		if got := r.read("/file/museum/logs/progress.txt").Code == http.StatusOK; got != want {
			t.Errorf("%s: logs: %v", class, got)
		}
	}
	r.class = holdings.Public
	r.page("/versions/all/http://museum.example/board/minutes.html", http.StatusNotFound)
	r.page("/museum/20160229120003/http://museum.example/board/minutes.html", http.StatusNotFound)
}
