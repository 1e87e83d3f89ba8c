package search

import (
	"fmt"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
)

// TestSuggestions: a query without a hit gets the nearest words of the index, if the query finds something with them:
// with its other words, its filters and its exclusions.
func TestSuggestions(t *testing.T) {
	h := newHouse()
	for i := range 5 {
		h.add(item{pkg: "p", at: "20150101000000", url: fmt.Sprint("http://a.example/", i), mime: "text/plain",
			body: fmt.Sprint("The harbour museum in Zürich has a lighthouse, Библиотека ", i)})
	}
	h.add(item{pkg: "p", at: "20150101000000", url: "http://a.example/harvour-museun", mime: "text/plain",
		body: "One harvour."})
	h.add(item{pkg: "p", at: "20150101000000", url: "http://b.example/tug", mime: "text/plain", body: "The tug."},
		item{pkg: "p", at: "20160101000000", url: "http://b.example/tug.pdf", mime: "application/pdf", body: "%PDF-1"},
		item{pkg: "p", at: "20150101000000", url: "http://b.example/l", mime: "text/html",
			body: page("Lantern", "Lights.")})
	s := open(t, h)
	for _, c := range []struct{ query, want string }{
		{"harbor", "harbour"}, {"hrabour", "harbour"}, {"xharbour", "harbour"},
		{"harvour", ""}, {"museun", ""}, {"harvour year:2016", ""}, // they have a hit, or nothing has one
		{"lihgthouse host:b.example", ""}, {"lihgthouse host:a.example", "lighthouse host:a.example"},
		{"lihgthouse tug", ""}, {"lihgthouse museum", "lighthouse museum"}, {"lihgthouse -museum", ""},
		{"lihgthouse year:2016", ""}, {"lihgthouse date:2015-01", "lighthouse date:2015-01"},
		{"lihgthouse type:pdf", ""}, {"lihgthouse type:text", "lighthouse type:text"},
		{"Lihgthuose -tug", "lighthouse -tug"}, {"harbuor musem", "harbour museum"},
		{"ZÜRIHC", "zurich"}, {"библотека", "библиотека"},
		{"title:musuem", ""}, {"title:lantarn", "title:lantern"},
		{"harbour", ""}, {"nothinglikeit", ""}, {`"harbor"`, ""},
		{"url:harbor", ""}, {"harb*", ""},
		{"hbr", ""}, {"東京タワ", ""}, {"harbor1", ""},
		{strings.Repeat("harbor", 30), ""},
		{"-harbor", ""}, {"", ""},
	} {
		if r := ask(t, s, public, Query{Text: c.query}); r.Suggestion != c.want {
			t.Errorf("%s: %q, not %q", c.query, r.Suggestion, c.want)
		}
	}
	for host, want := range map[string]string{"a.example": "lighthouse", "b.example": ""} {
		r := ask(t, s, public, Query{Text: "lihgthouse", Filters: []Filter{{Field: Host, Value: host}}})
		if r.Suggestion != want {
			t.Errorf("with the facet %s: %q, not %q", host, r.Suggestion, want)
		}
	}
}

// TestSuggestionsRights: no suggestion has a word that stands only in documents closed to the reader, or only in the
// addresses of captures; and a word is not suggested to readers who find nothing with it.
func TestSuggestionsRights(t *testing.T) {
	h := newHouse(
		item{pkg: "open", at: "20150101000000", url: "http://a.example/confidence", mime: "text/plain",
			body: "Nothing here."},
		item{pkg: "open", at: "20150101000000", url: "http://a.example/same", mime: "text/plain",
			body: "The same words."},
		item{pkg: "closed", at: "20150101000000", url: "http://b.example/treasury", mime: "text/plain",
			body: "The same words."},
		item{pkg: "closed", at: "20150101000000", url: "http://b.example/", mime: "text/html", body: page("Clandestine",
			"The confidential settlement of the harbour.")},
		item{pkg: "closed", at: "20150101000000", url: "http://c.example/", mime: "text/html", infected: true,
			body: page("Virulent", "The malicious payload.")})
	h.rule(func(who holdings.Reader, c *captures.Capture) holdings.Decision {
		ok := c.Package == "open" || who.Class == holdings.Staff
		return holdings.Decision{Verdict: holdings.Restricted, Allowed: ok}
	})
	s := open(t, h)
	for _, c := range []struct {
		query, staff string
	}{
		{"confidentixl", "confidential"}, {"clandestien", "clandestine"},
		{"setlement", "settlement"}, {"harbuor", "harbour"},
		{"tresury", ""}, {"confidenxe", ""}, {"malicius", ""}, {"virulant", ""},
	} {
		for reader, want := range map[*holdings.Reader]string{
			{Class: holdings.Public}: "", {Class: holdings.OnSite}: "", {Class: holdings.Staff}: c.staff,
			{Class: holdings.Staff, Packages: []string{"open"}}:   "",
			{Class: holdings.Staff, Packages: []string{"closed"}}: c.staff,
		} {
			if r := ask(t, s, *reader, Query{Text: c.query}); r.Suggestion != want {
				t.Errorf("%s for %+v: %q, not %q", c.query, reader, r.Suggestion, want)
			}
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"harbour", "harbour", 0}, {"harbor", "harbour", 1}, {"hrabour", "harbour", 1},
		{"abc", "ca", 3}, {"été", "ete", 2},
		{"kitten", "sitting", 3}, {"a", "abcdef", 4},
	} {
		if got := distance([]rune(c.a), c.b, 3); got != c.want {
			t.Errorf("%s, %s: %d, not %d", c.a, c.b, got, c.want)
		}
	}
	if got := distance([]rune("abc"), strings.Repeat("a", 200), 2); got != 3 {
		t.Error(got)
	}
}
