package search

import (
	"context"
	"errors"
	"testing"

	"quire/holdings"
	"quire/repository/store"
)

// busyHouse is a house whose turns another machine has.
type busyHouse struct{ *house }

func (busyHouse) Turn(context.Context, string, string) (*holdings.Turn, error) {
	return nil, &store.BusyError{Subject: "the index", Holder: store.Holder{PID: 7, Host: "other.example"}}
}

// TestSolrOneFeeder: while another machine feeds Solr, this one sends nothing. No server is there, so any request
// would fail otherwise.
func TestSolrOneFeeder(t *testing.T) {
	t.Parallel()
	nowhere := SolrSettings{URL: "http://127.0.0.1:1/solr", Collection: "quire"}
	h := newHouse(item{pkg: "p", at: "20200101000000", url: "http://a.example/", mime: "text/html", body: "words"})
	s, err := OpenSolr(t.Context(), t.TempDir(), busyHouse{h}, nowhere, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, change := range map[string]func(context.Context) error{"update": s.Update, "clear": s.Clear} {
		if err := change(t.Context()); !errors.Is(err, ErrBusy) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
