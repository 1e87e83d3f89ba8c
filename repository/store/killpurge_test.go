package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/repository/disposal"
	"quire/repository/ocfl"
)

// childPurge stores packages, and purges each: it prints "asked ID" before the second person approves, and
// "purged ID" afterwards.
func childPurge(ctx context.Context, s *Store, dirs []string) int {
	for _, dir := range dirs {
		err := func() error {
			r, err := s.Ingest(ctx, dir, IngestOptions{})
			if err != nil {
				return err
			}
			p, err := s.RequestPurge(ctx, PurgeRequest{Package: r.ID, Because: "b", Authority: "a", By: "Ada"})
			if err != nil {
				return err
			}
			fmt.Println("asked", r.ID)
			if _, err := s.ApprovePurge(ctx, p.Token, "Bob", nil); err != nil {
				return err
			}
			fmt.Println("purged", r.ID)
			return nil
		}()
		if err != nil {
			fmt.Println("error", strings.ReplaceAll(err.Error(), "\n", " "))
		}
	}
	if err := s.Close(); err != nil {
		return 2
	}
	return 0
}

// TestKillPurge kills a purging process with SIGKILL at random moments. After the next Open, each package is
// whole in every copy, or gone from every copy; a confirmed purge is complete.
func TestKillPurge(t *testing.T) {
	kills := prove.Rounds(3, 10, 300)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	root, serial := "", 0
	packages := func() (dirs []string) {
		for range packagesPerChild {
			serial++
			files := content{"data/a.warc": strings.Repeat("a", 300_000), "data/b.warc": fmt.Sprint(serial)}
			dirs = append(dirs, makePackage(t, fmt.Sprint("urn:test:purge-", serial), files))
		}
		return dirs
	}
	fresh := func() {
		root = filepath.Join(fastDir(t), "repo")
		s, err := Init(context.Background(), root, InitOptions{Describe: testDescribe})
		if err != nil {
			t.Fatal(err)
		}
		_ = s.Close()
	}
	fresh()
	start := time.Now()
	if lines := startChild(t, "purge", root, packages()...).rest(); len(lines) != 2*packagesPerChild {
		t.Fatalf("the child says %q", lines)
	}
	whole := time.Since(start)
	var decided, undecided int
	for n := range kills {
		if n%10 == 9 {
			fresh()
		}
		c := startChild(t, "purge", root, packages()...)
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(whole))), func() { _ = c.cmd.Process.Kill() })
		lines := c.rest()
		timer.Stop()
		d, u := checkKilledPurge(t, root, lines)
		decided, undecided = decided+d, undecided+u
		if t.Failed() {
			t.Fatalf("after kill %d, seed %d", n, seed)
		}
	}
	t.Logf("%d kills: %d purges complete, %d requests not approved", kills, decided, undecided)
}

func checkKilledPurge(t *testing.T, root string, lines []string) (decided, undecided int) {
	t.Helper()
	ctx := context.Background()
	s, err := Open(ctx, root, Options{Describe: testDescribe})
	if err != nil {
		t.Fatalf("it does not open: %v", err)
	}
	defer func() { _ = s.Close() }()
	all, err := s.Purges(ctx)
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]disposal.State{}
	for _, p := range all {
		states[p.Package] = p.State
		_, err := s.Show(ctx, p.Package)
		switch p.State {
		case disposal.Purged:
			decided++
			if len(p.Pending) != 1 || !errors.Is(err, ErrPurged) {
				t.Errorf("%s: %+v, %v", p.Package, p.Pending, err)
			}
			for _, c := range s.copies {
				if exists(c.object(ocfl.ObjectPath(p.Package))) {
					t.Errorf("%s has the purged %s", c.name, p.Package)
				}
			}
		default:
			undecided++
			if err != nil {
				t.Errorf("%s: %v", p.Package, err)
			}
		}
	}
	for _, line := range lines {
		id, ok := strings.CutPrefix(line, "purged ")
		if ok && states[id] != disposal.Purged || strings.HasPrefix(line, "error") {
			t.Errorf("the child says %s; the state is %q", line, states[id])
		}
	}
	if report := mustAudit(t, s); !report.OK() {
		t.Errorf("%+v", report.Findings)
	}
	mustBeSound(t, s)
	return decided, undecided
}
