package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/sqlite"
	"quire/repository/catalogue"
)

// holdCatalogue begins a write in the catalogue of a repository, as another program does.
func holdCatalogue(t *testing.T, root string) (release func()) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(root, catalogueFile), sqlite.Options{Immediate: true})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return func() { _, _ = tx.Rollback(), db.Close() }
}

// TestReadsBesideWriter checks that reading goes on while another process writes to the catalogue for
// long, also after a process was killed; and that a writer says that it waited.
func TestReadsBesideWriter(t *testing.T) {
	needsFile(t, "holds the lock of the file")
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	d := &door{dies: true}
	s.disk.fault = func(op, path string) error { // the process dies when it would write the catalogue
		if op == "catalogue" {
			d.at = 1
		}
		return d.fault(op, path)
	}
	if _, err := s.Ingest(ctx, makePackage(t, faultID, crawl), IngestOptions{}); !errors.Is(err, errInjected) {
		t.Fatal(err)
	}
	_ = s.Close()
	release := holdCatalogue(t, s.root)
	turn, err := s.tryLock("recovery", exclusive, "recovery", "recovery")
	if err != nil {
		t.Fatal(err)
	}
	while, err := Open(ctx, s.root, Options{Describe: testDescribe, Reading: true})
	if err != nil || len(while.Recovered()) > 0 { // another process is at it
		t.Fatalf("beside a recovery: %v, %v", while.Recovered(), err)
	}
	_ = while.Close()
	turn.release()
	r, err := Open(ctx, s.root, Options{Describe: testDescribe, Reading: true})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for e, err := range r.List(ctx) {
		if err != nil || e.ID != damagedID {
			t.Errorf("%+v, %v", e, err)
		}
		count++
	}
	if _, err := r.Show(ctx, damagedID); err != nil || count != 1 {
		t.Errorf("show: %v; %d packages", err, count)
	}
	if report, err := r.Audit(ctx, nil, AuditOptions{DryRun: true}); err != nil || report.Packages != 1 {
		t.Errorf("dry run: %+v, %v", report, err)
	}
	if _, err := r.Export(ctx, damagedID, filepath.Join(t.TempDir(), "out"), ExportOptions{}); err != nil {
		t.Errorf("export: %v", err)
	}
	if got := r.Recovered(); len(got) != 1 || got[0].Outcome != Pending || !strings.Contains(got[0].Detail, "busy") ||
		!strings.Contains(got[0].Detail, "more than 0s") { // it did not wait
		t.Errorf("recovery: %v", got)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	release()
	mustBeSound(t, reopen(t, s.root))
}

// TestBusyWriter checks the error of a writer that waited too long.
func TestBusyWriter(t *testing.T) {
	needsFile(t, "holds the lock of the file")
	ctx := context.Background()
	s := newRepository(t)
	release := holdCatalogue(t, s.root)
	defer release()
	s.catalogue.Patience(time.Millisecond)
	_, err := s.Ingest(ctx, makePackage(t, damagedID, crawl), IngestOptions{})
	var busy *catalogue.BusyError
	if !errors.As(err, &busy) || strings.Contains(err.Error(), "rebuild") || !strings.Contains(err.Error(), "wait") {
		t.Errorf("got %v", err)
	}
}

// TestAuditBesideWriter checks that a writer that holds the catalogue for long does not end an audit,
// and that the next open reads the audit from its record.
func TestAuditBesideWriter(t *testing.T) {
	needsFile(t, "holds the lock of the file")
	s, _ := manyPackages(t, 3)
	release := holdCatalogue(t, s.root)
	s.catalogue.Patience(time.Millisecond)
	r, err := s.Audit(context.Background(), nil, AuditOptions{})
	if err != nil || !r.Scope.Full || len(r.Notes) == 0 || !strings.Contains(strings.Join(r.Notes, " "), "busy") {
		t.Errorf("%+v, %v", r, err)
	}
	_ = s.Close()
	release()
	d, err := reopen(t, s.root).Show(context.Background(), "p1")
	if err != nil || len(d.Audits) != 3 || !d.Copies[0].Checked.Equal(r.Finished) {
		t.Errorf("%+v, %v; the audit ended at %v", d.Copies, err, r.Finished)
	}
}
