package document_test

import (
	"context"
	"errors"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/document"
	"quire/holdings/holdingstest"
	"quire/repository/store"
)

// verdict returns the decision on the page of a package, for the public.
func verdict(t *testing.T, h *holdings.Holdings, id string) holdings.Verdict {
	t.Helper()
	all := holdingstest.Captures(t, h, holdings.Reader{Class: holdings.Public},
		captures.Query{URL: "http://" + id + ".example/"})
	if len(all) != 1 {
		t.Fatalf("%s has %d captures", id, len(all))
	}
	return all[0].Verdict
}

// TestSet: rules in the repository apply from the next query on, beside those of the file; rules
// that cannot be read are not stored.
func TestSet(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	for _, id := range []string{"a", "b"} {
		r.Ingest(holdingstest.Package{ID: id, Rights: "access: open", Containers: map[string]string{
			"a.warc": holdingstest.Response("1", "http://"+id+".example/", "2015-01-02T03:04:05Z", "text/html", "<p>")}})
	}
	h := r.Open(holdings.Options{Rules: r.Rules("rules: [{packages: b, access: onsite}]\n")})
	set := func(name, text string) error {
		c := store.Change{File: name + ".yaml", Text: []byte(text), Base: -1}
		_, err := document.Set(ctx, r.Store, name, c)
		return err
	}
	for _, step := range []struct {
		rules string
		a, b  holdings.Verdict
	}{
		{"", holdings.Open, holdings.Reading},
		{"rules: [{packages: a, access: restricted}]\n", holdings.Restricted, holdings.Reading},
		{"rules: [{packages: b, access: blocked}]\n", holdings.Open, holdings.Blocked},
	} {
		if step.rules != "" {
			if err := set(store.RulesDocument, step.rules); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := verdict(t, h, "a"), verdict(t, h, "b"); a != step.a || b != step.b {
			t.Errorf("%q: %q, %q; want %q, %q", step.rules, a, b, step.a, step.b)
		}
	}
	for name, text := range map[string]string{store.RulesDocument: "rules: [{urls: [/x], access: blocked}]\n",
		"policy-web": "name: x\nunknown: y\n"} {
		if err := set(name, text); err == nil {
			t.Errorf("document %s was stored", name)
		}
	}
	if err := set(store.WithdrawalsDocument, "{}"); !errors.Is(err, document.ErrWithdrawals) {
		t.Error(err)
	}
	if err := set("agreement-museum", "free text"); err != nil {
		t.Error(err)
	}
	if b := verdict(t, h, "b"); b != holdings.Blocked {
		t.Error(b)
	}
}
