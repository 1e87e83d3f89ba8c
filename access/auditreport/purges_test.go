package auditreport_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quire/access/auditreport"
	"quire/holdings/holdingstest"
	"quire/repository/disposal"
	"quire/repository/store"
)

// TestPurges: the report lists purges in each state, with the persons, and the places that are done and pending.
func TestPurges(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	for _, id := range []string{"gone", "asked", "kept"} {
		r.Ingest(holdingstest.Package{ID: id, Rights: "access: open", Containers: map[string]string{
			"a.warc": holdingstest.Response(id, "http://"+id+".example/", "2015-01-02T03:04:05Z", "text/html", id)}})
	}
	if got := gather(t, r, auditreport.Options{}).Purges; got.List == nil || len(got.List) > 0 {
		t.Errorf("before: %+v", got)
	}
	tokens := map[string]disposal.Purge{}
	for _, id := range []string{"gone", "asked", "kept"} {
		p, err := r.Store.RequestPurge(ctx, store.PurgeRequest{Package: id, Because: "file 17", Authority: "the board",
			By: "Ada"})
		if err != nil {
			t.Fatal(err)
		}
		tokens[id] = p
	}
	if _, err := r.Store.CancelPurge(ctx, tokens["kept"].ID, "Eve", ""); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(r.Dir, "copy-2"), filepath.Join(r.Dir, "away")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Store.ApprovePurge(ctx, tokens["gone"].Token, "Bob", nil); err != nil {
		t.Fatal(err)
	}
	got := gather(t, r, auditreport.Options{}).Purges
	if got.Purged != 1 || got.Requested != 1 || got.Cancelled != 1 || got.Readmitted != 0 || got.Pending != 1 ||
		len(got.List) != 3 || got.More != 0 {
		t.Fatalf("%+v", got)
	}
	kept, asked, gone := got.List[0], got.List[1], got.List[2]
	if kept.State != disposal.Cancelled || kept.CancelledBy != "Eve" || kept.Cancelled.IsZero() {
		t.Errorf("cancelled: %+v", kept)
	}
	if asked.State != disposal.Requested || asked.RequestedBy != "Ada" || asked.Requested.IsZero() ||
		asked.ApprovedBy != "" {
		t.Errorf("requested: %+v", asked)
	}
	if gone.ID != "P1" || gone.State != disposal.Purged || gone.ApprovedBy != "Bob" || gone.Approved.IsZero() ||
		!gone.Reasoned || gone.Reason != "" || gone.Authority != "" || gone.Kind != "package" || gone.Files == 0 {
		t.Errorf("purged: %+v", gone)
	}
	done, away := map[string]bool{}, map[string]bool{}
	for _, place := range gone.Done {
		done[place.Place] = !place.At.IsZero()
	}
	for _, place := range gone.Waiting {
		away[place.Place] = place.Away
	}
	if !done["copy-1"] || done["copy-2"] || !away["copy-2"] || away["copy-1"] {
		t.Errorf("done %v, away %v", done, away)
	}
	later := gather(t, r, auditreport.Options{Since: time.Now().Add(time.Hour), Reasons: true}).Purges
	if len(later.List) != 2 || later.List[1].Reason != "file 17" || later.List[1].Authority != "the board" ||
		later.Cancelled != 1 {
		t.Errorf("of a later period: %+v", later)
	}
}
