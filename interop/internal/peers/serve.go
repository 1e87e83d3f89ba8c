package peers

import (
	"bytes"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Serve makes a repository of one open package with the captures of a WARC file, starts quire serve on it, and
// returns its address on a host: pages of the archive itself are on localhost, archived ones on 127.0.0.1. It waits
// until a page is there.
func Serve(t *testing.T, warc, host, page string) (base string) {
	t.Helper()
	dir, quire := t.TempDir(), Quire(t)
	Write(t, filepath.Join(dir, "crawl", "a.warc"), warc)
	Write(t, filepath.Join(dir, "rights.yaml"), "access: open\n")
	repo := filepath.Join(dir, "repo")
	Call(t, nil, quire, "pack", filepath.Join(dir, "crawl"), "--out", filepath.Join(dir, "package"), "--rights",
		filepath.Join(dir, "rights.yaml"))
	Call(t, nil, quire, "init", repo)
	Call(t, nil, quire, "ingest", filepath.Join(dir, "package"), "--repo", repo)

	address := FreeAddress(t)
	said := &bytes.Buffer{}
	cmd := exec.Command(quire, "serve", "--repo", repo, "--listen", address)
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		if err := cmd.Wait(); err != nil {
			t.Errorf("quire serve: %v\n%s", err, said)
		}
	})
	base = "http://" + strings.Replace(address, "127.0.0.1", host, 1)
	for begun := time.Now(); !there(base + page); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("quire serve does not answer")
		}
	}
	return base
}

// there reports whether a page is there.
func there(url string) bool {
	r, err := http.Get(url)
	if err != nil {
		return false
	}
	_ = r.Body.Close()
	return r.StatusCode == http.StatusOK
}
