package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"quire/repository/catalogue"
)

// TestRepairHasNoCap loses a copy of more packages than a report lists, and mends it with one audit.
func TestRepairHasNoCap(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	const packages = 25
	for n := range packages {
		dir := makePackage(t, fmt.Sprintf("urn:test:%03d", n), content{"a.log": fmt.Sprint(n)})
		mustIngest(t, s, dir, IngestOptions{})
	}
	_ = s.Close()
	fresh := filepath.Join(fastDir(t), "new disk")
	remove(t, s.copies[1].path)
	again := mustRebuild(t, s.root, s.copies[0].path, s.copies[2].path, fresh)
	again.maxFindings = 10
	damage := mustDamage(t)
	report, err := again.Audit(ctx, nil, AuditOptions{Damage: damage})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) != 10 || report.Problems != packages || damage.Packages() != packages {
		t.Errorf("%d findings of %d, %d packages; want 10 of %d, and %d packages", len(report.Findings),
			report.Problems, damage.Packages(), packages, packages)
	}
	var repaired int
	sum, err := again.RepairAll(ctx, damage, RepairOptions{}, func(r RepairReport, err error) error {
		if err == nil && len(r.Repaired) == 1 {
			repaired++
		}
		return err
	})
	if err != nil || repaired != packages || sum.Repaired != packages || sum.Failed != 0 {
		t.Fatalf("repaired %d, %+v, %v", repaired, sum, err)
	}
	if !damage.Mends(report) {
		t.Errorf("something is left: %+v", report)
	}
	for e, err := range again.List(ctx) {
		if err != nil || e.Status != catalogue.Good {
			t.Errorf("%s is %s, %v", e.ID, e.Status, err)
		}
	}
	mustBeSound(t, again)
}

// justErr ends a repair of many packages at the first failure.
func justErr(_ RepairReport, err error) error { return err }

func mustDamage(t *testing.T) *Damage {
	t.Helper()
	d, err := NewDamage()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// TestRepairAllMendsAFreshFault damages the copy that the audit found good, before the repair reads it.
func TestRepairAllMendsAFreshFault(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		do   func(t *testing.T, path string)
	}{
		{"flipped", func(t *testing.T, path string) { edit(t, path, flip) }},
		{"missing", func(t *testing.T, path string) { remove(t, path) }},
		{"cut off", func(t *testing.T, path string) { edit(t, path, func(b []byte) []byte { return b[:3] }) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRepository(t)
			r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			remove(t, r.Copies[2].Path)
			damage := mustDamage(t)
			if _, err := s.Audit(ctx, nil, AuditOptions{Damage: damage}); err != nil {
				t.Fatal(err)
			}
			c.do(t, r.Copies[0].Path+"/v1/content/data/crawl.warc.gz")
			sum, err := s.RepairAll(ctx, damage, RepairOptions{}, func(r RepairReport, err error) error {
				if len(r.Repaired) != 2 || len(r.Findings) == 0 {
					t.Errorf("repair: %+v", r)
				}
				return err
			})
			if err != nil || sum.Repaired != 1 {
				t.Errorf("%+v, %v", sum, err)
			}
			mustBeSound(t, s)
		})
	}
}

// TestRepairAllContinues checks that a package that cannot be mended does not end the run.
func TestRepairAllContinues(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	lost := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	r := mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	for _, c := range lost.Copies {
		edit(t, c.Path+"/v1/content/logs/.hidden", flip)
	}
	remove(t, r.Copies[1].Path)
	damage := mustDamage(t)
	if _, err := s.Audit(ctx, nil, AuditOptions{Damage: damage}); err != nil {
		t.Fatal(err)
	}
	failed := map[string]bool{}
	sum, err := s.RepairAll(ctx, damage, RepairOptions{}, func(r RepairReport, err error) error {
		failed[r.ID] = err != nil
		return nil
	})
	if err != nil || sum.Repaired != 1 || sum.Failed != 1 || !failed[damagedID] || failed[otherID] {
		t.Errorf("%+v, %v, failed: %v", sum, err, failed)
	}
	if report := mustAudit(t, s, otherID); !report.OK() {
		t.Errorf("%s: %v", otherID, report.Findings)
	}
}

// TestEmptyFolders checks that empty folders in a storage root are no problem, and that a repair
// removes them.
func TestEmptyFolders(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	remove(t, r.Copies[1].Path)
	stray := filepath.Join(s.copies[0].root(), "aaa", "bbb")
	if err := os.MkdirAll(stray, 0o750); err != nil {
		t.Fatal(err)
	}
	damage := mustDamage(t)
	report, err := s.Audit(ctx, nil, AuditOptions{Damage: damage})
	if err != nil {
		t.Fatal(err)
	}
	if report.Problems != 1 || len(report.Notes) != 2 {
		t.Errorf("problems %v, notes %q; want the lost object, and a note for each copy", report.Findings, report.Notes)
	}
	sum, err := s.RepairAll(ctx, damage, RepairOptions{}, justErr)
	if err != nil || sum.Repaired != 1 || !damage.Mends(report) || exists(filepath.Dir(stray)) {
		t.Errorf("repair: %+v, %v; %s is there: %v", sum, err, stray, exists(filepath.Dir(stray)))
	}
	mustBeSound(t, s)
}

// TestCatalogueFollowsTheRepairedCopy checks that a truncated file of another copy does not set sizes
// in the catalogue: the repaired copy was just read back.
func TestCatalogueFollowsTheRepairedCopy(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	remove(t, r.Copies[2].Path)
	mustAudit(t, s)
	name := "data/crawl.warc.gz"
	edit(t, r.Copies[0].Path+"/v1/content/"+name, func(b []byte) []byte { return b[:3] })
	known := &facts{Inventory: r.Inventory, Copies: map[string]catalogue.Status{"copy-3": catalogue.Missing}}
	if _, err := s.repair(ctx, damagedID, known, RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	files, err := s.Contents(ctx, damagedID)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Path == name && f.Size != int64(len(crawl[name])) {
			t.Errorf("%s has %d bytes in the catalogue, want %d", name, f.Size, len(crawl[name]))
		}
	}
}
