package captures

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
)

// childDir is set in a process that writes until it is killed.
const childDir = "QUIRE_INDEX_CHILD"

func manyLines(n int) synthetic {
	s := synthetic{}
	for p := range n {
		var lines []Line
		for i := range 100 {
			u := fmt.Sprintf("http://a.example/%d", i)
			lines = append(lines, Line{Capture: Capture{URL: u, Key: keyOf(u, nil),
				Timestamp: fmt.Sprintf("2020010100%04d", p), Type: "response", Record: Place{Order: int64(i + 1)},
				Digests: []string{helloSHA1}}})
		}
		s[fmt.Sprint("p", p)] = map[string][]Line{fmt.Sprint(p, ".warc"): lines}
	}
	return s
}

// TestChild is the code of the killed process.
func TestChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("only as a child of TestKilled")
	}
	x := open(t, dir)
	for p := 0; ; p = (p + 1) % 200 {
		if err := manyLines(p+1).add(context.Background(), x, fmt.Sprint("p", p)); err != nil {
			t.Fatal(err)
		}
		if p%7 == 6 {
			if err := x.Remove(context.Background(), fmt.Sprint("p", p-3)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestKilled checks that each package is present completely or not at all, whenever the writing
// process is killed. The next writer must be able to continue.
func TestKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), DirName)
	for round := range prove.Rounds(2, 4, 100) {
		child := exec.Command(os.Args[0], "-test.run=^TestChild$")
		child.Env = append(os.Environ(), childDir+"="+dir)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(filepath.Join(dir, manifestName))
		for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) { // until the first write
			now, err := os.ReadFile(filepath.Join(dir, manifestName))
			if err == nil && string(now) != string(before) {
				break
			}
			if time.Since(begun) > 5*time.Minute {
				t.Fatal("the child writes nothing")
			}
		}
		time.Sleep(time.Duration(round%40*23) * time.Millisecond) // a random moment
		_ = child.Process.Kill()
		_ = child.Wait()

		x := open(t, dir)
		count := map[string]int{}
		for c, err := range x.Captures(t.Context(), Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			count[c.Package]++
		}
		for pkg, n := range count {
			if n != 100 {
				t.Errorf("%d of 100 lines of %s", n, pkg)
			}
		}
		if err := manyLines(1).add(t.Context(), x, "p0"); err != nil {
			t.Fatal(err)
		}
		if err := x.Remove(t.Context(), "p0"); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") {
				t.Errorf("%s is left", e.Name())
			}
		}
		_ = x.Close()
	}
}

// TestBroken: an unreadable index is replaced by an empty one.
func TestBroken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), DirName)
	x := open(t, dir)
	if err := manyLines(1).add(t.Context(), x, "p0"); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{manifestName: "{", "000002" + capturesExt: ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		y := open(t, dir)
		if all, err := y.Containers(t.Context(), ""); err != nil || len(all) != 0 {
			t.Errorf("broken %s: %v, %v", name, all, err)
		}
		if err := manyLines(1).add(t.Context(), y, "p0"); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(ask(t, y, Query{}), "response"); got != 100 {
			t.Errorf("broken %s: then %d lines", name, got)
		}
	}
}

// TestTwoWrite: a second writer waits for the first, and then includes its changes.
func TestTwoWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), DirName)
	x, other := open(t, dir), open(t, dir)
	unlock, err := x.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := other.Remove(stopped, "p0"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while waiting: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- manyLines(1).add(t.Context(), other, "p0") }()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(5 * lockAgain):
	}
	unlock()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := manyLines(2).add(t.Context(), x, "p1"); err != nil {
		t.Fatal(err)
	}
	for _, i := range []*Index{x, other} {
		if got, err := i.Packages(t.Context()); err != nil || fmt.Sprint(got) != "[p0 p1]" {
			t.Errorf("%v, %v", got, err)
		}
	}
}
