package machines_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"quire/access/machines"
)

// TestTexts: texts of archives cannot break a document, and are cut at their limits.
func TestTexts(t *testing.T) {
	t.Parallel()
	hostile := "a\x00\x1b\u202e</title>\xff\uffff&amp;"
	f := machines.Feed{Title: hostile, Entries: []machines.Entry{{Title: hostile, Summary: hostile}}}
	text, err := f.Document()
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Entries []struct {
			Summary string `xml:"summary"`
		} `xml:"entry"`
	}
	const want = "a\u202e</title>\ufffd&amp;"
	if err := xml.Unmarshal(text, &read); err != nil || read.Title != want || read.Entries[0].Summary != want {
		t.Errorf("%q, %v", read, err)
	}
	if read.Updated != "1970-01-01T00:00:00Z" {
		t.Errorf("a feed without dates is of %s", read.Updated)
	}
	o := machines.OpenSearch{Name: strings.Repeat("ä", 60), About: strings.Repeat("b", 2000)}
	if text, err = o.Document(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<ShortName>" + strings.Repeat("ä", 15) + "…<",
		"<LongName>" + strings.Repeat("ä", 47) + "…<", "<Description>" + strings.Repeat("b", 1023) + "…<"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

// TestFeedOfSearch: the feed of a search names its neighbours and its position.
func TestFeedOfSearch(t *testing.T) {
	t.Parallel()
	newest := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	f := machines.Feed{Hits: &machines.Hits{Total: 12, From: 0, PerPage: 10, Next: "/next", Description: "/d"},
		Entries: []machines.Entry{{Updated: newest}, {Updated: newest.AddDate(-1, 0, 0)}}}
	text, err := f.Document()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`>12</totalResults>`, `>0</startIndex>`, `>10</itemsPerPage>`,
		`rel="next" type="application/atom+xml" href="/next"`, `rel="search"`, "\n <updated>2020-01-01T00:00:00Z<"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(string(text), `rel="previous"`) {
		t.Error("the first page has a previous one")
	}
}
