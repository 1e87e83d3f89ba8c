package about

import (
	"testing"
	"time"

	"quire/holdings"
	"quire/metadata/dc"
	"quire/metadata/mods"
	"quire/preserve/statements"
)

func day(s string) time.Time {
	t, _ := time.Parse(time.DateOnly, s)
	return t
}

// TestDescribe: the curators' description comes first; other data only fill gaps.
func TestDescribe(t *testing.T) {
	curated := mods.Record{Content: mods.Content{Titles: []mods.Title{{Title: "Curated"}},
		Abstracts: []mods.Note{{Text: "About"}}}}
	harvest := mods.Record{Content: mods.Content{Titles: []mods.Title{{Title: "Of one harvest"}}}}
	w := &Website{ID: "site-1", Title: "T",
		Package: &holdings.Package{First: day("2015-01-02"), Last: day("2016-01-02"),
			Descriptions: []holdings.Description{{Record: curated}, {Harvest: 1, Record: harvest}},
			Collections:  []holdings.Membership{{ID: "c-1", Title: "Collection"}, {ID: "c-2"}},
			Rights: []holdings.Right{{Basis: statements.Other},
				{Basis: statements.License, Authority: "Permission 7", From: "2020-01-01",
					Documents: []statements.Document{{Type: "URL", Value: "http://l.example/"}}}},
		}}
	w.describe()
	got := map[dc.Element]string{}
	for _, s := range DC(&w.MODS.Content) {
		got[s.Element] += s.Value + "|"
	}
	for e, want := range map[dc.Element]string{
		dc.Title: "Curated|", dc.Description: "About|", dc.Type: "web archives|",
		dc.Date:       "2015-01-02T00:00:00Z|2016-01-02T00:00:00Z|",
		dc.Identifier: "site-1|", dc.Relation: "Collection|c-2|",
		dc.Rights: "license; Permission 7; http://l.example/; from 2020-01-01|",
	} {
		if got[e] != want {
			t.Errorf("%s: %q, want %q", e, got[e], want)
		}
	}
}
