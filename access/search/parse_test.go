package search

import (
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ query, expression, unwanted, filters, notes string }{
		{"ships harbour", `("ships") AND ("harbour")`, "", "", ""},
		{`"steam tug"`, `("steam tug")`, "", "", ""},
		{"tug OR steamer ship", `("tug" OR "steamer") AND ("ship")`, "", "", ""},
		{"OR", "", "", "", ""}, {"a OR", `("a")`, "", "", ""}, {"AND a", `("a")`, "", "", ""},
		{"-museum", "", `("museum")`, "", ""}, {"a NOT b", `("a")`, `("b")`, "", ""}, {"a -", `("a")`, "", "", ""},
		{`-"a b"`, "", `("a b")`, "", ""}, {"steam*", `({title url body} : "steam" *)`, "", "", ""},
		{"title:Ships", `(title : "ships")`, "", "", ""}, {`title:"two words"`, `(title : "two words")`, "", "", ""},
		{"10:30", `("10 30")`, "", "", ""}, {"http://a.example/", `("http a example")`, "", "", ""},
		{"foo:bar", `("foo bar")`, "", "", ""},
		{`host:WWW.A.example`, "", "", "[{host a.example false}]", ""},
		{"-host:a.example", "", "", "[{host a.example true}]", ""},
		{"site:http://a.example/x", "", "", "[{host a.example false}]", ""},
		{"type:PDF", "", "", "[{type pdf false}]", ""}, {"filetype:docx", "", "", "[{type document false}]", ""},
		{"type:image/png", "", "", "[{type image false}]", ""},
		{"type:foo", "", "", "", "“type:foo” matches no value, and was ignored"},
		{"type:other", "", "", "[{type other false}]", ""},
		{"year:2015", "", "", "[{year 2015 false}]", ""},
		{"year:2015-2016", "", "", "[{year 2015 false} {year 2016 false}]", ""},
		{"year:2016-2015", "", "", "", "“year:2016-2015” is not a year, and was ignored"},
		{"year:9998-", "", "", "[{year 9998 false} {year 9999 false}]", ""},
		{"year:268435200-268435399", "", "", "", "“year:268435200-268435399” is not a year, and was ignored"},
		{"year:x", "", "", "", "“year:x” is not a year, and was ignored"},
		{"lang:en-GB", "", "", "[{language en false}]", ""}, {"type:", `("type")`, "", "", ""},
		{`"never closed`, `("never closed")`, "", "", ""},
		{`""`, "", "", "", "“” contains no searchable word, and was ignored"},
		{"!!! ...", "", "", "", ""}, {"Café", `("cafe")`, "", "", ""}, {"l'été", `("ete")`, "", "", ""},
		{"東京タワー", `("東京 京タ タワ ワー")`, "", "", ""},
		{"東", `({title url body} : "東" *)`, "", "", ""},
		{`a"b`, `("a") AND ("b")`, "", "", ""}, {"(a b)", `("a") AND ("b")`, "", "", ""}, {"\xff", "", "", "", ""},
		{"NEAR(a b)", `("near") AND ("a") AND ("b")`, "", "", ""}, {`col: "x`, `("col") AND ("x")`, "", "", ""},
		{"{a}:b ^c", `("a b") AND ("c")`, "", "", ""},
	} {
		q := parse(c.query)
		filters := ""
		if len(q.filters) > 0 {
			filters = fmt.Sprint(q.filters)
		}
		if got := []string{q.expression(), q.unwanted(), filters, strings.Join(q.notes, "|")}; strings.Join(got,
			"\n") != strings.Join([]string{c.expression, c.unwanted, c.filters, c.notes}, "\n") {
			t.Errorf("%q: %q", c.query, got)
		}
	}
	if q := parse(strings.Repeat("word ", 300)); len(q.all) != maxTerms || len(q.notes) != 2 {
		t.Errorf("%d terms, %v", len(q.all), q.notes)
	}
}

// FuzzQuery: every input gets a result; no input becomes FTS5 syntax.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{`a "b c" -d OR e*`, "title:x host:a year:2000-2001", `" ' ; -- ) NEAR(`, "東京 ไทย é̂",
		"a* * ^b {c} : +d", "NOT NOT -", "-\"", "\x00 \xff"} {
		f.Add(s)
	}
	s := open(f, newHouse(item{pkg: "p", at: "20150101000000", url: "http://a.example/", mime: "text/html",
		body: page("A", "b c d e f 東京")}))
	f.Fuzz(func(t *testing.T, text string) {
		q := parse(text)
		for _, group := range q.all {
			for _, term := range group {
				for _, token := range term.tokens {
					if token == "" || strings.ContainsFunc(token, func(r rune) bool {
						return tokenOnly(r) < 0 && !strings.ContainsRune("+#.", r)
					}) {
						t.Errorf("%q: token %q", text, token)
					}
				}
			}
		}
		for _, level := range []Level{Pages, Bytestreams} {
			r := ask(t, s, public, Query{Text: text, Level: level})
			for _, h := range r.Hits {
				if len(h.Title) == 0 {
					t.Errorf("%q: no title", text)
				}
			}
		}
	})
}

// TestFiltersOf: a flag value without meaning is an error that lists the valid forms.
func TestFiltersOf(t *testing.T) {
	for _, c := range []struct{ field, value, filters, err string }{
		{Type, "docx", "[{type document false}]", ""},
		{Year, "2010-2011", "[{year 2010 false} {year 2011 false}]", ""},
		{Host, "http://www.a.example/x", "[{host a.example false}]", ""},
		{Type, "foo", "[]", `type "foo": use one of page, text, pdf,`},
		{Year, "20x6", "[]", `year "20x6": use a year`},
		{Host, " ", "[]", `host " ": use a name`},
	} {
		got, err := FiltersOf(c.field, c.value)
		if fmt.Sprint(got) != c.filters || (err == nil) != (c.err == "") || err != nil &&
			!strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s %q: %v, %v", c.field, c.value, got, err)
		}
	}
}
