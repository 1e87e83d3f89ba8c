package warc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilled kills a program that writes one file after the other. A file that has its name is
// whole; the one that was being written has whole records, and at most one that is not.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("QUIRE_WRITE_UNTIL_KILLED"); dir != "" {
		writeUntilKilled(t, dir)
	}
	finished, unfinished := 0, 0
	for i := range 8 {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "QUIRE_WRITE_UNTIL_KILLED="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for { // until it is at work
			if names, _ := filepath.Glob(filepath.Join(dir, "1-*")); len(names) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i) * 3 * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, ".open") {
				unfinished++
				checkUnfinished(t, name)
				continue
			}
			finished++
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if n := back(t, file, nil); n != recordsUntilKilled {
				t.Errorf("%s has its name, and %d records", name, n)
			}
		}
	}
	t.Logf("%d finished, %d unfinished files", finished, unfinished)
}

const recordsUntilKilled = 20

func writeUntilKilled(t *testing.T, dir string) {
	for i := 0; ; i++ {
		w, err := Create(filepath.Join(dir, fmt.Sprintf("%d-a.warc.gz", i)), WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for j := range recordsUntilKilled {
			if _, _, err := w.WriteRecord(numbered(j)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// checkUnfinished reads a file in which every record is complete, except possibly the last.
func checkUnfinished(t *testing.T, name string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := NewWriter(&limited{left: 1 << 30}, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	broken := false
	for rec, err := range NewReader(file).Records() {
		if err != nil {
			t.Fatal(err)
		}
		if broken {
			t.Errorf("%s: a record at byte %d follows one that is not whole", name, rec.Offset)
		}
		_, _, err = w.Copy(rec)
		if broken = errors.Is(err, ErrDamaged); err != nil && !broken {
			t.Error(err)
		}
	}
}
