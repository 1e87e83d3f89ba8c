package store

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/disposal"
	"quire/repository/register"
)

// Purges beside other commands: audits, ingests and changes of the copies.

// TestAgainWhileCopiesChange: storing a purged package again writes a document. It must not wait for a
// change of the copies that waits for it.
func TestAgainWhileCopiesChange(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	s := newRepository(t)
	pkg := secretPackage(t)
	mustIngest(t, s, pkg, IngestOptions{})
	p := purgeNow(t, s)
	if err := s.RecordIndexesPurged(ctx, p.Purge); err != nil {
		t.Fatal(err)
	}
	changer, done, changed := reopen(t, s.root), make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for !closed(done) {
			if changer.changeSettings(ctx, "test", func(*repositoryConfig) error { return nil }, nil) == nil {
				n++
			}
		}
		changed <- n
	}()
	_, err := s.Ingest(ctx, pkg, IngestOptions{Again: true})
	close(done)
	if n := <-changed; err != nil || n == 0 {
		t.Errorf("%v; %d changes of the copies", err, n)
	}
}

// TestUnreadablePurges: without the decisions on purges, the repository opens and is read and audited, and
// stores nothing.
func TestUnreadablePurges(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	purgeNow(t, s)
	card, err := s.card(ctx, catalogue.DocumentPrefix+PurgesDocument)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.copies {
		for _, v := range []string{"v1", "v2"} {
			edit(t, filepath.Join(c.object(card.Path), v, "content/purges.json"), flip)
		}
	}
	again := reopen(t, s.root)
	r := again.Recovered()
	if len(r) != 1 || r[0].Outcome != Pending || !strings.Contains(r[0].Detail, "cannot be read") {
		t.Errorf("%v", r)
	}
	if _, err := again.Show(ctx, otherID); err != nil {
		t.Error(err)
	}
	if report := mustAudit(t, again); report.OK() {
		t.Error("the audit has no finding")
	}
	_, err = again.Ingest(ctx, makePackage(t, "urn:test:late", crawl), IngestOptions{})
	if !errors.Is(err, errPurges) {
		t.Errorf("ingest: %v", err)
	}
}

// TestNoteOfPurgedObject: events of an object that is purged before they are written do not stop the
// repository, nor the events of other objects.
func TestNoteOfPurgedObject(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	j := journal{Format: 1, Kind: kindEvents, State: committed, Tx: newToken(), Started: s.moment(),
		By: newHolder("test")}
	all := &leaves{}
	for _, id := range []string{purgeID, otherID} {
		card, err := s.card(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		e := s.newEvent(model.FixityCheck, id, "copy-1", "read")
		if err := s.noteEvent(ctx, &j, all, objectEvent{card.Object, card.Path, e}); err != nil {
			t.Fatal(err)
		}
	}
	purgeNow(t, s)
	if err := s.seal(ctx, &j, all); err != nil {
		t.Fatal(err)
	}
	if err := s.writeJournal(eventsPrefix+j.Tx, &j); err != nil {
		t.Fatal(err)
	}
	again := reopen(t, s.root)
	if r := again.Recovered(); len(r) != 1 || r[0].Outcome != Finished {
		t.Errorf("%v", r)
	}
	history, err := again.History(ctx, otherID)
	if err != nil || !slices.ContainsFunc(history.Events, func(e catalogue.Event) bool { return e.Detail == "read" }) {
		t.Errorf("%+v, %v", history.Events, err)
	}
	if found := secretsIn(t, s.root); len(found) > 0 {
		t.Errorf("remains: %q", found)
	}
}

// TestStalePurge: a purge that another program read before the package was stored again does nothing.
func TestStalePurge(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	pkg := secretPackage(t)
	r := mustIngest(t, s, pkg, IngestOptions{})
	p := purgeNow(t, s)
	if err := s.RecordIndexesPurged(ctx, p.Purge); err != nil {
		t.Fatal(err)
	}
	mustIngest(t, s, pkg, IngestOptions{Again: true})
	mustAdd(t, s, filepath.Join(fastDir(t), "fourth")) // of which the purge knows nothing
	refilled(t, s, "copy-4")
	if fresh, err := s.carryOutAgain(ctx, p.ID); err != nil || fresh.State() == disposal.Purged {
		t.Errorf("%+v, %v", fresh, err)
	}
	if report, err := s.purgeAgain(ctx, s.copies[1].name, r.Object); err != nil || len(report.Purged) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
	mustBeSound(t, s)
	if report := mustAudit(t, s); !report.OK() {
		t.Errorf("%+v", report.Findings)
	}
}

// TestRetireWithPurgePending: a copy that still has a purged package is not retired. If it is away, the purge
// is never called complete.
func TestRetireWithPurgePending(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	c := s.copies[2]
	back := takeAway(t, c)
	status := purgeNow(t, s)
	back()
	if _, err := s.RetireCopy(ctx, c.name, "old"); err == nil || !strings.Contains(err.Error(), status.ID) {
		t.Errorf("retired with the package: %v", err)
	}
	each := func(_ RepairReport, err error) error { return err }
	fresh := filepath.Join(fastDir(t), "fresh")
	if r, err := s.ReplaceCopy(ctx, c.name, fresh, RepairOptions{}, each); err == nil || r.New.Name != "" {
		t.Errorf("replaced with the package: %+v, %v", r, err)
	}
	takeAway(t, c)
	if _, err := s.RetireCopy(ctx, c.name, "broken"); err != nil {
		t.Fatal(err)
	}
	all, err := reopen(t, s.root).Purges(ctx)
	if err != nil || len(all) != 1 || len(all[0].Pending) == 0 || !all[0].Pending[0].Retired {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestAuditBesidePurge: an audit goes on if a package is purged before it is read, and if it is purged before
// its changed state is recorded.
func TestAuditBesidePurge(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	r := mustIngest(t, s, secretPackage(t), IngestOptions{})
	a := &audit{store: s, stats: map[string]*CopyAudit{}}
	a.report = AuditReport{Run: newUUID(), Started: s.moment()}
	if err := a.prepare(ctx); err != nil {
		t.Fatal(err)
	}
	a.findCopies()
	a.meter, a.slow = newMeter(nil, Auditing, 0), &throttle{now: s.now, wait: s.wait}
	if err := a.begin(ctx); err != nil {
		t.Fatal(err)
	}
	defer a.log.abandon()
	for _, id := range []string{purgeID, otherID} {
		card, err := s.card(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		e := s.newEvent(model.FixityCheck, id, "copy-1", "read")
		e.Status = catalogue.Damaged
		a.batch.changes = append(a.batch.changes, objectEvent{card.Object, card.Path, e})
		a.batch.checks = append(a.batch.checks, catalogue.Check{Package: id, Copy: "copy-1"})
	}
	a.place.Later = []string{purgeID}
	purgeNow(t, s)
	leaves := leavesIn(t, s)
	if err := a.packages(ctx); err != nil {
		t.Errorf("reading: %v", err)
	}
	if err := a.flush(ctx, s.moment()); err != nil {
		t.Errorf("recording: %v", err)
	}
	if n := leavesIn(t, s) - leaves; n != 1 {
		t.Errorf("%d events in the register, want that of the other package", n)
	}
	if held, err := s.catalogue.Copies(ctx, otherID); err != nil || held[0].Status != catalogue.Damaged {
		t.Errorf("the other package: %+v, %v", held, err)
	}
	if keys, err := s.journalKeys(); err != nil || len(keys) > 0 {
		t.Errorf("notes remain: %v, %v", keys, err)
	}
	if !s.wasPurged(ctx, r.Object) {
		t.Error("the object is there")
	}
}

// leavesIn returns the number of leaves in the register.
func leavesIn(t *testing.T, s *Store) int64 {
	t.Helper()
	report, err := register.Verify(context.Background(), s.registerPath(),
		register.VerifyOptions{Keys: s.trustedKeys()})
	if err != nil {
		t.Fatal(err)
	}
	return report.Head.Size
}

// TestPurgesOfEndedCall: the decisions are an error or a value, also if the call ends while they are read.
func TestPurgesOfEndedCall(t *testing.T) {
	s := newRepository(t)
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	purgeNow(t, s)
	s.purges = nil
	if p, err := s.readPurges(endedCall{context.Background()}); p == nil && err == nil {
		t.Error("neither a value nor an error")
	}
}

// endedCall is a call that has ended, but whose steps do not wait for its end.
type endedCall struct{ context.Context }

func (endedCall) Err() error { return context.Canceled }
