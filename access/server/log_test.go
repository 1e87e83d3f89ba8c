package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/holdings/holdingstest"
)

// testReopenLog: after the log is renamed and reopened, requests go to a new file, and no line is
// lost.
func testReopenLog(t *testing.T, r *holdingstest.Repository) {
	file := filepath.Join(t.TempDir(), "access.log")
	s := open(t, r, Options{Config: Config{Log: file}})
	ask(t, s, "GET", ui+"/?first", "203.0.113.7", "")
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	ask(t, s, "GET", ui+"/?second", "203.0.113.7", "")
	if err := s.ReopenLog(); err != nil {
		t.Fatal(err)
	}
	ask(t, s, "GET", ui+"/?third", "203.0.113.7", "")
	if err := s.log.flushNow(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{file + ".1": {"first", "second"}, file: {"third"}} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(b), "\n") != len(want) {
			t.Errorf("%s: %s", name, b)
		}
		for _, w := range want {
			if !strings.Contains(string(b), "/?"+w+" ") {
				t.Errorf("%s lacks %s: %s", name, w, b)
			}
		}
	}
}
