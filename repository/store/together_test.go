package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacoelho/xsd"

	samples "quire/internal/testsamples"
	"quire/metadata/premis"
	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// TestTogether checks that during new versions audits find no problems and exports are complete, in
// this process and through another open repository.
func TestTogether(t *testing.T) {
	const versions = 6
	ctx := context.Background()
	s := newRepository(t)
	ids := []string{"urn:test:a", "urn:test:b"}
	dirs := map[string][]string{}
	for _, id := range ids {
		for n := range versions {
			files := content{"same.log": "the same", "n.warc": strings.Repeat(fmt.Sprint(n), 1000+n)}
			dirs[id] = append(dirs[id], makePackage(t, id, files))
		}
		mustIngest(t, s, dirs[id][0], IngestOptions{})
	}
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for _, id := range ids {
		writers.Go(func() {
			for _, dir := range dirs[id][1:] {
				if _, err := s.Ingest(ctx, dir, IngestOptions{NewVersion: true}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	other := reopen(t, s.root)
	out := t.TempDir()
	readers.Go(func() { // audits
		for !closed(done) {
			report, err := other.Audit(ctx, nil, AuditOptions{})
			if err != nil || !report.OK() {
				t.Errorf("audit: %v, %v", report.Findings, err)
			}
		}
	})
	readers.Go(func() { // exports
		for n := 0; !closed(done); n++ {
			result, err := s.Export(ctx, ids[n%2], filepath.Join(out, fmt.Sprint(n)), ExportOptions{})
			if err != nil {
				t.Error(err)
				continue
			}
			version, _ := versionNumber(result.Version)
			if got, want := folderTree(t, result.Folder)["n.warc"],
				folderTree(t, dirs[ids[n%2]][version-1])["n.warc"]; got != want {
				t.Errorf("export of %s is not that version", result.Version)
			}
		}
	})
	writers.Wait()
	close(done)
	readers.Wait()
	mustBeSound(t, s)
	for _, id := range ids {
		if d, err := s.Show(ctx, id); err != nil || len(d.Versions) != versions ||
			d.Copies[0].Status != catalogue.Good {
			t.Errorf("%s: %+v, %v", id, d.Copies, err)
		}
	}
}

func closed(done chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// TestAuditStops checks that the end of a context stops an audit, and that its record says so.
func TestAuditStops(t *testing.T) {
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	report, err := s.Audit(ctx, nil, AuditOptions{Progress: func(p Progress) {
		if p.Done > 0 {
			cancel()
		}
	}})
	cancel()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if report.Scope.Full || report.Scope.Ended != EndedByStop || !report.Scope.Rest {
		t.Errorf("scope: %+v", report.Scope)
	}
	audits, err := s.catalogue.Audits(context.Background(), 9)
	if err != nil || len(audits) != 3 || audits[0].Scope != "all, 0 of 1 packages, stopped" {
		t.Errorf("recorded: %+v, %v", audits, err)
	}
	if _, err := s.Audit(context.Background(), []string{"urn:test:nobody"}, AuditOptions{}); !errors.Is(err,
		ErrNotFound) {
		t.Errorf("audit of an unknown package: %v, want ErrNotFound", err)
	}
}

// TestEventsAreVocabulary checks that the types and outcomes in events are terms of id.loc.gov,
// with their URI.
func TestEventsAreVocabulary(t *testing.T) {
	for _, kind := range []model.EventType{model.Ingestion, model.Replication, model.FixityCheck, model.Recovery} {
		if premis.EventType(string(kind)).ValueURI == "" {
			t.Errorf("%s is no term of the vocabulary", kind)
		}
	}
}

// TestEventsAreValid checks event files against the PREMIS 3.0 schema.
func TestEventsAreValid(t *testing.T) {
	engine, err := xsd.Compile(t.Context(), xsd.File(samples.Path(t, "schemas", "premis", "premis-v3-0.xsd")))
	if err != nil {
		t.Fatal(err)
	}
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, "id & <more>", crawl), IngestOptions{})
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	remove(t, s.copies[1].object(ocfl.ObjectPath(damagedID))+"/v1")
	mustAudit(t, s)
	if _, err := s.Repair(t.Context(), damagedID, RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for name, text := range folderTree(t, s.copies[0].root()) {
		if strings.HasSuffix(name, ".xml") && strings.Contains(name, "/"+ocfl.LogsDir+"/") {
			seen++
			if err := engine.Validate(t.Context(), strings.NewReader(text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if seen != 10 {
		t.Errorf("%d events, want 8 of two ingests, one of the audit, one of the repair", seen)
	}
}

// TestWhatIsTold checks that messages for archivists are complete and name the next step.
func TestWhatIsTold(t *testing.T) {
	h := Holder{PID: 12, Host: "vault", Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Doing: "ingest"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{&BusyError{Subject: "package x", Holder: h},
			"package x is in use by process 12 on vault since 2026-01-02T03:04:05Z (ingest); wait for it to end, " +
				"then try again"},
		{&BusyError{Subject: "package x"},
			"package x is in use by another process; wait for it to end, then try again"},
		{&SpaceError{Copies: []string{"copy-1", "copy-2"}, Need: 10, Has: 3},
			"not enough space: needs 10 bytes, has 3 on copy-1, copy-2; free some space or move the copy to a larger " +
				"disk"},
		{&ConflictError{ID: "x", Head: 2, Differs: "a.warc"},
			"package x is already stored (version 2) with different content (a.warc); ingest it as a new " +
				"version, or give it another id"},
		{&ContentError{Subject: "x", Total: 3, Problems: []Problem{{"a", "is gone"}, {"", "is odd"}}},
			"x: 3 problems\n  a: is gone\n  is odd\n  and 1 more"},
	} {
		if c.err.Error() != c.want {
			t.Errorf("got  %s\nwant %s", c.err, c.want)
		}
	}
	f := Finding{Code: WrongSize, Copy: "copy-2", Package: "x", File: "v1/content/a", Expected: "2 bytes",
		Found: "1 bytes", Detail: "has the wrong size"}
	if want := "FILE-SIZE copy-2 x v1/content/a: has the wrong size: expected 2 bytes, found 1 " +
		"bytes"; f.String() != want {
		t.Errorf("got %s, want %s", f, want)
	}
}

// TestMemoryDoesNotGrow checks that a file of 64 MB takes no more memory than a file of 4 MB, in
// ingest, audit and export.
func TestMemoryDoesNotGrow(t *testing.T) {
	s := newRepository(t)
	spent := func(megabytes int) uint64 {
		id := fmt.Sprintf("urn:test:%d", megabytes)
		dir := makePackage(t, id, content{"big.warc": strings.Repeat("x", megabytes<<20)})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		mustIngest(t, s, dir, IngestOptions{})
		mustAudit(t, s, id)
		if _, err := s.Export(t.Context(), id, filepath.Join(fastDir(t), "out"), ExportOptions{}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc // all memory ever allocated, independent of the collector
	}
	small, large := spent(4), spent(64)
	if large > small+16<<20 {
		t.Errorf("4 MB take %d bytes of memory, 64 MB take %d", small, large)
	}
}
