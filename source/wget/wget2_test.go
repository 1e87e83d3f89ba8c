package wget

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// attempts2 reads a log, and returns an attempt per line.
func attempts2(t *testing.T, text string) (string, *journal) {
	t.Helper()
	var b strings.Builder
	j := &journal{}
	r := &logReader{journal: j, attempt: func(a *attempt) bool {
		b.WriteString(strings.ReplaceAll(toldOf(a), " 00:00:00 ", " ") + "\n")
		return true
	}, turned: func(name, result string) { b.WriteString(name + ": " + result + "\n") }}
	if err := readLog(strings.NewReader(text), r); err != nil {
		t.Fatal(err)
	}
	return b.String(), j
}

// begin2 is the first line of a log, which shows that Wget2 wrote it.
const begin2 = "[0] Downloading 'http://a.test:81/robots.txt' ...\n"

// TestLogOfWget2 has the lines of Wget2 1.99.1.
func TestLogOfWget2(t *testing.T) {
	head := func(lines string) string {
		return "# got header 9 bytes:\nHTTP/1.1 " + strings.ReplaceAll(lines, "\n", "\r\n") + "\r\n\r\n"
	}
	for _, c := range []struct{ name, log, want string }{
		{"a page", "Saving 'a.test/index.html'\nHTTP response 200 OK [http://a.test:81/]\n",
			"http://a.test:81/ 200 reason=OK file=a.test/index.html saved\n"},
		{"an error", "HTTP ERROR response 404 Not Found [http://a.test:81/gone]\n",
			"http://a.test:81/gone 404 reason=Not Found\n"},
		{"names of two threads, in the other order",
			"Saving 'a.test/1'\nSaving 'a.test/2?x=%2F'\n[4] Downloading 'http://a.test:81/3' ...\n" +
				"HTTP response 200 OK [http://a.test:81/2?x=/]\nHTTP response 200 OK [http://a.test:81/1]\n",
			"http://a.test:81/2?x=/ 200 reason=OK file=a.test/2?x=%2F saved\n" +
				"http://a.test:81/1 200 reason=OK file=a.test/1 saved\n"},
		{"an extension and a number", "[1] Downloading 'http://a.test:81/x' ...\nSaving 'a.test/p.html'\n" +
			"Saving 'a.test/f.1'\n" +
			"HTTP response 200 OK [http://a.test:81/p]\nHTTP response 200 OK [http://a.test:81/f]\n",
			"http://a.test:81/p 200 reason=OK file=a.test/p.html saved\n" +
				"http://a.test:81/f 200 reason=OK file=a.test/f.1 saved\n"},
		{"a name of a redirect, among others", "[1] Downloading 'http://a.test:81/new' ...\n" +
			"HTTP response 302 Found [http://a.test:81/old]\nSaving 'a.test/other'\nSaving 'a.test/old'\n" +
			"HTTP response 200 OK [http://b.test/new]\n",
			"http://a.test:81/old 302 reason=Found\nhttp://b.test/new 200 reason=OK file=a.test/old saved\n"},
		{"no name of another thread", "[1] Downloading 'http://a.test:81/x' ...\nSaving 'a.test/x'\n" +
			"HTTP response 200 OK [http://a.test:81/robots.txt]\n", "http://a.test:81/robots.txt 200 reason=OK\n"},
		{"a body that broke off", "Saving 'a.test/s'\nJust got 5 of 20 bytes\n" +
			"HTTP response 200 OK [http://a.test:81/s]\n",
			"http://a.test:81/s 200 reason=OK file=a.test/s problem=Just got 5 of 20 bytes got=5\n"},
		{"a body with more", "Saving 'a.test/s'\nBody too large: 80 instead of 50 bytes\n" +
			"HTTP response 200 OK [http://a.test:81/s]\n",
			"http://a.test:81/s 200 reason=OK file=a.test/s " +
				"problem=Body too large: 80 instead of 50 bytes got=80 saved\n"},
		{"characters that no URL has, and a line break", "Saving 'a.test/a\nb<é>.html'\n" +
			"HTTP response 200 OK [http://a.test:81/a\nb<é>.html]\n",
			"http://a.test:81/a%0Ab%3C%C3%A9%3E.html 200 reason=OK file=a.test/a\nb<é>.html saved\n"},
		{"a reason with brackets", "HTTP ERROR response 404 no [x] [http://a.test:81/]\n",
			"http://a.test:81/ 404 reason=no [x]\n"},
		{"heads", head("302 Found\nLocation: /b\n") + "HTTP response 302 Found [http://a.test:81/a]\n" +
			head("200 OK\nContent-Type: text/css\n") + "HTTP response 200 OK [http://a.test:81/b]\n",
			"http://a.test:81/a 302 reason=Found to=/b\nhttp://a.test:81/b 200 reason=OK mime=text/css\n"},
		{"heads of two threads that may be exchanged", head("200 OK\nContent-Type: text/css\n") +
			head("200 OK\nContent-Type: text/html\n") + "HTTP response 200 OK [http://a.test:81/a]\n" +
			"HTTP response 200 OK [http://a.test:81/b]\n", "http://a.test:81/a 200 reason=OK\n" +
			"http://a.test:81/b 200 reason=OK\n"},
		{"converted links", "Downloaded: 2 files, 9  bytes, 0 redirects, 0 errors\n" +
			"convert a.test/1 http://a.test:81/1 CP1252\n" +
			"  x -> http://a.test:81/x\nconvert a.test/2 http://a.test:81/2 CP1252\n",
			"a.test/1: 1\na.test/2: nothing to do\n"},
	} {
		got, j := attempts2(t, begin2+c.log)
		if got != c.want || j.Software != "Wget2" || len(j.Loose) > 0 {
			t.Errorf("%s: %q, want %q; %+v", c.name, got, c.want, j)
		}
	}
	if !isLog([]byte(begin2)) || isLog([]byte("[0] Downloading nothing\n")) {
		t.Error("the first line decides")
	}
	_, j := attempts2(t, begin2+"Just got 5 of 20 bytes\n[1] Downloading 'http://a.test/' ...\n"+
		"HTTP response 200 OK [http://a.test:81/s]\n")
	if len(j.Loose) != 1 || j.Loose[0] != (loose{2, "Just got 5 of 20 bytes"}) {
		t.Errorf("a length of an unknown response: %+v", j.Loose)
	}
	_, j = attempts2(t, begin2+"# sent 9 bytes:\nGET / HTTP/1.1\r\nUser-Agent: wget2/1.99.1\r\nCookie: a=b\r\n\r\n")
	if j.Agent != "wget2/1.99.1" || len(j.Revealing) != 1 {
		t.Errorf("a request: %+v", j)
	}
}

// TestMirrorOfWget2 has a mirror whose folders have no ports, and names that several URLs share.
func TestMirrorOfWget2(t *testing.T) {
	page := func(name, url string) string {
		return "[1] Downloading 'http://" + url + "' ...\nSaving 'a.test/" + name +
			"'\nHTTP response 200 OK [http://" + url + "]\n"
	}
	m := onlyMirror(t, folder(t, map[string]string{
		"w.log": begin2 + page("index.html", "a.test:81/") + page("x.bin", "a.test:81/x.bin") +
			page("index.html", "a.test:82/") + page("n", "a.test:81/n") + page("n/in", "a.test:81/n/in") +
			page("x.txt.orig", "a.test:81/x.txt.orig") + page("x.txt", "a.test:81/x.txt") +
			page("p.html", "a.test:81/p.html") +
			"HTTP response 302 Found [http://a.test:81/old]\n" + page("old", "b.test:83/new") +
			"Saving 'a.test/s.bin'\nJust got 5 of 20 bytes\nHTTP response 200 OK [http://a.test:81/s.bin]\n" +
			"Saving 'a.test/m.bin'\nBody too large: 5 instead of 3 bytes\n" +
			"HTTP response 200 OK [http://a.test:81/m.bin]\n" +
			"# got header 9 bytes:\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" +
			page("cut.bin", "a.test:81/cut.bin") +
			"Downloaded: 9 files, 9  bytes, 1 redirects, 0 errors\n",
		"a.test/index.html": "<html>", "a.test/x.bin": "12345", "a.test/n.1": "12345", "a.test/n/in": "12345",
		"a.test/x.txt.orig": "1", "a.test/x.txt": "2", "a.test/old": "new", "a.test/s.bin": "12345",
		"a.test/m.bin": "12345", "a.test/stray": "12345", "a.test/p.html": "<html>", "a.test/cut.bin": "1234",
	}))
	want := map[string]struct {
		file  string
		grade source.Grade
	}{
		"http://a.test:81/": {"", source.Lost}, "http://a.test:82/": {"a.test/index.html", source.Differing},
		"http://a.test:81/x.bin": {"a.test/x.bin", source.OriginalFile}, "http://a.test:81/old": {"", source.Lost},
		"http://b.test:83/new":        {"a.test/old", source.OriginalFile},
		"http://a.test:81/n":          {"a.test/n.1", source.OriginalFile},
		"http://a.test:81/n/in":       {"a.test/n/in", source.OriginalFile},
		"http://a.test:81/x.txt":      {"a.test/x.txt", source.OriginalFile},
		"http://a.test:81/x.txt.orig": {"a.test/x.txt.orig", source.OriginalFile},
		"http://a.test:81/s.bin":      {"a.test/s.bin", source.Differing},
		"http://a.test:81/m.bin":      {"a.test/m.bin", source.Differing},
		"http://a.test:81/p.html":     {"a.test/p.html", source.OriginalFile},
		"http://a.test:81/cut.bin":    {"a.test/cut.bin", source.Differing},
		"":                            {"a.test/stray", source.OriginalFile},
	}
	for r, err := range m.Resources(t.Context(), func(model.Finding) {}) {
		if err != nil {
			t.Fatal(err)
		}
		if w, ok := want[r.URL]; !ok || r.File != w.file || r.Grade != w.grade || r.Assumed != "" {
			t.Errorf("%q: %q, %s, assumed %q: %q", r.URL, r.File, r.Grade, r.Assumed, r.Why)
		}
		delete(want, r.URL)
	}
	if len(want) > 0 {
		t.Errorf("lost: %v", want)
	}
	if a := m.About(); a.Software != "Wget2" || a.EndReason != "Downloaded" || len(a.Seeds) != 1 ||
		a.Seeds[0] != "http://a.test:81/" {
		t.Errorf("%+v", a)
	}
}

// TestFilesOfTheFuture checks that a Last-Modified in the future is no date of a capture, and does not
// widen the dates of others.
func TestFilesOfTheFuture(t *testing.T) {
	dir := folder(t, map[string]string{"a.test/now": "n", "a.test/2200": "f", "a.test/1.html": "1",
		"a.test/1.html.orig": "1"}).Path()
	at := time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "a.test/2200"), at, at); err != nil {
		t.Fatal(err)
	}
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	n := 0
	for r, err := range onlyMirror(t, tr).Resources(t.Context(), nil) {
		n++
		if err != nil || r.Time.IsZero() != (r.File == "a.test/2200") || r.Leeway > dayLong {
			t.Errorf("%s: %v ± %v, %v", r.File, r.Time, r.Leeway, err)
		}
	}
	if n != 3 {
		t.Errorf("%d resources", n)
	}
}

// TestLogForDownload has a log of another crawl among the content of a mirror.
func TestLogForDownload(t *testing.T) {
	saved := func(name string) string {
		return "--2026-11-22 16:16:28--  http://a.test/" + name + "\nHTTP request sent, awaiting response... 200 OK\n" +
			"Length: 5 [text/html]\nSaving to: ‘a.test/" + name + "’\n\n" +
			"2026-11-22 16:16:28 (1 GB/s) - ‘a.test/" + name + "’ saved [5/5]\n\n"
	}
	m := onlyMirror(t, folder(t, map[string]string{"w.log": saved("index.html") + saved("dl/wget.log") + logEnd,
		"a.test/index.html":  "<html",
		"a.test/dl/wget.log": strings.ReplaceAll(saved("index.html"), "a.test/index", "index")}))
	n := 0
	for r, err := range m.Resources(t.Context(), nil) {
		if n++; err != nil || r.Grade != source.OriginalFile && r.File == "" {
			t.Errorf("%s: %s, %v", r.URL, r.Grade, err)
		}
	}
	if n != 2 || m.role("a.test/dl/wget.log") != "" {
		t.Errorf("%d resources", n)
	}
}
