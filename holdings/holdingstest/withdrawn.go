package holdingstest

import (
	"context"
	"fmt"
	"time"

	"quire/holdings"
	"quire/holdings/rights"
	"quire/repository/store"
)

// MatrixWithdrawals are kept in the repository of the matrix, not in the file of its rules.
var MatrixWithdrawals = []rights.Withdrawal{
	{Package: "open", URL: "http://open.example/withdrawn"},
	{URL: "http://open.example/told-withdrawn", Message: "Withdrawn by order of a court."},
	{Package: "open", URL: "http://open.example/was-withdrawn", Until: "2026-11-22"},
	{Package: "open", URL: "http://open.example/lifted",
		Lifted: &rights.Lifting{Because: "an error", Authority: "the board"}},
	{Package: "open", URL: "http://open.example/for-curators", Access: rights.Restricted},
	{Package: "overridden", URL: "http://overridden.example/withdrawn"},
	{Package: "withdrawn"},
}

// Withdraw replaces the withdrawals in the repository.
func (r *Repository) Withdraw(list ...rights.Withdrawal) {
	r.t.Helper()
	all := rights.Withdrawals{List: append([]rights.Withdrawal{}, list...)}
	for i := range all.List {
		w := &all.List[i]
		w.ID, w.At = fmt.Sprint("W", i+1), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		w.Because, w.Authority = "SECRET reason", "SECRET authority"
		if w.Access == "" {
			w.Access = rights.Blocked
		}
	}
	text, err := all.Marshal()
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := r.Store.SetDocument(context.Background(), store.WithdrawalsDocument,
		store.Change{File: "withdrawals.json", Text: text, Base: -1}); err != nil {
		r.t.Fatal(err)
	}
}

// withdrawn adds content that the withdrawals in the repository close, whatever the rules in the file
// and the rights state.
func (m *matrix) withdrawn() {
	const html = "text/html"
	m.rights("withdrawn", "access: open")
	for _, c := range []Case{
		{Name: "withdrawn", Package: "open", URL: "http://open.example/withdrawn", Verdict: holdings.Blocked,
			Public: Hidden, OnSite: Hidden, Staff: Denied},
		{Name: "told-withdrawn", Package: "open", URL: "http://open.example/told-withdrawn", Verdict: holdings.Blocked,
			Public: Denied, OnSite: Denied, Staff: Denied},
		{Name: "was-withdrawn", Package: "open", URL: "http://open.example/was-withdrawn", Verdict: holdings.Open,
			Public: Allowed, OnSite: Allowed, Staff: Allowed},
		{Name: "lifted", Package: "open", URL: "http://open.example/lifted", Verdict: holdings.Open,
			Public: Allowed, OnSite: Allowed, Staff: Allowed},
		{Name: "for-curators", Package: "open", URL: "http://open.example/for-curators", Verdict: holdings.Restricted,
			Public: Hidden, OnSite: Hidden, Staff: Allowed},
		{Name: "withdrawn-overridden", Package: "overridden", URL: "http://overridden.example/withdrawn",
			Verdict: holdings.Blocked, Public: Hidden, OnSite: Hidden, Staff: Denied},
		{Name: "withdrawn-package", Package: "withdrawn", URL: "http://withdrawn.example/", Verdict: holdings.Blocked,
			Public: Hidden, OnSite: Hidden, Staff: Denied},
	} {
		m.add(c, html, date)
	}
	for _, of := range []struct{ name, url string }{
		{"withdrawn", "http://open.example/withdrawn"}, {"withdrawn-package", "http://withdrawn.example/"},
	} {
		c := Case{Name: "revisit-of-" + of.name, Package: "parts", URL: "http://parts.example/revisit-of-" + of.name,
			Body: "SECRET of " + of.name, Verdict: holdings.Blocked, Public: Hidden, OnSite: Hidden, Staff: Denied}
		m.record(c, again, Revisit(c.Name, c.URL, again, html, c.Body, of.url, date))
	}
}
