package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/preserve/statements"
	"quire/repository/disposal"
	"quire/repository/ocfl"
)

const purgeID = "urn:uuid:1b7e3a52-0000-4000-8000-0000000000aa"

// secrets are in the package of the purge tests, and nowhere else.
var secrets = []string{"SECRET bytes", "SECRET title", "secret-name"}

// secretPackage makes the package of the purge tests.
func secretPackage(t *testing.T) string {
	t.Helper()
	dir := makePackage(t, purgeID, content{"data/secret-name.warc": "SECRET bytes", "b.log": "the same"})
	path := filepath.Join(dir, "mets.xml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, strings.ReplaceAll(string(text), "Title of "+purgeID, "SECRET title"))
	return dir
}

// secretsIn lists the files below a repository with a secret in the name or the bytes.
func secretsIn(t *testing.T, root string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var text []byte
		if entry.Type().IsRegular() {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		for _, s := range secrets {
			if strings.Contains(path, s) || bytes.Contains(text, []byte(s)) {
				found = append(found, strings.TrimPrefix(path, root)+": "+s)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// requestPurge requests the purge of the package.
func requestPurge(t *testing.T, s *Store) disposal.Purge {
	t.Helper()
	p, err := s.RequestPurge(context.Background(),
		PurgeRequest{Package: purgeID, Because: "file 17", Authority: "Court of Bruges", By: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// purgeNow requests and approves the purge of the package.
func purgeNow(t *testing.T, s *Store) PurgeStatus {
	t.Helper()
	status, err := s.ApprovePurge(context.Background(), requestPurge(t, s).Token, "Bob", nil)
	if err != nil {
		t.Fatal(err)
	}
	return status
}

// mustBeCleared checks that the purge is complete in the store, and that nothing of the package remains.
func mustBeCleared(t *testing.T, s *Store, p PurgeStatus) {
	t.Helper()
	if len(p.Pending) != 1 || p.Pending[0].Place != PurgeIndexes {
		t.Errorf("pending: %+v", p.Pending)
	}
	if found := secretsIn(t, s.root); len(found) > 0 {
		t.Errorf("remains: %q", found)
	}
}

// TestPurge: a purge needs two persons. It removes every version of a package from every copy, the objects
// that repairs set aside, and its rows. A tombstone remains, and the id is not stored again silently.
func TestPurge(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	pkg := secretPackage(t)
	r := mustIngest(t, s, pkg, IngestOptions{})
	other := mustIngest(t, s, makePackage(t, purgeID+"b", crawl), IngestOptions{})
	if _, err := s.Amend(ctx, purgeID, retitle("SECRET title, second")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Receipt{r, other} { // a repair sets the damaged object aside
		edit(t, filepath.Join(c.Copies[1].Path, "v1/content/mets.xml"), flip)
		if _, err := s.Repair(ctx, c.ID, RepairOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	p := requestPurge(t, s)
	if _, err := s.Show(ctx, purgeID); err != nil || p.ID != "P1" || p.Was.Versions != 2 || p.Was.Kind != "package" {
		t.Errorf("%+v, %v", p, err)
	}
	refused := errors.New("refused")
	for name, approve := range map[string]func() error{
		"the same person": func() error { _, err := s.ApprovePurge(ctx, p.Token, " ada", nil); return err },
		"an empty name":   func() error { _, err := s.ApprovePurge(ctx, p.Token, " ", nil); return err },
		"the id":          func() error { _, err := s.ApprovePurge(ctx, p.ID, "Bob", nil); return err },
		"no token":        func() error { _, err := s.ApprovePurge(ctx, newToken(), "Bob", nil); return err },
		"the check": func() error {
			refuse := func(context.Context, disposal.Purge) error { return refused }
			_, err := s.ApprovePurge(ctx, p.Token, "Bob", refuse)
			return err
		},
		"twice": func() error {
			_, err := s.RequestPurge(ctx, PurgeRequest{Package: purgeID, Because: "b", Authority: "a", By: "Eve"})
			return err
		},
	} {
		if err := approve(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if len(secretsIn(t, s.root)) == 0 {
		t.Error("it was purged without approval")
	}
	status, err := s.ApprovePurge(ctx, p.Token, "Bob", nil)
	if err != nil {
		t.Fatal(err)
	}
	mustBeCleared(t, s, status)
	if len(status.Done) != 4 {
		t.Errorf("%+v", status.Done)
	}
	var purged *PurgedError
	if _, err := s.Show(ctx, purgeID); !errors.As(err, &purged) || !errors.Is(err, ErrNotFound) ||
		!errors.Is(err, ErrPurged) || !strings.Contains(err.Error(), "Court of Bruges") {
		t.Errorf("%v", err)
	}
	if _, err := s.Show(ctx, other.ID); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(filepath.Join(s.copies[1].path, quarantineFolder))
	if err != nil || len(entries) != 1 {
		t.Errorf("the quarantine has %v, %v", entries, err)
	}
	if report := mustAudit(t, s); !report.OK() {
		t.Errorf("%+v", report.Findings)
	}
	mustBeSound(t, s)
	if _, err := s.PlanIngest(ctx, pkg, IngestOptions{}); !errors.Is(err, ErrPurged) {
		t.Errorf("the plan: %v", err)
	}
	if _, err := s.Ingest(ctx, pkg, IngestOptions{}); !errors.Is(err, ErrPurged) ||
		!strings.Contains(err.Error(), "--again") {
		t.Errorf("it was stored again: %v", err)
	}
	if _, err := s.Ingest(ctx, pkg, IngestOptions{Again: true}); err == nil {
		t.Error("it was stored again before its purge was complete")
	}
	if err := s.RecordIndexesPurged(ctx, status.Purge); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Ingest(ctx, pkg, IngestOptions{Again: true}); err != nil || r.Version != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	all, err := s.Purges(ctx)
	if err != nil || len(all) != 1 || all[0].State != disposal.Readmitted || len(all[0].Pending) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if report := mustAudit(t, s); !report.OK() {
		t.Errorf("%+v", report.Findings)
	}
	second := requestPurge(t, s)
	if status, err = s.ApprovePurge(ctx, second.Token, "Bob", nil); err != nil || status.ID != "P2" {
		t.Fatalf("%+v, %v", status, err)
	}
	mustBeCleared(t, s, status)
}

// TestPurgeRequest: a request can be cancelled, and it ends when the package changes. Its texts name no URL.
func TestPurgeRequest(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	p := requestPurge(t, s)
	if _, err := s.CancelPurge(ctx, p.ID, "Ada", "an error"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ApprovePurge(ctx, p.Token, "Bob", nil); err == nil {
		t.Error("a cancelled request was approved")
	}
	p = requestPurge(t, s)
	if _, err := s.Amend(ctx, purgeID, retitle("SECRET title, second")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ApprovePurge(ctx, p.Token, "Bob", nil); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("a request for an earlier version was approved: %v", err)
	}
	if _, err := s.CancelPurge(ctx, p.Token, "Eve", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CancelPurge(ctx, p.Token, "Eve", ""); err == nil {
		t.Error("cancelled twice")
	}
	for name, r := range map[string]PurgeRequest{
		"a URL":        {Package: purgeID, Because: "the page http://a.example/", Authority: "a", By: "Ada"},
		"no reason":    {Package: purgeID, Because: " ", Authority: "a", By: "Ada"},
		"no authority": {Package: purgeID, Because: "b", By: "Ada"},
		"no person":    {Package: purgeID, Because: "b", Authority: "a"},
		"no package":   {Package: "urn:none", Because: "b", Authority: "a", By: "Ada"},
		"a document":   {Package: "urn:quire:document:purges", Because: "b", Authority: "a", By: "Ada"},
	} {
		if _, err := s.RequestPurge(ctx, r); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestHold: a hold forbids a purge until its last day, or until it is lifted.
func TestHold(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	at := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return at }
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	p := requestPurge(t, s)
	act := disposal.Act{By: "Eve", At: at, Because: "lawsuit 5"}
	for _, until := range []statements.Day{"2026-12-31", ""} {
		if _, err := s.HoldPackage(ctx, disposal.Hold{Package: purgeID, Until: until, Set: act}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.HoldPackage(ctx, disposal.Hold{Package: purgeID, Until: "soon", Set: act}); err == nil {
		t.Error("a hold until no day was set")
	}
	approve := func() error { _, err := s.ApprovePurge(ctx, p.Token, "Bob", nil); return err }
	var held *ContentError
	if err := approve(); !errors.As(err, &held) || !strings.Contains(err.Error(), "lawsuit 5") {
		t.Errorf("%v", err)
	}
	if _, err := s.LiftHold(ctx, "H2", act); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LiftHold(ctx, "H2", act); err == nil {
		t.Error("lifted twice")
	}
	at = time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC)
	if err := approve(); !errors.As(err, &held) {
		t.Errorf("on the last day: %v", err)
	}
	at = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := approve(); err != nil {
		t.Error(err)
	}
	if holds, err := s.Holds(ctx); err != nil || len(holds) != 2 || holds[0].Lifted != nil || holds[1].Lifted == nil {
		t.Errorf("%+v, %v", holds, err)
	}
}

// TestPurgeAway: a copy that is away is pending, whatever number of copies the repository requires. When it
// is back, the next Open clears it.
func TestPurgeAway(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	back := takeAway(t, s.copies[2])
	status := purgeNow(t, s)
	if len(status.Pending) != 2 || status.Pending[0].Place != s.copies[2].name ||
		!strings.HasPrefix(status.Pending[0].Why, "away") {
		t.Errorf("%+v", status.Pending)
	}
	if r := reopen(t, s.root).Recovered(); len(r) > 0 {
		t.Errorf("with the copy away: %v", r)
	}
	back()
	if len(secretsIn(t, s.root)) == 0 {
		t.Error("the copy that was away is clear")
	}
	again := reopen(t, s.root)
	if r := again.Recovered(); len(r) != 1 || r[0].Outcome != Finished {
		t.Errorf("%v", r)
	}
	all, err := again.Purges(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mustBeCleared(t, again, all[0])
	mended := func(_ RepairReport, err error) error { return err }
	if _, err := again.Refill(ctx, "", RepairOptions{}, mended); err != nil {
		t.Error(err)
	}
	if report := mustAudit(t, again); !report.OK() {
		t.Errorf("%+v", report.Findings)
	}
	mustBeSound(t, again)
}

// TestPurgedComesBack: the object of a purged package that a backup brought back is a finding. A repair
// removes it, and a rebuild of the catalogue does, too.
func TestPurgedComesBack(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, secretPackage(t), IngestOptions{})
	saved := t.TempDir()
	if err := os.CopyFS(saved, os.DirFS(r.Copies[1].Path)); err != nil {
		t.Fatal(err)
	}
	purgeNow(t, s)
	comesBack := func() {
		t.Helper()
		if err := os.CopyFS(r.Copies[1].Path, os.DirFS(saved)); err != nil {
			t.Fatal(err)
		}
	}
	comesBack()
	damage, err := NewDamage()
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Audit(ctx, nil, AuditOptions{Damage: damage})
	isFinding := func(f Finding) bool {
		return f.Code == PurgedObject && f.Copy == r.Copies[1].Name && f.Package == purgeID
	}
	if err != nil || len(report.Findings) != 1 || !slices.ContainsFunc(report.Findings, isFinding) {
		t.Errorf("%+v, %v", report.Findings, err)
	}
	var planned []RepairReport
	plan, err := s.PlanRepairAll(ctx, damage, RepairOptions{}, func(r RepairReport, err error) error {
		planned = append(planned, r)
		return err
	})
	if err != nil || !exists(r.Copies[1].Path) {
		t.Errorf("the dry run: %v, or it removed the object", err)
	}
	var mended []RepairReport
	sum, err := s.RepairAll(ctx, damage, RepairOptions{}, func(r RepairReport, err error) error {
		mended = append(mended, r)
		return err
	})
	if err != nil || sum.Repaired != 1 || len(mended) != 1 || len(mended[0].Purged) != 1 || !damage.Mends(report) {
		t.Errorf("%+v, %+v, %v", sum, mended, err)
	}
	if plan != sum || !reflect.DeepEqual(planned, mended) {
		t.Errorf("the dry run reports %+v, %+v; then %+v, %+v", plan, planned, sum, mended)
	}
	if found := secretsIn(t, s.root); len(found) > 0 {
		t.Errorf("remains: %q", found)
	}
	comesBack()
	_ = s.Close()
	again, err := Init(ctx, s.root, InitOptions{Describe: testDescribe, Rebuild: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if _, err := again.Show(ctx, purgeID); !errors.Is(err, ErrPurged) {
		t.Errorf("after the rebuild: %v", err)
	}
	all, err := again.Purges(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mustBeCleared(t, again, all[0])
	if report := mustAudit(t, again); !report.OK() {
		t.Errorf("%+v", report.Findings)
	}
}

// TestPurgeFar: a purge clears copies that are no folders, too.
func TestPurgeFar(t *testing.T) {
	ctx := context.Background()
	bucket, _ := inBucket(t)
	for _, address := range []string{mount(t), bucket} {
		s := newRepository(t)
		added, err := s.AddCopy(ctx, address)
		if err != nil {
			t.Fatal(err)
		}
		mustIngest(t, s, secretPackage(t), IngestOptions{})
		far := s.farPresent()[0]
		prefix := farName(ocfl.ObjectPath(objectID(purgeID)), "")
		count := func() (n int) {
			for _, err := range far.far.List(ctx, prefix) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			return n
		}
		if count() == 0 {
			t.Errorf("%+v: the copy does not have the package", added)
		}
		mustBeCleared(t, s, purgeNow(t, s))
		if n := count(); n > 0 {
			t.Errorf("%s has %d files of the purged package", address, n)
		}
	}
}

// TestPurgeClearsEventsTakenOut: events that an audit took out go with their object, whatever their text is.
// Those of other objects stay, also if they name the purged package.
func TestPurgeClearsEventsTakenOut(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	other := mustIngest(t, s, makePackage(t, purgeID+"0", content{"a": "a"}), IngestOptions{})
	for id, text := range map[string]string{purgeID: "SECRET bytes", other.ID: purgeID} {
		card, err := s.card(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(s.copies[1].object(card.Path), ocfl.LogsDir, "forged.xml"), text)
	}
	report, err := s.Audit(ctx, nil, AuditOptions{Repair: true})
	if err != nil || report.OK() {
		t.Fatalf("%+v, %v", report, err)
	}
	mustBeCleared(t, s, purgeNow(t, s))
	kept, err := filepath.Glob(filepath.Join(s.copies[1].path, quarantineFolder, "*", quarantinedEvents,
		"*", "*", "*", "*", "*"))
	if err != nil || len(kept) != 1 {
		t.Errorf("the quarantine keeps %q, %v", kept, err)
	}
}

// TestIsOfBrackets: the id of a damaged object is found below a folder with brackets in its name, by the
// inventory of a version.
func TestIsOfBrackets(t *testing.T) {
	s := newRepository(t)
	r := mustIngest(t, s, secretPackage(t), IngestOptions{})
	dir := filepath.Join(t.TempDir(), "disk [", "object")
	if err := os.CopyFS(dir, os.DirFS(r.Copies[0].Path)); err != nil {
		t.Fatal(err)
	}
	remove(t, filepath.Join(dir, ocfl.InventoryFile))
	if is, err := isOf(dir, objectID(purgeID)); !is || err != nil {
		t.Errorf("%v, %v", is, err)
	}
}

// TestPurgedComesBackFar: the object of a purged package that came back in a bucket or mount is a finding, and
// a repair removes it.
func TestPurgedComesBackFar(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	address := mount(t)
	mustAdd(t, s, address)
	r := mustIngest(t, s, secretPackage(t), IngestOptions{})
	object := filepath.Join(strings.TrimPrefix(address, "file://"), rootFolder, filepath.FromSlash(r.Object))
	saved := filepath.Join(t.TempDir(), "saved")
	copyTree(t, object, saved)
	purgeNow(t, s)
	if exists(object) {
		t.Fatal("the purge left the object")
	}
	copyTree(t, saved, object)
	damage, err := NewDamage()
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Audit(ctx, nil, AuditOptions{Damage: damage})
	if err != nil || len(report.Findings) != 1 || report.Findings[0].Code != PurgedObject {
		t.Errorf("%+v, %v", report.Findings, err)
	}
	sum, err := s.RepairAll(ctx, damage, RepairOptions{}, func(_ RepairReport, err error) error { return err })
	if err != nil || sum.Repaired != 1 || exists(filepath.Join(object, "inventory.json")) {
		t.Errorf("%+v, %v", sum, err)
	}
}
