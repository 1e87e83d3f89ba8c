package server

import (
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/holdings/holdingstest"
)

// TestSomeOfAURL: if a URL has an open and a closed capture, lists for machines contain only the
// open one.
func TestSomeOfAURL(t *testing.T) {
	const page = "http://a.example/"
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", page, "2015-01-02T03:04:05Z", "text/html", "<p>one") +
			holdingstest.Response("2", page, "2019-01-02T03:04:05Z", "text/html", "<p>two"),
	}})
	c := config(t)
	c.Rules = r.Rules("rules:\n  - captured: {from: 2018-01-01}\n    access: blocked\n    message: no\n")
	s := open(t, r, Options{Config: c, Location: time.UTC, Problem: func(err error) { t.Error(err) }})
	at, in := address.Replay(archived), address.In{Collection: address.All}
	for _, list := range []string{at.TimeMap(in, "link", "", page), at.TimeMap(in, "json", "", page),
		at.TimeMap(in, "cdxj", "", page), at.CDX(in) + "?url=" + page} {
		a := ask(t, s, "GET", list, abroad)
		if a.status != 200 || !strings.Contains(a.body, "20150102030405") ||
			strings.Contains(a.body, "20190102030405") {
			t.Errorf("%s: %d %s", list, a.status, a.body)
		}
	}
}
