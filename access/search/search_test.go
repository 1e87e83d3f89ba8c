package search

import (
	"strings"
	"testing"
)

func TestFinds(t *testing.T) {
	h := newHouse(
		item{pkg: "p1", at: "20150101000000", url: "http://museum.example/", mime: "text/html", body: page("The harbour museum", "Welcome to the museum of ships, at the harbour of the city since 1950.")},
		item{pkg: "p1", at: "20160101000000", url: "http://museum.example/", mime: "text/html", body: page("The harbour museum", "Welcome to the museum of ships, which is closed for works until autumn.")},
		item{pkg: "p1", at: "20170101000000", url: "http://museum.example/", mime: "text/html", body: page("The harbour museum", "Bienvenue; nothing but a page about aeroplanes remains here for the time being.")},
		item{pkg: "p1", at: "20150102000000", url: "http://museum.example/tug/", mime: "text/html", body: page("The steam tug", "The steam tug of the harbour museum leaves the quay on Sundays at ten o'clock.")},
		item{pkg: "p1", at: "20150102000000", url: "http://museum.example/annual.txt", mime: "text/plain", body: "Report of the year: forty ships, one steam tug."},
		item{pkg: "p2", at: "20180102000000", url: "http://other.example/a", mime: "text/html", body: page("東京タワー", "東京タワーは港区にある電波塔です。")},
	)
	s := open(t, h)
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
		{"東京", "http://other.example/a"}, {"タワー", "http://other.example/a"}, {"電", "http://other.example/a"}, {"京都", ""},
		{"aeropl*", "http://museum.example/"},
		{"", "http://museum.example/ http://other.example/a http://museum.example/annual.txt http://museum.example/tug/"},
	} {
		if got := urls(ask(t, s, public, Query{Text: c.query})); got != c.want {
			t.Errorf("%q: %s, not %s", c.query, got, c.want)
		}
	}
	hit := ask(t, s, public, Query{Text: "ships"}).Hits[0]
	if hit.Matching != 2 || hit.Versions != 3 || hit.Capture.Timestamp != "20160101000000" || hit.First != "20150101000000" {
		t.Errorf("%+v", hit)
	}
	if got := text(hit.Snippet); !strings.HasPrefix(got, "Welcome to the museum of [ships], which is closed") {
		t.Errorf("%s", got)
	}
}
