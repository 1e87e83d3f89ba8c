package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
	"quire/repository/catalogue"
)

// lost returns a repository with packages, and a new copy that has none.
func lost(t *testing.T, packages int) *Store {
	t.Helper()
	s := newRepository(t)
	for n := range packages {
		files := content{"a.log": fmt.Sprint(n), "b/c": "same"}
		mustIngest(t, s, makePackage(t, fmt.Sprintf("urn:test:%03d", n), files), IngestOptions{})
	}
	_ = s.Close()
	remove(t, s.copies[1].path)
	return mustRebuild(t, s.root, s.copies[0].path, s.copies[2].path, filepath.Join(fastDir(t), "new"))
}

// mustHaveAll checks that every package is good in every copy, by one event in the new one.
func mustHaveAll(t *testing.T, s *Store, kind model.EventType) {
	t.Helper()
	ctx := context.Background()
	fresh := s.copies[2].name
	for p, err := range s.catalogue.Packages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.catalogue.Get(ctx, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range r.Copies {
			if k.Status != catalogue.Good || k.Checked.IsZero() || k.Since.IsZero() {
				t.Errorf("%s: %+v", p.ID, k)
			}
		}
		events := 0
		for _, e := range r.Events {
			if e.Copy == fresh && e.Type == string(kind) {
				events++
			}
		}
		if events != 1 {
			t.Errorf("%s has %d events of the new copy; want one, %s", p.ID, events, kind)
		}
	}
	mustBeSound(t, s)
}

// TestRefillInBatches: many packages share notes, syncs and transactions. Every file is synced before its
// object is in place, every object before its record is begun, and every record before the catalogue has it.
func TestRefillInBatches(t *testing.T) {
	for _, atOnce := range []bool{true, false} {
		t.Run(fmt.Sprint("at once ", atOnce), func(t *testing.T) {
			if !atOnce {
				filesOneByOne(t)
			}
			const packages = 11
			s := lost(t, packages)
			s.batchObjects = 4
			var sum RepairSum
			var err error
			steps := record(s, func() { sum, err = s.Refill(context.Background(), "", RepairOptions{}, justErr) })
			if err != nil || sum.Repaired != packages {
				t.Fatalf("%+v, %v", sum, err)
			}
			count := map[string]int{}
			placed := false
			for i, st := range steps {
				inNew := strings.HasPrefix(st.path, s.copies[2].path)
				switch {
				case st.op == "catalogue":
					mustBeSynced(t, steps[:i], auditsFolder)
					fallthrough
				case st.op == "syncall" && inNew:
					count[st.op]++
				case st.op == "rename" && strings.HasPrefix(st.path, filepath.Join(s.root, journalFolder)):
					count["notes"]++
				case st.op == "create" && strings.Contains(st.path, auditsFolder):
					if count["records"]++; placed {
						mustBeSynced(t, steps[:i], "copy-")
						mustBeSynced(t, steps[:i], "/new/")
					}
					placed = false
				case st.op == "rename" && strings.Contains(st.path, auditsFolder):
					mustBeSynced(t, steps[:i], auditsFolder)
				case st.op == "rename" && inNew && !placed:
					placed = true
					mustBeSynced(t, steps[:i], stagingFolder)
				case st.op == "remove" && strings.HasPrefix(st.path, filepath.Join(s.root, journalFolder)):
					mustBeSynced(t, steps[:i], "/new/")
				}
			}
			if count["notes"] != 3 || count["records"] != 3*3 || count["catalogue"] != 3 ||
				atOnce && count["syncall"] > 2*3+1 {
				t.Errorf("three batches made %v", count)
			}
			mustHaveAll(t, s, model.Recovery)
		})
	}
}

// TestRefillCutOff: a refill ends when its objects are in place, before their record is begun. The next one
// reads them, writes none again, and records them.
func TestRefillCutOff(t *testing.T) {
	ctx := context.Background()
	s := lost(t, 5)
	cut := false
	s.disk.fault = func(op, path string) error {
		if cut = cut || op == "create" && strings.Contains(path, auditsFolder); cut {
			return errInjected
		}
		return nil
	}
	if _, err := s.Refill(ctx, "", RepairOptions{}, justErr); !errors.Is(err, errInjected) {
		t.Fatal(err)
	}
	root := s.root
	_ = s.Close()
	again := reopen(t, root)
	if got := len(objectPaths(t, again.copies[2])); got != 5 || len(owedIn(t, again)) != 5 {
		t.Fatalf("%d objects in place, owed %v", got, owedIn(t, again))
	}
	wrote := record(again, func() {
		sum, err := again.Refill(ctx, "", RepairOptions{}, justErr)
		if err != nil || sum.Whole != 5 {
			t.Errorf("%+v, %v", sum, err)
		}
	})
	for _, st := range wrote {
		if st.op == "create" && strings.Contains(st.path, "/v1/") {
			t.Errorf("it wrote %s again", st.path)
		}
	}
	if there, _ := os.ReadDir(filepath.Join(again.copies[2].path, quarantineFolder)); len(there) > 0 {
		t.Errorf("a good object is in the quarantine: %v", there)
	}
	mustHaveAll(t, again, model.FixityCheck)
}

// TestRefillTakesOthers: damage in the copy that the objects come from does not end a batch. The damaged
// package comes from another copy, and is mended there.
func TestRefillTakesOthers(t *testing.T) {
	s := lost(t, 5)
	card, err := s.card(context.Background(), "urn:test:002")
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(s.copies[0].object(card.Path), "v1/content/a.log"), flip)
	var sum RepairSum
	transactions := 0
	for _, st := range record(s, func() { sum, err = s.Refill(context.Background(), "", RepairOptions{}, justErr) }) {
		if st.op == "catalogue" {
			transactions++
		}
	}
	// One for the batch, one for the new copy of the damaged package, one for its damaged copy.
	if err != nil || sum.Repaired != 5 || sum.Failed != 0 || transactions != 3 {
		t.Errorf("%+v, %v, %d transactions", sum, err, transactions)
	}
	mustBeSound(t, s)
}
