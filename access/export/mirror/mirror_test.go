package mirror

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/export"
	"quire/access/export/unpack"
	"quire/format/csslink"
	"quire/format/htmllink"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/pack"
	"quire/repository/store"
)

func run(t *testing.T, st *store.Store, h *holdings.Holdings, q export.Request) (string, *export.Result) {
	t.Helper()
	q.As, q.Out = "mirror", filepath.Join(t.TempDir(), "out")
	result, err := export.Run(t.Context(), st, h, q, Formats())
	if err != nil {
		t.Fatal(err)
	}
	return q.Out, result
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMirror(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open",
		Containers: map[string]string{"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z",
			"text/html",
			`<title>Old</title><a href="/b/c?d=1">x</a>`) +
			holdingstest.Response("2", "http://a.example/", "2016-01-02T03:04:05Z", "text/html",
				`<title>New & <b></title><link rel=stylesheet href=/s.css><a href="http://a.example/b/c?d=1#x">x</a>`+
					`<a `+
					`href=/secret>s</a><a href=http://else.example/>e</a><img src=i.png>`) +
			holdingstest.Response("3", "http://a.example/b/c?d=1", "2015-01-02T03:04:06Z", "text/html",
				`<title>C</title><a href="../">up</a>`) +
			holdingstest.Response("4", "http://a.example/s.css", "2015-01-02T03:04:07Z", "text/css",
				`body{background:url("i.png")}`) +
			holdingstest.Response("5", "http://a.example/i.png", "2015-01-02T03:04:07Z", "image/png", "\x89PNG") +
			holdingstest.Response("6", "http://a.example/secret", "2015-01-02T03:04:07Z", "text/html", "<p>secret"),
		}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [http://a.example/secret]\n    access: " +
		"restricted\n")})
	dir, result := run(t, r.Store, h, export.Request{ID: "site-1"})
	front := read(t, dir, "web", "a.example", "index.html")
	if !strings.Contains(front, "New") || !strings.Contains(front, "href=http://else.example/") {
		t.Errorf("%s", front)
	}
	checkLinks(t, dir)
	start := read(t, dir, startPage)
	if !strings.Contains(start, `<a href="web/a.example/index.html">New &amp; &lt;b&gt;</a>`) ||
		strings.Contains(start, "secret") {
		t.Errorf("%s", start)
	}
	// a page, and the rights file
	if n := strings.Count(read(t, dir, unpack.NamesName), "\n"); n != 4 || result.KeptBack[export.ByRights] != 2 {
		t.Errorf("%d files, %+v", n, result)
	}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(read(t, dir, p), "<p>secret") {
			t.Errorf("%s contains withheld content", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	dir, _ = run(t, r.Store, h, export.Request{ID: "site-1", Options: export.Options{At: "2015"}})
	if front := read(t, dir, "web", "a.example", "index.html"); !strings.Contains(front, "Old") {
		t.Errorf("%s", front)
	}
	checkLinks(t, dir)
}

// TestBomb: a decompression bomb of a few hundred bytes is withheld and listed; all other content
// is exported.
func TestBomb(t *testing.T) {
	twice := strings.Repeat("\x00", 20<<20)
	for range 2 {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := io.WriteString(z, twice); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		twice = b.String()
	}
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open",
		Containers: map[string]string{"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z",
			"text/html", "<p>here") +
			holdingstest.Response("2", "http://a.example/bomb.png", "2015-01-02T03:04:06Z", "image/png", twice,
				"Content-Encoding: gzip, gzip")}})
	dir, result := run(t, r.Store, r.Open(holdings.Options{}), export.Request{ID: "site-1"})
	if result.KeptBack[export.NoPlace] != 1 || result.Bytes > 1<<20 ||
		!strings.Contains(read(t, dir, "web", "a.example", "index.html"), "here") {
		t.Errorf("of %d bytes: %+v", len(twice), result)
	}
}

func TestMomentOf(t *testing.T) {
	for at, want := range map[string]string{"": "", "2015": "20150101000000", "201503": "20150301000000",
		"20150304050607": "20150304050607", "15": "!", "2015-01-01": "!"} {
		got, err := momentOf(at)
		if err != nil {
			got = "!"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", at, got, want)
		}
	}
}

// TestSamplesFromDisk: in the export of a real site, every link between files has a target.
func TestSamplesFromDisk(t *testing.T) {
	r := holdingstest.New(t)
	rights := filepath.Join(t.TempDir(), "rights.yaml")
	if err := os.WriteFile(rights, []byte("access: open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "package")
	_, err := pack.Pack(t.Context(),
		[]string{testsamples.Path(t, "samples", "_made", "crawls", "wget", "wget-devref.warc.gz")},
		pack.Options{Out: out, ID: "devref", Rights: rights, Agent: model.Agent{Name: "Quire", Version: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := aip.Describe(os.DirFS(out)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Store.Ingest(t.Context(), out, store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	dir, _ := run(t, r.Store, r.Open(holdings.Options{}), export.Request{ID: "devref"})
	if n := checkLinks(t, dir); n < 200 {
		t.Errorf("only %d links lead from file to file", n)
	}
}

// checkLinks follows every link of every file below dir, on the disk. It returns the number of
// links to files.
func checkLinks(t *testing.T, dir string) (followed int) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(filepath.Join(dir, p))
		if err != nil {
			return err
		}
		defer f.Close()
		switch path.Ext(p) {
		case ".html":
			s := htmllink.NewScanner(f, htmllink.Options{})
			for l, err := s.Next(); err == nil; l, err = s.Next() {
				followed += follow(t, dir, p, string(l.Value), l.Kind == htmllink.Navigation ||
					l.Kind == htmllink.Citation || l.Kind == htmllink.Fragment)
			}
		case ".css":
			s := csslink.NewScanner(f)
			for l, err := s.Next(); err == nil; l, err = s.Next() {
				followed += follow(t, dir, p, string(l.Value), false)
			}
		}
		return nil
	})
	if err != nil && err != io.EOF { //nolint:errorlint // of a test
		t.Error(err)
	}
	return followed
}

// follow resolves a link: to a file, to nowhere, or, if a reader has to click it, to the web.
func follow(t *testing.T, dir, from, link string, clicked bool) int {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Opaque != "" || u.Scheme == "data" || u.Scheme == "about" || u.Scheme == "javascript" {
		return 0
	}
	if u.Scheme != "" || u.Host != "" {
		if !clicked {
			t.Errorf("%s would load %s from the web", from, link)
		}
		return 0
	}
	if u.Path == "" {
		return 0
	}
	to := path.Join(path.Dir(from), u.Path)
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(to))); err != nil {
		t.Errorf("%s: %q leads to %s, which is not there", from, link, to)
		return 0
	}
	return 1
}
