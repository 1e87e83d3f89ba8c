package pages_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quire/access/pages"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// rowsOf returns the texts of the rows of the first table.
func rowsOf(doc *html.Node) (rows []string) {
	tables := all(doc, "tbody")
	if len(tables) == 0 {
		return nil
	}
	for _, tr := range all(tables[0], "tr") {
		var cells []string
		for _, name := range []string{"th", "td"} {
			for _, cell := range all(tr, name) {
				cells = append(cells, text(cell))
			}
		}
		rows = append(rows, strings.Join(strings.Fields(strings.Join(cells, " ")), " "))
	}
	return rows
}

// blogs is a package with two hosts, many addresses, an address with many captures, and closed ones.
func blogs(t testing.TB) *holdingstest.Repository {
	t.Helper()
	r := holdingstest.New(t)
	var b strings.Builder
	n := 0
	add := func(url, date, mime, body string) {
		n++
		b.WriteString(holdingstest.Response(fmt.Sprint(n), url, date, mime, body))
	}
	for i := range 130 {
		add(fmt.Sprintf("http://blog.example/post/%03d", i), "2015-01-02T03:04:05Z", "text/html", "<title>p</title>")
	}
	for i := range 600 {
		add("http://blog.example/often", fmt.Sprintf("2016-01-02T03:%02d:%02dZ", i/60, i%60), "text/html", "<p>a")
	}
	add("http://blog.example/paper.pdf", "2017-01-02T03:04:05Z", "application/pdf", "%PDF-1.4")
	add("http://blog.example/closed/paper.pdf", "2017-01-02T03:04:05Z", "application/pdf", "%PDF-1.4")
	add("http://blog.example/hidden/x", "2017-01-02T03:04:05Z", "text/html", "<p>a")
	add("http://a.example/embed", "2015-01-02T03:04:06Z", "text/html", "<p>an embedded player")
	add("http://secret.example/", "2015-01-02T03:04:06Z", "text/html", "<p>hidden host")
	r.Ingest(holdingstest.Package{ID: "blogs", Rights: "access: open", Containers: map[string]string{
		"b.warc": b.String()}})
	return r
}

const blogRules = `rules:
  - urls: [http://blog.example/closed/]
    access: blocked
  - urls: [http://blog.example/hidden/, http://secret.example/]
    access: blocked
    hidden: true
`

func TestBrowse(t *testing.T) {
	t.Parallel()
	repository := blogs(t)
	r := room(t, repository.Open(holdings.Options{Rules: repository.Rules(blogRules)}), pages.Options{})
	hosts := rowsOf(r.page("/browse/blogs/", http.StatusOK))
	if want := []string{"a.example 1 2015", "blog.example 731 2015 to 2017"}; !slices.Equal(hosts, want) {
		t.Errorf("hosts: %q, want %q", hosts, want)
	}
	doc := r.page("/browse/all/?url=blog.example/*", http.StatusOK)
	rows := rowsOf(doc)
	if len(rows) != 100 || rows[0] != "http://blog.example/closed/paper.pdf Locked" ||
		rows[1] != "http://blog.example/often Web page 500 or more 2 January 2016" ||
		rows[2] != "http://blog.example/paper.pdf PDF 1 2 January 2017" {
		t.Errorf("%d rows: %q", len(rows), rows[:3])
	}
	if body := text(all(doc, "main")[0]); !strings.Contains(body, "Web page (131)") ||
		!strings.Contains(body, "PDF (1)") || strings.Contains(body, "hidden") {
		t.Error(body)
	}
	seen := len(rows)
	for at := linkTo(doc, "next"); at != ""; at = linkTo(doc, "next") {
		doc = r.page(at, http.StatusOK)
		seen += len(rowsOf(doc))
	}
	if seen != 133 {
		t.Errorf("%d addresses on all pages, want 133", seen)
	}
	pdf := rowsOf(r.page("/browse/all/?url=blog.example/*&type=pdf", http.StatusOK))
	if want := []string{"http://blog.example/paper.pdf PDF 1 2 January 2017"}; !slices.Equal(pdf, want) {
		t.Errorf("files of a type: %q, want %q: the type of a closed one is content", pdf, want)
	}
	for at, want := range map[string]string{
		"/versions/all/?url=blog.example/post/*":      "/versions/all/http://blog.example/post/*",
		"/versions/all/http://blog.example/post/*":    "/browse/all/?url=http%3A%2F%2Fblog.example%2Fpost%2F%2A",
		"/versions/blogs/*":                           "/browse/blogs/",
		"/versions/all/http://secret.example/*":       "/browse/all/?url=http%3A%2F%2Fsecret.example%2F%2A",
		"/browse/all/?url=%00*":                       "/browse/all/",
		"/versions/all/http://never.example/hidden/*": "/browse/all/?url=http%3A%2F%2Fnever.example%2Fhidden%2F%2A",
	} {
		if w := r.read(at); w.Code != http.StatusFound || w.Header().Get("Location") != want {
			t.Errorf("%s: %d to %s, want %s", at, w.Code, w.Header().Get("Location"), want)
		}
	}
	r.page("/browse/none/", http.StatusNotFound)
	if rows := rowsOf(r.page("/browse/all/?url=secret.example/*", http.StatusOK)); len(rows) > 0 {
		t.Errorf("hidden: %q", rows)
	}
}

// linkTo returns the address of the link with a relation; "" if there is none.
func linkTo(doc *html.Node, rel string) string {
	for _, a := range all(doc, "a") {
		if is, _ := attr(a, "rel"); is == rel {
			at, _ := attr(a, "href")
			return at
		}
	}
	return ""
}

// TestFrontPage: the rule of docs/reference/555_pages.md, "Front pages".
func TestFrontPage(t *testing.T) {
	t.Parallel()
	at := func(url, date, mime string) string {
		return holdingstest.Response(url+date, url, date, mime, "<title>t</title>")
	}
	const first, later = "2015-01-02T03:04:05Z", "2015-01-02T03:05:05Z"
	for name, one := range map[string]struct{ container, want string }{
		"an embedded player has the shortest address": {at("http://you.example/e", later, "text/html") +
			at("http://site.example/en/index.html", first, "text/html") +
			at("http://site.example/en/about.html", later, "text/html"), "http://site.example/en/index.html"},
		"a check before the page": {at("http://a.example/cdn-cgi/x", first, "text/html") +
			at("http://a.example/cdn-cgi/y", first, "text/html") +
			at("http://site.example/long/way/", later, "text/html"), "http://site.example/long/way/"},
		"one page of each host": {at("http://b.example/first", first, "text/html") + at("http://a.example/", later,
			"text/html"), "http://b.example/first"},
		"no page": {at("http://b.example/x.png", first, "image/png"), ""},
	} {
		r := holdingstest.New(t)
		r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open",
			Containers: map[string]string{"a.warc": one.container}})
		doc := room(t, r.Open(holdings.Options{}), pages.Options{}).page("/site/p", http.StatusOK)
		got := ""
		for _, h := range all(doc, "h3") {
			if class, _ := attr(h, "class"); class == "url" {
				got = text(h)
			}
		}
		if got != one.want {
			t.Errorf("%s: %q, want %q", name, got, one.want)
		}
		if hosts := strings.Contains(text(doc), "Hosts of this website"); hosts != (one.want == "") {
			t.Errorf("%s: hosts listed: %v", name, hosts)
		}
	}
}
