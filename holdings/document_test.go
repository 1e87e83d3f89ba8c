package holdings_test

import (
	"context"
	"errors"
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/repository/store"
)

// TestSetDocument: rules in the repository apply from the next query on, beside those of the file; rules
// that cannot be read are not stored.
func TestSetDocument(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(one("a", "access: open"))
	r.Ingest(one("b", "access: open"))
	h := r.Open(holdings.Options{Rules: r.Rules("rules: [{packages: b, access: onsite}]\n")})
	set := func(name, text string) error {
		_, err := holdings.SetDocument(ctx, r.Store, name, store.Change{File: name + ".yaml", Text: []byte(text), Base: -1})
		return err
	}
	for _, step := range []struct{ rules, a, b string }{
		{"", "<p>", "denied: onsite"},
		{"rules: [{packages: a, access: restricted}]\n", "denied: restricted", "denied: onsite"},
		{"rules: [{packages: b, access: blocked}]\n", "<p>", "denied: blocked"},
	} {
		if step.rules != "" {
			if err := set(store.RulesDocument, step.rules); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := what(t, r, h, public, "a"), what(t, r, h, public, "b"); a != step.a || b != step.b {
			t.Errorf("%q: %q, %q; want %q, %q", step.rules, a, b, step.a, step.b)
		}
	}
	for name, text := range map[string]string{store.RulesDocument: "rules: [{urls: [/x], access: blocked}]\n",
		"policy-web": "name: x\nunknown: y\n"} {
		if err := set(name, text); err == nil {
			t.Errorf("document %s was stored", name)
		}
	}
	if err := set(store.WithdrawalsDocument, "{}"); !errors.Is(err, holdings.ErrWithdrawals) {
		t.Error(err)
	}
	if err := set("agreement-museum", "free text"); err != nil {
		t.Error(err)
	}
	if b := what(t, r, h, public, "b"); b != "denied: blocked" {
		t.Error(b)
	}
}
