package catalogue

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"quire/internal/pgtest"
)

// hold begins a write in the catalogue, as another program does.
func hold(t *testing.T, path string) {
	t.Helper()
	other := open(t, path)
	conn, err := other.db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
}

// TestReadsBesideWriter checks that opening and reading take no write lock, whoever writes.
func TestReadsBesideWriter(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "c.db")
	if err := open(t, path).Put(ctx, record("a")); err != nil {
		t.Fatal(err)
	}
	hold(t, path)
	for name, opened := range map[string]func(context.Context, string) (*Catalogue, error){
		"open": Open, "for reading": OpenForReading, "read only": OpenReadOnly} {
		c, err := opened(ctx, path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r, err := c.Get(ctx, "a"); err != nil || len(r.Versions[0].Files) != 2 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		for l, err := range c.List(ctx, "") {
			if err != nil || l.Status != Missing {
				t.Errorf("%s: %+v, %v", name, l, err)
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestBusy checks the error of a writer that waited too long.
func TestBusy(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "c.db")
	c := open(t, path)
	hold(t, path)
	c.Patience(time.Millisecond)
	var busy *BusyError
	err := c.Put(ctx, record("a"))
	if !errors.As(err, &busy) || busy.Path != path || busy.Waited != time.Millisecond {
		t.Fatalf("got %v", err)
	}
	if runtime.GOOS == "linux" && busy.Writer.PID != os.Getpid() {
		t.Errorf("the writer is %+v, not %d", busy.Writer, os.Getpid())
	}
	r, err := OpenForReading(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if err := r.Put(ctx, record("a")); !errors.As(err, &busy) || busy.Waited != 0 {
		t.Errorf("for reading: %v", err)
	}
	var wait string
	if err := r.db.QueryRow("PRAGMA busy_timeout").Scan(&wait); err != nil || wait != "30000" {
		t.Errorf("readers of the same pool wait %s ms, %v", wait, err)
	}
}

// migrateEnv makes the test binary a child that migrates a catalogue and is killed.
const migrateEnv = "QUIRE_CATALOGUE_TEST_MIGRATE"

func TestMain(m *testing.M) {
	if path := os.Getenv(migrateEnv); path != "" {
		_, _ = os.Stdout.WriteString("begun\n")
		_, _ = Open(context.Background(), path)
		os.Exit(0)
	}
	os.Exit(pgtest.Main(m))
}

// migratingChild starts a process that migrates, and waits until it begins.
func migratingChild(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), migrateEnv+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return cmd
}
