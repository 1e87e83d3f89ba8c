package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/model"
	"quire/repository/catalogue"
)

// copyingIn returns the names of the records of copying in a copy.
func copyingIn(t *testing.T, c *copyFolder) (names []string) {
	t.Helper()
	for _, name := range runNames(c) {
		head, err := readHead(filepath.Join(c.audits(), name))
		if err != nil {
			t.Fatal(err)
		}
		if head.isCopying() {
			names = append(names, name)
		}
	}
	return names
}

// eventFiles counts the event files of all packages in a copy.
func eventFiles(t *testing.T, c *copyFolder) (count int) {
	t.Helper()
	for _, path := range objectPaths(t, c) {
		count += len(eventNamesIn(c.object(path)))
	}
	return count
}

// statusIn returns the state of a package in a copy.
func statusIn(t *testing.T, s *Store, id, copyName string) catalogue.Copy {
	t.Helper()
	held, err := s.catalogue.Copies(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range held {
		if k.Name == copyName {
			return k
		}
	}
	return catalogue.Copy{}
}

// TestCopyingIsALeaf: packages that are copied in a batch get no event files. The batch has one leaf, and one record
// in each copy. The history of each package has its line, as an event of PREMIS. A rebuild takes it from the record.
func TestCopyingIsALeaf(t *testing.T) {
	ctx := context.Background()
	s := lost(t, 5)
	before, leavesBefore := eventFiles(t, s.copies[0]), mustRegister(t, s)
	refilled(t, s, "")
	if got := eventFiles(t, s.copies[0]); got != before {
		t.Errorf("%d event files, and %d before", got, before)
	}
	if got := mustRegister(t, s); got != leavesBefore+1 {
		t.Errorf("%d leaves, and %d before", got, leavesBefore)
	}
	runs := runsIn(t, s)
	if len(runs) != 1 || runs[0].Type != "recovery" || runs[0].Objects != 5 || runs[0].Lines != 1+5+1 ||
		runs[0].Problems != 0 {
		t.Errorf("%+v", runs)
	}
	recordsProved(t, s)
	mustHaveAll(t, s, model.Recovery)
	d, err := s.Show(ctx, "urn:test:003")
	if err != nil {
		t.Fatal(err)
	}
	e := d.Events[len(d.Events)-1]
	if e.Run != runName(runs[0].Run) || e.Detail != "copy-4 did not have the package; it was written there from "+
		"copy-1, synced, read back and matched" {
		t.Errorf("%+v", e)
	}
	text, err := s.EventFile(ctx, "urn:test:003", e.File)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parseEvent(text)
	if err != nil || p.ID != e.ID || p.Copy != s.copyURN("copy-4") || p.Package != "urn:test:003" ||
		p.Status != statusGood || !p.Time.Equal(e.Time) || p.Agent != "quire test" {
		t.Errorf("%+v, %v", p, err)
	}
	_, err = s.EventFile(ctx, "urn:test:003", "20260101T000000.000000Z-recovery-x")
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an event that is not there: %v", err)
	}
	auditWith(t, s, AuditOptions{})
	sameAfterRebuild(t, s)
}

func mustRegister(t *testing.T, s *Store) int64 {
	t.Helper()
	head, err := s.Register()
	if err != nil {
		t.Fatal(err)
	}
	return head.Size
}

// sameText reports the first line that differs.
func sameText(t *testing.T, what, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s has in line %d:\n%s\nwant\n%s", what, i+1, strings.Join(a[max(i-6, 0):min(i+6, len(a))], "\n"),
				strings.Join(b[max(i-6, 0):min(i+6, len(b))], "\n"))
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s has %d lines, want %d", what, len(a), len(b))
	}
}

// sameAfterRebuild closes the repository, and compares the catalogue with one that is made from the copies.
func sameAfterRebuild(t *testing.T, s *Store) *Store {
	t.Helper()
	want := dump(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	built := mustRebuild(t, s.root)
	sameText(t, "a rebuild", dump(t, built), want)
	if known, err := built.knownRuns(context.Background()); err != nil || len(known) != len(built.allRuns()) {
		t.Errorf("it knows %d runs of %d, %v", len(known), len(built.allRuns()), err)
	}
	return built
}

// TestCopiedThenChanged: later events follow the line, also if the clock stepped back. A new version keeps the state of
// the copy, damage changes it, and a rebuild agrees.
func TestCopiedThenChanged(t *testing.T) {
	ctx := context.Background()
	s := lost(t, 3)
	c := &clock{at: time.Now().UTC().Add(24 * time.Hour)}
	s.now = c.now
	refilled(t, s, "")
	c.at = c.at.Add(-48 * time.Hour) // the clock steps back
	mustAdd(t, s, filepath.Join(fastDir(t), "fifth"))
	refilled(t, s, "")
	d, err := s.Show(ctx, "urn:test:000")
	if err != nil || d.Events[len(d.Events)-1].Copy != "copy-5" {
		t.Errorf("the last event: %+v, %v", d.Events, err)
	}
	file := filepath.Join(s.copies[2].object(mustCard(t, s, "urn:test:001").Path), "v1/content/a.log")
	edit(t, file, flip)
	if _, err := s.Audit(ctx, nil, AuditOptions{}); err != nil {
		t.Fatal(err)
	}
	if k := statusIn(t, s, "urn:test:001", "copy-4"); k.Status != catalogue.Damaged {
		t.Errorf("%+v", k)
	}
	if _, err := s.Amend(ctx, "urn:test:002", retitle("another")); err != nil {
		t.Fatal(err)
	}
	wanted := map[string]catalogue.Status{"urn:test:001": catalogue.Damaged, "urn:test:002": catalogue.Good}
	for id, want := range wanted {
		if k := statusIn(t, s, id, "copy-4"); k.Status != want {
			t.Errorf("%s: %+v", id, k)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	built := mustRebuild(t, s.root)
	for id, want := range wanted {
		if k := statusIn(t, built, id, "copy-4"); k.Status != want {
			t.Errorf("after a rebuild, %s: %+v", id, k)
		}
	}
	if _, err := built.Repair(ctx, "urn:test:001", RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	remove(t, built.copies[2].object(mustCard(t, built, "urn:test:000").Path))
	if _, err := built.Audit(ctx, nil, AuditOptions{}); err != nil {
		t.Fatal(err)
	}
	if sum := refilled(t, built, ""); sum.Repaired != 1 { // the same copy gets the package once more
		t.Errorf("%+v", sum)
	}
	mustBeSound(t, built)
	_ = built.Close()
	again := mustRebuild(t, built.root)
	if k := statusIn(t, again, "urn:test:000", "copy-4"); k.Status != catalogue.Good {
		t.Errorf("%+v", k)
	}
	auditWith(t, again, AuditOptions{})
}

// TestForgedCopying changes the record of a copying in one copy. An audit of all finds it, a repair brings the right
// one back, and a rebuild believes none that the register does not have.
func TestForgedCopying(t *testing.T) {
	prove.Serial(t)
	replace := func(old, to string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			edit(t, path, func(text []byte) []byte {
				if !strings.Contains(string(text), old) {
					t.Fatalf("no %s in %s", old, text)
				}
				return []byte(strings.ReplaceAll(string(text), old, to))
			})
		}
	}
	const second = `{"copied":{"package":"urn:test:001"`
	for name, c := range map[string]struct {
		want string
		harm func(t *testing.T, path string)
	}{
		"removed":         {"AUDIT-REMOVED", func(t *testing.T, path string) { remove(t, path) }},
		"a line removed":  {"AUDIT-FORGED", dropLine(second)},
		"a line hidden":   {"AUDIT-FORGED", hideLine(second)},
		"another package": {"AUDIT-FORGED", replace("urn:test:001", "urn:test:009")},
		"another copy":    {"AUDIT-FORGED", replace(`"copy":"copy-4"`, `"copy":"copy-3"`)},
		"another source":  {"AUDIT-FORGED", replace(`"from":["copy-1"]`, `"from":["copy-3"]`)},
		"another order":   {"AUDIT-FORGED", replace(`"from"`, `"order":"20990101T000000.000000Z","from"`)},
		"an audit":        {"AUDIT-FORGED", replace(`"type":"recovery",`, ``)},
		"a line added": {"AUDIT-FORGED",
			replace(`{"finished"`, second+`,"copy":"copy-3","event":"x"}}`+"\n"+`{"finished"`)},
		"a line that looks like a signature": {"AUDIT-FORGED",
			replace(`{"finished"`, second+`,"copy":"copy-3","event":"x"},"signature":"x"}`+"\n"+`{"finished"`)},
		"a line that looks like a compaction": {"AUDIT-FORGED",
			replace(`{"finished"`, second+`,"copy":"copy-3","event":"x"},"compaction":{}}`+"\n"+`{"finished"`)},
		"a line behind the foot": {"AUDIT-FORGED", func(t *testing.T, path string) {
			edit(t, path, func(b []byte) []byte {
				return append(b, []byte(second+`,"copy":"copy-3","event":"x"}}`+"\n")...)
			})
		}},
		"cut off": {"AUDIT-FORGED", func(t *testing.T, path string) {
			edit(t, path, func(b []byte) []byte { return b[:len(b)/2] })
		}},
		"added": {"AUDIT-FORGED", func(t *testing.T, path string) {
			const other = "00000000-0000-4000-8000-000000000000"
			run, _ := runOf(filepath.Base(path))
			text := strings.ReplaceAll(string(read(t, path)), run, other)
			put(t, filepath.Join(filepath.Dir(path), "20300101T000000.000000Z-"+other+".jsonl"),
				strings.ReplaceAll(text, "copy-4", "copy-3"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := lost(t, 3)
			refilled(t, s, "")
			want := dump(t, s)
			names := copyingIn(t, s.copies[1])
			if len(names) != 1 {
				t.Fatal(names)
			}
			_ = s.Close()
			c.harm(t, filepath.Join(s.copies[1].audits(), names[0]))
			built := mustRebuild(t, s.root, s.copies[1].path, s.copies[0].path, s.copies[2].path)
			sameText(t, "a rebuild", dump(t, built), want)
			built.copies[0], built.copies[1] = built.copies[1], built.copies[0] // in the order of before
			r, err := built.Audit(context.Background(), nil, AuditOptions{DryRun: true})
			if err != nil || len(r.Findings) != 1 || string(r.Findings[0].Code) != c.want ||
				r.Findings[0].Copy != s.copies[1].name {
				t.Fatalf("%v, %v", r.Findings, err)
			}
			r, err = built.Audit(context.Background(), nil, AuditOptions{Repair: true})
			if err != nil || r.Problems != 1 {
				t.Errorf("with the repair: %v, %v", r.Findings, err)
			}
			auditWith(t, built, AuditOptions{})
			recordsProved(t, built)
		})
	}
}

// TestCopyingRecordLost removes the record of a copying from all copies. An audit says so, for ever. A rebuild does not
// know that the copy has the packages; the next filling reads them there, and writes none again.
func TestCopyingRecordLost(t *testing.T) {
	ctx := context.Background()
	s := lost(t, 3)
	refilled(t, s, "")
	for _, c := range s.copies {
		for _, name := range copyingIn(t, c) {
			remove(t, filepath.Join(c.audits(), name))
		}
	}
	for range 2 {
		r, err := s.Audit(ctx, nil, AuditOptions{})
		if err != nil || len(r.Findings) != 1 || r.Findings[0].Code != RemovedAudit || r.Findings[0].Copy != "" {
			t.Fatalf("%v, %v", r.Findings, err)
		}
	}
	_ = s.Close()
	built := mustRebuild(t, s.root)
	if k := statusIn(t, built, "urn:test:001", "copy-4"); k.Status != catalogue.Missing {
		t.Errorf("%+v", k)
	}
	wrote := record(built, func() {
		if sum := refilled(t, built, ""); sum.Whole != 3 {
			t.Errorf("%+v", sum)
		}
	})
	for _, st := range wrote {
		if st.op == "create" && strings.Contains(st.path, "/v1/") {
			t.Errorf("it wrote %s again", st.path)
		}
	}
	if k := statusIn(t, built, "urn:test:001", "copy-4"); k.Status != catalogue.Good || len(owedIn(t, built)) > 0 {
		t.Errorf("%+v, owed %v", k, owedIn(t, built))
	}
}

// TestFaultInCopying lets the disk fail, or die, at each change of a filling. Afterwards each package is good in the
// new copy by one line or by one event, and each record that is there has its leaf.
func TestFaultInCopying(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	lines, events, half := 0, 0, 0
	for _, dies := range []bool{true, false} {
		for at := 1; ; at += prove.Stride(3, 1) {
			s := lost(t, 2)
			d := &door{at: at, dies: dies}
			s.disk.fault = d.fault
			_, err := s.Refill(ctx, "", RepairOptions{}, func(RepairReport, error) error { return nil })
			ended := err == nil && d.count < at
			_ = s.Close()
			next := reopen(t, s.root)
			if _, err := next.Refill(ctx, "", RepairOptions{}, justErr); err != nil {
				t.Fatalf("step %d: %v", at, err)
			}
			if len(owedIn(t, next)) > 0 || tempRuns(t, next) > 0 {
				t.Errorf("step %d: owed %v, %d files under way", at, owedIn(t, next), tempRuns(t, next))
			}
			mustBeSound(t, next)
			recordsProved(t, next)
			for _, id := range []string{"urn:test:000", "urn:test:001"} {
				r, err := next.catalogue.Get(ctx, id)
				if err != nil {
					t.Fatal(err)
				}
				by := 0
				for _, e := range r.Events {
					if e.Copy == "copy-4" {
						by++
						if e.Run != "" {
							lines++
						} else {
							events++
						}
					}
				}
				if by != 1 {
					t.Errorf("step %d: %s has %d events of the new copy", at, id, by)
				}
			}
			if len(next.Recovered()) > 0 {
				half++
			}
			auditWith(t, next, AuditOptions{})
			sameAfterRebuild(t, next)
			if t.Failed() {
				t.Fatalf("step %d, dies %v", at, dies)
			}
			if ended {
				t.Logf("%d changes", at-1)
				break
			}
		}
	}
	if lines == 0 || half == 0 {
		t.Errorf("%d lines, %d events, %d recoveries", lines, events, half)
	}
}

// TestCopiedBeforePurge: a package that was copied is purged, and stored again under its id. A rebuild does not take
// the line of the purged one for the new one.
func TestCopiedBeforePurge(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, purgeID, crawl), IngestOptions{})
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	mustAdd(t, s, filepath.Join(fastDir(t), "fourth"))
	refilled(t, s, "")
	if err := s.RecordIndexesPurged(ctx, purgeNow(t, s).Purge); err != nil {
		t.Fatal(err)
	}
	lines, err := s.catalogue.Lines(ctx, purgeID)
	if err != nil || len(lines) > 0 {
		t.Errorf("the catalogue has %v, %v", lines, err)
	}
	if _, err := s.Ingest(ctx, makePackage(t, purgeID, crawl), IngestOptions{Again: true}); err != nil {
		t.Fatal(err)
	}
	built := sameAfterRebuild(t, s)
	r, err := built.catalogue.Get(ctx, purgeID)
	if err != nil || slices.ContainsFunc(r.Events, func(e catalogue.Event) bool { return e.Run != "" }) {
		t.Errorf("%+v, %v", r.Events, err)
	}
	if r, err = built.catalogue.Get(ctx, otherID); err != nil ||
		!slices.ContainsFunc(r.Events, func(e catalogue.Event) bool { return e.Run != "" }) {
		t.Errorf("%+v, %v", r.Events, err)
	}
}

// TestCopyingUnread: the catalogue lacks the record of a copying, because it was restored from a backup. The next open
// reads it.
func TestCopyingUnread(t *testing.T) {
	if defaultCatalogue != "" {
		t.Skip("the catalogue is no file")
	}
	ctx := context.Background()
	s := lost(t, 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	backup := read(t, filepath.Join(s.root, catalogueFile))
	s = reopen(t, s.root)
	refilled(t, s, "")
	want := dump(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"-wal", "-shm"} {
		_ = os.Remove(filepath.Join(s.root, catalogueFile+end))
	}
	edit(t, filepath.Join(s.root, catalogueFile), func([]byte) []byte { return backup })
	next := reopen(t, s.root)
	sameText(t, "the next open", dump(t, next), want)
	auditWith(t, next, AuditOptions{})
	if known, err := next.catalogue.Copyings(ctx); err != nil || len(known) != 1 {
		t.Errorf("%v, %v", known, err)
	}
}

// TestCopyingSize: the record of a copying has few bytes for each package.
func TestCopyingSize(t *testing.T) {
	s := lost(t, 40)
	refilled(t, s, "")
	names := copyingIn(t, s.copies[0])
	if len(names) != 1 {
		t.Fatal(names)
	}
	text := read(t, filepath.Join(s.copies[0].audits(), names[0]))
	if each := len(text) / 40; each > 200 {
		t.Errorf("%d bytes for each package:\n%s", each, text)
	}
}
