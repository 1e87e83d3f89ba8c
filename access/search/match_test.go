package search

import (
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// TestFrequent: matches in titles come first, however many other matches exist and however deep the
// pages are. Excluded documents are left out, even if the excluded word is only in their text.
func TestFrequent(t *testing.T) {
	const more = 500
	h := newHouse()
	for i := range more {
		h.add(item{pkg: "p", at: "20150101000000", url: fmt.Sprintf("http://a.example/%d", i), mime: "text/plain",
			body: fmt.Sprintf("Number %d of the steam tug.", i)})
	}
	deep := "http://a.example/b/c/d/e/"
	h.add(item{pkg: "p", at: "20150101000000", url: deep + "f", mime: "text/html",
		body: page("The steam tug", "A page on the steam tug of the harbour, as there are many of them.")},
		item{pkg: "p", at: "20150101000000", url: deep + "g", mime: "text/html",
			body: page("The steam tug", "A page on the steam tug of the museum, as there are many of them.")})
	s := open(t, h)
	for _, c := range []struct {
		query, first string
		total        int
	}{
		{`tug -museum`, deep + "f", more + 1},
		{`"steam tug" -museum`, deep + "f", more + 1},
		{`steam tug -harbour`, deep + "g", more + 1},
		{`"steam tug"`, deep + "f", more + 2},
		{`"tug steam"`, "", 0},
	} {
		r := ask(t, s, public, Query{Text: c.query, Limit: 1})
		if r.Total != c.total || urls(r) != c.first {
			t.Errorf("%s: %d hits, %s first; not %d, %s", c.query, r.Total, urls(r), c.total, c.first)
		}
	}
}

// TestAsFTS5: reading the lists gives the same matches as FTS5.
func TestAsFTS5(t *testing.T) {
	h := many(300)
	h.add(item{pkg: "p0", at: "20150101000000", url: "http://a.example/ü", mime: "text/plain",
		body: "Ünüt É́té Straße ΣΊΣΥΦΟΣ ﬁn 東京タワー ǅ İstanbul"})
	s := open(t, h)
	v := newVocabulary(3)
	words := func(n int) string { return strings.TrimSpace(strings.ReplaceAll(v.text(n), ".", "")) }
	questions := []string{"Ünüt", "été", "STRASSE", "straße", "σίσυφος", "ﬁn", "東京タワー", "京タ", "東", "ǆ", "istanbul",
		"İSTANBUL", "-lu", "-lu -\"ka lu\"", "nothing at all"}
	for range 12 {
		questions = append(questions, words(1), words(2), `"`+words(2)+`"`, `"`+words(3)+`"`,
			words(1)+" OR "+words(1)+" "+words(1), words(1)+` -"`+words(2)+`"`,
			"title:"+words(1), "url:"+words(1), `title:"`+words(2)+`"`, words(1)[:1]+"*",
			"title:"+words(1)[:1]+"* -"+words(1))
	}
	found := 0
	for _, text := range questions {
		q := parse(text)
		index, err := s.current(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.ask(t.Context(), index, q)
		if err != nil {
			t.Fatal(err)
		}
		got := map[int64]bool{}
		for i, p := range m.all {
			got[index.documents.at(p.document).id] = true
			if i > 0 && m.all[i-1].document >= p.document || len(q.all) > 0 && p.weight <= 0 {
				t.Errorf("%s: %v", text, m.all)
			}
		}
		expression := q.expression()
		switch {
		case expression == "": // FTS5 cannot run a query with only exclusions
			for d := range int32(index.documents.len()) {
				id := index.documents.at(d).id
				got[id] = !got[id]
			}
			maps.DeleteFunc(got, func(_ int64, has bool) bool { return !has })
			expression = q.unwanted()
		case len(q.none) > 0:
			expression = "(" + expression + ") NOT " + q.unwanted()
		}
		want := asFTS5(t, s, expression)
		if !maps.Equal(got, want) {
			t.Errorf("%s (%s): %d documents, not %d", text, expression, len(got), len(want))
		}
		found += len(want)
	}
	if found < 1000 {
		t.Errorf("the questions find no more than %d", found)
	}
}

func asFTS5(t *testing.T, s *Search, expression string) map[int64]bool {
	t.Helper()
	all := map[int64]bool{}
	err := each(t.Context(), s.db, `SELECT rowid FROM words WHERE words MATCH ?`, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		all[id] = true
		return err
	}, expression)
	if err != nil {
		t.Fatalf("%q: %v", expression, err)
	}
	return all
}

// TestEarlierVersion: an index of an earlier version is rebuilt.
func TestEarlierVersion(t *testing.T) {
	h, dir := newHouse(item{pkg: "p", at: "20150101000000", url: "http://a.example/", mime: "text/plain",
		body: "A steam tug."}), t.TempDir()
	s := openIn(t, dir, h)
	if _, err := s.db.ExecContext(t.Context(), `PRAGMA user_version = 1`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if r := ask(t, openIn(t, dir, h), public, Query{Text: "tug"}); r.Total != 1 {
		t.Errorf("%d hits", r.Total)
	}
}
