package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/repository/catalogue"
	"quire/repository/register"
)

// runsIn returns the leaves of audit runs in the register.
func runsIn(t *testing.T, s *Store) []register.Batch {
	t.Helper()
	r, err := register.OpenReader(s.registerPath())
	if err != nil {
		t.Fatal(err)
	}
	var list []register.Batch
	for e, err := range r.Leaves(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := e.Leaf.(register.Batch); ok {
			list = append(list, b)
		}
	}
	return list
}

// recordsProved requires that each record in each copy has exactly one leaf, and agrees with it.
func recordsProved(t *testing.T, s *Store) {
	t.Helper()
	leaves := runsIn(t, s)
	seen := map[[16]byte]int{}
	for _, l := range leaves {
		seen[l.Run]++
	}
	for _, c := range s.copies {
		names := runNames(c)
		if len(names) != len(leaves) {
			t.Errorf("%s has %d records, the register %d", c.name, len(names), len(leaves))
		}
		for _, name := range names {
			r, err := readRecord(filepath.Join(c.audits(), name))
			if err != nil || !slices.Contains(leaves, r.leaf) || seen[r.leaf.Run] != 1 {
				t.Errorf("%s: %s: %v, %d leaves of the run", c.name, name, err, seen[r.leaf.Run])
			}
		}
	}
}

// TestAuditLeaf checks that each run appends one leaf, also one that ends early, and that it proves the results
// after compaction, a purge and a rebuild.
func TestAuditLeaf(t *testing.T) {
	ctx := context.Background()
	s, c := manyPackages(t, 4)
	mustIngest(t, s, makePackage(t, purgeID, crawl), IngestOptions{})
	file := filepath.Join(s.copies[1].object(mustCard(t, s, "p3").Path), "v1/content/a.log")
	good := read(t, file)
	edit(t, file, func(b []byte) []byte { return append(b, 'x') })
	r, err := s.Audit(ctx, nil, AuditOptions{})
	if err != nil {
		t.Fatal(err)
	}
	leaves := runsIn(t, s)
	if len(leaves) != 1 || runName(leaves[0].Run) != r.Run || leaves[0].Objects != 5 || leaves[0].Problems != 1 ||
		leaves[0].Lines != 1+15+2+1 || !leaves[0].Time.Equal(r.Finished) || leaves[0].Type != "fixity check" {
		t.Errorf("%+v", leaves)
	}
	edit(t, file, func([]byte) []byte { return good })
	for range 4 {
		c.at = c.at.Add(24 * time.Hour)
		auditRun(t, s)
	}
	if _, lines := recordSizes(t, s.copies[0]); lines != 15+1 {
		t.Errorf("not compacted: %d lines", lines)
	}
	recordsProved(t, s)
	c.step = time.Minute
	ended, err := s.Audit(ctx, nil, AuditOptions{For: Span(3 * time.Minute)})
	c.step = 0
	if err != nil || ended.Scope.Ended != EndedByTime {
		t.Fatalf("%+v, %v", ended.Scope, err)
	}
	auditWith(t, s, AuditOptions{Resume: Newest})
	if got := len(runsIn(t, s)); got != 7 {
		t.Errorf("%d leaves of 7 runs", got)
	}
	purgeNow(t, s)
	c.at = c.at.Add(24 * time.Hour)
	auditWith(t, s, AuditOptions{})
	if _, err := s.CompactAudits(ctx, true); err != nil {
		t.Fatal(err)
	}
	recordsProved(t, s)
	_ = s.Close()
	built := mustRebuild(t, s.root)
	auditWith(t, built, AuditOptions{})
	recordsProved(t, built)
}

func mustCard(t *testing.T, s *Store, id string) catalogue.Package {
	t.Helper()
	card, err := s.card(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return card
}

func auditRun(t *testing.T, s *Store) {
	t.Helper()
	if _, err := s.Audit(context.Background(), nil, AuditOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestForgedRecords changes the record of an audit in one copy, before and after its compaction. Each audit of all
// finds it, and a repair brings the right one back.
func TestForgedRecords(t *testing.T) {
	prove.Serial(t)
	replace := func(old, to string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			edit(t, path, func(text []byte) []byte { return []byte(strings.ReplaceAll(string(text), old, to)) })
		}
	}
	for name, c := range map[string]struct {
		want string
		harm func(t *testing.T, path string)
	}{
		"removed":          {"AUDIT-REMOVED", func(t *testing.T, path string) { remove(t, path) }},
		"another count":    {"AUDIT-FORGED", replace(`"problems":1},{`, `"problems":0},{`)},
		"another result":   {"AUDIT-FORGED", replace(`"damaged","problems":1`, `"good","problems":0`)},
		"a line removed":   {"AUDIT-FORGED", dropLine(`"status":"damaged"`)},
		"a problem hidden": {"AUDIT-FORGED", hideLine(`"status":"damaged"`)},
		"cut off": {"AUDIT-FORGED", func(t *testing.T, path string) {
			edit(t, path, func(b []byte) []byte { return b[:300] })
		}},
		"added": {"AUDIT-FORGED", func(t *testing.T, path string) {
			const other = "00000000-0000-4000-8000-000000000000"
			run, _ := runOf(filepath.Base(path))
			text := strings.ReplaceAll(string(read(t, path)), run, other)
			put(t, filepath.Join(filepath.Dir(path), "20300101T000000.000000Z-"+other+".jsonl"), text)
		}},
		"added, of an earlier format": {"AUDIT-FORGED", func(t *testing.T, path string) {
			put(t, filepath.Join(filepath.Dir(path), "20990101T000000.000000Z-ab.jsonl"), `{"format":1,"run":"ab",`+
				`"scope":"all","started":"2099-01-01T00:00:00Z"}`+"\n"+
				`{"finished":"2099-01-01T00:00:00Z","copies":[{"name":"copy-1","objects":1}]}`+"\n")
		}},
	} {
		for _, later := range []int{0, 1} {
			t.Run(name+map[bool]string{true: ", compacted"}[later > 0], func(t *testing.T) {
				s, c2 := manyPackages(t, 3)
				file := filepath.Join(s.copies[1].object(mustCard(t, s, "p1").Path), "v1/content/a.log")
				good := read(t, file)
				edit(t, file, func(b []byte) []byte { return append(b, 'x') })
				auditRun(t, s)
				edit(t, file, func([]byte) []byte { return good })
				for range later {
					c2.at = c2.at.Add(24 * time.Hour)
					auditRun(t, s)
				}
				c2.at = c2.at.Add(24 * time.Hour)
				first := runNames(s.copies[1])[0]
				c.harm(t, filepath.Join(s.copies[1].audits(), first))
				_ = s.Close()
				next := reopen(t, s.root)
				next.now = c2.now
				forgedRecordFound(t, next, c.want)
				for _, k := range next.copies[1:] {
					if folderTree(t, k.audits())[first] != folderTree(t, next.copies[0].audits())[first] {
						t.Errorf("%s has another record after the repair", k.name)
					}
				}
				recordsProved(t, next)
			})
		}
	}
}

// forgedRecordFound audits, repairs and audits again.
func forgedRecordFound(t *testing.T, s *Store, want string) {
	t.Helper()
	r, err := s.Audit(context.Background(), nil, AuditOptions{DryRun: true})
	if err != nil || len(r.Findings) != 1 || string(r.Findings[0].Code) != want || r.Findings[0].Copy != "copy-2" ||
		!strings.HasPrefix(r.Findings[0].File, auditsFolder+"/") {
		t.Fatalf("%v, %v", r.Findings, err)
	}
	if r, err = s.Audit(context.Background(), nil, AuditOptions{Repair: true}); err != nil || r.Problems != 1 ||
		len(r.Notes) > 0 {
		t.Errorf("with the repair: %v, %q, %v", r.Findings, r.Notes, err)
	}
	auditWith(t, s, AuditOptions{})
}

// dropLine removes a line of a record.
func dropLine(with string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		edit(t, path, func(text []byte) []byte {
			lines := strings.SplitAfter(string(text), "\n")
			lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, with) })
			return []byte(strings.Join(lines, ""))
		})
	}
}

// hideLine puts the hash of a line in its place, as a compaction does with lines of good results.
func hideLine(with string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		head, err := readHead(path)
		if err != nil {
			t.Fatal(err)
		}
		salt, err := register.ParseSalt(head.Salt)
		if err != nil {
			t.Fatal(err)
		}
		edit(t, path, func(all []byte) []byte {
			lines := strings.SplitAfter(string(all), "\n")
			var may uint64
			for i, l := range lines {
				if strings.Contains(l, with) {
					gap := register.LinesFrom(may)
					gap.Add(salt.Line([]byte(strings.TrimSuffix(l, "\n"))))
					lines[i] = text(omittedLine{&omitted{gap.Len(), gap.Hashes()}}) + "\n"
				}
				if strings.Contains(l, `"status":"good"`) || strings.Contains(l, `"checkpoint":`) {
					may++
				}
			}
			return []byte(strings.Join(lines, ""))
		})
	}
}

// TestRecordsOfAll removes the record of an audit from all copies, and one from a copy that was away during it.
func TestRecordsOfAll(t *testing.T) {
	s, _ := manyPackages(t, 1)
	away := s.copies[2].path
	if err := os.Rename(away, away+".away"); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Audit(context.Background(), nil, AuditOptions{}); err != nil || r.Problems != 1 {
		t.Fatal(r, err)
	}
	if err := os.Rename(away+".away", away); err != nil {
		t.Fatal(err)
	}
	auditWith(t, s, AuditOptions{}) // the copy gets the record
	recordsProved(t, s)
	for _, c := range s.copies {
		remove(t, filepath.Join(c.audits(), runNames(c)[0]))
	}
	r, err := s.Audit(context.Background(), []string{"p0"}, AuditOptions{})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Code != RemovedAudit || r.Findings[0].Copy != "" {
		t.Errorf("%v, %v", r.Findings, err)
	}
}

// TestFaultInAudit lets the disk die at each change of an audit. The next open gives each run that has results one
// leaf, and each copy its record.
func TestFaultInAudit(t *testing.T) {
	prove.Serial(t)
	for at := 1; ; at += prove.Stride(5, 1) {
		s, c := manyPackages(t, 1)
		auditWith(t, s, AuditOptions{})
		c.at = c.at.Add(time.Hour)
		d := &door{at: at, dies: true}
		s.disk.fault = d.fault
		_, err := s.Audit(context.Background(), nil, AuditOptions{})
		_ = s.Close()
		next := reopen(t, s.root)
		next.now = c.now
		if got := tempRuns(t, next); got != 0 {
			t.Errorf("step %d: %d files left, %v", at, got, next.Recovered())
		}
		auditWith(t, next, AuditOptions{})
		recordsProved(t, next)
		_ = next.Close()
		if t.Failed() || d.count < at {
			t.Logf("%d changes, %v", at-1, err)
			return
		}
	}
}

// TestSettledTwice gives a record that one copy completed, and another did not, the same end in both.
func TestSettledTwice(t *testing.T) {
	s, _ := manyPackages(t, 1)
	auditWith(t, s, AuditOptions{})
	name := runNames(s.copies[0])[0]
	text := string(read(t, filepath.Join(s.copies[0].audits(), name)))
	end := strings.Index(text, footStart)
	for _, c := range s.copies[1:] {
		remove(t, filepath.Join(c.audits(), name))
		put(t, tempRun(c, name), text[:end])
	}
	_ = s.Close()
	next := reopen(t, s.root)
	for _, c := range next.copies {
		if got := string(read(t, filepath.Join(c.audits(), name))); got != text {
			t.Errorf("%s has\n%s", c.name, got)
		}
	}
	recordsProved(t, next)
}

// TestSettledNever keeps the remains of a run that the register has with other lines.
func TestSettledNever(t *testing.T) {
	s, _ := manyPackages(t, 1)
	auditWith(t, s, AuditOptions{})
	name := runNames(s.copies[0])[0]
	text := string(read(t, filepath.Join(s.copies[0].audits(), name)))
	for _, c := range s.copies {
		remove(t, filepath.Join(c.audits(), name))
		put(t, tempRun(c, name), text[:strings.Index(text, footStart)])
	}
	_ = s.Close()
	next := reopen(t, s.root)
	r := next.Recovered()
	if len(r) != 1 || r[0].Outcome != Pending || tempRuns(t, next) != 3 || len(runsIn(t, next)) != 1 {
		t.Errorf("%v, %d files, %d leaves", r, tempRuns(t, next), len(runsIn(t, next)))
	}
}

// TestUnsignedRemains plants the record of a killed audit that the key did not sign.
func TestUnsignedRemains(t *testing.T) {
	s, _ := manyPackages(t, 1)
	auditWith(t, s, AuditOptions{})
	const other = "00000000-0000-4000-8000-000000000000"
	name := runNames(s.copies[0])[0]
	run, _ := runOf(name)
	text := strings.ReplaceAll(string(read(t, filepath.Join(s.copies[0].audits(), name))), run, other)
	put(t, tempRun(s.copies[0], strings.Replace(name, run, other, 1)), text)
	_ = s.Close()
	next := reopen(t, s.root)
	if got := tempRuns(t, next); got != 0 || len(runsIn(t, next)) != 1 {
		t.Errorf("%d files, %d leaves", got, len(runsIn(t, next)))
	}
	recordsProved(t, next)
}

// TestLeafProves: a leaf proves a run with its end and its numbers, and no other.
func TestLeafProves(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	leaf := AuditLeaf{Packages: 7, Problems: 2, Time: at}
	for _, c := range []struct {
		run      catalogue.Run
		problems int64
		want     bool
	}{
		{catalogue.Run{Finished: at.In(time.FixedZone("", 3600)), Done: 7}, 2, true},
		{catalogue.Run{Finished: at.Add(time.Second), Done: 7}, 2, false},
		{catalogue.Run{Finished: at, Done: 8}, 2, false},
		{catalogue.Run{Finished: at, Done: 7}, 0, false},
	} {
		if got := leaf.Proves(c.run, c.problems); got != c.want {
			t.Errorf("%+v with %d problems: %v", c.run, c.problems, got)
		}
	}
}
