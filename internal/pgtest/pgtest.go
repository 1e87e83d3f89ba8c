// Package pgtest runs tests with a PostgreSQL server of their own, on a socket below a temporary folder.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"quire/internal/postgres"
)

// Env asks for tests with PostgreSQL: 1. Without it they are skipped, because the server is not part of Quire's
// needs; CI sets it.
const Env = "QUIRE_POSTGRES"

// Wanted reports whether tests with PostgreSQL were asked for.
func Wanted() bool { return os.Getenv(Env) == "1" }

var (
	once    sync.Once
	running *server
	failed  error
	schemas atomic.Int64
)

// Place returns a new schema, not yet made. The first call starts the server; [Main] ends it.
func Place(t testing.TB) postgres.Place {
	t.Helper()
	if !Wanted() {
		t.Skipf("%s=1 runs this test with a PostgreSQL server", Env)
	}
	return postgres.Place{Address: Address(), Schema: fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1))}
}

// Address returns the address of the server, which the first call starts. It panics if there is none.
func Address() string {
	once.Do(func() { running, failed = start() })
	if failed != nil {
		panic(failed)
	}
	return running.address()
}

// Listen lets the server listen on an address of TCP, without a socket, for clients of a network in the notation of
// CIDR. It must be called before the server starts.
func Listen(address, clients string) { listen, network = address, clients }

var listen, network string

// Restart ends the server at once, as a crash does, and starts it again.
func Restart(t testing.TB) {
	t.Helper()
	if err := running.kill(); err != nil {
		t.Fatal(err)
	}
	if err := running.begin(); err != nil {
		t.Fatal(err)
	}
}

// Main runs the tests of a package, and ends the server. A TestMain calls it, and exits with the result.
func Main(m *testing.M) int {
	code := m.Run()
	if running != nil {
		_ = running.kill()
		_ = os.RemoveAll(running.dir)
	}
	return code
}

type server struct {
	dir, programs string
	account       *syscall.Credential // the server refuses to run as root
	cmd           *exec.Cmd
}

func (s *server) address() string {
	if listen != "" {
		return "postgres://quire@" + listen + "/postgres"
	}
	return "postgres://quire@/postgres?host=" + s.dir
}

func start() (*server, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("%s=1, but there is no /usr/lib/postgresql/*/bin/initdb: install postgresql", Env)
	}
	dir, err := os.MkdirTemp("/tmp", "quire-pg-") // the path of a socket has at most 107 bytes
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir, programs: filepath.Dir(found[len(found)-1])}
	if os.Getuid() == 0 {
		if err := s.unprivileged(); err != nil {
			return nil, err
		}
	}
	made := s.command("initdb", "-D", filepath.Join(dir, "data"), "-U", "quire", "-A", "trust", "--no-sync",
		"-E", "UTF8", "--locale=C.UTF-8")
	if out, err := made.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	if network != "" {
		if err := s.admit(network); err != nil {
			return nil, err
		}
	}
	return s, s.begin()
}

// admit lets in the clients of a network.
func (s *server) admit(clients string) error {
	rules, err := os.OpenFile(filepath.Join(s.dir, "data", "pg_hba.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(rules, "host all quire %s trust\n", clients)
	return errors.Join(err, rules.Close())
}

// unprivileged gives the folder to the account of Debian's package, for the server.
func (s *server) unprivileged() error {
	u, err := user.Lookup("postgres")
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	s.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)} //nolint:gosec // small numbers
	return os.Chown(s.dir, uid, gid)
}

func (s *server) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.programs, program), args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account}
	return cmd
}

// ready bounds the time in which the server must begin.
const ready = time.Minute

func (s *server) begin() error {
	s.cmd = s.command("postgres", "-D", filepath.Join(s.dir, "data"), "-k", s.dir, "-c", "listen_addresses="+listen,
		"-c", "max_connections=200", "-c", "fsync=off") // a killed process loses nothing that the system has
	dieWithParent(s.cmd)
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the server has its own
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	until := time.Now().Add(ready)
	for {
		db, err := postgres.Open(postgres.Place{Address: s.address(), Schema: "public"}, "test", false)
		if err != nil {
			return err
		}
		err = db.PingContext(context.Background())
		_ = db.Close()
		if err == nil {
			return nil
		}
		if time.Now().After(until) {
			text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("the server does not begin: %w: %s", err, strings.TrimSpace(string(text)))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// kill ends the server without a checkpoint.
func (s *server) kill() error {
	if err := s.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		return err
	}
	_ = s.cmd.Wait() // it exits with a status that says so
	return nil
}
