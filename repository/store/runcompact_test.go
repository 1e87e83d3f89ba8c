package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
)

// recordSizes returns the bytes of the audit records of a copy, and their lines with results.
func recordSizes(t *testing.T, c *copyFolder) (bytes, lines int) {
	t.Helper()
	for _, text := range folderTree(t, c.audits()) {
		bytes += len(text)
		lines += strings.Count(text, `{"package":`)
	}
	return bytes, lines
}

// TestRecordsDoNotGrow checks that further audits add heads and feet, but no lines for packages; that
// lines with problems stay; and that a rebuild knows the same as before.
func TestRecordsDoNotGrow(t *testing.T) {
	ctx := context.Background()
	s, c := manyPackages(t, 5)
	card, err := s.card(ctx, "p3")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.copies[1].object(card.Path), "v1/content/a.log")
	good := read(t, file)
	edit(t, file, func(b []byte) []byte { return append(b, 'x') })
	for n := range 6 {
		c.at = c.at.Add(24 * time.Hour)
		if _, err := s.Audit(ctx, nil, AuditOptions{}); err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			edit(t, file, func([]byte) []byte { return good })
		}
	}
	for _, k := range s.copies {
		if _, lines := recordSizes(t, k); lines != 15+2 { // each package and copy once, and two with a problem
			t.Errorf("%s: %d lines", k.name, lines)
		}
	}
	want := dump(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, mustRebuild(t, s.root)); got != want {
		t.Errorf("a rebuild differs:\n%s\nwant\n%s", got, want)
	}
}

// TestCompactSamples checks that small audits do not make a large record be written again each time,
// and that --compact leaves out each superseded line.
func TestCompactSamples(t *testing.T) {
	ctx := context.Background()
	s, c := manyPackages(t, 8)
	auditWith(t, s, AuditOptions{})
	large := filepath.Join(s.copies[0].audits(), runNames(s.copies[0])[0])
	before := string(read(t, large))
	for range 3 {
		c.at = c.at.Add(24 * time.Hour)
		if _, err := s.Audit(ctx, []string{"p1"}, AuditOptions{}); err != nil {
			t.Fatal(err)
		}
		if string(read(t, large)) != before {
			t.Error("it was written again for a single package")
		}
	}
	remove(t, filepath.Join(s.copies[2].audits(), filepath.Base(large))) // a copy that was away
	done, err := s.CompactAudits(ctx, true)
	if err != nil || done.Lines < 3*3 || done.Bytes < 1 {
		t.Errorf("%+v, %v", done, err)
	}
	for _, k := range s.copies {
		if _, lines := recordSizes(t, k); lines != 24 {
			t.Errorf("%s: %d lines, want 24", k.name, lines)
		}
	}
	if done, err = s.CompactAudits(ctx, true); err != nil || done != (Compaction{}) {
		t.Errorf("twice: %+v, %v", done, err)
	}
}

// TestFaultInCompaction lets the disk die at each change of a compaction. Each time, the next open
// finds every record complete, and a rebuild knows the same as before.
func TestFaultInCompaction(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	for at := 1; ; at += prove.Stride(2, 1) {
		s, c := manyPackages(t, 3) // a third of them does not compact the record of all by itself
		auditWith(t, s, AuditOptions{})
		c.at = c.at.Add(time.Hour)
		if _, err := s.Audit(ctx, []string{"p0"}, AuditOptions{}); err != nil {
			t.Fatal(err)
		}
		want := dump(t, s)
		d := &door{at: at, dies: true}
		s.disk.fault = d.fault
		_, err := s.CompactAudits(ctx, true)
		_ = s.Close()
		for _, k := range s.copies {
			for _, name := range runNames(k) {
				if _, _, err := readEnds(filepath.Join(k.audits(), name)); err != nil {
					t.Errorf("step %d: %v", at, err)
				}
			}
		}
		again := mustRebuild(t, s.root)
		if got := dump(t, again); got != want {
			t.Errorf("step %d: a rebuild differs:\n%s\nwant\n%s", at, got, want)
		}
		if _, err := again.CompactAudits(ctx, true); err != nil {
			t.Errorf("step %d: the next one: %v", at, err)
		}
		if t.Failed() || err == nil {
			t.Logf("%d changes", at-1)
			return
		}
	}
}

// TestFormatOne checks that records of earlier versions are read, and made smaller.
func TestFormatOne(t *testing.T) {
	ctx := context.Background()
	s, c := manyPackages(t, 2)
	old := c.at.Add(-time.Minute).Format(time.RFC3339Nano)
	text := `{"format":1,"run":"abcd","scope":"all","started":"` + old + `"}` + "\n"
	for n := range 2 {
		for k := range 3 {
			text += fmt.Sprintf(`{"package":"p%d","copy":"copy-%d","status":"good","problems":0}`+"\n", n, k+1)
		}
	}
	text += `{"finished":"` + old + `","copies":[{"name":"copy-1","objects":2,"files":8,"bytes":9,"problems":0}]}`
	text += "\n"
	for _, k := range s.copies {
		put(t, filepath.Join(k.audits(), "20200101T000000.000000Z-abcd.jsonl"), text)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s.root)
	s.now = c.now
	d, err := s.Show(ctx, "p1")
	if err != nil || d.Audits[0].Scope != "all" || d.Copies[2].Checked.Format(time.RFC3339Nano) != old {
		t.Fatalf("%+v, %v", d.Audits, err)
	}
	if err := s.SetSchedule(context.Background(), mustSchedule(t, "full every 1d")); err != nil {
		t.Fatal(err)
	}
	if due, err := s.DueAudits(ctx); err != nil || due[0].Is || due[0].Last.IsZero() {
		t.Errorf("it does not count: %+v, %v", due, err)
	}
	if _, err := s.Audit(ctx, []string{"p0"}, AuditOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, lines := recordSizes(t, s.copies[0]); lines != 6 {
		t.Errorf("%d lines", lines)
	}
	want := dump(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, mustRebuild(t, s.root)); got != want {
		t.Errorf("a rebuild differs:\n%s\nwant\n%s", got, want)
	}
}

// TestAuditKilled kills auditing processes. The next open completes their records, up to the last
// checkpoint; no package is read again by the run that goes on.
func TestAuditKilled(t *testing.T) {
	s, _ := manyPackages(t, 6)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for packages := range 4 {
		child := startChild(t, fmt.Sprint("audit ", packages), s.root)
		if !child.lines.Scan() || child.lines.Text() != "paused" {
			t.Fatalf("the child says %q", child.lines.Text())
		}
		beside := reopen(t, s.root) // the run is alive, and is left alone
		if got := tempRuns(t, beside); got != 3 {
			t.Errorf("%d files under way", got)
		}
		_ = beside.Close()
		if err := child.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		child.rest()

		next := reopen(t, s.root)
		if got := tempRuns(t, next); got != 0 {
			t.Errorf("%d files left", got)
		}
		runs, err := next.catalogue.Runs(context.Background())
		if err != nil || runs[0].Ended != EndedByKill || runs[0].Done != int64(packages) {
			t.Fatalf("after %d packages: %+v, %v", packages, runs, err)
		}
		killed := runs[0].Run
		want := dump(t, next)
		_ = next.Close()
		built := mustRebuild(t, s.root)
		if got := dump(t, built); got != want {
			t.Errorf("a rebuild differs:\n%s\nwant\n%s", got, want)
		}
		rest := auditWith(t, built, AuditOptions{Resume: Newest})
		if rest.Packages != int64(6-packages) || rest.Scope.Resumes != killed || !rest.Scope.Full {
			t.Errorf("after %d packages: the rest is %+v", packages, rest.Scope)
		}
		_ = built.Close()
	}
}

// tempRuns counts the records under way, in all copies.
func tempRuns(t *testing.T, s *Store) (count int) {
	t.Helper()
	for _, c := range s.copies {
		entries, err := os.ReadDir(c.audits())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".tmp") {
				count++
			}
		}
	}
	return count
}

// TestFaultInSettling lets the disk die at each change of the completion of a killed run. Each time,
// the next open completes it.
func TestFaultInSettling(t *testing.T) {
	s, _ := manyPackages(t, 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	child := startChild(t, "audit 2", s.root)
	if !child.lines.Scan() || child.lines.Text() != "paused" {
		t.Fatalf("the child says %q", child.lines.Text())
	}
	if err := child.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.rest()
	left := map[string]content{}
	for _, c := range s.copies {
		left[c.audits()] = folderTree(t, c.audits())
	}
	for at := 1; ; at++ {
		for dir, files := range left { // as the child left it
			remove(t, dir)
			for name, text := range files {
				put(t, filepath.Join(dir, name), text)
			}
		}
		d := &door{at: at, dies: true}
		config := repositoryConfig{Repository: s.id, Copies: s.Copies()}
		dead := makeStore(s.root, config, Options{}, &disk{fault: d.fault})
		if err := dead.settleRuns(context.Background()); err != nil {
			t.Fatal(err)
		}
		if d.count < at {
			t.Logf("%d changes", at-1)
			return
		}
		next := reopen(t, s.root)
		runs, err := next.catalogue.Runs(context.Background())
		if err != nil || len(runs) != 1 || runs[0].Ended != EndedByKill || runs[0].Done != 2 || tempRuns(t, next) != 0 {
			t.Fatalf("step %d: %+v, %v; %d files left", at, runs, err, tempRuns(t, next))
		}
		for _, c := range next.copies {
			if names := runNames(c); len(names) != 1 {
				t.Errorf("step %d: %s has %v", at, c.name, names)
			}
		}
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoRecord checks that the catalogue learns nothing of an audit that no copy can record: a rebuild
// could not know it.
func TestNoRecord(t *testing.T) {
	s, _ := manyPackages(t, 1)
	want := dump(t, s)
	s.disk.fault = func(_, path string) error {
		if strings.Contains(path, auditsFolder) {
			return errInjected
		}
		return nil
	}
	r, err := s.Audit(context.Background(), nil, AuditOptions{})
	if err != nil || len(r.Notes) == 0 || !r.OK() {
		t.Errorf("%+v, %v", r, err)
	}
	if got := dump(t, s); got != want {
		t.Errorf("it has\n%s\nwant\n%s", got, want)
	}
}
