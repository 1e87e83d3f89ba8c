package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/statement"
)

// TestLostKey: a new key of statements is reported if a server ran here before, and only then.
func TestLostKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var problems []string
	start := func() {
		t.Helper()
		problems = nil
		s := &Server{o: Options{Dir: dir, Problem: func(err error) {
			problems = append(problems, err.Error())
		}}}
		if err := s.keys(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if start(); len(problems) > 0 {
			t.Errorf("nothing was lost: %v", problems)
		}
	}
	if err := os.Remove(filepath.Join(dir, statement.KeyName)); err != nil {
		t.Fatal(err)
	}
	if start(); len(problems) != 1 || !strings.Contains(problems[0], "restore") {
		t.Errorf("a lost key: %v", problems)
	}
	if start(); len(problems) > 0 {
		t.Errorf("reported again: %v", problems)
	}
}
