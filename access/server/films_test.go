package server

import (
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/accesscontrol"
)

// TestFilmsOfTheMatrix checks that an open playlist, which names all open and closed captures as its
// variants, offers each reader those that they may see, and no others.
func TestFilmsOfTheMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("a repository with each reason of open or closed access")
	}
	t.Parallel()
	r, o, cases := holdingstest.Matrix(t)
	const master = "http://films.example/master.m3u8"
	text := "#EXTM3U\n"
	for i := range cases {
		text += "#EXT-X-STREAM-INF:BANDWIDTH=1\n" + cases[i].URL + "\n"
	}
	r.Ingest(holdingstest.Package{ID: "films", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("master", master, "2015-01-02T03:04:05Z", "audio/mpegurl", text)}})
	c := config(t)
	c.Rules, c.Unstated = o.Rules, string(o.Unstated)
	c.OnSite = []accesscontrol.Agreement{{Networks: []string{"192.0.2.0/24"}}}
	s := open(t, r, Options{Config: c, Location: time.UTC, Problem: func(error) {}})
	for _, who := range []*asker{{class: holdings.Public, from: abroad}, {class: holdings.OnSite, from: home},
		{class: holdings.Staff, from: abroad}} {
		for i := range cases {
			// the access token of each case, as a page of its package would have it
			in := who.in(t, s, &cases[i])
			a := ask(t, s, "GET", address.Replay(archived).Capture(in, capture, "ir_", master), who.from)
			if a.status != 200 {
				t.Fatalf("%s: %d %s", who.class, a.status, a.body)
			}
			allowed := cases[i].Of(who.class) == holdingstest.Allowed
			if got := strings.Contains(a.body, "\n"+cases[i].URL+"\n"); got != allowed {
				t.Errorf("%s, %s is offered: %v", who.class, cases[i].Name, got)
			}
		}
	}
}
