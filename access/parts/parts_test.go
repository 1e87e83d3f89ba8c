package parts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quire/access/parts"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// TestStyleSheets: the parts of style sheets are parts of the page, through @import, too; a cycle ends; a
// closed sheet names nothing; and the answer to a similar request is no damage.
func TestStyleSheets(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://a.example/"
	n := 0
	add := func(path, mime, body string) string {
		n++
		return holdingstest.Response(fmt.Sprint(n), at+path, "2020-01-02T03:04:05Z", mime, body)
	}
	closed := at + "closed.css, \"" + at + "t.js*\""
	r.Ingest(holdingstest.Package{ID: "one", Rights: "access: open\nrules:\n  - urls: [" + closed + "]\n" +
		"    access: restricted\n", Containers: map[string]string{"a.warc": add("", "text/html",
		"<link rel=stylesheet href=css/a.css><link rel=stylesheet href=closed.css><script src=s.js?_=17></script>"+
			"<script src=t.js?_=9></script>") +
		add("css/a.css", "text/css", `@import "b.css"; p { background: url(../img/a.png) }`) +
		add("css/b.css", "text/css", `@import "a.css"; q { background: url("gone.png") }`) +
		add("img/a.png", "image/png", "x") + add("s.js?_=1", "text/javascript", "1") +
		add("t.js?_=1", "text/javascript", "2") +
		add("closed.css", "text/css", "p { background: url(secret.png) }")}})
	h, who := r.Open(holdings.Options{}), holdings.Reader{Class: holdings.Public}
	var page *holdings.Judged
	for c, err := range h.Captures(t.Context(), who, captures.Query{URL: at}) {
		if err != nil {
			t.Fatal(err)
		}
		kept := *c.Capture
		page = &holdings.Judged{Capture: &kept, Decision: c.Decision}
	}
	p := parts.Page{Archive: h, Reader: who, Capture: page, Time: time.Minute}
	all, cut, err := p.Parts(t.Context())
	if err != nil || cut {
		t.Fatalf("cut %v, %v", cut, err)
	}
	var got []string
	for i := range all {
		got = append(got, strings.TrimPrefix(all[i].URL, at)+" "+string(all[i].Coherence))
	}
	want := "closed.css closed, css/a.css yes, s.js?_=17 similar, t.js?_=9 missing, " +
		"css/b.css yes, img/a.png yes, css/gone.png missing"
	if strings.Join(got, ", ") != want {
		t.Errorf("%q\nwant %s", got, want)
	}
	// Weights: three sheets and two scripts 1 each, two pictures 3 each; a picture and a script are missing.
	if d := parts.Measure(all); d.Percent != 36 || d.Missing != 2 || d.Counts[parts.Similar] != 1 {
		t.Errorf("%+v", d)
	}
}

// TestManySheets: a page with many style sheets is cut, and says so.
func TestManySheets(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://a.example/"
	var page strings.Builder
	records := ""
	for n := range 30 {
		fmt.Fprintf(&page, "<link rel=stylesheet href=%02d.css>", n)
		records += holdingstest.Response(fmt.Sprint("s", n), fmt.Sprintf("%s%02d.css", at, n), "2020-01-02T03:04:05Z",
			"text/css", fmt.Sprintf("p { background: url(%02d.png) }", n))
	}
	r.Ingest(holdingstest.Package{ID: "one", Rights: "access: open", Containers: map[string]string{"a.warc": records +
		holdingstest.Response("p", at, "2020-01-02T03:04:05Z", "text/html", page.String())}})
	h, who := r.Open(holdings.Options{}), holdings.Reader{Class: holdings.Public}
	for c, err := range h.Captures(t.Context(), who, captures.Query{URL: at}) {
		if err != nil {
			t.Fatal(err)
		}
		p := parts.Page{Archive: h, Reader: who, Capture: &c, Time: time.Minute}
		all, cut, err := p.Parts(t.Context())
		if err != nil || !cut || len(all) != 50 {
			t.Errorf("%d parts, cut %v, %v", len(all), cut, err)
		}
	}
}
