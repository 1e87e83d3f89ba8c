package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"quire/internal/prove"
	"quire/repository/ocfl"
)

// These tests inject faults into every change on disk (disk.fault). At each change in turn, either
// the disk dies there (no later change happens, as after kill -9 or a power cut), or only that
// change fails and the store must handle it. Afterwards the repository is opened again. It must be
// in the old state or the new one, complete in every copy.

var errInjected = errors.New("injected fault")

// door counts the changes to files. It makes a chosen change fail, and, if dies is set, all later
// changes too.
type door struct {
	mu    sync.Mutex
	count int
	at    int  // the change that fails; 0: none
	dies  bool // whether all later changes fail too
}

func (d *door) fault(op, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.count == d.at || d.dies && d.at > 0 && d.count > d.at {
		return fmt.Errorf("%s %s: %w", op, filepath.Base(path), errInjected)
	}
	return nil
}

// fastDir returns a temporary folder, in memory if possible: these tests sync thousands of times.
func fastDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "quire-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

const faultID = "urn:uuid:1b7e3a52-0000-4000-8000-0000000000ff"

// faultCase is a change to a repository that is repeated with a different fault each time.
type faultCase struct {
	name    string
	prepare func(t *testing.T, s *Store)     // the old state
	change  func(s *Store, dir string) error // the change
	check   func(t *testing.T, s *Store) int // the state: 0 old, 1 new
	away    bool                             // copy-3 of three is away; two are required
}

// start creates the repository of the case.
func (c *faultCase) start(t *testing.T, root string) *Store {
	t.Helper()
	o := InitOptions{Describe: testDescribe, Copies: []string{root + "/copy-1", root + "/copy-2"}}
	if c.away {
		o.Copies, o.Require = append(o.Copies, root+"/copy-3"), 2
	}
	s, err := Init(context.Background(), root, o)
	if err != nil {
		t.Fatal(err)
	}
	c.prepare(t, s)
	return s
}

// comesBack brings copy-3 back, and repairs the package, if it is stored.
func comesBack(t *testing.T, s *Store) {
	t.Helper()
	c := s.copies[2]
	if away := c.path + "-away"; exists(away) {
		if err := os.Rename(away, c.path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Repair(context.Background(), faultID, RepairOptions{}); err != nil && !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func faultCases(t *testing.T) []faultCase {
	t.Helper()
	ctx := context.Background()
	first := makePackage(t, faultID, content{"a.warc": "first", "sub/b.log": "log"})
	second := makePackage(t, faultID, content{"a.warc": "second", "sub/b.log": "log", "c.log": "more"})
	store := func(dir string, o IngestOptions) func(*Store, string) error {
		return func(s *Store, _ string) error { _, err := s.Ingest(ctx, dir, o); return err }
	}
	repair := func(s *Store, _ string) error { _, err := s.Repair(ctx, faultID, RepairOptions{}); return err }
	refill := func(s *Store, _ string) error {
		_, err := s.Refill(ctx, "", RepairOptions{}, justErr)
		return err
	}
	return []faultCase{
		{
			name:    "new package",
			prepare: func(*testing.T, *Store) {},
			change:  store(first, IngestOptions{}),
			check:   func(t *testing.T, s *Store) int { return storedVersion(t, s) },
		},
		{
			name:    "new version",
			prepare: func(t *testing.T, s *Store) { mustIngest(t, s, first, IngestOptions{}) },
			change:  store(second, IngestOptions{NewVersion: true}),
			check:   func(t *testing.T, s *Store) int { return storedVersion(t, s) - 1 },
		},
		{
			name: "repair",
			prepare: func(t *testing.T, s *Store) {
				r := mustIngest(t, s, first, IngestOptions{})
				remove(t, filepath.Join(r.Copies[1].Path, "v1/content/a.warc"))
				mustAudit(t, s)
			},
			change: repair,
			check:  repairedOrDamaged,
		},
		{
			name: "repair across copies",
			prepare: func(t *testing.T, s *Store) {
				r := mustIngest(t, s, first, IngestOptions{})
				edit(t, filepath.Join(r.Copies[0].Path, "v1/content/a.warc"), flip)
				remove(t, filepath.Join(r.Copies[1].Path, "v1/content/sub/b.log"))
				mustAudit(t, s)
			},
			change: repair,
			check:  repairedOrDamaged,
		},
		{
			name: "refill",
			prepare: func(t *testing.T, s *Store) {
				for _, dir := range []string{first, makePackage(t, otherID, content{"x.log": "other"})} {
					remove(t, mustIngest(t, s, dir, IngestOptions{}).Copies[1].Path)
				}
				mustAudit(t, s)
			},
			change: refill,
			check: func(t *testing.T, s *Store) int {
				state := 1
				if !mustAudit(t, s).OK() {
					state = 0
				}
				if err := refill(s, ""); err != nil {
					t.Error(err)
				}
				return state
			},
		},
		{
			name: "new version with a copy away", away: true,
			prepare: func(t *testing.T, s *Store) {
				mustIngest(t, s, first, IngestOptions{})
				takeAway(t, s.copies[2])
			},
			change: store(second, IngestOptions{NewVersion: true}),
			check: func(t *testing.T, s *Store) int {
				state := storedVersion(t, s) - 1
				comesBack(t, s)
				return state
			},
		},
		{
			name: "new package with a copy away", away: true,
			prepare: func(t *testing.T, s *Store) { takeAway(t, s.copies[2]) },
			change:  store(first, IngestOptions{}),
			check: func(t *testing.T, s *Store) int {
				state := storedVersion(t, s)
				comesBack(t, s)
				return state
			},
		},
		{
			name: "repair with a copy away", away: true,
			prepare: func(t *testing.T, s *Store) {
				r := mustIngest(t, s, first, IngestOptions{})
				remove(t, filepath.Join(r.Copies[1].Path, "v1/content/a.warc"))
				mustAudit(t, s)
				takeAway(t, s.copies[2])
			},
			change: repair,
			check: func(t *testing.T, s *Store) int {
				state := 1
				if mustAudit(t, s, faultID).Problems > 1 { // one is the copy that is away
					state = 0
				}
				comesBack(t, s)
				return state
			},
		},
		{
			name: "purge",
			prepare: func(t *testing.T, s *Store) {
				mustIngest(t, s, first, IngestOptions{})
				if _, err := s.RequestPurge(ctx,
					PurgeRequest{Package: faultID, Because: "b", Authority: "a", By: "Ada"}); err != nil {
					t.Fatal(err)
				}
			},
			change: func(s *Store, _ string) error {
				p, err := s.Purge(ctx, "P1")
				if err == nil && p.Approved != nil { // a second try
					_, err = s.FinishPurges(ctx)
					return err
				}
				_, err = s.ApprovePurge(ctx, p.Token, "Bob", nil)
				return err
			},
			check: purgedOrStored,
		},
	}
}

// purgedOrStored checks whether the package was purged, and purges it if not: that must be possible after
// every fault.
func purgedOrStored(t *testing.T, s *Store) int {
	t.Helper()
	ctx := context.Background()
	all, err := s.Purges(ctx)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	p := all[0]
	if p.Approved == nil {
		if n := storedVersion(t, s); n != 1 {
			t.Errorf("the purge is not decided, and the package has version %d", n)
		}
		if p, err = s.ApprovePurge(ctx, p.Token, "Bob", nil); err != nil {
			t.Error(err)
		}
		p.Approved = nil
	}
	if len(p.Pending) != 1 {
		t.Errorf("pending: %+v", p.Pending)
	}
	for _, c := range s.copies {
		if exists(c.object(ocfl.ObjectPath(faultID))) {
			t.Errorf("%s has the purged object", c.name)
		}
	}
	if p.Approved == nil {
		return 0
	}
	return 1
}

// repairedOrDamaged checks whether copy-2 was repaired, and repairs it if not: that must be
// possible after every fault.
func repairedOrDamaged(t *testing.T, s *Store) int {
	t.Helper()
	state := 1
	if !mustAudit(t, s).OK() {
		state = 0
	}
	if _, err := s.Repair(context.Background(), faultID, RepairOptions{}); err != nil {
		t.Error(err)
	}
	return state
}

// storedVersion returns the version of the only package, or 0.
func storedVersion(t *testing.T, s *Store) int {
	t.Helper()
	card, err := s.card(context.Background(), faultID)
	if errors.Is(err, ErrNotFound) {
		if paths := objectPaths(t, s.copies[0]); len(paths) > 0 {
			t.Errorf("not in the catalogue, but there is %v", paths)
		}
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return card.Head
}

// stride returns 1 in the full test, for a fault at every step.
func stride() int { return prove.Rounds(61, 41, 1) }

func TestFaultAtEveryStep(t *testing.T) {
	prove.Serial(t)
	for _, c := range faultCases(t) {
		for _, dies := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/dies=%v", c.name, dies), func(t *testing.T) {
				steps := 0
				for at := 1; ; at += stride() {
					if at > runFault(t, c, at, dies, 0) {
						break
					}
					steps = at
				}
				if steps < 50 {
					t.Errorf("only %d changes went through the door", steps)
				}
				t.Logf("%d steps", steps)
			})
		}
	}
}

// TestFaultInRecovery lets the disk die during the change, and again during the recovery.
func TestFaultInRecovery(t *testing.T) {
	prove.Serial(t)
	stride := prove.Stride(61, 5)
	for _, c := range faultCases(t) {
		t.Run(c.name, func(t *testing.T) {
			for at := 1; ; at += stride {
				if at > runFault(t, c, at, true, 0) {
					break
				}
				for again := 1; ; again += prove.Stride(31, 1) {
					if runFault(t, c, at, true, again) < again {
						break
					}
				}
			}
		})
	}
}

// TestRetryAfterFault checks that a process can try again at once after a failed change on disk.
func TestRetryAfterFault(t *testing.T) {
	prove.Serial(t)
	for _, c := range faultCases(t) {
		t.Run(c.name, func(t *testing.T) {
			for at := 1; ; at += stride() {
				root := filepath.Join(fastDir(t), "repo")
				s := c.start(t, root)
				d := &door{at: at}
				s.disk.fault = d.fault
				first := c.change(s, root)
				s.disk.fault = nil
				if err := c.change(s, root); err != nil {
					t.Fatalf("step %d: %v, and then: %v", at, first, err)
				}
				if c.check(t, s) != 1 {
					t.Errorf("step %d: still in the old state", at)
				}
				mustBeSound(t, s)
				_ = s.Close()
				_ = os.RemoveAll(root)
				if at > d.count {
					break
				}
			}
		})
	}
}

// runFault makes the change once with a fault at one step. Then, unless again is 0, it lets the
// recovery die at another step. It returns the number of successful changes in the last part.
func runFault(t *testing.T, c faultCase, at int, dies bool, again int) (total int) {
	t.Helper()
	ctx := context.Background()
	root := filepath.Join(fastDir(t), "repo")
	s := c.start(t, root)
	d := &door{at: at, dies: dies}
	s.disk.fault = d.fault
	changeErr := c.change(s, root)
	until := d.count
	_ = s.Close() // brings the registers of the copies up to date
	total = d.count
	if changeErr == nil && until >= at && dies {
		t.Fatalf("step %d: acknowledged, although the disk died", at)
	}
	if again > 0 {
		d := &door{at: again, dies: true}
		if s, err := openWith(ctx, root, Options{Describe: testDescribe}, &disk{fault: d.fault}); err == nil {
			_ = s.Close()
		}
		total = d.count
	}
	s, err := Open(ctx, root, Options{Describe: testDescribe})
	if err != nil {
		t.Fatalf("step %d, %d: does not open: %v", at, again, err)
	}
	defer func() { _ = s.Close() }()
	for _, r := range s.Recovered() {
		if r.Outcome == Pending {
			t.Errorf("step %d, %d: %v", at, again, r)
		}
	}
	state := c.check(t, s)
	if state != 0 && state != 1 {
		t.Errorf("step %d, %d: neither old nor new: %d", at, again, state)
	}
	if changeErr == nil && state != 1 {
		t.Errorf("step %d, %d: confirmed, but still in the old state", at, again)
	}
	mustBeSound(t, s)
	if t.Failed() {
		t.Fatalf("step %d of %d, recovery step %d (change: %v)", at, total, again, changeErr)
	}
	_ = os.RemoveAll(root)
	return total
}
