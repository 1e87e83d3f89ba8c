//go:build interop

package service

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// line is a line of the log of the service.
type line struct {
	Msg, Method, Path, By, Level string
	Status                       int
}

// served is a running service, with its log.
type served struct {
	url, repo string
	tokens    map[string]string // by name

	mu  sync.Mutex
	log []line
}

// lines returns the log so far.
func (s *served) lines() []line {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// serve starts a service on a repository with two packages, a job and a request for a purge.
func serve(t *testing.T) *served {
	t.Helper()
	dir := t.TempDir()
	quire := peers.Quire(t)
	s := &served{repo: filepath.Join(dir, "repo"), tokens: map[string]string{}}
	call := func(args ...string) string { return peers.Call(t, nil, quire, append(args, "--repo", s.repo)...) }
	peers.Call(t, nil, quire, "init", s.repo)
	crawl := filepath.Join(testsamples.Root(), "examples", "crawl")
	for _, id := range []string{"boats", "harbour"} {
		peers.Call(t, nil, quire, "pack", crawl, "--id", id, "--out", filepath.Join(dir, id))
		call("ingest", filepath.Join(dir, id))
	}
	call("submit", "audit")
	call("purge", "request", "harbour", "--because", "x", "--authority", "y", "--by", "Ada")
	for name, roles := range map[string]string{"All": "reader,curator,operator,approver,auditor", "Ro": "reader",
		"Au": "auditor"} {
		said := strings.Fields(call("token", "add", name, "--role", roles))
		at := slices.IndexFunc(said, func(word string) bool { return strings.HasPrefix(word, "quire_T") })
		if at < 0 {
			t.Fatalf("no token: %q", said)
		}
		s.tokens[name] = said[at]
	}
	folder := filepath.Join(dir, "files")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(dir, "operate.yaml")
	if err := os.WriteFile(settings, []byte("folders: [files]\nreports: files\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := peers.FreeAddress(t)
	s.url = "http://" + address
	s.start(t, exec.Command(quire, "serve", "--repo", s.repo, "--listen", peers.FreeAddress(t), "--operate", address,
		"--operate-config", settings, "--log-format", "json"))
	return s
}

func (s *served) start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for in := bufio.NewScanner(out); in.Scan(); {
			var l line
			if json.Unmarshal(in.Bytes(), &l) == nil {
				s.mu.Lock()
				s.log = append(s.log, l)
				s.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		<-read
		if err := cmd.Wait(); err != nil {
			t.Errorf("quire serve: %v", err)
		}
	})
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if answer, err := http.Get(s.url + "/readyz"); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatal("the service is not ready")
}

// tool returns the path of a tool of the venv of this folder.
func tool(t *testing.T, name string) string {
	return filepath.Join(peers.Tools(t), "openapi-venv", "bin", name)
}

// TestDescription reads the description of the API with openapi-spec-validator, as JSON and as YAML.
func TestDescription(t *testing.T) {
	s := serve(t)
	for _, form := range []string{"json", "yaml"} {
		answer, err := http.Get(s.url + "/openapi." + form)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(answer.Body); err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		file := filepath.Join(t.TempDir(), "openapi."+form)
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		said := peers.Call(t, nil, tool(t, "openapi-spec-validator"), "--schema", "3.1", file)
		if !strings.Contains(said, "OK") {
			t.Errorf("%s: %s", form, said)
		}
	}
}

// TestFuzz lets schemathesis make requests by the description, as a person with all roles, as a reader and as an
// auditor. No request fails by the service, each answer is as described, and a wrong request is refused. A reader
// and an auditor succeed at nothing that is not theirs.
//
// The short form has a few examples of each operation; QUIRE_PROVE=1 goes on for an hour.
func TestFuzz(t *testing.T) {
	s := serve(t)
	examples, most := "1", "25"
	if prove.Whole() {
		examples, most = "100000", "3600"
	}
	checks := "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance," +
		"negative_data_rejection"
	// A body that is too long is refused before it is read.
	config := filepath.Join(t.TempDir(), "schemathesis.toml")
	if err := os.WriteFile(config, []byte("[checks.negative_data_rejection]\nexpected-statuses = [400, 401, 403, "+
		"404, 405, 409, 413, 415, 422, \"5xx\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	fuzz := func(name, checks string, more ...string) {
		t.Helper()
		args := append([]string{"--config-file", config, "run", s.url + "/openapi.json", "--url", s.url + "/api/v1",
			"-H", "Authorization: Bearer " + s.tokens[name], "--checks", checks, "--no-color", "--seed", "1"}, more...)
		ctx, cancel := context.WithTimeout(t.Context(), 75*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, tool(t, "schemathesis"), args...)
		cmd.Dir = t.TempDir() // it keeps a cache
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("schemathesis as %s: %v\n%s", name, err, out)
		}
	}
	fuzz("All", checks, "--phases", "coverage,fuzzing", "--max-examples", examples, "--max-time", most)
	for _, name := range []string{"Ro", "Au"} {
		fuzz(name, "not_a_server_error", "--phases", "fuzzing", "--max-examples", "2", "--mode", "positive")
	}
	asked, good := map[string]int{}, map[string]int{}
	for _, l := range s.lines() {
		if l.Status >= 500 || l.Level == "ERROR" {
			t.Errorf("%+v", l)
		}
		if l.Msg != "request" || !strings.HasPrefix(l.Path, "/api/v1/") {
			continue
		}
		asked[l.By]++
		if l.Status >= 300 {
			continue
		}
		good[l.By]++
		path := strings.TrimPrefix(l.Path, "/api/v1/")
		switch {
		case l.By == "Ro" && path != "whoami" && path != "packages" && strings.Count(path, "/") != 1,
			l.By == "Ro" && !strings.HasPrefix(path, "packages") && path != "whoami",
			l.By == "Au" && l.Method != http.MethodGet && path != "reports":
			t.Errorf("%s may not %s %s: %d", l.By, l.Method, l.Path, l.Status)
		}
	}
	t.Logf("requests: %v, of which succeeded: %v", asked, good)
	for name := range s.tokens {
		if asked[name] < 20 || good[name] == 0 {
			t.Errorf("%s asked %d times, with %d successes", name, asked[name], good[name])
		}
	}
}
