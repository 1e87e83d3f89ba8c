package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
	"quire/repository/catalogue"
)

// TestRecord checks that an event is in the log of every copy, survives the loss of the catalogue,
// and changes no digest.
func TestRecord(t *testing.T) {
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, "p", crawl), IngestOptions{})
	given, err := s.Record(t.Context(), r.ID,
		Action{Type: model.Dissemination, Detail: "handed out", Notes: []string{"one <b>", "two"}, By: "A. Curator"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Copies {
		text, err := os.ReadFile(filepath.Join(p.Path, "logs", given.File))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"dissemination", "one &lt;b&gt;", "two", "A. Curator", "implementer"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %q in %s", p.Name, want, text)
			}
		}
		e, err := parseEvent(text)
		if err != nil || e.Detail != "handed out" || e.Agent != "quire test" {
			t.Errorf("%+v, %v", e, err)
		}
	}
	last := func(s *Store) catalogue.Event {
		t.Helper()
		d, err := s.Show(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		return d.Events[len(d.Events)-1]
	}
	if got := last(s); got != given {
		t.Errorf("%+v, want %+v", got, given)
	}
	if report, err := s.Audit(t.Context(), nil, AuditOptions{}); err != nil || !report.OK() {
		t.Errorf("%+v, %v", report, err)
	}
	_ = s.Close()
	rebuilt, err := Init(t.Context(), s.root,
		InitOptions{Rebuild: true, Describe: testDescribe, Software: "quire test"})
	if err != nil {
		t.Fatal(err)
	}
	defer rebuilt.Close()
	if got := last(rebuilt); got != given {
		t.Errorf("rebuilt: %+v, want %+v", got, given)
	}
	if _, err := rebuilt.Record(t.Context(), r.ID,
		Action{Type: model.Dissemination, Notes: []string{strings.Repeat("x", maxEventSize)}}); err == nil {
		t.Error("an event that is too long to be read again was written")
	}
}
