package outline

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/internal/sqlite"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/statements"
)

// stated returns facts with every part that an outline has.
func stated() *facts.Facts {
	return &facts.Facts{
		Rights: &statements.Set{Package: "p", Statements: []statements.Statement{{ID: "RGT-1", Basis: statements.Other,
			Scope:  statements.Scope{Harvest: 1, URLs: []string{"http://a.example/ä"}},
			Grants: []statements.Grant{{Act: statements.Show, Zone: model.Onsite, To: "2030-01-01"}}}}},
		TitleSource: &aip.TitleSource{URL: "http://a.example/", Captured: time.Unix(1, 0).UTC()},
		Harvests:    make([]facts.Harvest, 2),
		Containers: map[string]*facts.Container{
			"containers/b.warc": {Scan: model.ScanInfected, Viral: map[int64]bool{7: true, 3: true},
				ViralSums: []string{"ab"}},
			"containers/a.warc": {Scan: model.ScanClean, Never: "marked", Restricted: true},
		},
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// read returns the outlines of a file, "damaged" for those that cannot be used.
func read(t *testing.T, f *File) (all []string, last *Outline) {
	t.Helper()
	for k, err := range f.All(t.Context()) {
		must(t, err)
		o, err := f.Outline(t.Context(), &k, rights.NewShared(rights.Restricted))
		if err != nil {
			all = append(all, k.ID+" damaged")
			continue
		}
		all, last = append(all, k.ID+" "+k.Inventory), o
	}
	return all, last
}

// TestFile: an outline comes back as it was written; a changed row, and a file of another form, give none.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	f, err := Open(t.Context(), dir)
	must(t, err)
	o, err := Of(stated(), rights.NewShared(rights.Restricted))
	must(t, err)
	o.Index = "containers"
	w := f.Write()
	for i := range atOnce + 1 {
		must(t, w.Add(t.Context(), fmt.Sprintf("p%04d", atOnce-i), "before", o))
	}
	must(t, w.Add(t.Context(), "p0000", "inventory", o))
	must(t, w.Flush(t.Context()))
	must(t, f.Close())
	f, err = Open(t.Context(), dir)
	must(t, err)
	all, last := read(t, f)
	if len(all) != atOnce+1 || all[0] != "p0000 inventory" || all[1] != "p0001 before" {
		t.Errorf("%d outlines, first %q", len(all), all[:2])
	}
	if !reflect.DeepEqual(last, o) {
		t.Errorf("%+v became %+v", o, last)
	}
	if a, b := &last.Containers[0], &last.Containers[1]; a.Plain() || b.Plain() || !b.Infected(7) || b.Infected(4) {
		t.Errorf("%+v, %+v", a, b)
	}
	_, err = f.db.Exec("UPDATE outlines SET text = replace(CAST(text AS TEXT), 'infected', 'clean') " +
		"WHERE id = 'p0000'; UPDATE outlines SET inventory = 'other' WHERE id = 'p0001'")
	must(t, err)
	if all, _ = read(t, f); all[0] != "p0000 damaged" || all[1] != "p0001 damaged" || all[2] != "p0002 before" {
		t.Errorf("after damage: %q", all[:3])
	}
	for k, err := range f.All(t.Context()) { // a row of another form in a file that says it is of this one
		must(t, err)
		if k.ID == "p0003" {
			_, err = f.db.Exec("UPDATE outlines SET sum = ? WHERE id = 'p0003'", k.sum(form+1))
			must(t, err)
		}
	}
	if all, _ = read(t, f); all[2] != "p0002 before" || all[3] != "p0003 damaged" {
		t.Errorf("of another form: %q", all[2:4])
	}
	must(t, f.Remove(t.Context(), []string{"p0000", "p0001"}))
	if all, _ = read(t, f); len(all) != atOnce-1 {
		t.Errorf("%d outlines are left", len(all))
	}
	_, err = f.db.Exec("UPDATE rights SET text = replace(CAST(text AS TEXT), 'onsite', 'open')")
	must(t, err)
	if all, _ = read(t, f); all[0] != "p0002 damaged" {
		t.Errorf("after damage of the statements: %q", all[0])
	}
	_, err = f.db.Exec("PRAGMA user_version = 99")
	must(t, err)
	must(t, f.Close())
	f, err = Open(t.Context(), dir)
	must(t, err)
	if all, _ = read(t, f); len(all) != 0 {
		t.Errorf("of another form: %q", all)
	}
	must(t, f.Close())
}

// TestReadOnly: without the file, and with one that may only be read, callers go on.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenReadOnly(t.Context(), dir)
	must(t, err)
	if all, _ := read(t, f); len(all) != 0 {
		t.Errorf("%q", all)
	}
	must(t, f.Close())
	f, err = Open(t.Context(), dir)
	must(t, err)
	o, err := Of(stated(), rights.NewShared(rights.Restricted))
	must(t, err)
	w := f.Write()
	must(t, w.Add(t.Context(), "p", "inventory", o))
	must(t, w.Flush(t.Context()))
	must(t, f.Close())
	f, err = OpenReadOnly(t.Context(), dir)
	must(t, err)
	w = f.Write()
	must(t, w.Add(t.Context(), "q", "inventory", o))
	must(t, w.Flush(t.Context()))
	must(t, f.Remove(t.Context(), []string{"p"}))
	if all, _ := read(t, f); len(all) != 1 || all[0] != "p inventory" {
		t.Errorf("%q", all)
	}
	must(t, f.Close())
	must(t, sqlite.Remove(filepath.Join(dir, FileName)))
}
