package search

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/longwork"
)

// anchors is a page with links.
func anchors(to ...string) string {
	var b strings.Builder
	for _, t := range to {
		fmt.Fprintf(&b, `<a href="%s">x</a> `, t)
	}
	return page("Links", b.String())
}

// linksOf returns the links of a host in one line.
func linksOf(t *testing.T, s Engine, who holdings.Reader, q LinkQuery) string {
	t.Helper()
	r, err := s.Links(t.Context(), who, q)
	if err != nil {
		t.Fatal(err)
	}
	list := func(all []LinkedHost) string {
		var some []string
		for _, h := range all {
			some = append(some, fmt.Sprintf("%s %d %s-%s", h.Host, h.Pages, h.First[:4], h.Last[:4]))
		}
		return strings.Join(some, ", ")
	}
	return fmt.Sprintf("%d pages: %s > %s", r.Pages, list(r.Incoming), list(r.Outgoing))
}

// linkedHouse has pages of three hosts. a has two versions of its front page; b and c have the same bytes.
func linkedHouse() *house {
	same := anchors("http://a.example/", "//d.example/x", "mailto:x@e.example", "javascript:f()", "/own",
		"own?x=http://e.example/")
	return newHouse(
		item{pkg: "p", at: "20100101000000", url: "http://a.example/", mime: "text/html",
			body: anchors("http://www.b.example/1", "http://b.example/2", "https://secret.example/")},
		item{pkg: "p", at: "20150101000000", url: "http://a.example/", mime: "text/html",
			body: anchors("http://b.example/1", "http://user:pw@d.example:8080/")},
		item{pkg: "p", at: "20150101000001", url: "http://a.example/two", mime: "text/html",
			body: anchors("http://b.example/")},
		item{pkg: "p", at: "20150101000002", url: "http://a.example/file", mime: "text/plain",
			body: "no link: http://plain.example/"},
		item{pkg: "q", at: "20160101000000", url: "http://www.b.example/", mime: "text/html", body: same},
		item{pkg: "q", at: "20170101000000", url: "http://c.example/", mime: "text/html", body: same},
		item{pkg: "secret", at: "20170101000000", url: "https://secret.example/", mime: "text/html",
			body: anchors("http://a.example/", "http://b.example/")},
	)
}

// TestLinks: pages count once for each host, by their URL; the page's own host is left out.
func TestLinks(t *testing.T) {
	s := openEngine(t, linkedHouse())
	for _, c := range []struct {
		q    LinkQuery
		want string
	}{
		{LinkQuery{Host: "a.example"}, "2 pages: b.example 1 2016-2016, c.example 1 2017-2017, " +
			"secret.example 1 2017-2017 > b.example 2 2010-2015, d.example 1 2015-2015, secret.example 1 2010-2010"},
		{LinkQuery{Host: "www.A.example", From: 2015, To: 2016}, "2 pages: b.example 1 2016-2016" +
			" > b.example 2 2015-2015, d.example 1 2015-2015"},
		{LinkQuery{Host: "d.example"}, "0 pages: a.example 1 2015-2015, " +
			"b.example 1 2016-2016, c.example 1 2017-2017 > "},
		{LinkQuery{Host: "c.example"}, "1 pages:  > a.example 1 2017-2017, d.example 1 2017-2017"},
		{LinkQuery{Host: "e.example"}, "0 pages:  > "},
		{LinkQuery{Host: ""}, "0 pages:  > "},
	} {
		if got := linksOf(t, s, public, c.q); got != c.want {
			t.Errorf("%+v: %s\nwant %s", c.q, got, c.want)
		}
	}
}

// TestLinkRights: pages that the reader may not see do not count. A host that is hidden looks like one that was
// never captured.
func TestLinkRights(t *testing.T) {
	h := linkedHouse()
	h.rule(func(who holdings.Reader, c *captures.Capture) holdings.Decision {
		if c.Package == "secret" && who.Class == holdings.Public {
			return holdings.Decision{Verdict: holdings.Restricted, Hidden: true}
		}
		return holdings.Decision{Verdict: holdings.Open, Allowed: true}
	})
	s := openEngine(t, h)
	for _, c := range []struct {
		class holdings.Class
		host  string
		want  string
	}{
		{holdings.Public, "a.example", "2 pages: b.example 1 2016-2016, c.example 1 2017-2017" +
			" > b.example 2 2010-2015, d.example 1 2015-2015, secret.example 1 2010-2010"},
		{holdings.Public, "secret.example", "0 pages: a.example 1 2010-2010 > "},
		{holdings.Staff, "secret.example", "1 pages: a.example 1 2010-2010 > " +
			"a.example 1 2017-2017, b.example 1 2017-2017"},
	} {
		if got := linksOf(t, s, holdings.Reader{Class: c.class}, LinkQuery{Host: c.host}); got != c.want {
			t.Errorf("%s of %s: %s\nwant %s", c.host, c.class, got, c.want)
		}
	}
}

// TestLinksGone: links go with the pages, and compaction leaves no trace of their hosts.
func TestLinksGone(t *testing.T) {
	h := linkedHouse()
	s := open(t, h)
	delete(h.packages, "secret")
	delete(h.states, "secret")
	delete(h.items, keyOf("https://secret.example/"))
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := linksOf(t, s, public, LinkQuery{Host: "b.example"}); !strings.HasPrefix(got, "1 pages: a.example 2") {
		t.Error(got)
	}
	h.packages["p"] = h.packages["p"][1:]
	h.items[keyOf("http://a.example/")] = h.items[keyOf("http://a.example/")][1:]
	h.states["p"] += "+"
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	var hosts []string
	if err := each(t.Context(), s.db, `SELECT name FROM link_host ORDER BY name`, func(r *sql.Rows) error {
		var host string
		err := r.Scan(&host)
		hosts = append(hosts, host)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(hosts, " "); got != "a.example b.example d.example" {
		t.Errorf("hosts that are left: %s", got)
	}
}

// TestHostLinksJSON: empty lists are lists.
func TestHostLinksJSON(t *testing.T) {
	r, err := open(t, linkedHouse()).Links(t.Context(), public, LinkQuery{Host: "e.example"})
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := json.Marshal(r); string(b) != `{"host":"e.example","pages":0,"incoming":[],"outgoing":[],"more":false}` {
		t.Errorf("%s", b)
	}
}

// TestLinksByIndex: the URLs of a host are found by an index. A text index of an earlier program has none: its links
// are found without, and the next update adds the index.
func TestLinksByIndex(t *testing.T) {
	h, dir := linkedHouse(), t.TempDir()
	s := openIn(t, dir, h)
	want := linksOf(t, s, public, LinkQuery{Host: "a.example"})
	const byIndex = "SEARCH url USING COVERING INDEX url_host"
	if plan := planOf(t, s); !strings.Contains(plan, byIndex) || strings.Contains(plan, "SCAN") {
		t.Errorf("plan of a new index: %s", plan)
	}
	if _, err := s.db.ExecContext(t.Context(), `DROP INDEX url_host`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), dir, h, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if plan := planOf(t, s); !strings.Contains(plan, "SCAN") {
		t.Errorf("the opening adds the index: %s", plan)
	}
	if got := linksOf(t, s, public, LinkQuery{Host: "a.example"}); got != want {
		t.Errorf("without the index: %s\nwant %s", got, want)
	}
	var said []string
	for range 2 {
		ctx := longwork.With(t.Context(), 0, func(text string) { said = append(said, text) })
		if err := s.Update(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if len(said) != 2 { // the beginning and the end, of the first update
		t.Errorf("reported: %q", said)
	}
	if plan := planOf(t, s); !strings.Contains(plan, byIndex) || strings.Contains(plan, "SCAN") {
		t.Errorf("plan after an update: %s", plan)
	}
	if got := linksOf(t, s, public, LinkQuery{Host: "a.example"}); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// planOf returns the plan of SQLite for the URLs of a host.
func planOf(t *testing.T, s *Search) (plan string) {
	t.Helper()
	if err := each(t.Context(), s.db, "EXPLAIN QUERY PLAN "+urlsOfHost, func(r *sql.Rows) error {
		var id, parent, unused int
		var step string
		err := r.Scan(&id, &parent, &unused, &step)
		plan += step + "; "
		return err
	}, "a.example"); err != nil {
		t.Fatal(err)
	}
	return plan
}
