package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/repository/catalogue"
)

// requiring creates a repository of three copies that acknowledges a package in two.
func requiring(t *testing.T) *Store {
	t.Helper()
	s, err := Init(context.Background(), filepath.Join(fastDir(t), "repo"),
		InitOptions{Describe: testDescribe, Software: "quire test", Rules: Rules{Require: 2}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func stateOf(t *testing.T, s *Store, id, name string) catalogue.Status {
	t.Helper()
	copies, err := s.catalogue.Copies(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range copies {
		if k.Name == name {
			return k.Status
		}
	}
	t.Fatalf("%s has no state in %s", id, name)
	return ""
}

// notRead checks that the catalogue states no reading of a package in a copy that never had it.
func notRead(t *testing.T, s *Store, id, name string) {
	t.Helper()
	copies, err := s.catalogue.Copies(context.Background(), id)
	for _, k := range copies {
		if k.Name == name && !k.Checked.IsZero() {
			t.Errorf("%s was read in %s at %v, but it never was there", id, name, k.Checked)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func owedIn(t *testing.T, s *Store) []string {
	t.Helper()
	list := []string{}
	for d, err := range s.Owed(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprint(d.Package, " ", d.Copy, " ", d.Status))
	}
	return list
}

// TestOwedCopy stores packages and versions while a copy is away. They are owed, by the catalogue and
// by a rebuilt one, and a repair brings them.
func TestOwedCopy(t *testing.T) {
	ctx := context.Background()
	for _, way := range []string{"repair", "audit", "refill"} {
		t.Run(way, func(t *testing.T) {
			s := requiring(t)
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			back := takeAway(t, s.copies[2])
			r := mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
			if len(r.Copies) != 2 || !reflect.DeepEqual(r.Owed, []string{"copy-3"}) {
				t.Errorf("receipt: %+v", r)
			}
			second := makePackage(t, damagedID, content{"a": "second"})
			mustIngest(t, s, second, IngestOptions{NewVersion: true})
			again := mustIngest(t, s, second, IngestOptions{})
			if !again.AlreadyStored || len(again.Copies) != 2 || len(again.Owed) != 1 {
				t.Errorf("once more: %+v", again)
			}
			want := []string{damagedID + " copy-3 owed", otherID + " copy-3 owed"}
			if got := owedIn(t, s); !reflect.DeepEqual(got, want) {
				t.Errorf("owed: %q, want %q", got, want)
			}
			for e, err := range s.List(ctx) {
				if err != nil || e.Status != catalogue.Owed {
					t.Errorf("listed: %s is %s, want owed; %v", e.ID, e.Status, err)
				}
			}
			back()
			// While the copy is there again, but behind, the next version is owed to it, too.
			mustIngest(t, s, makePackage(t, damagedID, content{"a": "third"}), IngestOptions{NewVersion: true})
			_ = s.Close()
			s = mustRebuild(t, s.root)
			if got := owedIn(t, s); !reflect.DeepEqual(got, want) || s.Required() != 2 {
				t.Errorf("after a rebuild: %q, %d required; want %q", got, s.Required(), want)
			}
			notRead(t, s, otherID, "copy-3")
			damage := mustDamage(t)
			switch way {
			case "repair":
				for _, id := range []string{damagedID, otherID} {
					if rep, err := s.Repair(ctx, id, RepairOptions{}); err != nil ||
						!reflect.DeepEqual(rep.Repaired, []string{"copy-3"}) {
						t.Errorf("repair: %+v, %v", rep, err)
					}
				}
			case "audit":
				report, err := s.Audit(ctx, nil, AuditOptions{Damage: damage})
				if err != nil {
					t.Fatal(err)
				}
				want := []string{"OBJECT-MISSING ", "OBJECT-OLDER "}
				if got := findingsIn(report, "copy-3"); !reflect.DeepEqual(got, want) {
					t.Errorf("findings %q", report.Findings)
				}
				notRead(t, s, otherID, "copy-3")
				for _, id := range []string{damagedID, otherID} {
					if got := stateOf(t, s, id, "copy-3"); got != catalogue.Owed {
						t.Errorf("after an audit, %s is %s in copy-3, want owed", id, got)
					}
				}
				sum, err := s.RepairAll(ctx, damage, RepairOptions{}, justErr)
				if err != nil || sum.Repaired != 2 || !damage.Mends(report) {
					t.Errorf("repair: %+v, %v", sum, err)
				}
			case "refill":
				sum, err := s.Refill(ctx, "copy-3", RepairOptions{}, justErr)
				if err != nil || sum.Repaired != 2 {
					t.Errorf("refill: %+v, %v", sum, err)
				}
			}
			if got := owedIn(t, s); len(got) > 0 {
				t.Errorf("still owed: %q", got)
			}
			mustBeSound(t, s)
		})
	}
}

// TestTooFewCopies checks that nothing is stored with fewer copies than required.
func TestTooFewCopies(t *testing.T) {
	ctx := context.Background()
	s := requiring(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	back := takeAway(t, s.copies[2])
	mustIngest(t, s, makePackage(t, damagedID, content{"a": "second"}), IngestOptions{NewVersion: true})
	back()
	// copy-3 is behind, and copy-1 goes away: only copy-2 has the newest version.
	back = takeAway(t, s.copies[0])
	third := makePackage(t, damagedID, content{"a": "third"})
	if _, err := s.Ingest(ctx, third, IngestOptions{NewVersion: true}); err == nil ||
		!strings.Contains(err.Error(), "audit --repair") {
		t.Errorf("a version on top of one copy: %v", err)
	}
	alsoBack := takeAway(t, s.copies[1])
	if _, err := s.Ingest(ctx, makePackage(t, otherID, crawl), IngestOptions{}); err == nil ||
		!strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("a package in one copy: %v", err)
	}
	// Only the copy that is behind is there: its version is not taken for the newest.
	var wrong *ContentError
	if _, err := s.Repair(ctx, damagedID, RepairOptions{}); !errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "copy-1 is away") {
		t.Errorf("repair from a copy that is behind: %v", err)
	}
	alsoBack()
	back()
	if _, err := s.Repair(ctx, damagedID, RepairOptions{}); err != nil {
		t.Error(err)
	}
	mustIngest(t, s, third, IngestOptions{NewVersion: true})
	mustBeSound(t, s)
}

// TestRequireIsChecked checks the number at init and at a rebuild, and that a rebuild keeps it.
func TestRequireIsChecked(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{-1, 4} {
		root := filepath.Join(fastDir(t), "repo")
		s, err := Init(ctx, root, InitOptions{Describe: testDescribe, Rules: Rules{Require: n}})
		if err == nil {
			_ = s.Close()
		}
		if err == nil || exists(root) {
			t.Errorf("%d copies of 3: %v", n, err)
		}
	}
	s := requiring(t)
	_ = s.Close()
	if err := os.Remove(filepath.Join(s.root, repositoryFile)); err != nil {
		t.Fatal(err)
	}
	s = mustRebuild(t, s.root) // from the copies alone
	if s.Required() != 2 {
		t.Errorf("%d required after a rebuild, want 2", s.Required())
	}
	_ = s.Close()
	made, err := Init(ctx, s.root, InitOptions{Describe: testDescribe, Rebuild: true, Rules: Rules{Require: 3}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = made.Close() }()
	if made.Required() != 3 {
		t.Errorf("%d required, want 3", made.Required())
	}
}
