package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// writes is a writer that a test reads during the writing.
type writes struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *writes) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *writes) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

// TestCrateServe serves a folder until Ctrl-C, without any configuration. Then a second server
// serves the first one's site.
func TestCrateServe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(`<title>Home</title><a href="a.txt">a</a>`),
		0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	first := crateServe(t, dir)
	if page := first.get(t, "?verb=ListRecords&metadataPrefix=oai_crate"); !strings.Contains(page, "aGVsbG8=") ||
		!strings.Contains(page, "5d41402abc4b2a76b9719d911017c592") {
		t.Errorf("no CRATE of a.txt in %s", page)
	}
	second := crateServe(t, "--upstream", first.told.Site)
	if page := second.get(t, "?verb=ListIdentifiers&metadataPrefix=oai_dc"); !strings.Contains(page,
		second.told.Site+"a.txt<") || !strings.Contains(page, second.told.Site+"<") {
		t.Errorf("the upstream's pages are not found: %s", page)
	}
	second.end(t)
	first.end(t)
}

type serving struct {
	stop   context.CancelFunc
	status chan int
	err    writes
	told   served
}

// crateServe starts a server.
func crateServe(t *testing.T, args ...string) *serving {
	t.Helper()
	s := &serving{status: make(chan int, 1)}
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	var out writes
	go func() {
		s.status <- run(ctx, append([]string{"crate", "serve", "--json", "--listen", "127.0.0.1:0", "--state",
			t.TempDir()}, args...), &out, &s.err)
	}()
	for !strings.Contains(out.String(), "\n") {
		select {
		case status := <-s.status:
			t.Fatalf("it ended with %d: %s", status, s.err.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := json.Unmarshal([]byte(out.String()), &s.told); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *serving) get(t *testing.T, query string) string {
	t.Helper()
	for {
		r, err := http.Get(s.told.Base + query)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		switch {
		case err != nil:
			t.Fatal(err)
		case r.StatusCode == http.StatusOK:
			return string(body)
		case r.StatusCode != http.StatusServiceUnavailable:
			t.Fatalf("%d %s", r.StatusCode, body)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (s *serving) end(t *testing.T) {
	t.Helper()
	s.stop()
	if status := <-s.status; status != exitGood {
		t.Errorf("status %d: %s", status, s.err.String())
	}
}

func TestCrateServeRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {t.TempDir(), "--upstream", "http://a.example"},
		{"--upstream", "ftp://a.example"}, {t.TempDir(), "--listen", "nowhere"}} {
		var out, errs writes
		if status := run(t.Context(), append([]string{"crate", "serve", "--state", t.TempDir()}, args...), &out,
			&errs); status != exitCall {
			t.Errorf("%q: status %d: %s", args, status, errs.String())
		}
	}
}
