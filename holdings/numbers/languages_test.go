package numbers

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/policy"
	"quire/preserve/report"
	"quire/repository/store"
)

// unlike changes the numbers of the packages whose id begins with "old".
func unlike(change func(model.Number) (model.Number, bool)) func(fs.FS) (model.Package, error) {
	return func(f fs.FS) (model.Package, error) {
		p, err := aip.Describe(f)
		if err != nil || !strings.HasPrefix(p.ID, "old") {
			return p, err
		}
		var rows []model.Number
		for _, n := range p.Numbers.Rows {
			if n, keep := change(n); keep {
				rows = append(rows, n)
			}
		}
		p.Numbers.Rows = rows
		return p, err
	}
}

// TestLanguagesOfEarlierVersions: a package that states no languages is reported as such, and a selection by
// languages does not decide on it. The METS of an earlier version has no list; the catalogue of one has no row.
func TestLanguagesOfEarlierVersions(t *testing.T) {
	for name, change := range map[string]func(model.Number) (model.Number, bool){
		"METS": func(n model.Number) (model.Number, bool) {
			if n.Kind == model.ByLanguagesKnown {
				n.Name = "no"
			}
			return n, n.Kind != model.ByLanguage
		},
		"catalogue": func(n model.Number) (model.Number, bool) {
			return n, n.Kind != model.ByLanguage && n.Kind != model.ByLanguagesKnown
		},
	} {
		t.Run(name, func(t *testing.T) { testEarlier(t, unlike(change)) })
	}
}

func testEarlier(t *testing.T, describe func(fs.FS) (model.Package, error)) {
	ctx := context.Background()
	r := repotest.New(t)
	s, err := store.Init(ctx, filepath.Join(r.Dir, "other"), store.InitOptions{
		Copies: []string{filepath.Join(r.Dir, "k")}, Describe: describe})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	page := response(2008, "http://x.example/", "text/html", "<html lang=fi><p>Laiva")
	for id, crawl := range map[string]map[string]string{"new": {"a.warc": page}, "none": {"a.warc": response(2008,
		"http://x.example/", "image/png", "x")}, "old": {"a.warc": page, "b.warc": page}} {
		if _, err := s.Ingest(ctx, r.Pack(repotest.Package{ID: id, Containers: crawl}),
			store.IngestOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		q        Query
		want     string
		unlisted int64
		note     string
	}{
		{Query{}, "fi 1", 2, "The languages in 2 containers are not recorded"},
		{Query{From: 2008}, "fi 1", 2, "The languages in 2 containers are not recorded"},
		{Query{From: 2009}, "", 0, ""},
		{Query{Package: "new"}, "fi 1", 0, ""},
		{Query{Package: "none"}, "", 0, ""},
		{Query{Package: "old"}, "", 2, "The languages in 2 containers are not recorded"},
	} {
		c.q.By = report.ByLanguage
		got := table(t, s, c.q)
		var all []string
		for _, row := range got.Rows {
			all = append(all, fmt.Sprint(row.Name, " ", row.Count))
		}
		notes := strings.Join(got.Scope.Notes(), "; ")
		if strings.Join(all, ", ") != c.want || got.Scope.Unlisted != c.unlisted ||
			!strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%+v: %q, %d, %s", c.q, all, got.Scope.Unlisted, notes)
		}
	}
	checkSelection(t, s)
	var text, page2 bytes.Buffer
	if err := table(t, s, Query{By: report.ByLanguage, Package: "old"}).Write(&text, report.AsText); err != nil ||
		!strings.Contains(text.String(), "No language is recorded.") {
		t.Errorf("%v:\n%s", err, text.String())
	}
	if err := Page(ctx, s, Query{}, &page2); err != nil || !strings.Contains(page2.String(), ">fi<") ||
		!strings.Contains(page2.String(), "The languages in 2 containers are not recorded") {
		t.Errorf("the page has no languages: %v", err)
	}
}

func checkSelection(t *testing.T, s *store.Store) {
	t.Helper()
	selection, err := policy.Select(`!("fi" in pkg.languages)`)
	if err != nil {
		t.Fatal(err)
	}
	var chosen, undecided []string
	for p, err := range Select(context.Background(), s, selection, "") {
		switch {
		case err != nil:
			t.Fatal(err)
		case p.Why != nil:
			undecided = append(undecided, p.ID)
			if !strings.Contains(p.Why.Error(), "states no languages") {
				t.Error(p.Why)
			}
		default:
			chosen = append(chosen, p.ID)
		}
	}
	if !slices.Equal(chosen, []string{"none"}) || !slices.Equal(undecided, []string{"old"}) {
		t.Errorf("chosen %q, undecided %q", chosen, undecided)
	}
}
