package dspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"quire/access/export"
	"quire/access/holdings"
	"quire/access/holdings/holdingstest"
)

// site is a small website with all that makes trouble.
func site() holdingstest.Package {
	const d1, d2 = "2015-01-02T03:04:05Z", "2016-01-02T03:04:05Z"
	eicar := holdingstest.EICAR()
	return holdingstest.Package{ID: "site-1", Rights: "access: open", Scan: true, Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("1", "http://a.example/", d1, "text/html", `<title>Old</title>`) +
		holdingstest.Response("2", "http://a.example/", d2, "text/html", `<html><head><title>Home &amp; all</title><link rel=stylesheet href="/s.css"></head><body>
<img src="/i/logo.png"><a href="/news/">News</a> <a href="/old">Old</a> <a href="/virus.exe">v</a> <a href="http://gone.example/x">Gone</a>
<form action="/search"><input name=q></form> <a href="mailto:a@a.example">Mail</a></body></html>`) +
		holdingstest.Response("3", "http://a.example/s.css", d1, "text/css", `body{background:url(i/bg.png)}`) +
		holdingstest.Response("4", "http://a.example/i/logo.png", d1, "image/png", "\x89PNG\r\n\x1a\nlogo") +
		holdingstest.Response("5", "http://a.example/i/bg.png", d1, "image/png", "\x89PNG\r\n\x1a\nbg") +
		holdingstest.Response("6", "http://a.example/news/", d1, "text/html; charset=utf-8", `<title>Café</title><a href="../?q=1&amp;r">up</a><a href="/">home</a>`) +
		holdingstest.Redirect("7", "http://a.example/old", d1, "http://a.example/news/") +
		holdingstest.Response("8", "http://a.example/virus.exe", d1, "application/octet-stream", eicar) +
		holdingstest.Response("9", "http://a.example/?q=1&r", d1, "text/html", "<p>query") +
		holdingstest.Answer("10", "http://a.example/404", d1, "404 Not Found", "no", "Content-Type: text/html") +
		holdingstest.Revisit("11", "http://a.example/i/logo2.png", d2, "image/png", "\x89PNG\r\n\x1a\nlogo", "http://a.example/i/logo.png", d1),
	}}
}

// run makes an export.
func run(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, q export.Request) (string, *export.Result) {
	t.Helper()
	q.Out = filepath.Join(t.TempDir(), "out")
	result, err := export.Run(t.Context(), r.Store, h, q, Formats())
	if err != nil {
		t.Fatal(err)
	}
	return q.Out, result
}

func list(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWebsiteAsItem(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(site())
	h := r.Open(holdings.Options{})
	dir, result := run(t, r, h, export.Request{ID: "site-1", As: "dspace-saf"})
	t.Log(result)
	for _, f := range list(t, dir) {
		t.Log(f)
	}
	for _, f := range []string{"contents", "dublin_core.xml", "metadata_dcterms.xml", "a.example/index.html", "a.example/s.css", "quire/names.jsonl", "quire/kept-back.json", "quire/mods.xml"} {
		t.Logf("== %s\n%s", f, read(t, dir, "item_000001", f))
	}
}
