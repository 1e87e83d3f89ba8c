package browser

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quire/interop/internal/peers"
)

// binary returns the quire under test.
func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("QUIRE_BINARY")
	if path == "" {
		path = "../../build/quire"
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: make build makes it", err)
	}
	return path
}

// quire runs a command.
func quire(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("quire %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), problems.String())
	}
	return out.String()
}

// repository makes a repository with a package of each source.
func repository(t *testing.T, sources ...string) (repo string) {
	t.Helper()
	dir := t.TempDir()
	repo = filepath.Join(dir, "repo")
	quire(t, "init", repo)
	for i, source := range sources {
		out := filepath.Join(dir, fmt.Sprintf("package-%d", i+1))
		quire(t, "pack", source, "--out", out)
		quire(t, "ingest", out, "--repo", repo)
	}
	return repo
}

// serving is a running quire serve.
type serving struct{ ui, replay string }

// serve starts quire serve. The packages of these tests have no rights statement, so the settings
// open packages without a rights statement.
func serve(t *testing.T, repo string, settings ...string) serving {
	t.Helper()
	return serveWith(t, repo, func(string) []string { return settings })
}

// serveWith is serve with settings that depend on the address.
func serveWith(t *testing.T, repo string, settings func(address string) []string) serving {
	t.Helper()
	return serveMore(t, repo, settings)
}

// serveMore is serveWith with more flags.
func serveMore(t *testing.T, repo string, settings func(address string) []string, flags ...string) serving {
	t.Helper()
	address := peers.FreeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	config := filepath.Join(t.TempDir(), "serve.yaml")
	if err := os.WriteFile(config, []byte("unstated: open\n"+strings.Join(settings(address), "\n")+"\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, binary(t), append([]string{"serve", "--repo", repo, "--listen", address,
		"--config", config}, flags...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 10 * time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && cmd.ProcessState.ExitCode() > 1 {
			t.Errorf("quire serve: %v\n%s", err, said.String())
		}
		if t.Failed() {
			t.Logf("quire serve said:\n%.4000s", said.String())
		}
	})
	// A server with other names redirects to them, and only the browser can resolve them.
	asking := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	s := serving{ui: "http://localhost:" + port, replay: "http://127.0.0.1:" + port}
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		answer, err := asking.Get(s.replay + "/all/cdx?url=*&limit=1")
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode < 500 {
				return s
			}
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("quire serve ended: %v\n%s", err, said.String())
		default:
		}
	}
	t.Fatalf("quire serve does not answer\n%s", said.String())
	return s
}
