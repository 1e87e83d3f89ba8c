package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/repository/catalogue"
)

// TestDecisionUnknown: the disk of the journal fails while a change is decided. The change is neither
// confirmed nor dropped, and the next Open finishes it.
func TestDecisionUnknown(t *testing.T) {
	ctx := context.Background()
	pkg := makePackage(t, "urn:a", crawl)
	for name, change := range map[string]func(s *Store) error{
		"ingest": func(s *Store) error { _, err := s.Ingest(ctx, pkg, IngestOptions{}); return err },
		"repair": func(s *Store) error { _, err := s.Repair(ctx, "urn:a", RepairOptions{}); return err },
	} {
		s := newRepository(t)
		if name == "repair" {
			r := mustIngest(t, s, pkg, IngestOptions{})
			remove(t, filepath.Join(r.Copies[1].Path, "v1/content/mets.xml"))
		}
		journal, renamed := filepath.Join(s.root, journalFolder), 0
		s.disk.fault = func(op, path string) error {
			inside := strings.HasPrefix(path, journal)
			if op == "rename" && inside {
				renamed++ // the second is the decision
			}
			if renamed > 1 && inside && op != "rename" {
				return errInjected
			}
			return nil
		}
		err := change(s)
		var unplaced *UnplacedError
		if !errors.As(err, &unplaced) || !errors.Is(err, errInjected) {
			t.Errorf("%s: %v", name, err)
		}
		s.disk.fault = nil
		again, err := Open(ctx, s.root, Options{Describe: testDescribe})
		if err != nil {
			t.Fatal(err)
		}
		if r := again.Recovered(); len(r) != 1 || r[0].Outcome != Finished {
			t.Errorf("%s: %v", name, r)
		}
		mustBeSound(t, again)
		if card, err := again.card(ctx, "urn:a"); err != nil || card.Head != 1 {
			t.Errorf("%s: %+v, %v", name, card, err)
		}
		_ = again.Close()
	}
}

// TestAmendmentLeft: the folder of an amendment whose program died is removed at the next Open, and the
// folder of a living one is not.
func TestAmendmentLeft(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
	home := filepath.Join(s.copies[0].path, amendFolder)
	dead := filepath.Join(home, newToken(), "package")
	if err := os.MkdirAll(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	a := retitle("Another title")
	edit := a.Edit
	a.Edit = func(ctx context.Context, pkg, changed string) error {
		again, err := Open(ctx, s.root, Options{Describe: testDescribe})
		if err != nil {
			return err
		}
		if exists(dead) || !exists(pkg) {
			t.Errorf("the folder of the dead is there: %v; of the living: %v", exists(dead), exists(pkg))
		}
		if r := again.Recovered(); len(r) != 1 || r[0].Outcome != Dropped ||
			!strings.Contains(r[0].Detail, amendFolder) {
			t.Errorf("%+v", r)
		}
		return errors.Join(again.Close(), edit(ctx, pkg, changed))
	}
	if _, err := s.Amend(ctx, "urn:a", a); err != nil {
		t.Error(err)
	}
	if locks, _ := filepath.Glob(s.lockPath("amend-*")); exists(home) || len(locks) > 0 {
		t.Errorf("%s and %v remain", home, locks)
	}
}

// TestClockStepsBack: events keep their order after the clock of the machine stepped back, each with the
// time that the clock showed. So the state of a copy is that of the last event.
func TestClockStepsBack(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s.now = func() time.Time { at = at.Add(time.Second); return at }
	r := mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
	spoil(t, r.Copies[1].Path)
	mustAudit(t, s)
	at = at.AddDate(-3, 0, 0)
	if _, err := s.Repair(ctx, "urn:a", RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	exported := Action{Type: model.Dissemination, Detail: "exported"}
	if _, err := s.Record(ctx, "urn:a", exported); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	again, err := Init(ctx, s.root, InitOptions{Describe: testDescribe, Rebuild: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	d, err := again.Show(ctx, "urn:a")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range d.Copies {
		if k.Status != catalogue.Good {
			t.Errorf("%s is %s", k.Name, k.Status)
		}
	}
	n := len(d.Events)
	if n < 3 || d.Events[n-1].Detail != exported.Detail || d.Events[n-2].Type != string(model.Recovery) ||
		d.Events[n-1].Time.Year() != 2027 || d.Events[0].Time.Year() != 2030 {
		t.Errorf("%+v", d.Events)
	}
}
