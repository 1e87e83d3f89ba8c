package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"quire/internal/prove"
)

// TestKillAddCopy kills processes that add and fill a copy, at random moments, until one ends by itself.
// After each kill the repository opens, and no copy of before has lost anything. At the end the new
// copy has every package.
func TestKillAddCopy(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	kills := 0
	for kills < prove.Rounds(2, 10, 300) {
		s := newRepository(t)
		for n := range 4 {
			text := make([]byte, 100_000)
			for i := range text {
				text[i] = byte(random.Uint32())
			}
			dir := makePackage(t, fmt.Sprint("urn:test:", n), content{"a.warc": string(text)})
			mustIngest(t, s, dir, IngestOptions{})
		}
		_ = s.Close()
		path := filepath.Join(fastDir(t), "fourth")
		for start := time.Now(); ; {
			c := startChild(t, "add", s.root, path)
			timer := time.AfterFunc(time.Duration(random.Int64N(int64(60*time.Millisecond))+int64(time.Since(start)/8)),
				func() { _ = c.cmd.Process.Kill() }) // it may have ended by itself
			lines := c.rest()
			timer.Stop()
			if slices.ContainsFunc(lines, func(l string) bool { return len(l) > 5 && l[:5] == "error" }) {
				t.Fatalf("the child says %q", lines)
			}
			again := reopen(t, s.root)
			wholeBefore(t, again)
			_ = again.Close()
			if c.cmd.ProcessState.Success() {
				break
			}
			kills++
		}
		s = reopen(t, s.root)
		if len(s.Copies()) != 4 || len(owedIn(t, s)) > 0 {
			t.Errorf("copies %v, owed %v", s.Copies(), owedIn(t, s))
		}
		mustBeSound(t, s)
		_ = s.Close()
		if t.Failed() {
			t.Fatalf("after %d kills, seed %d", kills, seed)
		}
	}
}

// wholeBefore checks that the first three copies have no problem.
func wholeBefore(t *testing.T, s *Store) {
	t.Helper()
	report, err := s.Audit(context.Background(), nil, AuditOptions{Copies: []string{"copy-1", "copy-2", "copy-3"}})
	if err != nil || !report.OK() {
		t.Errorf("after a kill: %v, %v", report.Findings, err)
	}
}
