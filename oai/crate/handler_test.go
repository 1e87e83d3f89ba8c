package crate_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quire/oai/crate"
	"quire/oai/plugin"
	"quire/oai/site"
)

// served is a site with an endpoint.
type served struct {
	*httptest.Server
	dir string
	m   *crate.Middleware
}

// serve serves files with an endpoint; set may change the options.
func serve(t *testing.T, files map[string]string, set func(o *crate.HandlerOptions, next *http.Handler)) *served {
	t.Helper()
	s := &served{dir: t.TempDir()}
	for name, text := range files {
		put(t, s.dir, name, text)
	}
	next := filesOf(t, s.dir)
	var handler atomic.Pointer[crate.Middleware]
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.Load().ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	o := crate.HandlerOptions{Base: s.URL + "/modoai", Folder: s.dir, State: t.TempDir(),
		Admin: []string{"oai@a.example"}, Plugins: []plugin.Config{},
		Problem: func(p string) { t.Log(p) }}
	if set != nil {
		set(&o, &next)
	}
	var err error
	if s.m, err = crate.Handler(next, o); err != nil {
		t.Fatal(err)
	}
	handler.Store(s.m)
	t.Cleanup(func() {
		s.Close()
		if err := s.m.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// filesOf serves a folder.
func filesOf(t testing.TB, dir string) http.Handler {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return site.Files(root)
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// get requests a path, and repeats this during the first scan of the site.
func (s *served) get(t *testing.T, path string) (int, string) {
	t.Helper()
	for {
		r, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(body), "the first scan "+
			"of the site is running") {
			return r.StatusCode, string(body)
		}
		time.Sleep(5 * time.Millisecond) // shorter than Retry-After
	}
}

func wants(t *testing.T, body string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(body, p) {
			t.Errorf("no %q in:\n%s", p, body)
		}
	}
}

func TestHandler(t *testing.T) {
	s := serve(t, map[string]string{"index.html": "<title>Home</title>", "a b.txt": "hello", ".htaccess": "secret",
		"sitemap.xml": "<own/>"}, nil)
	_, body := s.get(t, "/modoai?verb=Identify")
	wants(t, body, "<baseURL>"+s.URL+"/modoai</baseURL>", "<deletedRecord>persistent</deletedRecord>",
		"<adminEmail>oai@a.example</adminEmail>")
	_, body = s.get(t, "/modoai?verb=ListRecords&metadataPrefix=oai_crate")
	wants(t, body, s.URL+"/a%20b.txt</identifier>", s.URL+"/</identifier>", "aGVsbG8=", "mime:text:plain")
	if strings.Contains(body, "htaccess") {
		t.Error("a hidden file is listed")
	}
	_, body = s.get(t, "/modoai?verb=GetRecord&metadataPrefix=http_header&identifier="+s.URL+"/a%2520b.txt")
	wants(t, body, "Last-Modified", "text/plain")
	// All other paths belong to the site.
	if status, body := s.get(t, "/sitemap.xml"); status != 200 || body != "<own/>" {
		t.Errorf("the site's sitemap: %d %s", status, body)
	}
	for path, want := range map[string]int{"/modoai/none": 404, "/modoaix": 404, "/": 200, "/.htaccess": 404,
		"/modoai/": 200, "/modoai/schemas/crate.xsd": 200} {
		if status, _ := s.get(t, path); status != want {
			t.Errorf("%s: %d", path, status)
		}
	}
	_, body = s.get(t, "/modoai/sitemap.xml")
	wants(t, body, "<sm:loc>"+s.URL+"/a%20b.txt</sm:loc>")
	_, body = s.get(t, "/.well-known/resourcesync")
	wants(t, body, s.URL+"/modoai/resourcesync/capabilitylist.xml")
	// Changes are detected automatically.
	put(t, s.dir, "new.txt", "new")
	_, body = s.get(t, "/modoai?verb=GetRecord&metadataPrefix=oai_dc&identifier="+s.URL+"/new.txt")
	wants(t, body, "<identifier>"+s.URL+"/new.txt</identifier>")
	if err := os.Remove(filepath.Join(s.dir, "new.txt")); err != nil {
		t.Fatal(err)
	}
	for {
		if _, body = s.get(t, "/modoai?verb=ListIdentifiers&metadataPrefix=oai_dc"); strings.Contains(body,
			`status="deleted"`) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	_, body = s.get(t, "/modoai/resourcesync/changelist.xml")
	wants(t, body, `change="deleted"`)
}

func TestHandlerRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, o := range map[string]crate.HandlerOptions{
		"no base":         {State: t.TempDir()},
		"no path":         {Base: "http://a.example/", State: t.TempDir()},
		"no state":        {Base: "http://a.example/modoai"},
		"state is served": {Base: "http://a.example/modoai", Folder: dir, State: filepath.Join(dir, "x", "state")},
		"no such folder":  {Base: "http://a.example/modoai", Folder: filepath.Join(dir, "none"), State: t.TempDir()},
		"no such plugin": {Base: "http://a.example/modoai", State: t.TempDir(),
			Plugins: []plugin.Config{{Label: "x", Builtin: "none"}}},
		"not an address":    {Base: "http://a.example/modoai", State: t.TempDir(), Admin: []string{"nobody"}},
		"a file, no folder": {Base: "http://a.example/modoai", State: "/dev/null"},
	} {
		if m, err := crate.Handler(http.NotFoundHandler(), o); err == nil {
			t.Errorf("%s: it is taken", name)
			m.Close()
		}
	}
}

// Access control applies only to the endpoint.
func TestHandlerGate(t *testing.T) {
	s := serve(t, map[string]string{"a.txt": "a"}, func(o *crate.HandlerOptions, _ *http.Handler) {
		o.Gate = func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "no", http.StatusForbidden)
			})
		}
	})
	for path, want := range map[string]int{"/a.txt": 200, "/modoai": 403, "/modoai?verb=Identify": 403,
		"/modoai/sitemap.xml": 403, "/.well-known/resourcesync": 403} {
		if status, body := s.get(t, path); status != want || want == 403 && body != "no\n" {
			t.Errorf("%s: %d %q", path, status, body)
		}
	}
}

// The site's own file at the well-known path has priority.
func TestHandlerWellKnown(t *testing.T) {
	s := serve(t, map[string]string{".well-known/resourcesync": "own"}, nil)
	if status, body := s.get(t, "/.well-known/resourcesync"); status != 200 || body != "own" {
		t.Errorf("%d %s", status, body)
	}
}

// With many harvesters, a few are served at once, the others get 503, and visitors get their pages.
func TestCrowd(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("%02d.txt", i)] = strings.Repeat("text ", 1000)
	}
	var at, most atomic.Int64
	s := serve(t, files, func(o *crate.HandlerOptions, next *http.Handler) {
		o.Requests = 2
		inner := *next
		*next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if site.Internal(r) {
				n := at.Add(1)
				defer at.Add(-1)
				for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
				}
			}
			inner.ServeHTTP(w, r)
		})
	})
	s.get(t, "/modoai?verb=Identify")
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0}}
	var served, later atomic.Int64
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			r, err := client.Get(s.URL + "/modoai?verb=ListRecords&metadataPrefix=oai_crate")
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			_, err = io.Copy(io.Discard, r.Body)
			switch {
			case err == nil && r.StatusCode == http.StatusOK:
				served.Add(1)
			case err == nil && r.StatusCode == http.StatusServiceUnavailable && r.Header.Get("Retry-After") != "":
				later.Add(1)
			default:
				t.Errorf("%d, %v", r.StatusCode, err)
			}
		})
	}
	for range 20 {
		if status, body := s.get(t, "/00.txt"); status != 200 || len(body) != 5000 {
			t.Errorf("a visitor gets %d and %d bytes", status, len(body))
		}
	}
	all.Wait()
	client.CloseIdleConnections()
	if served.Load() < 2 || served.Load()+later.Load() != 200 || later.Load() < 100 {
		t.Errorf("%d served, %d refused for now", served.Load(), later.Load())
	}
	if most.Load() > 4 && most.Load() > int64(len(files)) {
		t.Errorf("%d requests of ours at once", most.Load())
	}
}

func TestDefaultPlugins(t *testing.T) {
	s := serve(t, map[string]string{"a.txt": "hello"}, func(o *crate.HandlerOptions, _ *http.Handler) {
		o.Plugins = nil
	})
	_, body := s.get(t, "/modoai?verb=GetRecord&metadataPrefix=oai_crate&identifier="+s.URL+"/a.txt")
	wants(t, body, "5d41402abc4b2a76b9719d911017c592", "x-fmt/111")
}
