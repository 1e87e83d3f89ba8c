package missed_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/missed"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/model"
)

// crawlLog returns a Heritrix log with n URLs of three hosts that were not captured, a capture
// after every thousandth, and a broken line.
func crawlLog(n int) string {
	var b strings.Builder
	for i := range n {
		status := []int{-1, -2, -9998, -5003, -404}[i%5]
		fmt.Fprintf(&b,
			"2015-01-02T03:%02d:%02d.000Z %5d          - http://h%d.example/p/%06d L http://h0.example/ text/html "+
				"#001 - - - -\n", i/60%60, i%60, status, i%3, i)
		if i%1000 == 0 {
			fmt.Fprintf(&b,
				"2015-01-02T03:04:05.000Z   200         10 http://h0.example/got/%d L http://h0.example/ text/html "+
					"#001 20150102030405000+10 sha1:AAAA - -\n", i)
		}
	}
	return b.String() + "this is no line of a log\n"
}

const robots = "2015-01-02T03:04:05.000Z -9998          - http://one.example/robots-say-no L http://one.example/ " +
	"text/html #001 - - - -\n"

func made(t *testing.T, packages ...holdingstest.Package) (*holdingstest.Repository, *holdings.Holdings,
	*missed.Lists) {
	t.Helper()
	r := holdingstest.New(t)
	for _, p := range packages {
		p.Containers = map[string]string{"arcs/a.warc": holdingstest.Response("1", "http://h0.example/",
			"2015-01-02T03:04:05Z", "text/html", "<p>one")}
		r.Ingest(p)
	}
	h := r.Open(holdings.Options{Rules: r.Rules("rules: []\n")})
	lists := missed.Open(filepath.Join(r.Dir, "access-lists"), h)
	t.Cleanup(func() { _ = lists.Close() })
	return r, h, lists
}

func TestALogFullOfMisses(t *testing.T) {
	const n = 20_000
	_, h, lists := made(t, holdingstest.Package{ID: "site", Rights: "access: open",
		Logs: map[string]string{"logs/crawl.log": crawlLog(n)}})
	list, err := lists.Of(t.Context(), "site", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = list.Close() }()
	names, err := h.Naming(t.Context(), holdings.Reader{Class: holdings.Public}, "site", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, harvest := range []int{-1, 0, 2, 9} {
		if _, err := h.Naming(t.Context(), holdings.Reader{Class: holdings.Staff}, "site", harvest); err == nil ||
			!strings.Contains(err.Error(), "has no harvest") {
			t.Errorf("harvest %d of a package with one: %v", harvest, err)
		}
	}
	view := list.For(names)
	if !view.Whole() {
		t.Error("rows of an open package are withheld")
	}
	if list.Total() != n || list.Attempts() != n+n/1000 || list.Odd() != 1 || len(list.Problems()) != 0 {
		t.Errorf("%d missed of %d, %d lines odd, %q; want %d of %d, 1", list.Total(), list.Attempts(), list.Odd(),
			list.Problems(), n, n+n/1000)
	}
	p, err := h.Package(t.Context(), holdings.Reader{Class: holdings.Public}, "site")
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range []model.Miss{model.MissNetwork, model.MissRobots, model.MissQuota, model.MissServer} {
		note := fmt.Sprintf("not captured, %s: %d", reason, list.Of(reason))
		if !strings.Contains(strings.Join(p.Harvests[0].Missed, "\n"), note) {
			t.Errorf("the list has %q, the METS %q", note, p.Harvests[0].Missed)
		}
	}

	seen := map[string]bool{}
	last := ""
	for row, err := range view.Each(missed.Query{Most: 999}) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[row.URL] {
			t.Fatalf("%s twice", row.URL)
		}
		seen[row.URL] = true
		if key := fmt.Sprint(row.Reason, "\x00", row.Host, "\x00", row.URL); key < last {
			t.Fatalf("%q behind %q", key, last)
		} else {
			last = key
		}
	}
	if len(seen) != n {
		t.Errorf("%d rows on all pages, want %d", len(seen), n)
	}

	page, err := list.Page(missed.Query{Reason: model.MissRobots, Host: "h1.example", Most: 2})
	if err != nil || len(page.Rows) != 2 || page.Next == 0 || len(page.Hosts) != 3 {
		t.Fatalf("%+v, %v", page, err)
	}
	want := 0
	for i := range n {
		if i%5 == 2 && i%3 == 1 {
			want++
		}
	}
	if page.Total != int64(want) {
		t.Errorf("%d forbidden by robots.txt on one host, want %d", page.Total, want)
	}
	row := page.Rows[0]
	if row.URL != "http://h1.example/p/000007" || row.Status != -9998 || row.Words != "robots.txt forbids it" ||
		list.Log(row.Log) != "logs/logs/crawl.log" || row.Line != 9 ||
		row.Time.Format("150405") != "030007" {
		t.Errorf("%+v in %q", row, list.Log(row.Log))
	}
	all := 0
	// the last page is full
	for row, err := range view.Each(missed.Query{Reason: model.MissRobots, Host: "h1.example", Most: want / 3}) {
		if err != nil || row.Host != "h1.example" || row.Reason != model.MissRobots {
			t.Fatal(row, err)
		}
		all++
	}
	if all != want {
		t.Errorf("%d rows, want %d", all, want)
	}
	if last, err := list.Page(missed.Query{Reason: model.MissServer, Host: "h2.example", Most: n}); err != nil ||
		last.Next != 0 {
		t.Errorf("a page with all says that there is more: %v", err)
	}
}

func TestKept(t *testing.T) {
	p := holdingstest.Package{ID: "site", Rights: "access: open", Logs: map[string]string{"logs/crawl.log": robots}}
	r, h, lists := made(t, p)
	dir := filepath.Join(r.Dir, "access-lists", missed.DirName)
	first, err := lists.Of(t.Context(), "site", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Close() }()
	names := listed(t, dir)
	if len(names) != 1 {
		t.Fatalf("%q", names)
	}
	if err := os.WriteFile(filepath.Join(dir, names[0]), []byte("torn"), 0o666); err != nil {
		t.Fatal(err)
	}
	again, err := lists.Of(t.Context(), "site", 1)
	if err != nil || again.Total() != 1 {
		t.Fatalf("a torn list is not made again: %v", err)
	}
	_ = again.Close()

	p.Containers = map[string]string{"arcs/a.warc": holdingstest.Response("1", "http://h0.example/",
		"2015-01-02T03:04:05Z", "text/html", "<p>one")}
	p.Logs = map[string]string{"logs/crawl.log": robots + strings.ReplaceAll(robots, "no ", "never ")}
	r.Ingest(p)
	if _, err := h.Package(t.Context(), holdings.Reader{Class: holdings.Public}, "site"); err != nil {
		t.Fatal(err)
	}
	next, err := lists.Of(t.Context(), "site", 1)
	if err != nil || next.Total() != 2 {
		t.Fatalf("the next version: %v", err)
	}
	_ = next.Close()
	if now := listed(t, dir); len(now) != 1 || now[0] == names[0] {
		t.Errorf("kept are %q, before %q", now, names)
	}
}

func listed(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestNobodyWaits(t *testing.T) {
	_, _, lists := made(t, holdingstest.Package{ID: "site", Rights: "access: open",
		Logs: map[string]string{"logs/crawl.log": robots}})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lists.Of(gone, "site", 1); err == nil {
		t.Error("a list for a cancelled request")
	}
	if _, err := lists.Of(t.Context(), "elsewhere", 1); err == nil {
		t.Error("a list of a package that is not there")
	}
	list, err := lists.Of(t.Context(), "site", 1)
	if err != nil {
		t.Fatal(err)
	}
	_ = list.Close()
}

func TestNoLog(t *testing.T) {
	_, _, lists := made(t, holdingstest.Package{ID: "site", Rights: "access: open"})
	list, err := lists.Of(t.Context(), "site", 1)
	if err != nil || list.Attempts() != 0 || list.Total() != 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	if p, err := list.Page(missed.Query{Most: 10}); err != nil || len(p.Rows) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	_ = list.Close()
}
