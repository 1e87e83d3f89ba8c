package httrack

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// told is the result of Resources for one URL, as text.
type told struct {
	source.Resource
	body, response, request string
}

func tell(t *testing.T, h *Harvest) (all []told, found []model.Finding) {
	t.Helper()
	read := func(f func() ([]byte, error)) string {
		if f == nil {
			return ""
		}
		b, err := f()
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	for r, err := range h.Resources(context.Background(), func(f model.Finding) { found = append(found, f) }) {
		if err != nil {
			t.Fatal(err)
		}
		one := told{Resource: *r, response: read(r.Response), request: read(r.Request)}
		if r.Body != nil {
			b, err := r.Body()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(b)
			if err != nil || int64(len(content)) != r.Size {
				t.Errorf("%s: %d bytes, not %d, %v", r.URL, len(content), r.Size, err)
			}
			one.body = string(content)
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
		all = append(all, one)
	}
	return all, found
}

func sized(size int, status int, mime, url, local string) string {
	return fmt.Sprintf("21:00:01\t%d/%d\t---M--\t%d\tadded ('OK')\t%s\tetag:x\t%s\t%s\t(from http://a.test/)\n", size,
		size, status, mime, url, local)
}

const page = "<html>\n<!-- Mirrored from a.test/x?id=1 by HTTrack Website Copier/3.x [XR&CO'2014], Sat, 01 Nov 2025 " +
	"10:00:00 GMT -->\n<p>"

// TestGrades checks the order of sources for the bytes of a URL: the entity in the cache, a file
// that HTTrack does not rewrite, a rewritten file.
func TestGrades(t *testing.T) {
	cache := func(more ...string) string {
		return string(zipCache(made{"http://a.test/x", headers(200, more[0] == "in", more[1:]...), "entity"}))
	}
	outside := func(more ...string) string { return cache(append([]string{"out", "X-Save: a.test/x"}, more...)...) }
	for _, c := range []struct {
		name, cache, rows, file, content string
		grade                            source.Grade
		rewritten                        bool
		body                             string
	}{
		{"entity in the cache", cache("in", "X-Size: 6", "Content-Type: text/html", "X-Save: a.test/x.html"), "",
			"a.test/x.html", page, source.OriginalEntity, false, "entity"},
		{"entity of a kind that is not rewritten",
			cache("in", "X-Size: 6", "Content-Type: image/png", "X-Save: a.test/x"), "", "a.test/x", "entity",
			source.OriginalEntity, false, "entity"},
		{"picture on disk", outside("X-Size: 4", "Content-Type: image/png"), "", "a.test/x", "\x89PNG",
			source.OriginalFile, false, "\x89PNG"},
		{"script that was not parsed", outside("X-Size: 4", "Content-Type: application/javascript"), "", "a.test/x",
			"f(x)", source.OriginalFile, false, "f(x)"},
		{"error page that was not parsed", outside("X-Size: 4", "Content-Type: text/html"), "", "a.test/x", "gone",
			source.OriginalFile, false, "gone"},
		{"page with insertions, of the right size",
			outside(fmt.Sprint("X-Size: ", len(page)), "Content-Type: text/html"), "", "a.test/x", page,
			source.LinksReconstructed, true, page},
		{"script of another size", outside("X-Size: 9", "Content-Type: application/javascript"), "", "a.test/x", "f(x)",
			source.LinksReconstructed, true, "f(x)"},
		{"picture of another size", outside("X-Size: 9", "Content-Type: image/png"), "", "a.test/x", "\x89PNG",
			source.Differing, false, "\x89PNG"},
		{"page without a cache", "", sized(4, 200, "text/html", "http://a.test/x", "a.test/x"), "a.test/x", "<p>!",
			source.LinksReconstructed, true, "<p>!"},
		{"error page without a cache", "", sized(4, 404, "text/html", "http://a.test/x", "a.test/x"), "a.test/x",
			"gone", source.OriginalFile, false, "gone"},
		{"style sheet without a cache", "", sized(4, 200, "text/css", "http://a.test/x", "a.test/x"), "a.test/x",
			"p {}", source.LinksReconstructed, true, "p {}"},
		{"picture without a cache", "", sized(4, 200, "image/gif", "http://a.test/x", "a.test/x"), "a.test/x", "GIF8",
			source.OriginalFile, false, "GIF8"},
		{"empty page", "", sized(0, 200, "text/html", "http://a.test/x", "a.test/x"), "a.test/x", "",
			source.OriginalFile, false, ""},
		{"neither", outside("X-Size: 4", "Content-Type: image/png"), "", "", "", source.Lost, false, ""},
		{"empty file of an error", "", sized(9, 500, "text/html", "http://a.test/x", "a.test/x"), "a.test/x", "",
			source.Lost, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"hts-log.txt": log2003}
			for name, content := range map[string]string{"hts-cache/new.zip": c.cache, "hts-cache/new.txt": c.rows} {
				if content != "" {
					files[name] = content
				}
			}
			if c.file != "" {
				files[c.file] = c.content
			}
			all, found := tell(t, onlyHarvest(t, mirrorOf(t, files)))
			for _, r := range all {
				if r.URL != "http://a.test/x" {
					continue
				}
				if r.Grade != c.grade || r.Rewritten != c.rewritten || r.body != c.body || r.File != c.file ||
					(len(found) > 0) != (c.grade == source.Differing) {
					t.Errorf("%s, %v, %q, %q\n%q %v", r.Grade, r.Rewritten, r.body, r.File, r.Why, found)
				}
				return
			}
			t.Error("the URL is not reported")
		})
	}
}

// TestDamagedEntity checks that a cached entity with a wrong checksum is reported, and the file on
// disk is used.
func TestDamagedEntity(t *testing.T) {
	b := zipCache(made{"http://a.test/x",
		headers(200, true, "X-Size: 6", "Content-Type: text/html", "X-Save: a.test/x.html"), "entity"})
	b[14]++
	h := onlyHarvest(t, mirrorOf(t, map[string]string{"hts-cache/new.zip": string(b), "a.test/x.html": page}))
	for range 2 {
		all, found := tell(t, h)
		if len(all) != 1 || all[0].Grade != source.LinksReconstructed || all[0].body != page || len(found) != 1 ||
			found[0].Code != findCache {
			t.Errorf("%+v, %v", all, found)
		}
	}
}

// TestRedirectsAndErrors checks that redirects and errors keep their facts, from any source.
func TestRedirectsAndErrors(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-log.txt": log2003,
		"hts-cache/new.zip": string(zipCache(made{"http://a.test/cached",
			headers(301, false, "X-StatusMessage: Moved", "Location: /dir/", "Etag: \"e\""), ""},
			made{"http://a.test/wire", headers(302, false), ""},
			made{"http://a.test/placeheld", headers(302, false, "X-Save: a.test/placeheld.html", "Location: /y"), ""})),
		"hts-ioinfo.txt": "request for a.test/wire:\n<<< GET /wire HTTP/1.1\n\nresponse for a.test/wire:\ncode=302\n>" +
			">> HTTP/1.1 302 Found\n>>> Location: /there\n>>> Date: Fri, 02 Feb 2018 06:27:21 GMT\n\n" +
			"response for a.test/2001:\n(Buffer) Status-Code=200\n(buffer)>Date: Fri, 01 Jun 2001 00:15:52 GMT\n" +
			"(buffer)>Content-Type: text/html\n\n",
		"a.test/placeheld.html": "<HTML>\n<!-- Created by HTTrack Website Copier/3.01 -->\n<HEAD><TITLE>Page has " +
			"moved</TITLE></HEAD>",
	}))
	all, _ := tell(t, h)
	urls := map[string]told{}
	for _, r := range all {
		urls[r.URL] = r
	}
	cached, wire, held, moved, gone, y2001 := urls["http://a.test/cached"], urls["http://a.test/wire"],
		urls["http://a.test/placeheld"], urls["http://a.test/old"], urls["http://gone.test/"],
		urls["http://a.test/2001"]
	if cached.Status != 301 || cached.Location != "/dir/" ||
		cached.Facts[0] != (model.Field{Name: "etag", Value: `"e"`}) || cached.Grade != source.Lost {
		t.Errorf("%+v", cached)
	}
	if wire.Location != "/there" || wire.response == "" || wire.request != "GET /wire HTTP/1.1\n" ||
		!wire.Time.Equal(time.Date(2018, 2, 2, 6, 27, 21, 0, time.UTC)) {
		t.Errorf("%+v", wire)
	}
	if held.File != "" || held.Saved != "a.test/placeheld.html" || held.Grade != source.Lost {
		t.Errorf("%+v", held)
	}
	if moved.Location != "http://a.test/new" || moved.Status != 0 || moved.Assumed == "" || gone.Status != -5 {
		t.Errorf("%+v %+v", moved, gone)
	}
	if y2001.Status != 200 || y2001.MIME != "text/html" || y2001.Time.Year() != 2001 ||
		y2001.response != "Date: Fri, 01 Jun 2001 00:15:52 GMT\nContent-Type: text/html\n" {
		t.Errorf("%+v", y2001)
	}
	for _, f := range h.Artefacts() {
		if f.Path == "a.test/placeheld.html" && f.Role == model.RoleArtefact {
			return
		}
	}
	t.Error("the page that HTTrack wrote for a redirect is no artefact")
}

// TestHeadOfAnotherAnswer checks that the head of another response is not used for a body.
func TestHeadOfAnotherAnswer(t *testing.T) {
	all, _ := tell(t, onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-cache/new.zip": string(zipCache(made{"http://a.test/", headers(200, true, "X-Size: 1"), "x"})),
		"hts-ioinfo.txt":    "response for a.test/:\ncode=304\n>>> HTTP/1.1 304 Not Modified\n\n",
	})))
	if len(all) != 1 || all[0].Response != nil || !strings.Contains(strings.Join(all[0].Why, "\n"), "304") {
		t.Errorf("%+v", all)
	}
}

// TestUnnamedFiles checks that a file without a record gets the URL in its comment, or else a URL
// derived from its path.
func TestUnnamedFiles(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-cache/new.zip": string(zipCache(made{"http://a.test/kept",
			headers(200, true, "X-Size: 1", "X-Save: a.test/kept.html"), "x"},
			made{"http://a.test/lost", headers(200, false), ""})),
		"a.test/kept.html":       page,
		"a.test/x681a.html":      page,
		"a.test/kept-2.html":     strings.Replace(page, "a.test/x?id=1", "http://a.test/kept", 1),
		"a.test/found.html":      strings.Replace(page, "a.test/x?id=1", "a.test/lost", 1),
		"b.test_8080/index.html": "<p>", "b.test_8080/a b%c#.gif": "GIF8", "images/1.gif": "GIF8", "lone.gif": "GIF8",
	}))
	all, _ := tell(t, h)
	got := map[string]string{}
	for _, r := range all {
		got[r.File] = r.URL + " " + string(r.Grade)
		if r.URL != "" && strings.HasPrefix(r.File, "b.test") && !strings.Contains(r.Assumed, "all of it") {
			t.Errorf("%s: the URL is not marked as assumed: %q", r.URL, r.Assumed)
		}
	}
	want := map[string]string{
		"a.test/kept.html":  "http://a.test/kept original entity",
		"a.test/x681a.html": "http://a.test/x?id=1 links reconstructed", "a.test/kept-2.html": " links reconstructed",
		"a.test/found.html":      "http://a.test/lost links reconstructed",
		"b.test_8080/index.html": "http://b.test:8080/ links reconstructed",
		"b.test_8080/a b%c#.gif": "http://b.test:8080/a%20b%25c%23.gif original file", "images/1.gif": " original file",
		"lone.gif": " original file",
	}
	for file, what := range want {
		if got[file] != what {
			t.Errorf("%s is %q, want %q", file, got[file], what)
		}
	}
	if len(all) != len(want) {
		t.Errorf("%d resources of %d files: %v", len(all), len(want), got)
	}
}

// TestMoments checks that a time without a zone gets its possible error, and that a file's mtime is
// used only if it is within the run.
func TestMoments(t *testing.T) {
	files := map[string]string{"hts-log.txt": log2003 + complete,
		"hts-cache/new.txt": rowHead + row("23:59:55", 200, "added", "", "a.test/", "a.test/index.html") +
			row("23:59:56", 200, "added", "", "a.test/in", "a.test/in.gif"), "a.test/index.html": "x",
		"a.test/in.gif": "xxxxx", "a.test/unnamed.gif": "x"}
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(dir, "a.test/in.gif"), time.Time{},
		time.Date(2003, 4, 3, 14, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tr.Close() }()
	all, _ := tell(t, onlyHarvest(t, tr))
	var got []string
	for _, r := range all {
		got = append(got, fmt.Sprint(r.File, " ", r.Time.Format("2006-01-02T15:04:05"), " ", r.Leeway, " ", r.TimeFrom))
	}
	want := []string{
		"a.test/index.html 2003-04-03T23:59:55 14h0m0s hts-cache/new.txt, line 2, on the crawler's clock, whose zone " +
			"is not known",
		"a.test/in.gif 2003-04-03T14:00:00 20s " + fromWritten,
		" 2003-04-03T23:59:50 14h0m20s begin of the run, which took 20s; on the crawler's clock, whose zone is not " +
			"known",
		" 2003-04-03T23:59:50 14h0m20s begin of the run, which took 20s; on the crawler's clock, whose zone is not " +
			"known",
		"a.test/unnamed.gif 2003-04-03T23:59:50 14h0m20s begin of the run, which took 20s; on the crawler's clock, " +
			"whose zone is not known",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// TestZoneOfPages derives the zone of the log from the comments in the pages, without another
// source.
func TestZoneOfPages(t *testing.T) {
	footer := "<html><!-- Mirrored from a.test/ by HTTrack Website Copier/3.x [XR&CO'2002], Thu, 03 Apr 2003 " +
		"13:59:56 GMT -->"
	files := map[string]string{"hts-log.txt": log2003 + complete,
		"hts-cache/new.txt": rowHead + row("23:59:55", 200, "added", "", "a.test/", "a.test/index.html") +
			row("23:59:58", 200, "added", "", "a.test/in.gif", "a.test/in.gif") +
			row("23:59:58", 200, "added", "", "a.test/b.html", "a.test/b.html"), "a.test/index.html": footer,
		"a.test/b.html": strings.NewReplacer("a.test/", "a.test/b.html", "13:59:56", "13:59:58").Replace(footer),
		"a.test/in.gif": "xxxxx"}
	h := onlyHarvest(t, mirrorOf(t, files))
	if ahead, why := h.Mirror.Zone(); ahead != 10*time.Hour || !strings.Contains(why, "comments") {
		t.Errorf("%v %q", ahead, why)
	}
	all, _ := tell(t, h)
	if at := time.Date(2003, 4, 3, 13, 59, 58, 0, time.UTC); !all[1].Time.Equal(at) ||
		!h.About().Start.Equal(at.Add(-8*time.Second)) {
		t.Errorf("%v %v", all[1].Time, h.About().Start)
	}
	delete(files, "hts-cache/new.txt")
	all, _ = tell(t, onlyHarvest(t, mirrorOf(t, files)))
	for _, r := range all {
		if r.File == "a.test/index.html" &&
			(r.TimeFrom != fromFooter || !r.Time.Equal(time.Date(2003, 4, 3, 13, 59, 56, 0, time.UTC))) {
			t.Errorf("%v %q", r.Time, r.TimeFrom)
		}
	}
}

// TestResourcesAndArtefactsAreAllFiles checks that each file appears exactly once, with a URL or as
// an artefact.
func TestResourcesAndArtefactsAreAllFiles(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, updated()))
	seen := map[string]int{}
	all, _ := tell(t, h)
	for _, r := range all {
		if r.File != "" {
			seen[r.File]++
		}
	}
	for _, f := range h.Artefacts() {
		seen[f.Path]++
	}
	for p := range updated() {
		if seen[p] != 1 {
			t.Errorf("%s appears %d times", p, seen[p])
		}
	}
	if len(seen) != len(updated()) {
		t.Errorf("%v", seen)
	}
}

func TestMirroredFrom(t *testing.T) {
	at := time.Date(2025, 11, 1, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		in   string
		want Footer
		ok   bool
	}{
		{page, Footer{"http://a.test/x?id=1", true, at}, true},
		{strings.Replace(page, "a.test/", "https://a.test/", 1), Footer{"https://a.test/x?id=1", false, at}, true},
		{page + strings.Replace(page, "a.test", "b.test", 1), Footer{"http://a.test/x?id=1", true, at}, true},
		{"<!-- Mirrored from a.test/a b by HTTrack Website Copier/3.x -->",
			Footer{URL: "http://a.test/a b", Assumed: true}, true},
		{"<!-- Mirrored from a.test/ by HTTrack Website Copier/3.x [XR&CO'2003], yesterday -->",
			Footer{URL: "http://a.test/", Assumed: true}, true},
		{"<html>\n<!-- Mirrored from h.test/a by b.html by HTTrack Website Copier/3.x [XR&CO'2014], Sat, 01 Nov 2025 " +
			"10:00:00 GMT -->\n<head>", Footer{"http://h.test/a by b.html", true, at}, true},
		{"<!-- Mirrored from h.test/ by HTTrack Website Copier/3.x [XR&CO'2002], Sat, 1 Jun 2002 -->",
			Footer{URL: "http://h.test/", Assumed: true}, true},
		{"<p>Mirrored from h.test/ by HTTrack Website Copier/3.x</p><!-- Mirrored from h.test -->", Footer{}, false},
		{"<!-- Mirrored from <b> by HTTrack Website Copier/3.x -->", Footer{}, false},
		{"<!-- Mirrored from a.test/ by somebody else -->", Footer{}, false},
	} {
		if f, ok := MirroredFrom([]byte(c.in)); f != c.want || ok != c.ok {
			t.Errorf("%q: %+v %v", c.in, f, ok)
		}
	}
}

func TestFooterOfTheUser(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t,
		map[string]string{"hts-cache/doit.log": "http://a.test/ -%F \"<!-- saved from %s -->\" -s0\n"}))
	if h.Footer() != "<!-- saved from %s -->" {
		t.Errorf("%q", h.Footer())
	}
}

// FuzzResources checks any cache, logs and files: each file appears exactly once, and everything
// that opens is read to its end.
func FuzzResources(f *testing.F) {
	f.Add(zipCache(three...), []byte(rowHead+row("21:00:00", 200, "added", "", "http://a.test/", "a.test/index.html")),
		[]byte("response for a.test/:\ncode=200\n>>> HTTP/1.1 200 OK\n\n"), []byte(page))
	f.Add([]byte("PK"), []byte(rowHead+sized(4, 404, "text/html", "a.test/x", "../../x")), []byte("(buffer)>Date: x\n"),
		[]byte("<TITLE>Page has moved</TITLE> HTTrack"))
	f.Fuzz(func(t *testing.T, cache, rows, info, content []byte) {
		var parts []archivefs.Part
		for name, b := range map[string][]byte{"hts-log.txt": []byte(log2003), "hts-cache/new.zip": cache,
			"hts-cache/new.txt": rows, "hts-ioinfo.txt": info, "a.test/index.html": content, "a.test/x": content,
			"b/y.gif": content} {
			parts = append(parts, archivefs.Part{File: archivefs.File{Path: name, Size: int64(len(b))},
				Open: func() (archivefs.Content, error) { return opened{bytes.NewReader(b)}, nil }})
		}
		h := onlyHarvest(t, archivefs.Of("m", parts, nil))
		told := map[string]int{}
		for r, err := range h.Resources(context.Background(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			if r.File != "" {
				told[r.File]++
			}
			if r.Body == nil {
				continue
			}
			b, err := r.Body()
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, b); err != nil || n != r.Size {
				t.Errorf("%q: %d bytes of %d, %v", r.URL, n, r.Size, err)
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
		for _, a := range h.Artefacts() {
			told[a.Path]++
		}
		for _, p := range parts {
			if told[p.Path] != 1 {
				t.Errorf("%s appears %d times", p.Path, told[p.Path])
			}
		}
	})
}

// opened is a file in memory.
type opened struct{ *bytes.Reader }

func (opened) Close() error { return nil }
