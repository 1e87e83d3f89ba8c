package holdingstest

import (
	"context"

	"quire/repository/store"
)

// Purged is the capture of a package that was purged from the repository of the matrix. For all readers it
// does not exist. The index does not have it, so it is not among the cases.
var Purged = Case{Name: "purged", Package: "purged", URL: "http://purged.example/", At: "20150102030405",
	Body: "SECRET of purged", Public: Hidden, OnSite: Hidden, Staff: Hidden}

// PurgedTexts are in its tombstone, which no reader sees.
var PurgedTexts = []string{"SECRET reason of the purge", "SECRET authority of the purge"}

// purged stores the package and purges it.
func (m *matrix) purged() {
	m.r.t.Helper()
	ctx := context.Background()
	m.r.Ingest(Package{ID: Purged.Package, Rights: "access: open\n", Containers: map[string]string{
		"a.warc": Response(Purged.Name, Purged.URL, date, "text/html", Purged.Body)}})
	p, err := m.r.Store.RequestPurge(ctx, store.PurgeRequest{Package: Purged.Package, Because: PurgedTexts[0],
		Authority: PurgedTexts[1], By: "Ada"})
	if err == nil {
		_, err = m.r.Store.ApprovePurge(ctx, p.Token, "Bob", nil)
	}
	if err != nil {
		m.r.t.Fatal(err)
	}
}
