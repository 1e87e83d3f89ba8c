package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"quire/internal/prove"
)

// The tour is taken with the commands themselves.
func TestDemo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "tour")
	t.Chdir(t.TempDir()) // the tour leaves its folder as the working folder
	t.Setenv("QUIRE_CONFIG", "")
	t.Setenv("QUIRE_REPO", "/nowhere")
	status, out, errs := call(t, "demo", "--out", folder)
	if status != exitGood || errs != "" {
		t.Fatalf("status %d: %s%s", status, out, errs)
	}
	for _, want := range []string{
		"$ quire audit --repo repository\ncopy-1: 1 package", "audit of 1 package: all copies are whole",
		"compared with the package: 10 files, no difference", "access      open, by 1 statement of rights",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, name := range []string{"repository", "export"} {
		if status, out, errs := call(t, map[string][]string{
			"repository": {"audit", "--repo", filepath.Join(folder, name)},
			"export":     {"validate", filepath.Join(folder, name)},
		}[name]...); status != exitGood {
			t.Errorf("%s: status %d: %s%s", name, status, out, errs)
		}
	}
	if status, _, errs := call(t, "demo", "--out", folder); status != exitCall ||
		!strings.Contains(errs, "is not empty") {
		t.Errorf("a second tour there: status %d: %s", status, errs)
	}
}

// lines collects the errors that a running program prints.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// The tour ends with the server for readers, which answers a page and the health check.
func TestDemoServe(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("QUIRE_CONFIG", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said, ended := &lines{more: make(chan struct{}, 1)}, make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"demo", "--serve", "--listen", "127.0.0.1:0", "--out", "tour"}, io.Discard, said)
	}()
	port := regexp.MustCompile(`find this repository at http://localhost:([0-9]+)/`)
	var found []string
	for found == nil {
		select {
		case <-said.more:
			found = port.FindStringSubmatch(said.String())
		case status := <-ended:
			t.Fatalf("ended with status %d: %s", status, said)
		}
	}
	address := "http://127.0.0.1:" + found[1]
	if status, out, errs := call(t, "health", address); status != exitGood || out != "healthy\n" {
		t.Errorf("health: status %d: %s%s", status, out, errs)
	}
	answer, err := http.Get(address + "/all/20261121mp_/http://harbour-museum.example/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(body), "Saltmarsh Quay") {
		t.Errorf("%v %d: %s", err, answer.StatusCode, body)
	}
	cancel()
	if status := <-ended; status != exitGood {
		t.Errorf("status %d: %s", status, said)
	}
	if status, _, errs := call(t, "health", address); status != exitContent || !strings.Contains(errs, "no answer") {
		t.Errorf("a server that ended: status %d: %s", status, errs)
	}
	if err := os.Chdir(".."); err != nil { // out of the folder, which the test removes
		t.Error(err)
	}
}

// The commands of the tour are coloured like the tour itself.
func TestDemoColor(t *testing.T) {
	prove.Serial(t)
	t.Chdir(t.TempDir())
	t.Setenv("QUIRE_CONFIG", "")
	for color, want := range map[string]bool{"always": true, "never": false} {
		status, out, errs := call(t, "demo", "--color", color, "--out", filepath.Join(t.TempDir(), color))
		if status != exitGood || strings.Contains(out, "\x1b[") != want {
			t.Errorf("%s: status %d, %s%s", color, status, out, errs)
		}
	}
}

// A port in use ends the tour before it begins.
func TestDemoPortInUse(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("QUIRE_CONFIG", "")
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	status, out, errs := call(t, "demo", "--serve", "--listen", l.Addr().String(), "--out", "tour")
	if _, err := os.Stat("tour"); status != exitCall || out != "" || !strings.Contains(errs, "in use") || err == nil {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// A malformed address is a wrong call, not a server that is not healthy.
func TestHealthAddress(t *testing.T) {
	for _, wrong := range []string{"", "localhost:8000", "127.0.0.1:8000", "ftp://a.example"} {
		if status, _, errs := call(t, "health", wrong); status != exitCall || !strings.Contains(errs, "write it as") {
			t.Errorf("%q: status %d: %s", wrong, status, errs)
		}
	}
}
