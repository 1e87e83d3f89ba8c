package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"quire/internal/prove"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
	"quire/repository/register"
)

// TestManyEvents: foreign files in the logs of an object are held in bounded memory, are findings, and a repair
// takes them out.
func TestManyEvents(t *testing.T) {
	prove.Serial(t)
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	card, err := s.card(context.Background(), otherID)
	if err != nil {
		t.Fatal(err)
	}
	logs := filepath.Join(s.copies[1].object(card.Path), ocfl.LogsDir)
	const files = maxEventTexts/maxEventSize + 6
	for n := range files {
		name := filepath.Join(logs, fmt.Sprintf("20200101T000000.000000Z-%d.xml", n))
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, maxEventSize); err != nil {
			t.Fatal(err)
		}
	}
	held := 0
	for _, text := range eventTexts([]string{s.copies[1].object(card.Path)}) {
		held += len(text)
	}
	if held > maxEventTexts || held < maxEventTexts-maxEventSize {
		t.Errorf("%d bytes are held", held)
	}
	counts := map[Code]int{}
	for _, f := range mustAudit(t, s).Findings {
		counts[f.Code]++
	}
	if counts[Code(register.EventForged)] != files || counts[ExtraFile] != 1 || len(counts) != 2 {
		t.Errorf("%v", counts)
	}
	if _, err := s.Audit(context.Background(), nil, AuditOptions{Repair: true}); err != nil {
		t.Fatal(err)
	}
	if r := mustAudit(t, s); !r.OK() {
		t.Errorf("%v", r.Findings)
	}
}

// TestLargeDocument: the file of a document in a copy that has grown is read in bounded memory, and the next copy
// has the document.
func TestLargeDocument(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	c := Change{File: "a.txt", Text: []byte("between us"), Base: -1}
	if _, err := s.SetDocument(ctx, "agreement", c); err != nil {
		t.Fatal(err)
	}
	r, err := s.catalogue.Get(ctx, catalogue.DocumentPrefix+"agreement")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.copies[0].object(r.Package.Path), "v1", "content", "a.txt")
	if err := os.Truncate(file, 512<<20); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, text, err := s.Document(ctx, "agreement", 0)
	runtime.ReadMemStats(&after)
	if err != nil || string(text) != "between us" {
		t.Errorf("%q, %v", text, err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > MaxDocument {
		t.Errorf("%d bytes were allocated", got)
	}
}
