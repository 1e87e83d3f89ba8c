package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func mustSet(t *testing.T, s *Store, text, because string) Receipt {
	t.Helper()
	r, err := s.SetDocument(context.Background(), RulesDocument,
		Change{File: "rules.yaml", Text: []byte(text), Because: because, By: "Ada <ada@museum.example>", Base: -1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDocument: a document has versions with their reasons, in every copy, and is no package.
func TestDocument(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
	if state, err := s.DocumentState(ctx, RulesDocument); state != "" || err != nil {
		t.Errorf("state %q, %v", state, err)
	}
	if _, _, err := s.Document(ctx, RulesDocument, 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("before the first version: %v", err)
	}
	mustSet(t, s, "rules: []\n", "the first rules")
	before, err := s.DocumentState(ctx, RulesDocument)
	if err != nil {
		t.Fatal(err)
	}
	if r := mustSet(t, s, "rules: []\n", "again"); !r.AlreadyStored || r.Version != 1 {
		t.Errorf("the same text made %+v", r)
	}
	if r := mustSet(t, s, "rules: [] # none\n", "by the board"); len(r.Copies) != 3 || r.Version != 2 {
		t.Errorf("%+v", r)
	}
	if after, err := s.DocumentState(ctx, RulesDocument); err != nil || after == before {
		t.Errorf("the state is still %q (%v)", after, err)
	}
	checkDocument(t, s)
	if r := mustSet(t, s, "rules: []\n", "back to the first"); r.Version != 3 || r.NewBytes != 0 {
		t.Errorf("%+v", r)
	}
	if _, text, err := s.Document(ctx, RulesDocument, 0); string(text) != "rules: []\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	mustBeSound(t, s)
	for e, err := range s.List(ctx) {
		if err != nil || e.ID != "urn:a" {
			t.Errorf("listed: %s (%v)", e.ID, err)
		}
	}
	_, err = s.SetDocument(ctx, RulesDocument, Change{File: "rules.yaml", Text: []byte("x"), Base: 1})
	if !errors.Is(err, ErrChanged) {
		t.Errorf("a change of version 1: %v", err)
	}
	for _, name := range []string{"", "Rules", "a/b", "ru les", strings.Repeat("x", 65)} {
		if _, err := s.SetDocument(ctx, name, Change{File: "a", Base: -1}); err == nil {
			t.Errorf("the name %q was accepted", name)
		}
	}
	for _, file := range []string{"", "..", "a/b", "con", "a:b"} {
		if _, err := s.SetDocument(ctx, "x", Change{File: file, Base: -1}); err == nil {
			t.Errorf("the file %q was accepted", file)
		}
	}
	var wrong *ContentError
	if _, err := s.Ingest(ctx, makePackage(t, "urn:quire:document:rules", crawl),
		IngestOptions{NewVersion: true}); !errors.As(err, &wrong) {
		t.Errorf("a package with the id of a document: %v", err)
	}
	report, err := s.Audit(ctx, nil, AuditOptions{})
	if err != nil || !report.OK() {
		t.Errorf("%+v, %v", report.Findings, err)
	}
}

// checkDocument compares the versions that TestDocument made.
func checkDocument(t *testing.T, s *Store) {
	t.Helper()
	ctx := context.Background()
	for n, want := range map[int]string{0: "rules: [] # none\n", 1: "rules: []\n", 2: "rules: [] # none\n"} {
		v, text, err := s.Document(ctx, RulesDocument, n)
		if err != nil || string(text) != want || v.File != "rules.yaml" || v.SHA512 != sumBytes(text) {
			t.Errorf("version %d: %+v %q %v", n, v, text, err)
		}
	}
	if _, _, err := s.Document(ctx, RulesDocument, 3); err == nil {
		t.Error("version 3 exists")
	}
	all, err := s.DocumentHistory(ctx, RulesDocument)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if all[0].Because != "the first rules" || all[1].Because != "by the board" || all[1].By != "Ada" {
		t.Errorf("%+v", all)
	}
	list, err := s.Documents(ctx)
	if err != nil || len(list) != 1 || list[0] != all[1] {
		t.Errorf("%+v %v", list, err)
	}
	d, err := s.Show(ctx, "urn:quire:document:rules")
	if err != nil {
		t.Fatal(err)
	}
	ingestions := 0
	for _, e := range d.Events {
		if e.Type == "ingestion" {
			ingestions++
			text, err := os.ReadFile(filepath.Join(d.Places[0].Path, "logs", e.File))
			if err != nil || !strings.Contains(string(text), "Ada &lt;ada@museum.example") &&
				!strings.Contains(string(text), "Ada <ada@museum.example") ||
				!strings.Contains(string(text), "reason: ") {
				t.Errorf("%s %v", text, err)
			}
		}
	}
	if ingestions != 2 {
		t.Errorf("%d events of 2 versions", ingestions)
	}
}

// TestDocumentSurvives: the documents are read from the copies alone, past damaged ones, and a repair
// mends them.
func TestDocumentSurvives(t *testing.T) {
	needsFile(t, "removes the file")
	ctx := context.Background()
	s := newRepository(t)
	mustSet(t, s, "rules: []\n", "the first rules")
	mustSet(t, s, "rules: [] # none\n", "by the board")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{repositoryFile, catalogueFile} {
		if err := os.Remove(filepath.Join(s.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Init(ctx, s.root, InitOptions{Describe: testDescribe, Rebuild: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if len(s.Recovered()) > 0 {
		t.Error(s.Recovered())
	}
	checkDocument(t, s)
	d, err := s.Show(ctx, "urn:quire:document:rules")
	if err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(d.Places[0].Path, "v2", "content", "rules.yaml")
	if err := os.Chmod(damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(damaged, []byte("rules: [] # open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	checkDocument(t, s)
	if report, err := s.Audit(ctx, nil, AuditOptions{}); err != nil || report.OK() {
		t.Errorf("the audit found nothing (%v)", err)
	}
	if _, err := s.Repair(ctx, "urn:quire:document:rules", RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	if report, err := s.Audit(ctx, nil, AuditOptions{}); err != nil || !report.OK() {
		t.Errorf("%+v, %v", report.Findings, err)
	}
	checkDocument(t, s)
}
