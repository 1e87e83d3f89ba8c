package store

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"quire/model"
	"quire/repository/ocfl"
)

// TestProgramWithoutTheNewCopy: a program had opened the repository before another one added a copy and filled it. Its
// events name that copy as not reached, so no audit takes them for removed. It refuses a purge: the package would stay
// in the new copy.
func TestProgramWithoutTheNewCopy(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	p, err := s.RequestPurge(ctx, PurgeRequest{Package: damagedID, Because: "b", Authority: "a", By: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	old := reopen(t, s.root)
	mustAdd(t, s, filepath.Join(fastDir(t), "fourth"))
	refilled(t, s, "")
	if _, err := old.Record(ctx, damagedID, Action{Type: model.Dissemination, Detail: "exported"}); err != nil {
		t.Fatal(err)
	}
	if report := mustAudit(t, s); !report.OK() {
		t.Errorf("after an event of the old program: %v", report.Findings)
	}
	for _, c := range s.copies {
		found, err := filepath.Glob(filepath.Join(c.object(ocfl.ObjectPath(damagedID)), ocfl.LogsDir, "*dissem*.xml"))
		if err != nil || len(found) != 1 {
			t.Errorf("%s has the events %v, %v", c.name, found, err)
		}
	}
	if _, err := old.ApprovePurge(ctx, p.Token, "Bob", nil); !errors.Is(err, ErrCopiesChanged) {
		t.Errorf("the purge ends with %v", err)
	}
	status, err := s.ApprovePurge(ctx, p.Token, "Bob", nil)
	if err != nil || len(status.Pending) != 1 || exists(s.copies[3].object(ocfl.ObjectPath(damagedID))) {
		t.Errorf("%+v, %v", status, err)
	}
}

// TestAddCopyCutOff: a process is killed after a copy is in the list of copies, and before the catalogue has it. The
// next one lists the packages that the copy lacks.
func TestAddCopyCutOff(t *testing.T) {
	s := newRepository(t)
	for _, id := range []string{damagedID, otherID} {
		mustIngest(t, s, makePackage(t, id, crawl), IngestOptions{})
	}
	place := mustAdd(t, s, filepath.Join(fastDir(t), "fourth"))
	if err := s.catalogue.DropCopy(context.Background(), place.Name); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	l, err := s.tryLock(copiesLock, exclusive, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := reopen(t, s.root).Recovered(); len(got) > 0 {
		t.Errorf("recovered beside the process that adds the copy: %v", got)
	}
	l.release()
	s = reopen(t, s.root)
	want := []string{damagedID + " copy-4 missing", otherID + " copy-4 missing"}
	if got := owedIn(t, s); !slices.Equal(got, want) || len(s.Recovered()) != 1 {
		t.Errorf("owed: %v, recovered: %v", got, s.Recovered())
	}
	_ = s.Close()
	if got := reopen(t, s.root).Recovered(); len(got) > 0 {
		t.Errorf("recovered again: %v", got)
	}
}
