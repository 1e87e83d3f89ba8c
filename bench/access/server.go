package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a replay server under test.
type server struct {
	name    string
	ui      string // Quire only
	archive string // base URL of the collection's captures
	cmd     *exec.Cmd
	ended   chan error
	said    bytes.Buffer
}

// serveQuire starts quire serve on a repository and waits until it answers.
func serveQuire(o options, repo string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	s := &server{name: "quire serve", ui: "http://localhost:" + port, archive: "http://" + address + "/all/"}
	config := filepath.Join(o.work, "serve.yaml")
	if err := os.WriteFile(config, []byte("unstated: open\n"), 0o600); err != nil {
		return nil, err
	}
	s.cmd = exec.Command(o.quire, "serve", "--repo", repo, "--listen", address, "--config",
		config) //nolint:gosec // our own program
	return s, s.start(s.archive+"cdx?limit=1&url="+pageURL(0), 30*time.Minute)
}

// servePywb starts pywb on the container, with pywb's own index.
func servePywb(o options, container string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Join(o.work, "pywb"))
	if err != nil {
		return nil, err
	}
	wayback, err := filepath.Abs(o.wayback)
	if err != nil {
		return nil, err
	}
	manager := filepath.Join(filepath.Dir(wayback), "wb-manager")
	if _, err := os.Stat(filepath.Join(dir, "collections")); err != nil {
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return nil, err
		}
		for _, args := range [][]string{{"init", "bench"}, {"add", "bench", container}} {
			cmd := exec.Command(manager, args...) //nolint:gosec // that of the caller
			cmd.Dir = dir
			if said, err := cmd.CombinedOutput(); err != nil {
				return nil, fmt.Errorf("wb-manager %s: %w: %s", args[0], err, said)
			}
		}
	}
	s := &server{name: "pywb", archive: "http://127.0.0.1:" + port + "/bench/"}
	s.cmd = exec.Command(wayback, "-p", port, "-t", "2") //nolint:gosec // that of the caller
	s.cmd.Dir = dir
	return s, s.start(s.archive+"cdx?limit=1&url="+pageURL(0), time.Minute)
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// start starts the program and waits until it answers a request.
func (s *server) start(probe string, within time.Duration) error {
	s.cmd.Stdout, s.cmd.Stderr = &s.said, &s.said
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.ended = make(chan error, 1)
	go func() { s.ended <- s.cmd.Wait() }()
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-s.ended:
			return fmt.Errorf("%s ended: %w: %s", s.name, err, s.said.String())
		default:
		}
		if r, err := http.Get(probe); err == nil { //nolint:gosec // our own server
			found, _ := bytes.NewBuffer(nil), 0
			_, err := found.ReadFrom(r.Body)
			if errors.Join(err, r.Body.Close()) == nil && r.StatusCode == http.StatusOK && found.Len() > 0 {
				return nil
			}
		}
		if time.Since(begun) > within {
			return errors.Join(fmt.Errorf("%s does not answer within %v; output: %s", s.name, within, s.said.String()),
				s.stop())
		}
	}
}

// stop ends the program.
func (s *server) stop() error {
	err := s.cmd.Process.Signal(syscall.SIGINT)
	var exit *exec.ExitError
	if waited := <-s.ended; waited != nil && !(errors.As(waited, &exit) && s.ui == "") { // pywb's status is ignored
		err = errors.Join(err, fmt.Errorf("%s: %w: %s", s.name, waited, s.said.String()))
	}
	return err
}

// memory returns the private memory of the program and the size of the files mapped into it, in
// bytes (proc_pid_status(5)). The system can reclaim mapped memory at any time. It counts once for
// each database connection that maps the file.
func (s *server) memory() (own, mapped int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kb, err := strconv.ParseInt(fields[1], 10, 64)
		switch {
		case err != nil:
		case fields[0] == "RssAnon:":
			own = kb << 10
		case fields[0] == "RssFile:":
			mapped = kb << 10
		}
	}
	return own, mapped, nil
}

// cpu returns the processor time of the program (proc_pid_stat(5)).
func (s *server) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err := strconv.ParseInt(fields[14-3], 10, 64)
	system, err2 := strconv.ParseInt(fields[15-3], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond, errors.Join(err, err2)
}
