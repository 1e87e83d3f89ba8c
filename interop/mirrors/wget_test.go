//go:build interop

package mirrors

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/source"
	"quire/source/wget"
)

type page struct{ mime, body string }

// site has URLs that Wget maps to different file names.
var site = map[string]page{
	"/": {"text/html",
		`<html><link rel=stylesheet href="/s.css"><script src="/j.js"></script><a href="page?id=1">1</a><a ` +
			`href="dir/">d</a><a href="/dir">d</a><a href="old">o</a>` +
			`<a href="gone">g</a><a href="a b.html">s</a><img src="i.png"><a href="UPPER.html">u</a><a ` +
			`href="upper.html">` +
			`u</a><a href="/caf%C3%A9.html">c</a><a href="q.css?v=2">q</a><a href="doc.pdf">p</a><a ` +
			`href="x.asp?a=b&amp;c=d/e">x</a>`},
	"/s.css": {"text/css", `body{background:url("i.png")}`}, "/q.css?v=2": {"text/css", `b{background:url(/i.png)}`},
	"/j.js":            {"application/javascript", `var a="i.png";`},
	"/page?id=1":       {"text/html", `<html><a href="/page?id=2">2</a>`},
	"/page?id=2":       {"text/html; charset=utf-8", `<html>no links`},
	"/x.asp?a=b&c=d/e": {"text/html", `<html><a href="/">h</a>`},
	"/dir/":            {"text/html", `<html><a href="sub.html">s</a>`},
	"/dir/sub.html":    {"text/html", `<html><a href="../i.png">i</a>`}, "/new": {"text/html", `<html>new`},
	"/a%20b.html": {"text/html", `<html>space`}, "/UPPER.html": {"text/html", `<html>U`},
	"/upper.html": {"text/html", `<html>u`}, "/caf%C3%A9.html": {"text/html", `<html>cafe`},
	"/doc.pdf": {"application/pdf", "%PDF-1.4 x"}, "/i.png": {"image/png", "\x89PNG\r\n\x1a\nxxxx"},
	"/robots.txt": {"text/plain", "User-agent: *\nDisallow: /secret\n"},
}

var moved = map[string]string{"/old": "/new", "/dir": "/dir/"}

func serve(w http.ResponseWriter, r *http.Request) {
	if to, ok := moved[r.RequestURI]; ok {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	p, ok := site[r.RequestURI]
	if !ok {
		http.Error(w, "no", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", p.mime)
	if !strings.HasPrefix(r.RequestURI, "/page") {
		w.Header().Set("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
	}
	_, _ = io.WriteString(w, p.body)
}

// For all options, content graded original equals the served content, and each fetched URL is
// found.
func TestWgetMirrors(t *testing.T) {
	if _, err := exec.LookPath("wget"); err != nil {
		t.Skip("wget is not installed")
	}
	server := httptest.NewServer(http.HandlerFunc(serve))
	defer server.Close()
	for _, c := range []struct {
		options  string
		found    int // URLs with a body, of 17
		original int // of these
	}{
		{"-m -k -K -E -p -o w.log", 17, 17},
		{"-m -k -K -E -p -nv -o w.log", 17, 17},
		{"-m -k -p -o w.log", 17, 10},
		{"-m -k -p -o w.log --restrict-file-names=windows", 17, 10},
		{"-m -p -o w.log --restrict-file-names=ascii,nocontrol", 17, 17},
		{"-m -p -nv -S -o w.log", 17, 17},
		{"-r -p -d -o w.log", 17, 17},
		{"-r -p --save-headers -nv -o w.log", 17, 17},
		{"-r -p -nd -o w.log", 17, 17},
		{"-r -p -nH -P out -x --protocol-directories -o w.log", 17, 17},
		{"-m -k -K -E -p -q", 16, 16}, // without a log /new is unknown: its body has the name of /old
	} {
		t.Run(c.options, func(t *testing.T) { mirror(t, server.URL, strings.Fields(c.options), c.found, c.original) })
	}
}

func mirror(t *testing.T, base string, options []string, wantFound, wantOriginal int) {
	dir := t.TempDir()
	began := time.Now().Add(-time.Minute)
	cmd := exec.Command("wget", append(options, "--no-config", "--no-netrc", "--no-hsts", base+"/")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TZ=Asia/Kathmandu", "LC_ALL=C.UTF-8", "http_proxy=", "no_proxy=*")
	_ = cmd.Run() // it fails on the intended missing page
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tr.Close() }()
	claims, err := wget.Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatalf("%d harvests, %v", len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	found, original := 0, 0
	files := map[string]int{}
	for r, err := range h.(source.Mirror).Resources(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if r.File != "" {
			files[r.File]++
		}
		if r.Body == nil {
			continue
		}
		in, err := r.Body()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err != nil || in.Close() != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(r.URL, base)
		served, known := site[path]
		if known {
			found++
		}
		if target := moved[strings.TrimSuffix(path, ".html")]; !known && target != "" &&
			h.About().Documentation == "absent" {
			served = site[target]
		}
		if r.Grade != source.LinksReconstructed {
			if known {
				original++
			}
			if string(body) != served.body {
				t.Errorf("%s is %q as %s, and was %q: %q", r.URL, body, r.Grade, served.body, r.Why)
			}
		}
		if strings.Contains(fmt.Sprint(options), "w.log") &&
			(r.Time.Before(began) || r.Time.After(time.Now().Add(time.Minute))) {
			t.Errorf("%s at %s, from %s", r.URL, r.Time, r.TimeFrom)
		}
	}
	for _, f := range h.(source.Mirror).Artefacts() {
		files[f.Path]++
	}
	for _, f := range tr.Files() {
		if files[f.Path] != 1 {
			t.Errorf("%s is found %d times", f.Path, files[f.Path])
		}
	}
	if found != wantFound || original != wantOriginal {
		t.Errorf("%d URLs found, %d of them original", found, original)
	}
	if _, err := os.Stat(filepath.Join(dir, "w.log")); err == nil && h.About().Start.Before(began) {
		t.Errorf("began %s", h.About().Start)
	}
}
