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
	"syscall"
	"time"
)

// server is a quire process that serves the website.
type server struct {
	root, base string // of the website and of OAI-PMH
	cmd        *exec.Cmd
	said       bytes.Buffer
	state      string
}

// Plugin configurations of the measurements.
const (
	noTools     = "plugins: []\n"
	digestsOnly = "plugins:\n  - {label: md5, builtin: md5, mime: \"*/*\"}\n  - {label: sha256, builtin: sha256, " +
		"mime: \"*/*\"}\n"
	withPRONOM = digestsOnly + "  - {label: pronom, builtin: pronom, mime: \"*/*\"}\n"
)

// start starts quire on a folder with an empty index and waits until it lists its records.
func start(o options, folder, plugins string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	s := &server{root: "http://" + address + "/", base: "http://" + address + "/modoai"}
	if s.state, err = os.MkdirTemp(o.work, "state-"); err != nil {
		return nil, err
	}
	config := filepath.Join(s.state, "config.yaml")
	text := fmt.Sprintf("name: Bench\nadmin: oai@library.example\nbase: %s\nstate: %s\npages:\n  records: 100\n%s",
		s.base, s.state, plugins)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	s.cmd = exec.Command(o.quire, "crate", "serve", folder, "--listen", address, "--config",
		config) //nolint:gosec // our own program
	s.cmd.Stdout, s.cmd.Stderr = &s.said, &s.said
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for begun := time.Now(); !s.up(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > 2*time.Minute {
			return nil, errors.Join(fmt.Errorf("quire does not list records after two minutes; output: %s",
				s.said.String()), s.stop())
		}
	}
	return s, nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func (s *server) up() bool {
	r, err := http.Get(s.base + "?verb=ListIdentifiers&metadataPrefix=oai_dc")
	if err != nil {
		return false
	}
	return r.Body.Close() == nil && r.StatusCode == http.StatusOK
}

// stop ends the server and deletes its state.
func (s *server) stop() error {
	err := s.cmd.Process.Signal(syscall.SIGINT)
	if waited := s.cmd.Wait(); waited != nil {
		err = errors.Join(err, fmt.Errorf("quire: %w: %s", waited, s.said.String()))
	}
	return errors.Join(err, os.RemoveAll(s.state))
}
