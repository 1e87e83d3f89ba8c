package store

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"quire/repository/catalogue"
)

func flip(b []byte) []byte { b[0] ^= 1; return b }

// TestRepairTakesEachFileFromAnyCopy checks damage to another file in each copy: no copy is whole, and
// together they have every byte.
func TestRepairTakesEachFileFromAnyCopy(t *testing.T) {
	s := newRepository(t)
	dir := makePackage(t, damagedID, crawl)
	r := mustIngest(t, s, dir, IngestOptions{})
	for i, name := range []string{"data/crawl.warc.gz", "logs/crawl.log", "logs/.hidden"} {
		edit(t, filepath.Join(r.Copies[i].Path, "v1/content", name), flip)
	}
	mustAudit(t, s)
	rep, err := s.Repair(context.Background(), damagedID, RepairOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"copy-1", "copy-2", "copy-3"}; !reflect.DeepEqual(rep.Repaired, want) || len(rep.Sources) < 2 {
		t.Errorf("repair: %+v, want all copies, from several", rep)
	}
	mustBeSound(t, s)
	out := filepath.Join(t.TempDir(), "out")
	if _, err := s.Export(context.Background(), damagedID, out, ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(folderTree(t, out), folderTree(t, dir)) {
		t.Error("the repaired package differs from the ingested one")
	}
}

// TestRepairNeedsEachFileOnce checks that nothing changes while one file is whole in no copy.
func TestRepairNeedsEachFileOnce(t *testing.T) {
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	for _, c := range r.Copies {
		edit(t, c.Path+"/v1/content/logs/.hidden", flip)
	}
	before := folderTree(t, s.copies[1].path)
	rep, err := s.Repair(context.Background(), damagedID, RepairOptions{})
	if err == nil || len(rep.Repaired) > 0 {
		t.Errorf("repair: %+v, %v", rep, err)
	}
	if !reflect.DeepEqual(folderTree(t, s.copies[1].path), before) {
		t.Error("something was written")
	}
}

// TestAwayIsNotGood checks the state of a copy that cannot be read, in lists and in details.
func TestAwayIsNotGood(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	back := takeAway(t, s.copies[1])
	d, err := s.Show(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if k := d.Copies[1]; k.Status != catalogue.Away || k.Last != catalogue.Good || k.Checked.IsZero() {
		t.Errorf("copy-2 is %+v, want away, last good", k)
	}
	if k := d.Copies[0]; k.Status != catalogue.Good || k.Last != "" {
		t.Errorf("copy-1 is %+v, want good", k)
	}
	for e, err := range s.List(ctx) {
		if err != nil || e.Status != catalogue.Away {
			t.Errorf("%s is %s, %v; want away", e.ID, e.Status, err)
		}
	}
	back()
	for e, err := range s.List(ctx) {
		if err != nil || e.Status != catalogue.Good {
			t.Errorf("%s is %s, %v; want good again", e.ID, e.Status, err)
		}
	}
	mustBeSound(t, s)
}

// TestRepairWithACopyAway checks that a repair mends the copies that are there.
func TestRepairWithACopyAway(t *testing.T) {
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	edit(t, r.Copies[0].Path+"/v1/content/logs/.hidden", flip)
	back := takeAway(t, s.copies[2])
	rep, err := s.Repair(context.Background(), damagedID, RepairOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(rep.Repaired, []string{"copy-1"}) || !reflect.DeepEqual(rep.Away, []string{"copy-3"}) {
		t.Errorf("repair: %+v", rep)
	}
	back()
	mustBeSound(t, s)
}
