package site

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The index is shared within a process. Another process is refused until the last user here has
// finished.
func TestOneProcess(t *testing.T) {
	if state := os.Getenv("QUIRE_TEST_STATE"); state != "" { // this is the other process
		x, err := openIndex(t.Context(), state)
		if errors.Is(err, ErrInUse) {
			os.Exit(3)
		}
		if err != nil || x.close() != nil {
			os.Exit(4)
		}
		os.Exit(0)
	}
	state := t.TempDir()
	other := func() int {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestOneProcess$")
		cmd.Env = append(os.Environ(), "QUIRE_TEST_STATE="+state)
		_ = cmd.Run() // its exit status is checked
		return cmd.ProcessState.ExitCode()
	}
	first, err := openIndex(t.Context(), state)
	if err != nil {
		t.Fatal(err)
	}
	second, err := openIndex(t.Context(), state)
	if err != nil || second != first {
		t.Fatalf("%v %v", second, err)
	}
	for i, want := range []int{3, 3, 0} {
		if got := other(); got != want {
			t.Errorf("with %d users here: status %d, not %d", 2-i, got, want)
		}
		if i < 2 {
			if err := first.close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A file that is not an index causes an error with advice.
func TestNoDatabase(t *testing.T) {
	state := t.TempDir()
	if err := os.WriteFile(filepath.Join(state, "site.db"), []byte(strings.Repeat("no database ", 1000)),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openIndex(t.Context(), state); err == nil || !strings.Contains(err.Error(), "site.db") ||
		!strings.Contains(err.Error(), "remove it") {
		t.Error(err)
	}
}
