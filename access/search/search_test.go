package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFinds(t *testing.T) {
	h := newHouse(
		item{pkg: "p1", at: "20150101000000", url: "http://museum.example/", mime: "text/html",
			body: page("The harbour museum", "Welcome to the museum of ships, at the harbour of the city since 1950.")},
		item{pkg: "p1", at: "20160101000000", url: "http://museum.example/", mime: "text/html",
			body: page("The harbour museum",
				"Welcome to the museum of ships, which is closed for works until autumn.")},
		item{pkg: "p1", at: "20170101000000", url: "http://museum.example/", mime: "text/html",
			body: page("The harbour museum",
				"Bienvenue; nothing but a page about aeroplanes remains here for the time being.")},
		item{pkg: "p1", at: "20150102000000", url: "http://museum.example/tug/", mime: "text/html",
			body: page("The steam tug",
				"The steam tug of the harbour museum leaves the quay on Sundays at ten o'clock.")},
		item{pkg: "p1", at: "20150102000000", url: "http://museum.example/annual.txt", mime: "text/plain",
			body: "Report of the year: forty ships, one steam tug."},
		item{pkg: "p2", at: "20180102000000", url: "http://other.example/a", mime: "text/html",
			body: page("東京タワー", "東京タワーは港区にある電波塔です。")},
	)
	s := openEngine(t, h)
	for _, c := range []struct{ query, want string }{
		{"ships", "http://museum.example/ http://museum.example/annual.txt"},
		{"harbour museum", "http://museum.example/ http://museum.example/tug/"},
		{`"steam tug"`, "http://museum.example/tug/ http://museum.example/annual.txt"},
		{`"tug steam"`, ""},
		{"museum -tug", "http://museum.example/"},
		{"aeroplanes OR quay", "http://museum.example/ http://museum.example/tug/"},
		{"title:steam", "http://museum.example/tug/"},
		{"year:2018", "http://other.example/a"},
		{"museum year:2016-2019", "http://museum.example/"},
		{"type:text", "http://museum.example/annual.txt"},
		{"host:other.example", "http://other.example/a"},
		{"-host:museum.example", "http://other.example/a"},
		{"package:p2", "http://other.example/a"},
		{"東京", "http://other.example/a"}, {"タワー", "http://other.example/a"}, {"電", "http://other.example/a"},
		{"京都", ""},
		{"aeropl*", "http://museum.example/"},
		{"",
			"http://museum.example/ http://other.example/a http://museum.example/annual.txt " +
				"http://museum.example/tug/"},
	} {
		if got := urls(ask(t, s, public, Query{Text: c.query})); got != c.want {
			t.Errorf("%q: %s, not %s", c.query, got, c.want)
		}
	}
	hit := ask(t, s, public, Query{Text: "ships"}).Hits[0]
	if hit.Matching != 2 || hit.Versions != 3 || hit.Capture.Timestamp != "20160101000000" ||
		hit.First != "20150101000000" {
		t.Errorf("%+v", hit)
	}
	if got := text(hit.Snippet); !strings.HasPrefix(got, "Welcome to the museum of [ships], which is closed") {
		t.Errorf("%s", got)
	}
}

// TestRanking: a site's front page ranks above its hundredth page, and a word in a title above one
// in a text.
func TestRanking(t *testing.T) {
	h := newHouse()
	for i := range 120 {
		h.add(item{pkg: "p", at: "20150101000000", url: fmt.Sprintf("http://museum.example/ships/%d/page.html", i),
			mime: "text/html",
			body: page(fmt.Sprintf("Ship %d - Harbour museum", i),
				fmt.Sprintf("This is ship %d of the harbour museum, one of many that there are in the museum.", i))})
	}
	h.add(item{pkg: "p", at: "20150101000000", url: "http://museum.example/", mime: "text/html",
		body: page("Harbour museum", "Welcome to the harbour museum, with all of its ships and its café.")},
		item{pkg: "p", at: "20150101000000", url: "http://other.example/a/b", mime: "text/html",
			body: page("Anchors",
				"A word on anchors, which are kept by the harbour museum as well, as we have heard.")},
		item{pkg: "p", at: "20150101000000", url: "http://other.example/a/c", mime: "text/html",
			body: page("Ropes",
				"A word on ropes and on anchors, which hold what the ropes are tied to, and so on and on.")})
	s := openEngine(t, h)
	r := ask(t, s, public, Query{Text: "harbour museum", Limit: 100})
	if r.Total != 122 || r.Hits[0].URL != "http://museum.example/" {
		t.Errorf("%d hits, %s first", r.Total, r.Hits[0].URL)
	}
	if got := urls(ask(t, s, public,
		Query{Text: "anchors"})); got != "http://other.example/a/b http://other.example/a/c" {
		t.Error(got)
	}
	seen := map[string]bool{}
	for from := 0; from < 130; from += 10 {
		for _, hit := range ask(t, s, public, Query{Text: "museum", From: from}).Hits {
			if seen[hit.URL] {
				t.Errorf("%s is on two pages", hit.URL)
			}
			seen[hit.URL] = true
		}
	}
	if len(seen) != 122 {
		t.Errorf("%d hits on all pages", len(seen))
	}
}

// TestSameBytes: the same bytes at several addresses are one hit, and are read once.
func TestSameBytes(t *testing.T) {
	body := page("Same", "The same bytes at many addresses, as sites with session numbers have them.")
	h := newHouse()
	for i := range 30 {
		h.add(item{pkg: "p", at: fmt.Sprintf("201501%02d000000", i+1),
			url: fmt.Sprintf("http://a.example/x?session=%d", i), mime: "text/html", body: body})
	}
	h.add(item{pkg: "q", at: "20160101000000", url: "http://a.example/x", mime: "text/html", body: body})
	s := openEngine(t, h)
	reads := 1
	if engine().Engine == SolrName {
		reads = 2 // one a package: Solr has the text of the first one at the next commit
	}
	r := ask(t, s, public, Query{Text: "same"})
	if r.Total != 1 || len(r.Hits) != 1 || r.Hits[0].AlsoAt != 30 || r.Hits[0].URL != "http://a.example/x" ||
		h.reads != reads {
		t.Errorf("%d hits, %+v, %d reads", r.Total, r.Hits, h.reads)
	}
}

func TestFacetsAndLevels(t *testing.T) {
	h := newHouse(
		item{pkg: "p1", at: "20150101000000", url: "http://www.a.example/", mime: "text/html",
			body: page("Ships one", "Ships of the year.")},
		item{pkg: "p1", at: "20160101000000", url: "http://www.a.example/", mime: "text/html",
			body: page("Ships two", "Ships of the next year.")},
		item{pkg: "p2", at: "20160101000000", url: "http://b.example/x", mime: "text/html",
			body: strings.Replace(page("Schiffe", "Ships auf Deutsch."), "lang=en", "lang=de", 1)},
		item{pkg: "p2", at: "20160101000000", url: "http://b.example/ships.png", mime: "image/png",
			body: "\x89PNG\r\n\x1a\n"},
	)
	h.collections["c1"] = []string{"p1", "p2"}
	h.collections["c2"] = []string{"p2"}
	s := openEngine(t, h)
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{Text: "ships"},
			"2+4 type[page 2] year[2016 2, 2015 1] host[a.example 1, b.example 1] collection[c1 2, c2 1] language[de " +
				"1, en 1]"},
		{Query{Text: "ships", Level: Bytestreams},
			"4+2 type[page 3, image 1] year[2016 3, 2015 1] host[a.example 2, b.example 2] collection[c1 4, c2 2] " +
				"language[en 2, 1, de 1]"},
		{Query{Text: "ships year:2015"},
			"1+1 type[page 1] year[2016 2, 2015* 1] host[a.example 1] collection[c1 1] language[en 1]"},
		{Query{Text: "ships", Filters: []Filter{{Host, "b.example", false}, {Language, "de", false}}},
			"1+1 type[page 1] year[2016 1] host[b.example* 1] collection[c1 1, c2 1] language[de* 1]"},
		{Query{Text: "ships -collection:c2"},
			"1+2 type[page 1] year[2016 1, 2015 1] host[a.example 1] collection[c1 2, c2 1] language[en 1]"},
		{Query{Text: "type:image"},
			"1+0 type[page 3, image* 1] year[2016 1] host[b.example 1] collection[c1 1, c2 1] language[1]"},
	} {
		r := ask(t, s, public, c.q)
		got := fmt.Sprintf("%d+%d", r.Total, r.Elsewhere)
		for _, f := range r.Facets {
			var values []string
			for _, v := range f.Values {
				mark := ""
				if v.Selected {
					mark = "*"
				}
				values = append(values, strings.TrimSpace(fmt.Sprintf("%s%s %d", v.Value, mark, v.Count)))
			}
			got += " " + f.Field + "[" + strings.Join(values, ", ") + "]"
		}
		if got != c.want {
			t.Errorf("%+v: %s, not %s", c.q, got, c.want)
		}
	}
}

// TestWhatCannotBeRead: unreadable content is found by its address, and is read when possible.
func TestWhatCannotBeRead(t *testing.T) {
	h := newHouse(item{pkg: "p", at: "20150101000000", url: "http://a.example/annual-report", mime: "text/html",
		body: page("Inside", "What stands in the report.")})
	h.broken["http://a.example/annual-report"] = true
	s := openEngine(t, h)
	if r := ask(t, s, public, Query{Text: "annual report"}); r.Total != 1 ||
		text(r.Hits[0].Title) != "[annual]-[report]" {
		t.Errorf("%+v", r.Hits)
	}
	sum, err := s.Summary(t.Context())
	if err != nil || len(sum.Notes) != 1 || sum.Notes[0].Why != "the disk is broken" {
		t.Errorf("%+v (%v)", sum, err)
	}
	delete(h.broken, "http://a.example/annual-report")
	updateIndex(t, s)
	if r := ask(t, s, public, Query{Text: "stands"}); r.Total != 0 {
		t.Errorf("read again at once: %+v", r)
	}
	h.rule(nil) // changes the stamp
	updateIndex(t, s)
	if r := ask(t, s, public, Query{Text: "stands"}); r.Total != 1 {
		t.Errorf("%+v", r)
	}
}

// TestRepairedLater: a copy that was repaired changes no decision. Its content is read again after some minutes.
func TestRepairedLater(t *testing.T) {
	const url = "http://a.example/annual-report"
	h := newHouse(item{pkg: "p", at: "20150101000000", url: url, mime: "text/html",
		body: page("Inside", "It stands in the report.")})
	h.broken[url] = true
	now := time.Now()
	s, err := OpenEngine(t.Context(), t.TempDir(), h, engine(), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if engine().Engine == SolrName {
		if err := s.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	updateIndex(t, s)
	updateIndex(t, s) // tries at once what could not be read
	delete(h.broken, url)
	for _, c := range []struct {
		after time.Duration
		hits  int
	}{{tryAfter - time.Second, 0}, {time.Second, 1}} {
		now = now.Add(c.after)
		updateIndex(t, s)
		if r := ask(t, s, public, Query{Text: "stands"}); r.Total != c.hits {
			t.Errorf("after %v more: %d hits", c.after, r.Total)
		}
	}
}

// TestUpdate: an interrupted update continues; a removed package is forgotten, with all its own
// content.
func TestUpdate(t *testing.T) {
	h := newHouse()
	for i := range 600 {
		h.add(item{pkg: fmt.Sprint("p", i%2), at: "20150101000000", url: fmt.Sprintf("http://a.example/%d", i),
			mime: "text/html", body: page(fmt.Sprint("Page ", i), fmt.Sprintf("This is number n%d of them.", i))})
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Open(ctx, dir, h, Options{Progress: func(p Progress) {
		if p.Captures > 256 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("broken off: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openIn(t, dir, h)
	if r := ask(t, s, public, Query{Text: "number"}); r.Total != 600 || h.reads > 600+256 {
		t.Errorf("%d hits, %d reads", r.Total, h.reads)
	}
	delete(h.states, "p0")
	updateIndex(t, s)
	sum, err := s.Summary(t.Context())
	if r := ask(t, s, public, Query{Text: "number"}); r.Total != 300 || sum.Documents != 300 || sum.URLs != 300 ||
		sum.Captures != 300 || err != nil {
		t.Errorf("%d hits, %+v (%v)", r.Total, sum, err)
	}
	if err := s.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := ask(t, s, public, Query{Text: "number"}); r.Total != 0 {
		t.Errorf("%d hits of nothing", r.Total)
	}
	updateIndex(t, s)
	if r := ask(t, s, public, Query{Text: "number"}); r.Total != 300 {
		t.Errorf("%d hits of a rebuilt index", r.Total)
	}
}

// TestDamaged: a damaged file is rebuilt.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, fileName), []byte(strings.Repeat("no database ", 1000)),
		0o666); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, dir, newHouse(item{pkg: "p", at: "20150101000000", url: "http://a.example/", mime: "text/html",
		body: page("A", "Something.")}))
	if r := ask(t, s, public, Query{Text: "something"}); r.Total != 1 {
		t.Errorf("%+v", r)
	}
}

func TestSnippets(t *testing.T) {
	long := strings.Repeat("words before it all. ", 40) + "Here the steam tug Hercules leaves. " +
		strings.Repeat("and words behind. ", 40)
	for _, c := range []struct{ query, body, about, want string }{
		{"hercules tug", long, "", "[tug Hercules]"}, {"nothing", "A short text.", "", "A short text."},
		{"nothing", "A text.", "What it is about", "What it is about"},
		{"ete", "L'Été à Anvers", "", "L'[Été] à Anvers"}, {"京タ", "東京タワーは", "", "東[京タ]ワーは"},
		{"東京タワー", "東京タワーは", "", "[東京タワー]は"}, {"tug*", "Tugs <b>tugging</b>", "", "[Tugs] <b>[tugging]</b>"},
	} {
		got := text(parse(c.query).highlighter("", "").snippet(c.body, c.about))
		if !strings.Contains(got, c.want) || len(got) > snippetSize+60 {
			t.Errorf("%s: %s", c.query, got)
		}
	}
}
