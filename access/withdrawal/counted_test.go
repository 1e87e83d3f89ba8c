package withdrawal_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"quire/access/withdrawal"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/holdings/rights"
	"quire/repository/store"
)

// TestSize: a withdrawal makes one version of the document, whose size does not depend on the number of
// packages. The sums and the packages come from events.
func TestSize(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	for _, id := range []string{"a", "b", "c"} {
		p := page(id)
		p.Containers["b.warc"] = holdingstest.Response("3", "http://shared.example/"+id, date, "text/html", id)
		r.Ingest(p)
	}
	h := r.Open(holdings.Options{Unstated: holdings.Open})
	q := request("http://shared.example/", r.Clock.Now())
	unable := func() (*holdings.Holdings, error) { return nil, errors.New("the rules cannot be read") }
	if _, err := withdrawal.Withdraw(ctx, r.Store, unable, q); err == nil {
		t.Error("incomplete events are no error")
	}
	if all, err := withdrawal.List(ctx, r.Store); err != nil || len(all) != 1 || all[0].Counted {
		t.Errorf("before they are counted: %+v, %v", all, err)
	}
	c, err := withdrawal.Withdraw(ctx, r.Store, opened(h), q)
	if err != nil {
		t.Fatal(err)
	}
	want := []rights.WithdrawnWithin{{Package: "a", Captures: 1}, {Package: "b", Captures: 1},
		{Package: "c", Captures: 1}}
	if w := c.Withdrawal; !w.Counted || w.Captures != 3 || w.Packages != 3 || !reflect.DeepEqual(w.In, want) ||
		len(c.Events) != 3 {
		t.Errorf("%+v", c)
	}
	v, text, err := r.Store.Document(ctx, store.WithdrawalsDocument, 0)
	if err != nil || v.Version != 1 || strings.Contains(string(text), `"packages"`) ||
		strings.Contains(string(text), `"in"`) {
		t.Errorf("version %d, %v: %s", v.Version, err, text)
	}
	if all, err := withdrawal.List(ctx, r.Store); err != nil || len(all) != 1 || all[0].Packages != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	d, err := r.Store.Show(ctx, "urn:quire:document:withdrawals")
	if err != nil {
		t.Fatal(err)
	}
	before := len(d.Events)
	if _, err := withdrawal.Withdraw(ctx, r.Store, opened(h), q); err != nil {
		t.Error(err)
	}
	if d, err = r.Store.Show(ctx, "urn:quire:document:withdrawals"); err != nil || len(d.Events) != before {
		t.Errorf("the same request again adds %d events, %v", len(d.Events)-before, err)
	}
}

// TestEarlierDocument: the sums and lists of packages of earlier versions of Quire are read, and the
// lists are no longer written.
func TestEarlierDocument(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(page("a"))
	const earlier = `{"format": 1, "withdrawals": [{"id": "W1", "named": "http://a.example/",
		"url": "http://a.example/", "access": "blocked", "because": "a letter", "authority": "the board",
		"at": "2026-11-23T12:00:00Z",
		"captures": 5, "packages": 2, "in": [{"package": "a", "captures": 2}, {"package": "b", "captures": 3}]}]}`
	if _, err := r.Store.SetDocument(ctx, store.WithdrawalsDocument,
		store.Change{File: "withdrawals.json", Text: []byte(earlier), Base: -1}); err != nil {
		t.Fatal(err)
	}
	all, err := withdrawal.List(ctx, r.Store)
	if err != nil || len(all) != 1 || !all[0].Counted || all[0].Captures != 5 || all[0].Packages != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	h := r.Open(holdings.Options{Unstated: holdings.Open})
	if _, err := withdrawal.Withdraw(ctx, r.Store, opened(h), request("a", r.Clock.Now())); err != nil {
		t.Fatal(err)
	}
	_, text, err := r.Store.Document(ctx, store.WithdrawalsDocument, 0)
	if err != nil || bytes.Contains(text, []byte(`"in"`)) || !bytes.Contains(text, []byte(`"packages": 2`)) {
		t.Errorf("%s, %v", text, err)
	}
}
