package holdings_test

import (
	"path/filepath"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
	"quire/model"
	"quire/repository/store"
)

// TestStamp: a look that finds nothing new leaves the stamp as it is, so nothing is derived again. A package changes
// it, and so does another index.
func TestStamp(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	r.Ingest(one("p", "access: open"))
	h := r.Open(holdings.Options{})
	stamp := func() any {
		t.Helper()
		if err := h.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		s, err := h.Stamp(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := stamp()
	before, err := r.Store.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	event := store.Action{Type: model.FixityCheck, Detail: "checked"}
	if _, err := r.Store.Record(t.Context(), "p", event); err != nil {
		t.Fatal(err)
	}
	if after, err := r.Store.Changes(t.Context()); err != nil || after == before {
		t.Fatalf("the event needs no look: %v", err)
	}
	if stamp() != first {
		t.Error("a look without a change of packages changed the stamp")
	}
	r.Ingest(one("q", "access: open"))
	if stamp() == first {
		t.Error("a new package left the stamp as it was")
	}
	last := stamp()
	if err := captures.Clear(filepath.Join(h.Dir(), captures.DirName)); err != nil { // as another program may
		t.Fatal(err)
	}
	if stamp() == last {
		t.Error("another index left the stamp as it was")
	}
}
