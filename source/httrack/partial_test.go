package httrack

import (
	"strings"
	"testing"

	"quire/model"
	"quire/source"
)

// stateFile returns HTTrack's state of an unfinished download, as 3.49 writes it.
func stateFile(host, file string) string {
	b := make([]byte, 16904)
	b[0], b[1] = 0xf0, 'A'
	copy(b[sizeLength:], host)
	copy(b[sizeLength+urlLength:], file)
	return string(b)
}

// TestBrokenOffRun has the files that HTTrack 3.49 left when it was killed: states of unfinished
// downloads, the beginnings of bodies, its lock. None is a URL of its own, and none is an original.
func TestBrokenOffRun(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-log.txt":          log2003,
		"hts-in_progress.lock": "1",
		"hts-cache/new.txt":    rowHead + row("23:59:55", 200, "added", "", "a.test/", "a.test/index.html"),
		"a.test/index.html":    "12345", "a.test/page.html.tmp": stateFile("a.test", "/page?a=1"),
		"a.test/slow.bin": "begin", "a.test/slow.bin.tmp": stateFile("a.test", "/slow.bin?b=2"),
		"a.test/x.1.delayed.tmp": "x", "a.test/x.1.delayed": "x", "a.test/old.gif": "GIF89a",
		"stray.txt": "x", "a.test/real.tmp": "a file of the site",
	}))
	all, _ := tell(t, h)
	got := map[string]told{}
	for _, r := range all {
		got[r.URL] = r
	}
	for url, w := range map[string]struct {
		grade           source.Grade
		file, truncated string
	}{
		"http://a.test/":             {source.LinksReconstructed, "a.test/index.html", ""},
		"http://a.test/slow.bin?b=2": {source.Differing, "a.test/slow.bin", "unspecified"},
		"http://a.test/old.gif":      {source.Differing, "a.test/old.gif", "unspecified"},
		"http://a.test/real.tmp":     {source.Differing, "a.test/real.tmp", "unspecified"},
		"":                           {source.Differing, "stray.txt", "unspecified"},
		"http://gone.test/":          {source.Lost, "", ""},
		"http://a.test/old":          {source.Lost, "", ""},
	} {
		if r, ok := got[url]; !ok || r.Grade != w.grade || r.File != w.file || r.Truncated != w.truncated {
			t.Errorf("%s: %+v", url, r.Resource)
		}
		delete(got, url)
	}
	for url := range got {
		t.Errorf("%q is invented", url)
	}
	roles := map[model.Role]int{}
	for _, f := range h.Artefacts() {
		if strings.HasPrefix(f.Path, "a.test/") || f.Path == lock {
			roles[f.Role]++
		}
	}
	if roles[model.RoleArtefact] != 5 || len(roles) != 1 {
		t.Error(roles)
	}
}

// TestRenamedFileHasNoURL has the names of a run without a cache (-C0): HTTrack saved CASE-3.html as
// CASE-4.html, because case-3.html was there. The path does not give the URL.
func TestRenamedFileHasNoURL(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-log.txt": log2003 + complete, "a.test/case-3.html": "c", "a.test/CASE-4.html": "C",
		"a.test/page.html": "p", "a.test/Page-2.html": "P", "a.test/b/page-2.html": "2", "a.test/q97dd.html": "q",
		"a.test/foto-1.gif": "1", "a.test/foto-2.gif": "2",
	}))
	all, _ := tell(t, h)
	want := map[string]string{"a.test/case-3.html": "http://a.test/case-3.html", "a.test/CASE-4.html": "",
		"a.test/page.html": "http://a.test/page.html", "a.test/Page-2.html": "",
		"a.test/b/page-2.html": "http://a.test/b/page-2.html", "a.test/q97dd.html": "http://a.test/q97dd.html",
		"a.test/foto-1.gif": "http://a.test/foto-1.gif", "a.test/foto-2.gif": "http://a.test/foto-2.gif"}
	for _, r := range all {
		url, ok := want[r.File]
		if r.File != "" && (!ok || r.URL != url || (url == "") != (r.Assumed == "")) {
			t.Errorf("%s is %q, assumed %q", r.File, r.URL, r.Assumed)
		}
		if strings.Contains(r.Assumed, "four digits") != (r.File == "a.test/q97dd.html") {
			t.Errorf("%s: %q", r.File, r.Assumed)
		}
		delete(want, r.File)
	}
	for f := range want {
		t.Errorf("%s is lost", f)
	}
}
