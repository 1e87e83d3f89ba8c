package pages_test

import (
	"context"
	"encoding/csv"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quire/access/pages"
	"quire/access/search"
	"quire/holdings"
	"quire/holdings/captures"
)

// counted is a search with a number of pages for each query and year.
type counted map[string]map[string]int

func (c counted) Query(_ context.Context, _ holdings.Reader, q search.Query) (*search.Result, error) {
	years := search.Facet{Field: search.Year}
	if q.Text == "type:pdf" {
		q.Level = search.Bytestreams
	}
	if q.Level == search.Bytestreams {
		q.Text += " files"
	}
	for year, n := range c[q.Text] {
		years.Values = append(years.Values, search.Value{Value: year, Count: n})
	}
	return &search.Result{Level: q.Level, Facets: []search.Facet{{Field: search.Type}, years}}, nil
}

var ships = counted{"": {"2010": 200, "2011": 50, "2014": 1000}, "steam tug": {"2010": 20, "2014": 1},
	"=cmd": {"2011": 50}, " files": {"2016": 4, "2010": 500},
	"type:pdf files": {"2016": 2}, "steam tug files": {"2010": 50}}

// TestTrends: the pages of a year with a word, beside all pages of that year. A year without pages has
// no share.
func TestTrends(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Search: ships})
	page := r.page("/trends?q=steam+tug&q=&q==cmd&q=steam+tug&f=host:a.example", 200)
	var rows []string
	for _, row := range all(page, "tr") {
		var cells []string
		for cell := range row.ChildNodes() {
			cells = append(cells, text(cell))
		}
		rows = append(rows, strings.Join(cells, "; "))
	}
	want := []string{"Year; steam tug; =cmd; All pages", "2010; 20 10.0 %; 0 0.0 %; 200",
		"2011; 0 0.0 %; 50 100.0 %; 50", "2012; 0; 0; 0", "2013; 0; 0; 0", "2014; 1 0.10 %; 0 0.0 %; 1,000"}
	if strings.Join(rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("the table is\n%s", strings.Join(rows, "\n"))
	}
	lines := all(page, "polyline")
	if len(lines) != 4 {
		t.Errorf("%d strokes, want 2 of each word, with a gap between", len(lines))
	}
	if points, _ := attr(lines[2], "points"); points != "100.0,300.0 300.0,0.0" {
		t.Errorf("the curve of the second word: %s", points)
	}
	if links(page)["20"] != "/search?f=host%3Aa.example&f=year%3A2010&q=steam+tug" {
		t.Errorf("the number leads to %s", links(page)["20"])
	}
	says(t, r.page("/trends", 200), "Words over time")
	if room(t, museum(t).Open(holdings.Options{}), pages.Options{}).read("/trends?q=x").Code != 404 {
		t.Error("there are trends without a search")
	}
}

// TestTrendsOfFiles: a query for files makes all numbers those of files.
func TestTrendsOfFiles(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Search: ships})
	got := table(t, r.read("/trends.csv?q=steam+tug&q=type:pdf"))
	if !strings.HasPrefix(got, "year,total,steam tug,share of steam tug,type:pdf,share of type:pdf|"+
		"2010,500,50,0.100000,0,0.000000|") || !strings.HasSuffix(got, "|2016,4,0,0.000000,2,0.500000") {
		t.Error(got)
	}
	says(t, r.page("/trends?q=type:pdf", 200), "All files")
}

// TestTrendsCSV: the same numbers as a table; a query is no formula.
func TestTrendsCSV(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Search: ships})
	got := table(t, r.read("/trends.csv?q=steam+tug&q==cmd"))
	want := "year,total,steam tug,share of steam tug,'=cmd,share of =cmd|2010,200,20,0.100000,0,0.000000|" +
		"2011,50,0,0.000000,50,1.000000|2012,0,0,0.000000,0,0.000000|2013,0,0,0.000000,0,0.000000|" +
		"2014,1000,1,0.001000,0,0.000000"
	if got != want {
		t.Errorf("got %s", got)
	}
}

// table reads an answer in CSV: cells are joined by commas, rows by bars.
func table(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
		t.Fatalf("%v %v", err, w.Header())
	}
	var lines []string
	for _, row := range rows {
		lines = append(lines, strings.Join(row, ","))
	}
	return strings.Join(lines, "|")
}

// numbered is a search with some hits.
type numbered struct {
	hits   int
	failAt int // a query from this hit on fails; 0 means none does
	asked  []int
}

func (n *numbered) Query(_ context.Context, _ holdings.Reader, q search.Query) (*search.Result, error) {
	n.asked = append(n.asked, q.From)
	if n.failAt > 0 && q.From >= n.failAt {
		return nil, errors.New("the disk is gone")
	}
	r := &search.Result{Total: n.hits}
	for range min(n.hits-q.From, q.Limit) {
		r.Hits = append(r.Hits, search.Hit{URL: "http://a.example/", Title: []search.Span{{Text: "=1"},
			{Text: "+\n2", Match: true}}, Capture: &captures.Capture{Timestamp: "20140314092653"}, Size: 5,
			Packages: []string{"p", "q"}})
	}
	return r, nil
}

// TestSearchCSV: the hits as a table, at most a thousand, each hundred by a query of its own.
func TestSearchCSV(t *testing.T) {
	found := &numbered{hits: 1234}
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Search: found})
	lines := strings.Split(table(t, r.read("/search.csv?q=x&from=200")), "|")
	if len(lines) != 1001 || lines[1] != "http://a.example/,20140314092653,'=1+ 2,,,,,5,0,0,,,p q,"+
		"http://archive.example/all/20140314092653/http://a.example/" {
		t.Errorf("%d lines: %q", len(lines), lines[1])
	}
	if len(found.asked) != 10 || found.asked[9] != 1100 {
		t.Errorf("asked from %v", found.asked)
	}
	if n := len(strings.Split(table(t, r.read("/search.csv?q=x&from=1200")), "|")); n != 35 {
		t.Errorf("%d lines, want 34 hits", n)
	}
	found.asked = nil
	q := httptest.NewRequest(http.MethodHead, "/", nil)
	q.RequestURI = "/search.csv?q=x"
	w := httptest.NewRecorder()
	if r.handler.ServeHTTP(w, q); w.Code != 200 || len(found.asked) > 0 {
		t.Errorf("HEAD: %d, asked from %v", w.Code, found.asked)
	}
	if r.read("/search.csv?q=+").Code != 404 {
		t.Error("there is a table without a query")
	}
}

// TestSearchCSVFails: if a later query fails, the connection breaks.
func TestSearchCSVFails(t *testing.T) {
	var problems int
	h, err := pages.New(museum(t).Open(holdings.Options{}), pages.Options{Search: &numbered{hits: 300, failAt: 100},
		Replay: replayFrame, Problem: func(error) { problems++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if broken := recover(); broken != http.ErrAbortHandler || problems != 1 { //nolint:errorlint // it is this value
			t.Errorf("%v, %d problems", broken, problems)
		}
	}()
	(&reading{t: t, handler: h}).read("/search.csv?q=x")
}
