package pages_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quire/access/address"
	"quire/access/pages"
	"quire/access/search"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// reading is a reader in the test.
type reading struct {
	t       testing.TB
	handler http.Handler
	class   holdings.Class // of the reader
	engine  string         // start of its addresses; "" without one
}

const replayHost = "http://127.0.0.1:9"

func room(t testing.TB, h *holdings.Holdings, o pages.Options) *reading {
	t.Helper()
	r := &reading{t: t, class: holdings.Public}
	o.Reader = func(*http.Request) holdings.Reader { return holdings.Reader{Class: r.class} }
	o.Replay = func(q *http.Request, in address.In, timestamp, url string) (pages.Frame, error) {
		f, err := replayFrame(q, in, timestamp, url)
		if r.engine != "" {
			f.Engine = r.engine + in.Collection + "/" + timestamp + "/" + url
		}
		return f, err
	}
	o.Problem = func(err error) { t.Errorf("problem: %v", err) }
	var err error
	if r.handler, err = pages.New(h, o); err != nil {
		t.Fatal(err)
	}
	return r
}

// replayFrame places each capture on a replay host.
func replayFrame(_ *http.Request, in address.In, timestamp, url string) (pages.Frame, error) {
	return pages.Frame{URL: address.Replay(replayHost).Capture(in, timestamp, address.Page, url),
		Origin: replayHost}, nil
}

// read requests a page by its target in the request line.
func (r *reading) read(target string) *httptest.ResponseRecorder {
	r.t.Helper()
	q := httptest.NewRequest(http.MethodGet, "/", nil)
	q.RequestURI, q.Host = target, "archive.example"
	if i := strings.IndexByte(target, '?'); i >= 0 {
		q.URL.RawQuery = target[i+1:]
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, q)
	return w
}

// page requests a page, checks its status, and parses it.
func (r *reading) page(target string, status int) *html.Node {
	r.t.Helper()
	w := r.read(target)
	if w.Code != status {
		r.t.Fatalf("%s: %d, want %d\n%s", target, w.Code, status, w.Header().Get("Location"))
	}
	doc, err := html.Parse(strings.NewReader(w.Body.String()))
	if err != nil {
		r.t.Fatal(err)
	}
	return doc
}

// all returns the elements with a name.
func all(n *html.Node, name string) (found []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			found = append(found, d)
		}
	}
	return found
}

// links returns the targets of the links of a page, by their texts.
func links(page *html.Node) map[string]string {
	found := map[string]string{}
	for _, a := range all(page, "a") {
		found[text(a)], _ = attr(a, "href")
	}
	return found
}

// attr returns an attribute; ok reports whether it exists.
func attr(n *html.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// text returns the text of an element, with collapsed white space.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// answers is a search with a fixed result.
type answers struct{ result *search.Result }

func (a answers) Query(context.Context, holdings.Reader, search.Query) (*search.Result, error) {
	return a.result, nil
}

// museumPage is the first page of the museum, as captured in 2014.
var museumPage = pageOf("2014", "")

func pageOf(year, more string) string {
	return fmt.Sprintf(`<!doctype html><title>Museum %s</title><link rel=stylesheet href=/style.css><script>var `+
		`x = "not text"</script><h1>The Museum</h1><p>Open in %s from ten to four.<p>The tug has steam.%s<img `+
		`src=img/tug.png>`, year, year, more)
}

// recorder keeps the query that it answers.
type recorder struct {
	answers
	q search.Query
}

func (r *recorder) Query(ctx context.Context, who holdings.Reader, q search.Query) (*search.Result, error) {
	r.q = q
	return r.answers.Query(ctx, who, q)
}

// museum is a repository with a website of several harvests, a collection, a log, and restricted
// content.
func museum(t testing.TB) *holdingstest.Repository {
	t.Helper()
	r := holdingstest.New(t)
	const at = "http://museum.example/"
	page := pageOf
	r.Ingest(holdingstest.Package{ID: "museum",
		Rights: "access: open\nrules:\n  - urls: [http://museum.example/board/]\n    access: onsite\n",
		Containers: map[string]string{
			"one.warc": holdingstest.Response("1", at, "2014-03-14T09:26:53Z", "text/html", page("2014", "")) +
				holdingstest.Response("2", at+"style.css", "2014-03-14T09:26:54Z", "text/css", "p { color: red }") +
				holdingstest.Response("3", at+"img/tug.png", "2014-03-14T09:26:55Z", "image/png", "not really") +
				holdingstest.Revisit("4", at, "2014-03-15T09:26:53Z", "text/html", page("2014", ""), at,
					"2014-03-14T09:26:53Z") +
				holdingstest.Redirect("5", at, "2015-01-01T00:00:00Z", "https://museum.example/") +
				holdingstest.Answer("6", at, "2015-06-01T00:00:00Z", "503 Service Unavailable", "closed") +
				holdingstest.Response("7", at, "2016-02-29T12:00:00Z", "text/html",
					page("2016", "<p>New: a café.<img src=img/new.png>")) +
				holdingstest.Response("8", at+"style.css", "2016-02-29T12:00:01Z", "text/css", "p { color: green }") +
				holdingstest.Response("9", at+"img/tug.png", "2016-02-29T12:00:02Z", "image/png", "not really") +
				holdingstest.Response("10", at+"board/minutes.html", "2016-02-29T12:00:03Z", "text/html",
					"<title>Minutes</title>SECRET minutes"),
		}, Logs: map[string]string{"progress.txt": "first line\n<script>alert(1)</script>\n" +
			strings.Repeat("a line of the log\n", 20_000) + "last line\n"}})
	r.Ingest(holdingstest.Package{ID: "closed", Rights: "access: restricted", Containers: map[string]string{
		"c.warc": holdingstest.Response("c1", "http://closed.example/", "2016-01-01T00:00:00Z", "text/html",
			"<title>CLOSED title</title>CLOSED text")}})
	r.Collect("harbours", "Harbours", "access: open", "museum", "closed")
	return r
}
