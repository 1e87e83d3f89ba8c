package postgres_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"quire/internal/pgtest"
	"quire/internal/postgres"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// place returns a schema with the table of holders.
func place(t *testing.T) postgres.Place {
	t.Helper()
	p := pgtest.Place(t)
	db, err := postgres.Open(p, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	_, made := db.Exec("CREATE SCHEMA " + p.Schema)
	_, table := db.Exec("CREATE TABLE " + p.Schema + ".locks (name TEXT PRIMARY KEY, holder TEXT NOT NULL)")
	if err := errors.Join(made, table, db.Close()); err != nil {
		t.Fatal(err)
	}
	return p
}

func process(t *testing.T, p postgres.Place, name string) *postgres.Locks {
	t.Helper()
	l := postgres.NewLocks(p, name)
	t.Cleanup(func() { _ = l.Close(t.Context()) })
	return l
}

// TestLocks takes and releases locks in two processes, and twice in the same one.
func TestLocks(t *testing.T) {
	p := place(t)
	a, b := process(t, p, "a"), process(t, p, "b")
	other := p
	other.Schema += "_other"
	elsewhere := process(t, other, "elsewhere")
	const shared, exclusive = true, false
	for n, step := range []struct {
		who    *postgres.Locks
		shared bool
		free   bool // release the lock, instead of taking it
		want   error
	}{
		{a, exclusive, false, nil},
		{a, exclusive, false, postgres.ErrHeld}, // a session could take it again
		{a, shared, false, postgres.ErrHeld},
		{b, exclusive, false, postgres.ErrHeld},
		{b, shared, false, postgres.ErrHeld},
		{elsewhere, exclusive, false, nil}, // another repository
		{a, exclusive, true, nil},
		{b, shared, false, nil},
		{b, shared, false, nil},
		{a, shared, false, nil},
		{a, exclusive, false, postgres.ErrHeld},
		{a, shared, true, nil},
		{a, exclusive, false, postgres.ErrHeld},
		{b, shared, true, nil},
		{a, exclusive, false, postgres.ErrHeld}, // b has it once more
		{b, shared, true, nil},
		{a, exclusive, false, nil},
	} {
		var err error
		if step.free {
			err = step.who.Release(t.Context(), "x")
		} else {
			err = step.who.Try(t.Context(), "x", step.shared, "holder")
		}
		if !errors.Is(err, step.want) {
			t.Errorf("step %d: %v, want %v", n, err, step.want)
		}
	}
	if got := b.Holder(t.Context(), "x"); got != "holder" {
		t.Errorf("holder %q", got)
	}
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for { // the server ends the session a moment later; the time limit of the tests bounds this
		err := b.Try(t.Context(), "x", exclusive, "")
		if err == nil {
			break
		}
		if !errors.Is(err, postgres.ErrHeld) {
			t.Fatalf("the lock of a process that ended: %v", err)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestLocksLost: a session that ended has lost its locks. The process gets this error until all are released.
func TestLocksLost(t *testing.T) {
	p := place(t)
	a, b := process(t, p, "quire locks of a"), process(t, p, "b")
	for _, name := range []string{"x", "y"} {
		if err := a.Try(t.Context(), name, false, ""); err != nil {
			t.Fatal(err)
		}
	}
	endSession(t, p, "quire locks of a")
	if err := b.Try(t.Context(), "x", false, ""); err != nil {
		t.Errorf("another process: %v", err)
	}
	if err := a.Alive(t.Context()); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("alive: %v", err)
	}
	if err := a.Try(t.Context(), "z", false, ""); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("a new lock beside lost ones: %v", err)
	}
	if err := a.Release(t.Context(), "x"); err != nil {
		t.Errorf("releasing a lost lock: %v", err)
	}
	if err := a.Alive(t.Context()); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("alive with a lost lock: %v", err)
	}
	if err := a.Release(t.Context(), "y"); err != nil {
		t.Errorf("releasing a lost lock: %v", err)
	}
	if err := errors.Join(a.Try(t.Context(), "z", false, ""), a.Alive(t.Context())); err != nil {
		t.Errorf("after all were released: %v", err)
	}
}

// TestLocksKept: a process that only says that it is there goes on after its session ended, and says so again.
func TestLocksKept(t *testing.T) {
	p := place(t)
	a, b := process(t, p, "quire locks of a"), process(t, p, "b")
	if err := a.Try(t.Context(), "users", true, ""); err != nil {
		t.Fatal(err)
	}
	a.Keep("users")
	for n, ask := range []func() error{
		func() error { return a.Alive(t.Context()) },
		func() error { return a.Try(t.Context(), "x", false, "") },
		func() error { return a.Try(t.Context(), "users", true, "") },
	} {
		endSession(t, p, "quire locks of a")
		if n == 2 { // it holds x, which protects a change
			if err := ask(); !errors.Is(err, postgres.ErrLost) {
				t.Errorf("with another lock: %v", err)
			}
			break
		}
		if err := ask(); err != nil {
			t.Errorf("call %d: %v", n, err)
		}
		if err := b.Try(t.Context(), "users", false, ""); !errors.Is(err, postgres.ErrHeld) {
			t.Errorf("call %d: another process: %v", n, err)
		}
	}
	if err := errors.Join(a.Release(t.Context(), "x"), b.Try(t.Context(), "users", false, "")); err != nil {
		t.Fatal(err)
	}
	if err := a.Alive(t.Context()); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("beside a rebuild: %v", err)
	}
	if err := errors.Join(b.Release(t.Context(), "users"), a.Alive(t.Context())); err != nil {
		t.Errorf("after the rebuild: %v", err)
	}
}

// endSession ends a session, as a network that fails does.
func endSession(t *testing.T, p postgres.Place, name string) {
	t.Helper()
	db, err := postgres.Open(p, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1", name)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestCheck refuses addresses that cannot be used, and those with a password.
func TestCheck(t *testing.T) {
	for address, good := range map[string]bool{
		"postgres://quire@db.example.org/archive":              true,
		"postgresql://quire@/archive?host=/run/postgresql":     true,
		"postgres://quire:secret@db.example.org/archive":       false,
		"postgres://quire@db.example.org/archive?password=abc": false,
		"mysql://quire@db.example.org/archive":                 false,
		"host=db.example.org password=abc":                     false,
		"postgres://quire@db.example.org/archive?sslmode=what": false,
	} {
		if err := postgres.Check(address); (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestCheckForm: the form of an address is good although this machine lacks the files that it names.
func TestCheckForm(t *testing.T) {
	address := "postgres://quire@db.example.org/archive?sslmode=verify-full&sslrootcert=/nowhere/ca.pem"
	if err := postgres.CheckForm(address); err != nil {
		t.Error(err)
	}
	if err := postgres.Check(address); err == nil || !strings.Contains(err.Error(), "ca.pem") {
		t.Errorf("the lost certificate: %v", err)
	}
	for _, secret := range []string{"postgres://quire:secret@db.example.org/archive",
		"postgres://quire@db.example.org/archive?sslmode=verify-full&sslrootcert=/nowhere/ca.pem&sslpassword=secret"} {
		if err := postgres.CheckForm(secret); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("a password: %v", err)
		}
	}
}
