package store

import (
	"context"
	"fmt"
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
		mustIngest(t, s, makePackage(t, fmt.Sprintf("urn:test:%03d", n), content{"a.log": fmt.Sprint(n)}), IngestOptions{})
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
		t.Errorf("%d findings of %d, %d packages; want 10 of %d, and %d packages", len(report.Findings), report.Problems,
			damage.Packages(), packages, packages)
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

func mustDamage(t *testing.T) *Damage {
	t.Helper()
	d, err := NewDamage()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}
