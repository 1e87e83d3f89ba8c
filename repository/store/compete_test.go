package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecondWriterIsRefused checks that a second process is refused at once, with the name of the
// holder, while the first ingests a package.
func TestSecondWriterIsRefused(t *testing.T) {
	s := newRepository(t)
	id := "urn:test:contended"
	dir := makePackage(t, id, crawl)
	first := startChild(t, "pause", s.root, dir)
	if !first.lines.Scan() || first.lines.Text() != "paused" {
		t.Fatalf("the first writer says %q", first.lines.Text())
	}
	_, err := s.Ingest(context.Background(), dir, IngestOptions{})
	var busy *BusyError
	if !errors.As(err, &busy) || busy.Holder.PID != first.cmd.Process.Pid {
		t.Errorf("second writer: %v; want one that names process %d", err, first.cmd.Process.Pid)
	}
	if want := fmt.Sprintf("process %d on ", first.cmd.Process.Pid); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("message %v does not say %q", err, want)
	}
	// Opening the repository now must not touch the living writer's staging.
	other := reopen(t, s.root)
	if r := other.Recovered(); len(r) > 0 {
		t.Errorf("recovery touched a writer that is alive: %v", r)
	}
	if err := first.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if got := first.rest(); len(got) != 1 || got[0] != "ack "+id+" 1" {
		t.Errorf("first writer says %q", got)
	}
	mustBeSound(t, s)
	if left, err := os.ReadDir(filepath.Join(s.root, locksFolder)); err != nil || len(left) > 1 { // users.lock is ours
		t.Errorf("locks left: %v, %v", left, err)
	}
}

// TestManyWritersOneID starts several processes at once: exactly one stores the package.
func TestManyWritersOneID(t *testing.T) {
	s := newRepository(t)
	dir := makePackage(t, "urn:test:race", crawl)
	var children []*child
	for range 6 {
		children = append(children, startChild(t, "ingest", s.root, dir))
	}
	acks := 0
	for _, c := range children {
		for _, line := range c.rest() {
			switch {
			case strings.HasPrefix(line, "ack "):
				acks++
			case strings.HasPrefix(line, "already "), strings.Contains(line, "is in use by process "):
			default:
				t.Errorf("a writer says %s", line)
			}
		}
	}
	if acks != 1 {
		t.Errorf("%d writers were acknowledged, want 1", acks)
	}
	mustBeSound(t, s)
}
