package store

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/model"
	"quire/repository/catalogue"
)

// TestForgedEventInCatalogue: a change of a package takes a forged event of one copy into the catalogue. A repair takes
// it out of both.
func TestForgedEventInCatalogue(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	e := s.newEvent(model.FixityCheck, damagedID, "copy-3", "forged")
	e.Status = catalogue.Damaged
	e.File = strings.Replace(e.File, e.File[:4], "2099", 1)
	text, err := e.marshal()
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(r.Copies[0].Path, "logs", e.File), string(text))
	mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "second"}), IngestOptions{NewVersion: true})
	forged := func() bool {
		d, err := s.Show(ctx, damagedID)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(d.Events, func(e catalogue.Event) bool { return e.Detail == "forged" })
	}
	if !forged() {
		t.Error("the catalogue lacks the event: this test is not needed any more")
	}
	report, mended := auditAndRepair(t, s)
	if got := codesOf(report); !slices.Contains(got, "copy-1 EVENT-FORGED") || !mended {
		t.Errorf("found %q, mended %v", got, mended)
	}
	if forged() {
		t.Error("the catalogue still has the forged event")
	}
	d, err := s.Show(ctx, damagedID)
	if err != nil || slices.ContainsFunc(d.Copies, func(c catalogue.Copy) bool { return c.Status != catalogue.Good }) {
		t.Errorf("%+v, %v", d.Copies, err)
	}
	mustBeSound(t, s)
}
