package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"quire/internal/repotest"
	"quire/oai/protocol"
	"quire/oai/provider"
)

const (
	noRules  = "rules: []\n"
	takedown = "rules:\n  - urls: [http://a.example/, http://*.a.example/]\n    access: blocked\n    hidden: true\n"
)

// pages returns a package with pages of a host.
func pages(host string, n int) repotest.Package {
	text := ""
	for i := range n {
		text += response(fmt.Sprint(i), fmt.Sprintf("http://%s/%d", host, i), date1, "text/html", fmt.Sprint(host, i))
	}
	return repotest.Package{ID: host, Rights: "access: open\n", Containers: map[string]string{"a.warc": text}}
}

// specsOf returns the sets of an archive.
func specsOf(t *testing.T, a *Archive) string {
	t.Helper()
	var all []string
	for s, err := range a.Sets(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s.Spec)
	}
	return strings.Join(all, " ")
}

// A new rule closes published records: they become deleted after all lists answered so far and the
// current list. A record that was never published does not appear in any number or set.
func TestTakedown(t *testing.T) {
	r, c := newRepo(t), later()
	ctx := context.Background()
	r.Ingest(pages("a.example", 2))
	r.Ingest(pages("b.example", 1))
	a := r.open("oai", settings{Options: Options{Now: c.Now}, Rules: noRules})
	c.Add(time.Second)
	before := list(t, a, provider.Query{})
	if u := urls(t, before); strings.Count(u, "http") != 3 {
		t.Fatal(u)
	}
	first := provider.Position{Datestamp: before[0].Datestamp, Identifier: before[0].Identifier}

	r.rules(takedown)
	c.Add(time.Second)
	asked := c.Now()
	under := list(t, a, provider.Query{After: first}) // the current list
	c.Add(time.Second)
	since := list(t, a, provider.Query{From: asked})
	for name, headers := range map[string][]protocol.Header{"under way": under, "since": since,
		"anew": list(t, a, provider.Query{})} {
		if u := urls(t, headers); strings.Contains(u, "http://a.example/") &&
			strings.Count(u, "-http://a.example/") != strings.Count(u, "http://a.example/") {
			t.Errorf("%s: %s", name, u)
		}
	}
	if u := urls(t, since); strings.Count(u, "-http://a.example/") != 2 || strings.Contains(u, "b.example") {
		t.Errorf("since it was taken down: %s", u)
	}
	r.Ingest(repotest.Package{ID: "more", Rights: "access: open\n", Containers: map[string]string{
		"a.warc": response("1", "http://never.a.example/", date2, "video/mp4", "never"),
	}})
	c.Add(time.Second)
	if u := urls(t, list(t, a, provider.Query{})); strings.Contains(u, "never") {
		t.Errorf("never published: %s", u)
	}
	if s := specsOf(t, a); strings.Contains(s, "never") || strings.Contains(s, "video") || strings.Contains(s, "2016") {
		t.Errorf("sets: %s", s)
	}
	for _, h := range before {
		_, err := a.Resource(ctx, h.Identifier)
		if gone := strings.Contains(h.Identifier, "a.example"); gone != errors.Is(err, provider.ErrNotFound) || !gone &&
			err != nil {
			t.Errorf("%s: %v", h.Identifier, err)
		}
	}

	r.rules(noRules) // the rule is withdrawn
	asked = c.Now()
	c.Add(time.Second)
	if u := urls(t, list(t, a, provider.Query{From: asked.Add(time.Second)})); strings.Count(u,
		"http://a.example/") != 2 || strings.Contains(u, "-") || !strings.Contains(u, "never") {
		t.Errorf("open again: %s", u)
	}
}

// While a change of the rules is not yet in the lists, each record is decided when it is listed. No
// numbers and no sets are published.
func TestTakedownUnsettled(t *testing.T) {
	r, c := newRepo(t), later()
	r.Ingest(pages("a.example", 2))
	r.Ingest(pages("b.example", 1))
	hold, held := make(chan bool), false
	o := settings{Options: Options{Now: c.Now, Wait: 20 * time.Millisecond}, Rules: noRules}
	o.pause = func(p string) error {
		if held && p == "publish" {
			<-hold
		}
		return nil
	}
	a := r.open("oai", o)
	ctx := context.Background()
	if err := a.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	before := list(t, a, provider.Query{})
	held = true
	r.rules(takedown)
	c.Add(time.Second)
	var told []protocol.Header
	for h, err := range a.List(ctx, provider.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, h)
	}
	if u := urls(t, told); u != "http://b.example/0" {
		t.Errorf("told: %s", u)
	}
	if _, ok, err := a.Count(ctx, provider.Query{}); ok || err != nil {
		t.Errorf("a number is published: %v", err)
	}
	for _, err := range a.Sets(ctx, "") {
		if !errors.As(err, new(*provider.BusyError)) {
			t.Errorf("sets: %v", err)
		}
	}
	for _, h := range before {
		_, err := a.Header(ctx, h.Identifier)
		_, err2 := a.Resource(ctx, h.Identifier)
		if gone := strings.Contains(h.Identifier, "a.example"); gone != errors.Is(err, provider.ErrNotFound) ||
			gone != errors.Is(err2, provider.ErrNotFound) {
			t.Errorf("%s: %v, %v", h.Identifier, err, err2)
		}
	}
	close(hold)
	if err := a.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	c.Add(time.Second)
	if u := urls(t, list(t, a, provider.Query{})); strings.Count(u, "-http://a.example/") != 2 {
		t.Errorf("settled: %s", u)
	}
}

// A new version that closes a package applies before its records are in the lists.
func TestNewVersionUnsettled(t *testing.T) {
	r, c := newRepo(t), later()
	p := pages("a.example", 1)
	r.Ingest(p)
	hold, held := make(chan bool), false
	o := settings{Options: Options{Now: c.Now, Wait: 20 * time.Millisecond}}
	o.pause = func(p string) error {
		if held && p == "publish" {
			<-hold
		}
		return nil
	}
	a := r.open("oai", o)
	ctx := context.Background()
	if err := a.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	held = true
	p.Rights = "access: restricted\n"
	r.Ingest(p)
	if err := a.holdings.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	for h, err := range a.List(ctx, provider.Query{}) {
		t.Errorf("told: %v, %v", h, err)
	}
	if _, ok, err := a.Count(ctx, provider.Query{}); ok || err != nil {
		t.Errorf("a number is published: %v", err)
	}
	close(hold)
	if err := a.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	c.Add(time.Second)
	if u := urls(t, list(t, a, provider.Query{})); u != "-http://a.example/0" {
		t.Errorf("settled: %s", u)
	}
}

// While the rules are unreadable, no list is answered, because the rules may close any record.
func TestRulesUnreadable(t *testing.T) {
	r, c := newRepo(t), later()
	r.Ingest(pages("a.example", 1))
	told := 0
	a := r.open("oai", settings{Options: Options{Now: c.Now}, Rules: noRules, Problem: func(error) { told++ }})
	before := list(t, a, provider.Query{})
	ctx := context.Background()
	for _, wrong := range []string{"rules: {", "rules:\n  - {urls: [http://b.example/], acess: blocked}\n"} {
		r.rules(wrong)
		for h, err := range a.List(ctx, provider.Query{}) {
			if !errors.As(err, new(*provider.BusyError)) {
				t.Errorf("%v, %v", h, err)
			}
		}
		if _, err := a.Resource(ctx, before[0].Identifier); !errors.As(err, new(*provider.BusyError)) || told == 0 {
			t.Errorf("%v, told %d", err, told)
		}
	}
	r.rules(noRules + "\n")
	if got := list(t, a, provider.Query{}); fmt.Sprint(got) != fmt.Sprint(before) {
		t.Errorf("mended: %v", got)
	}
}

// Rules that begin or end on a day, and those on an age, take effect automatically.
func TestRulesWithDates(t *testing.T) {
	r, c := newRepo(t), later()
	c.Set(time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC))
	r.Ingest(pages("a.example", 1))
	r.Ingest(pages("b.example", 1))
	r.Ingest(pages("c.example", 1))
	a := r.open("oai", settings{Options: Options{Now: c.Now}, Rules: `rules:
  - {urls: [http://a.example/], access: blocked, hidden: true, asked: {from: 2030-01-01, to: 2030-06-30}}
  - {urls: [http://b.example/], access: onsite, younger-than: 20 years}
  - {urls: [http://c.example/], access: blocked, asked: {from: 2032-01-01}}
`})
	for _, at := range []struct {
		when, want string
	}{
		{"2030-05-01T12:00:00Z", "http://c.example/0"},
		{"2030-06-30T23:59:59Z", "http://c.example/0"},
		{"2030-07-01T00:00:00Z", "http://c.example/0 http://a.example/0"},
		{"2031-12-31T23:59:59Z", "http://c.example/0 http://a.example/0"},
		{"2032-01-01T00:00:00Z", "http://a.example/0 -http://c.example/0"},
		{"2035-01-02T03:04:04Z", "http://a.example/0 -http://c.example/0"},
		{"2035-01-02T03:04:05Z", "http://a.example/0 -http://c.example/0 http://b.example/0"},
	} {
		now, err := time.Parse(time.RFC3339, at.when)
		if err != nil {
			t.Fatal(err)
		}
		c.Set(now)
		headers := list(t, a, provider.Query{})
		if got := urls(t, headers); got != at.want {
			t.Errorf("at %s: %s, want %s", at.when, got, at.want)
		}
		if last := headers[len(headers)-1].Datestamp; strings.HasSuffix(at.when, "00:00:00Z") && !last.Equal(now) {
			t.Errorf("at %s: datestamp %s", at.when, last)
		}
	}
}

// A collection hidden by a rule has no set.
func TestHiddenCollection(t *testing.T) {
	r, c := newRepo(t), later()
	r.Ingest(pages("a.example", 1))
	r.Collect("coll", "Not to be told", "", "a.example")
	a := r.open("oai", settings{Options: Options{Now: c.Now}, Rules: noRules})
	if s := specsOf(t, a); !strings.Contains(s, "collection:coll") {
		t.Errorf("sets: %s", s)
	}
	r.rules("rules:\n  - {packages: [coll], access: blocked, hidden: true}\n")
	if s := specsOf(t, a); strings.Contains(s, "coll") {
		t.Errorf("sets: %s", s)
	}
	if got := list(t, a, provider.Query{}); len(got) != 1 || strings.Contains(fmt.Sprint(got), "coll") {
		t.Errorf("listed: %v", got)
	}
}

// The content coding of a revisit is the content coding of its original payload.
func TestRevisitOfCoded(t *testing.T) {
	r, c := newRepo(t), later()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte("the text"))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	r.Ingest(repotest.Package{ID: "p", Rights: "access: open\n", Containers: map[string]string{
		"a.warc": repotest.Response("1", "http://a.example/1", date1, "text/html", b.String(),
			"Content-Encoding: gzip") + revisitOf("2", "http://a.example/2", date2, b.String()),
	}})
	a := r.open("oai", settings{Options: Options{Now: c.Now}})
	headers := list(t, a, provider.Query{})
	if len(headers) != 2 {
		t.Fatal(headers)
	}
	for _, h := range headers {
		res, err := a.Resource(context.Background(), h.Identifier)
		if err != nil {
			t.Fatal(err)
		}
		body, err := res.Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(body); err != nil || !bytes.Equal(text, b.Bytes()) || res.Coding != "gzip" {
			t.Errorf("%s: coding %q, %v", res.URL, res.Coding, err)
		}
	}
}
