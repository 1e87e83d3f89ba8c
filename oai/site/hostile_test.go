package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quire/oai/provider"
)

// asking returns an asker of one handler.
func asking(next http.HandlerFunc) *asker {
	return &asker{next: next, visitors: &Visitors{}, wait: 5 * time.Minute}
}

// say writes a text and ignores errors. Other tests cover readers that fail.
func say(w io.Writer, text string) { _, _ = io.WriteString(w, text) }

// fetched returns the status and the body of an answer.
func fetched(t *testing.T, a *asker) (*answer, string, error) {
	t.Helper()
	got, err := a.ask(t.Context(), http.MethodGet, "http://a.example/x")
	if err != nil {
		return nil, "", err
	}
	defer got.Close()
	body, err := io.ReadAll(got)
	return got, string(body), err
}

func TestExchange(t *testing.T) {
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		status  int
		body    string
		typ     string
		broken  error
	}{
		{"nothing", func(http.ResponseWriter, *http.Request) {}, 200, "", "", nil},
		{"a body", func(w http.ResponseWriter, _ *http.Request) {
			say(w, "<html>")
		}, 200, "<html>", "text/html; charset=utf-8", nil},
		{"no sniffing of encoded bytes", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			say(w, "\x1f\x8b")
		}, 200, "\x1f\x8b", "", nil},
		{"head set late", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(404)
			w.Header().Set("Content-Type", "text/late")
			w.WriteHeader(200)
			say(w, "gone")
		}, 404, "gone", "text/plain; charset=utf-8", nil},
		{"early hints", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(103)
			w.Header().Set("Content-Type", "image/png")
			w.WriteHeader(200)
		}, 200, "", "image/png", nil},
		{"flushes", func(w http.ResponseWriter, _ *http.Request) {
			if err := http.NewResponseController(w).Flush(); err != nil {
				panic(err)
			}
			say(w, "a")
		}, 200, "a", "", nil},
		{"declares too much", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			say(w, "abc")
		}, 200, "abc", "text/plain; charset=utf-8", errCut},
		{"declares too little", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2")
			if n, err := io.WriteString(w, "abc"); n != 2 || !errors.Is(err, http.ErrContentLength) {
				panic(fmt.Sprint(n, err))
			}
		}, 200, "ab", "text/plain; charset=utf-8", nil},
		{"panics at once", func(http.ResponseWriter, *http.Request) { panic("no") }, 0, "", "", errPanic},
		{"panics behind the head", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(200)
			panic(http.ErrAbortHandler)
		}, 0, "", "", errPanic},
		{"panics in the body", func(w http.ResponseWriter, _ *http.Request) {
			say(w, "abc")
			panic("no")
		}, 200, "abc", "text/plain; charset=utf-8", errPanic},
		{"hijacks", func(w http.ResponseWriter, _ *http.Request) {
			if _, _, err := http.NewResponseController(w).Hijack(); err == nil {
				panic("it can be hijacked")
			}
			w.WriteHeader(500)
		}, 500, "", "", nil},
		{"a body where none may be", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(204)
			if _, err := io.WriteString(w, "abc"); !errors.Is(err, http.ErrBodyNotAllowed) {
				panic(err)
			}
		}, 204, "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, body, err := fetched(t, asking(test.handler))
			if !errors.Is(err, test.broken) || body != test.body {
				t.Fatalf("body %q, %v; want %q, %v", body, err, test.body, test.broken)
			}
			if got == nil {
				return
			}
			if typ := strings.Replace(got.head.Get("Content-Type"), "text/plain; charset=utf-8; charset=utf-8", "",
				1); got.status != test.status || test.typ != "" && typ != test.typ {
				t.Errorf("%d %q, want %d %q", got.status, typ, test.status, test.typ)
			}
		})
	}
}

// A handler that answers late, or never finishes, delays us by at most its time limit.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock advances only when all wait
		release := make(chan struct{})
		defer close(release)
		a := asking(func(http.ResponseWriter, *http.Request) { <-release })
		if _, _, err := fetched(t, a); !errors.Is(err, errSlow) {
			t.Errorf("no head: %v", err)
		}
		a = asking(func(w http.ResponseWriter, r *http.Request) {
			say(w, "begun")
			<-r.Context().Done() // the caller gives up
		})
		if _, body, err := fetched(t, a); !errors.Is(err, errSlow) || body != "begun" {
			t.Errorf("no end: %q, %v", body, err)
		}
	})
}

// If the caller gives up, the handler is notified.
func TestGivenUp(t *testing.T) {
	seen := make(chan error, 1)
	a := asking(func(w http.ResponseWriter, r *http.Request) {
		var err error
		for err == nil {
			_, err = w.Write(make([]byte, 1000))
		}
		seen <- errors.Join(err, r.Context().Err())
	})
	got, err := a.ask(t.Context(), http.MethodGet, "http://a.example/")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(got, make([]byte, 5000)); err != nil {
		t.Fatal(err)
	}
	got.Close()
	if err := <-seen; err == nil {
		t.Error("the handler was not notified")
	}
}

// Internal requests are anonymous.
func TestStranger(t *testing.T) {
	var got *http.Request
	a := asking(func(_ http.ResponseWriter, r *http.Request) { got = r })
	a.strip = "/below"
	x, err := a.ask(t.Context(), http.MethodGet, "https://a.example:8443/below/a%20b/%2F?q=%41")
	if err != nil {
		t.Fatal(err)
	}
	x.Close()
	if got.RemoteAddr != anonymousAddr || got.TLS == nil || got.Host != "a.example:8443" || got.URL.Path != "/a b//" ||
		got.URL.RawQuery != "q=%41" ||
		got.RequestURI != "/a%20b/%2F?q=%41" || got.Header.Get("Accept-Encoding") != "identity" || !Internal(got) ||
		got.Header.Get("Cookie") != "" {
		t.Errorf("%+v", got)
	}
}

// File names may be any bytes, and are restored exactly.
func TestNames(t *testing.T) {
	names := []string{"a b.txt", "100%.txt", "%41.txt", "quote\"'.txt", "line\nbreak.txt", ";|$(rm).txt",
		"\x80\xff.txt", "ü.txt", "a?b#c.txt", "a;b=c&d.txt", "~!*().txt",
		"back\\slash.txt", "a+b.txt", "-", "[x]{y}|^`.txt", "\x01\x7f.txt", "dir ?/sub#/f.txt"}
	files := map[string]string{}
	for _, n := range names {
		files[n] = "of " + n
	}
	dir := folder(t, files)
	s, _, _ := idle(t, Options{Next: serve(t, dir), Folder: dir})
	scanned(t, s)
	got := listed(t, s, provider.Query{})
	if len(got) != len(names) {
		t.Fatalf("%d records of %d files:\n%s", len(got), len(names), strings.Join(got, "\n"))
	}
	for _, line := range got {
		_, url, _ := strings.Cut(line, " ")
		if again := written(url); again != url {
			t.Errorf("%q is written %q", url, again)
		}
		name, ok := s.urls.pathOf(url)
		if !ok {
			t.Fatalf("%q is of no file", url)
		}
		r, err := s.Resource(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := r.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(body); err != nil || string(text) != "of "+name || files[name] == "" {
			t.Errorf("%q of %q: %q, %v", url, name, text, err)
		}
	}
}

func TestOneForm(t *testing.T) {
	u, err := newURLs(&Options{Root: "HTTP://A.Example:80/site/", Aliases: []string{"http://localhost:8080/"},
		Reserved: []string{"/site/modoai"},
		Find:     Find{Exclude: []string{"/private/", "*.bak", "/exact"}}})
	if err != nil {
		t.Fatal(err)
	}
	for link, want := range map[string]string{
		"http://a.example/site/x/../%7euser/%2f%3a?a=[1]#frag": "http://a.example/site/~user/%2F%3A?a=%5B1%5D",
		"http://localhost:8080/y":                              "http://a.example/site/y",
		"http://a.example/site/a'b(c).html":                    "http://a.example/site/a'b(c).html",
		"http://a.example/elsewhere":                           "",
		"http://b.example/site/":                               "",
		"https://a.example/site/":                              "",
		"http://me:pw@a.example/site/":                         "",
		"mailto:a@a.example":                                   "",
		"http://a.example/site/modoai?verb=Identify":           "",
		"http://a.example/site/modoai/sitemap.xml":             "",
		"http://a.example/site/modoaix":                        "http://a.example/site/modoaix",
		"http://a.example/site/private/a":                      "",
		"http://a.example/site/%70rivate/a":                    "",
		"http://a.example/site/x//../private/a":                "http://a.example/site/x/private/a",
		"http://a.example/site//private/a":                     "",
		"http://a.example/site/x%2F..%2F/private/a":            "",
		"http://a.example/site//private/":                      "",
		"http://a.example/site/a.bak":                          "",
		"http://a.example/site/exact":                          "",
		"http://a.example/site/exactly":                        "http://a.example/site/exactly",
		"http://a.example/site/" + strings.Repeat("x", 20_000): "",
	} {
		if got, ok := u.of(link, nil); (want != "") != ok || ok && got != want {
			t.Errorf("%s: %q, %v; want %q", link, got, ok, want)
		}
	}
}

// An unreadable source causes no deletions. A folder that is suddenly empty causes no deletions
// either.
func TestBuriesNothing(t *testing.T) {
	dir := folder(t, map[string]string{"a.txt": "a", "b.txt": "b"})
	down := false
	files := serve(t, dir)
	s, c, told := idle(t, Options{Folder: dir, Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		files.ServeHTTP(w, r)
	})})
	scanned(t, s)
	c.forward(48 * time.Hour) // so that all resources are requested again
	down = true
	scanned(t, s)
	wantList(t, s, provider.Query{From: noon})
	down = false
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	scanned(t, s)
	wantList(t, s, provider.Query{From: noon})
	if !told.has("the scan found no resources") {
		t.Errorf("not told: %q", told.list)
	}
	// A request for one of them returns that it is gone.
	if _, err := s.Resource(t.Context(), "http://a.example/a.txt"); !errors.Is(err, provider.ErrNotFound) {
		t.Errorf("a file that has gone: %v", err)
	}
	wantList(t, s, provider.Query{From: noon}, "2026-11-24T12:00:00Z http://a.example/a.txt deleted")
}

// Only answers with status 200 are served.
func TestRights(t *testing.T) {
	dir := folder(t, map[string]string{"open.txt": "a", "closed.txt": "b", "moved.txt": "c", "sub/secret.txt": "d"})
	files := serve(t, dir)
	closed := true
	s, c, _ := idle(t, Options{Folder: dir, Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/closed.txt" && closed:
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/moved.txt":
			http.Redirect(w, r, "/open.txt", http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/sub/"):
			w.WriteHeader(http.StatusUnauthorized)
		default:
			files.ServeHTTP(w, r)
		}
	})})
	scanned(t, s)
	old := "2026-10-11T20:00:00Z http://a.example/"
	wantList(t, s, provider.Query{}, old+"open.txt")
	closed = false
	c.forward(time.Hour)
	scanned(t, s)
	wantList(t, s, provider.Query{}, old+"open.txt", "2026-11-22T13:00:00Z http://a.example/closed.txt")
	closed = true
	c.forward(time.Hour)
	if h, err := s.Header(t.Context(), "http://a.example/closed.txt"); err != nil || !h.Deleted {
		t.Errorf("the closed page: %+v, %v", h, err)
	}
	if _, err := s.Header(t.Context(), "http://a.example/sub/secret.txt"); !errors.Is(err, provider.ErrNotFound) {
		t.Errorf("the page that was never open: %v", err)
	}
}

// GetRecord finds a new file before the scan, but not a hidden one.
func TestHeaderLooks(t *testing.T) {
	dir := folder(t, map[string]string{"a.txt": "a", ".hidden": "b"})
	s, c, _ := idle(t, Options{Next: serve(t, dir), Folder: dir})
	scanned(t, s)
	c.forward(time.Minute)
	write(t, dir, "new.txt", "new", noon)
	write(t, dir, "sub/index.html", "new", noon)
	for id, want := range map[string]bool{"new.txt": true, "sub/": true, "sub/index.html": false, ".hidden": false,
		"none.txt": false, "a.txt": true, "a%2Etxt": false} {
		h, err := s.Header(t.Context(), "http://a.example/"+id)
		if (err == nil) != want || err != nil && !errors.Is(err, provider.ErrNotFound) {
			t.Errorf("%s: %+v, %v", id, h, err)
		}
	}
	write(t, dir, "a.txt", "changed", noon.Add(time.Minute))
	c.forward(time.Minute)
	if h, err := s.Header(t.Context(), "http://a.example/a.txt"); err != nil ||
		!h.Datestamp.Equal(noon.Add(2*time.Minute)) {
		t.Errorf("the changed file: %+v, %v", h, err)
	}
}

// Long bodies are streamed, and may change during reading.
func TestLong(t *testing.T) {
	size := 3 << 20
	s, _, _ := idle(t, Options{Find: Find{Seeds: []string{"/"}},
		Next: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/zip")
			w.Header().Set("ETag", `"1"`)
			say(w, strings.Repeat("x", size))
		})})
	scanned(t, s)
	r, err := s.Resource(t.Context(), "http://a.example/")
	if err != nil || r.Size != -1 || r.MIMEType != "application/zip" {
		t.Fatalf("%+v, %v", r, err)
	}
	for range 2 {
		size++
		body, err := r.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, body)
		if err != nil || n != int64(size) {
			t.Errorf("%d bytes of %d, %v", n, size, err)
		}
		body.Close()
	}
}

// An endless handler is cancelled when the client has left.
func TestEndless(t *testing.T) {
	s, _, _ := idle(t, Options{Find: Find{Seeds: []string{"/"}},
		Next: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"1"`)
			for {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		})})
	scanned(t, s)
	r, err := s.Resource(t.Context(), "http://a.example/")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	body, err := r.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if _, err := io.CopyN(io.Discard, body, 10<<20); err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := io.Copy(io.Discard, body); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on: %v", err)
	}
}
