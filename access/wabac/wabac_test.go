package wabac

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packed builds a package in npm's form, and its release.
func packed(t *testing.T, files map[string]string) ([]byte, *Release) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	out := tar.NewWriter(z)
	r := &Release{Name: "made", Version: "1.0.0", files: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package/dist/sw.js", "package/LICENSE.md"} {
		r.files[name] = hexOf([]byte(files[name]))
	}
	r.Package = digestOf(b.Bytes())
	return b.Bytes(), r
}

var good = map[string]string{"package/dist/sw.js": "// a worker", "package/LICENSE.md": "words",
	"package/../../evil": "never", "package/index.js": "not taken"}

func TestInstall(t *testing.T) {
	content, release := packed(t, good)
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write(content)
	}))
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "assets")
	if _, err := open(dir, release); !errors.Is(err, ErrNotInstalled) {
		t.Fatalf("before: %v", err)
	}
	for range 2 { // the second time does nothing
		if _, err := Install(t.Context(), dir, InstallOptions{From: server.URL, release: release}); err != nil {
			t.Fatal(err)
		}
	}
	if asked != 1 {
		t.Errorf("asked for the package %d times", asked)
	}
	e, err := open(dir, release)
	if err != nil || string(e.worker) != "// a worker" {
		t.Fatalf("%v, %v", e, err)
	}
	var names []string
	err = filepath.WalkDir(filepath.Dir(dir), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if want := []string{"wabac-1.0.0/LICENSE.md", "wabac-1.0.0/about.json", "wabac-1.0.0/sw.js"}; err != nil ||
		!slices.Equal(names, want) {
		t.Errorf("there are %q, %v", names, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "wabac-1.0.0", "sw.js"), []byte("another worker"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := open(dir, release); err == nil || errors.Is(err, ErrNotInstalled) {
		t.Errorf("a worker that was changed is taken: %v", err)
	}
	file := filepath.Join(t.TempDir(), "package.tgz")
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(t.Context(), dir, InstallOptions{From: file, release: release}); err != nil {
		t.Fatalf("from a file, over a modified installation: %v", err)
	}
	if _, err := open(dir, release); err != nil {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	content, release := packed(t, good)
	changed := slices.Clone(content)
	changed[len(changed)-1] ^= 1
	other, _ := packed(t, map[string]string{"package/dist/sw.js": "// another", "package/LICENSE.md": "words"})
	lacking, lacks := packed(t, map[string]string{"package/dist/sw.js": "// a worker"})
	for name, c := range map[string]struct {
		content []byte
		release *Release
	}{
		"a byte changed": {changed, release}, "another release": {other, release},
		"cut": {content[:len(content)/2], release}, "empty": {nil, release},
		"without a file": {lacking, lacks}, "endless": {bytes.Repeat([]byte{0}, maxPackage+1), release},
	} {
		dir := t.TempDir()
		file := filepath.Join(t.TempDir(), "p.tgz")
		if err := os.WriteFile(file, c.content, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Install(t.Context(), dir, InstallOptions{From: file, release: c.release}); err == nil {
			t.Errorf("%s: taken", name)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := Install(t.Context(), t.TempDir(), InstallOptions{From: server.URL}); err == nil ||
		!strings.Contains(err.Error(), "404") {
		t.Errorf("a server that has none: %v", err)
	}
}

func TestHandler(t *testing.T) {
	e := &Engine{Sites: "https://*.replay.example", UI: "https://archive.example", worker: []byte("// a worker")}
	for _, c := range []struct {
		method, path  string
		status        int
		header, value string
		body          string
	}{
		{"GET", "/-/wabac/sw.js?replayPrefix=r", 200, "Service-Worker-Allowed", "/-/wabac/",
			"importScripts('/-/wabac/engine.js')"},
		{"GET", "/-/wabac/sw.js", 200, "Content-Security-Policy", workerPolicy,
			`const quirePolicy = {"Connection-Allowlist":"(response-origin \"https://*.replay.example\");` +
				`redirects=allow",`},
		{"GET", "/-/wabac/sw.js", 200, "", "",
			`frame-ancestors 'self' https://archive.example https://*.replay.example`},
		{"GET", "/-/wabac/engine.js", 200, "Content-Type", "text/javascript; charset=utf-8", "// a worker"},
		{"HEAD", "/-/wabac/sw.js", 200, "Content-Type", "text/javascript; charset=utf-8", ""},
		{"GET", "/-/wabac/open.js", 200, "Content-Type", "text/javascript; charset=utf-8", "serviceWorker"},
		{"GET", "/-/wabac/open.css", 200, "Content-Type", "text/css; charset=utf-8", "color-scheme"},
		{"GET", "/-/wabac/open/all/20200101/http://a.example/?<script>", 200, "Content-Security-Policy",
			strings.Replace(policy, "frame-src 'self'", "frame-src 'self' https://*.replay.example", 1) +
				"; frame-ancestors 'self' https://*.replay.example https://archive.example",
			`<html data-ui="https://archive.example" lang="en">`},
		{"GET", "/-/wabac/r/all~x/20200101000000mp_/http://a.example/?a=1", 302, "Location",
			"/-/wabac/open/all~x/20200101000000/http://a.example/?a=1", ""},
		{"GET", "/-/wabac/r/all", 404, "", "", ""},
		{"GET", "/-/wabac/static/open.html", 404, "", "", ""},
		{"GET", "/-/wabac/about.json", 404, "", "", ""},
		{"POST", "/-/wabac/sw.js", 405, "Allow", "GET, HEAD", ""},
	} {
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, httptest.NewRequest(c.method, c.path, nil))
		if answer.Code != c.status || answer.Header().Get(c.header) != c.value && c.header != "" ||
			!strings.Contains(answer.Body.String(), c.body) {
			t.Errorf("%s %s: %d %v %.200s", c.method, c.path, answer.Code, answer.Header(), answer.Body)
		}
		if answer.Header().Get("Content-Security-Policy") == "" ||
			answer.Header().Get("Connection-Allowlist") != `(response-origin "https://*.replay.example");`+
				`redirects=allow` {
			t.Errorf("%s %s: no policy: %v", c.method, c.path, answer.Header())
		}
		if strings.Contains(answer.Body.String(), "<script>") || c.method == "HEAD" && answer.Body.Len() > 0 {
			t.Errorf("%s %s: %.200s", c.method, c.path, answer.Body)
		}
	}
}
