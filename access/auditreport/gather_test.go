package auditreport_test

import (
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/access/auditreport"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/holdings/rights"
	"quire/repository/catalogue"
	"quire/repository/register"
	"quire/repository/store"
)

// gather makes a report by the clock of a repository.
func gather(t *testing.T, r *holdingstest.Repository, o auditreport.Options) *auditreport.Report {
	t.Helper()
	o.Holdings.Location = time.UTC
	o.Holdings.Now = r.Clock.Now
	report, err := auditreport.Gather(context.Background(), r.Store, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// lived returns a repository with an open package, a closed package and a collection of both. It has
// seen damage, loss, repair, and damage again.
func lived(t *testing.T) *holdingstest.Repository {
	r := holdingstest.New(t)
	for id, rights := range map[string]string{"open": "access: open", "closed": "access: restricted"} {
		r.Ingest(holdingstest.Package{ID: id, Rights: rights, Containers: map[string]string{
			"a.warc": holdingstest.Response(id, "http://"+id+".example/", "2015-01-02T03:04:05Z", "text/html",
				"of "+id)}})
	}
	r.Collect("both", "Both of them", "access: open", "open", "closed")
	audit(t, r)
	damage(t, r, "copy-2", "open")
	damage(t, r, "copy-2", "closed")
	audit(t, r)
	for _, id := range []string{"open", "closed"} {
		if _, err := r.Store.Repair(context.Background(), id, store.RepairOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	damage(t, r, "copy-1", "closed")
	audit(t, r)
	return r
}

func audit(t *testing.T, r *holdingstest.Repository, ids ...string) {
	t.Helper()
	if _, err := r.Store.Audit(context.Background(), ids, store.AuditOptions{}); err != nil {
		t.Fatal(err)
	}
}

// damage changes a byte of the container of a package in a copy.
func damage(t *testing.T, r *holdingstest.Repository, copyName, id string) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(filepath.Join(r.Dir, copyName), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "a.warc.gz" && d.Name() != "a.warc" || !strings.Contains(path, "%3a"+id+"/") {
			return err
		}
		found++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text[len(text)-3] ^= 1
		if err := os.Chmod(path, 0o600); err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o600)
	})
	if err != nil || found != 1 {
		t.Fatalf("%s in %s: %d containers, %v", id, copyName, found, err)
	}
}

func TestGather(t *testing.T) {
	r := lived(t)
	got := gather(t, r, auditreport.Options{})
	h := got.Holdings
	if h.Packages != 2 || h.Collections != 1 || h.Containers != 2 || h.Versions != 2 || h.Bytes == 0 || h.Unread != 0 ||
		h.WithoutIngest != 0 || h.WithoutReading != 0 {
		t.Errorf("holdings: %+v", h)
	}
	if len(h.ByCollection) != 1 || h.ByCollection[0].Title != "Both of them" || h.ByCollection[0].Packages != 2 ||
		h.Uncollected.Packages != 0 {
		t.Errorf("collections: %+v, none: %+v", h.ByCollection, h.Uncollected)
	}
	if len(got.Copies) != 2 {
		t.Fatalf("%d copies", len(got.Copies))
	}
	first, second := got.Copies[0], got.Copies[1]
	if first.States[catalogue.Good] != 2 || first.States[catalogue.Damaged] != 1 || first.Complete() ||
		second.States[catalogue.Good] != 3 || !second.Complete() || first.Never != 0 || first.Oldest.IsZero() {
		t.Errorf("copies: %+v", got.Copies)
	}
	if len(first.SameDisk) != 1 || first.SameDisk[0] != "copy-2" {
		t.Errorf("copy-1 shares its file system with %v", first.SameDisk)
	}
	if a := got.Audits; a.Number != 3 || a.Complete != 3 || a.Problems != 3 || a.LastFull.IsZero() ||
		len(a.Runs) != 3 || a.Leaves != 3 {
		t.Errorf("audits: %+v", a)
	}
	for _, run := range got.Audits.Runs {
		r, err := register.OpenReader(filepath.Join(r.Dir, "repo", "register"))
		if err != nil {
			t.Fatal(err)
		}
		e, err := r.Leaf(run.Leaf)
		b, ok := e.Leaf.(register.Batch)
		if err != nil || !ok || hex.EncodeToString(b.Run[:]) != strings.ReplaceAll(run.Run.Run, "-", "") ||
			b.Root.String() != run.Root || b.Problems != uint64(run.Problems) {
			t.Errorf("leaf %d of %s: %+v, %v", run.Leaf, run.Run.Run, e.Leaf, err)
		}
	}
	if a := got.Access; a.Packages[rights.Open] != 1 || a.Packages[rights.Restricted] != 1 || a.Unstated != 0 {
		t.Errorf("access: %+v", a)
	}
	in := got.Incidents
	if in.Total != 3 || in.Repaired != 2 || in.Open != 1 || len(in.List) != 3 {
		t.Fatalf("incidents: %+v", in)
	}
	if i := in.List[0]; i.Copy != "copy-1" || i.Repair != "" || i.Now != catalogue.Damaged ||
		i.Kind != "closed package" ||
		i.Package != "" || i.Detail != "" {
		t.Errorf("the open incident: %+v", i)
	}
	named := 0
	for _, i := range in.List[1:] {
		if i.Copy != "copy-2" || i.Repair == "" || !i.Repaired.After(i.Time) || i.Now != catalogue.Good {
			t.Errorf("a repaired incident: %+v", i)
		}
		if i.Package == "open" && i.Kind == "package" && i.Detail != "" {
			named++
		}
	}
	if named != 1 {
		t.Errorf("the incident of the open package is not named: %+v", in.List)
	}
}

// The period leaves out what was before it, but no open incident.
func TestSince(t *testing.T) {
	r := lived(t)
	got := gather(t, r, auditreport.Options{Since: time.Now().Add(time.Hour)})
	if a := got.Audits; a.Number != 0 || a.Ever != 3 || len(a.Runs) != 0 {
		t.Errorf("audits: %+v", a)
	}
	if in := got.Incidents; in.Total != 1 || in.Open != 1 {
		t.Errorf("incidents: %+v", in)
	}
	for _, e := range got.Events {
		if e.Number != 0 || e.Ever == 0 {
			t.Errorf("event: %+v", e)
		}
	}
	if s := stateOf(t, got, "ISO-4.2.9-whole"); s != auditreport.PartlyShown {
		t.Errorf("an audit before the period: %s", s)
	}
}

func stateOf(t *testing.T, r *auditreport.Report, claim string) auditreport.State {
	t.Helper()
	for _, f := range r.Frameworks {
		for _, row := range f.Rows {
			if i := slices.IndexFunc(row.Claims, func(c auditreport.Claim) bool { return c.ID == claim }); i >= 0 {
				return row.Claims[i].State
			}
		}
	}
	t.Fatalf("no claim %s", claim)
	return ""
}

// Each state comes from the records: it changes with them.
func TestClaimsFollowTheRecords(t *testing.T) {
	r := holdingstest.New(t)
	check := func(when string, want map[string]auditreport.State) *auditreport.Report {
		t.Helper()
		got := gather(t, r, auditreport.Options{})
		for claim, state := range want {
			if s := stateOf(t, got, claim); s != state {
				t.Errorf("%s: %s is %s, want %s", when, claim, s, state)
			}
		}
		return got
	}
	check("empty", map[string]auditreport.State{"NDSA-storage-1-copies": auditreport.Unknown,
		"NDSA-integrity-1-digests": auditreport.Unknown, "NDSA-integrity-3-intervals": auditreport.NotShown,
		"NDSA-integrity-3-documented": auditreport.Unknown, "ISO-4.2.9-whole": auditreport.NotShown,
		"NDSA-integrity-4-repair": auditreport.Unknown, "CTS-R02-takedowns": auditreport.Unknown})
	r.Ingest(holdingstest.Package{ID: "one", Containers: map[string]string{
		"a.warc": holdingstest.Response("one", "http://one.example/", "2015-01-02T03:04:05Z", "text/html", "one")}})
	check("stored", map[string]auditreport.State{"NDSA-storage-1-copies": auditreport.Shown,
		"NDSA-storage-2-copies": auditreport.NotShown, "NDSA-integrity-1-digests": auditreport.Shown,
		"NDSA-integrity-1-viruses": auditreport.NotShown, "NDSA-control-2-rights": auditreport.NotShown,
		"NDSA-content-1-formats": auditreport.NotShown, "NDSA-storage-1-apart": auditreport.NotShown,
		"ISO-4.2.8-verified": auditreport.Shown, "ISO-5.1.2-synchronized": auditreport.Shown})
	schedule := store.Schedule{{Every: store.Span(365 * 24 * time.Hour)}}
	if err := r.Store.SetSchedule(context.Background(), schedule); err != nil {
		t.Fatal(err)
	}
	check("scheduled", map[string]auditreport.State{"NDSA-integrity-3-intervals": auditreport.Unknown})
	audit(t, r)
	check("audited", map[string]auditreport.State{"NDSA-integrity-3-intervals": auditreport.Shown,
		"NDSA-integrity-4-repair": auditreport.Shown, "ISO-4.2.9-whole": auditreport.Shown})
	damage(t, r, "copy-1", "one")
	audit(t, r, "one")
	check("damaged", map[string]auditreport.State{"NDSA-storage-1-copies": auditreport.NotShown,
		"NDSA-integrity-4-repair": auditreport.NotShown, "ISO-5.1.1.3.1-reported": auditreport.Shown})
	if err := r.Store.SetSchedule(context.Background(), store.Schedule{{Every: store.Span(time.Second)}}); err != nil {
		t.Fatal(err)
	}
	for due, err := r.Store.DueAudits(context.Background()); !due[0].Is; due,
		err = r.Store.DueAudits(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	got := check("overdue", map[string]auditreport.State{"NDSA-integrity-3-intervals": auditreport.NotShown})
	if o := got.Overdue; len(o.Audits) != 1 || !o.Audits[0].Is || o.Damaged["copy-1"] != 1 {
		t.Errorf("overdue: %+v", o)
	}
	r.Withdraw(rights.Withdrawal{Package: "one"})
	got = check("withdrawn", map[string]auditreport.State{"CTS-R02-takedowns": auditreport.Shown})
	if k := got.Takedowns; k.InForce != 1 || len(k.List) != 1 || k.List[0].Scope != "package" || k.Document == nil {
		t.Errorf("takedowns: %+v", k)
	}
	if a := got.Access; a.Packages[rights.Blocked] != 1 || a.Hidden != 1 || a.Rules[rights.Blocked] != 1 {
		t.Errorf("access: %+v", a)
	}
	if err := os.Rename(filepath.Join(r.Dir, "copy-2"), filepath.Join(r.Dir, "away")); err != nil {
		t.Fatal(err)
	}
	got = check("away", map[string]auditreport.State{"ISO-5.1.2-synchronized": auditreport.Unknown})
	if got.Copies[1].Available {
		t.Error("the copy that is away counts as available")
	}
}

// Access is decided as holdings decides, for every package of the matrix.
func TestAccessIsThatOfHoldings(t *testing.T) {
	r, o, _ := holdingstest.Matrix(t)
	got := gather(t, r, auditreport.Options{Holdings: o})
	h := r.Open(o)
	want := map[rights.Verdict]int64{}
	hidden := int64(0)
	for p, err := range r.Store.Packages(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if p.IsCollection() {
			continue
		}
		found, err := h.Package(context.Background(), holdings.Reader{Class: holdings.Staff}, p.ID)
		if err != nil {
			hidden++
			want[rights.Blocked]++
			continue
		}
		want[found.Verdict]++
	}
	for verdict, n := range want {
		if got.Access.Packages[verdict] != n {
			t.Errorf("%s: %d packages, want %d (%v)", verdict, got.Access.Packages[verdict], n, got.Access.Packages)
		}
	}
	if len(want) != len(got.Access.Packages) || len(want) < 3 {
		t.Errorf("%v, want %v", got.Access.Packages, want)
	}
	if got.Access.Parts == 0 || got.Access.Unstated == 0 || got.Access.Rules[rights.Blocked] == 0 ||
		got.Access.RulesInCopies {
		t.Errorf("access: %+v", got.Access)
	}
	if hidden > 0 && got.Access.Hidden < hidden {
		t.Errorf("%d hidden, want at least %d", got.Access.Hidden, hidden)
	}
}
