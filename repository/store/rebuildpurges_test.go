package store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"quire/repository/ocfl"
	"quire/repository/place/placetest"
)

// TestRebuildFromFarAfterPurge: with only far copies left, a purged package does not come back from one that still
// has it, and that one is cleared.
func TestRebuildFromFarAfterPurge(t *testing.T) {
	for _, register := range []bool{true, false} {
		t.Run(fmt.Sprintf("register=%v", register), func(t *testing.T) {
			s := newRepository(t)
			v := &farVictim{Store: s, mounts: []string{mount(t), mount(t)}, into: filepath.Join(fastDir(t), "one")}
			mustAdd(t, s, v.mounts[0])
			mustAdd(t, s, v.mounts[1])
			v.path = mustIngest(t, s, secretPackage(t), IngestOptions{}).Object
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			saved := filepath.Join(t.TempDir(), "saved")
			copyTree(t, v.object(0), saved)
			purgeNow(t, s)
			mustAudit(t, s)                 // brings the events
			copyTree(t, saved, v.object(0)) // as a backup of the bucket does
			_ = s.Close()
			again, err := v.rebuild(t, register, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := again.Show(context.Background(), purgeID); !errors.Is(err, ErrPurged) {
				t.Errorf("the purged package: %v", err)
			}
			for _, root := range []string{strings.TrimPrefix(v.mounts[0], "file://"), v.into, again.root} {
				if found := secretsIn(t, root); len(found) > 0 {
					t.Errorf("%s has %q", root, found)
				}
			}
			if report := mustAudit(t, again); !report.OK() || report.Packages != 2 {
				t.Errorf("audit of %d packages: %v", report.Packages, report.Findings)
			}
			if got := storedIn(t, again); got != 1 {
				t.Errorf("the other package has version %d", got)
			}
		})
	}
}

// TestRebuildBesideLockedPurge: a purged package that a bucket does not let go is reported with the command that
// removes it, and is not catalogued.
func TestRebuildBesideLockedPurge(t *testing.T) {
	ctx := context.Background()
	address, service := inBucket(t)
	s := newRepository(t)
	mustAdd(t, s, address)
	far := s.copies[3]
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	saved := map[string]string{}
	prefix := farName(ocfl.ObjectPath(objectID(purgeID)), "")
	for _, name := range placetest.Names(t, far.far, prefix) {
		saved[name] = placetest.Read(t, far.far, name, 0)
	}
	purgeNow(t, s)
	mustAudit(t, s) // brings the events
	for name, text := range saved {
		if err := far.far.Replace(ctx, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	_ = s.Close()
	key := keyOf(t, s)
	remove(t, s.root)
	copyTree(t, key, s.root)
	service.Fail(func(r *http.Request) bool {
		return r.Method == http.MethodDelete || r.Method == http.MethodPost && r.URL.Query().Has("delete")
	})
	again, err := Init(ctx, s.root, InitOptions{Rebuild: true, Describe: testDescribe, Catalogue: defaultCatalogue,
		Copies: []string{filepath.Join(fastDir(t), "one"), address}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if r := fmt.Sprint(again.Recovered()); !strings.Contains(r, purgeID+": pending") ||
		!strings.Contains(r, "quire audit --repair") {
		t.Errorf("reported: %s", r)
	}
	if _, err := again.Show(ctx, purgeID); !errors.Is(err, ErrPurged) {
		t.Errorf("the purged package: %v", err)
	}
	service.Fail(nil)
	if report, mended := auditAndRepair(t, again); !mended || len(report.Findings) != 1 ||
		report.Findings[0].Code != PurgedObject {
		t.Errorf("audit: %v, mended %v", report.Findings, mended)
	}
	if names := placetest.Names(t, far.far, prefix); len(names) > 0 {
		t.Errorf("the bucket has %q", names)
	}
}

// TestRebuildWithUnreadablePurges: if the document of purges is whole nowhere, a rebuild stops. If far copies have
// different versions of it, and no register survives, a person chooses.
func TestRebuildWithUnreadablePurges(t *testing.T) {
	for _, both := range []bool{true, false} {
		s := newRepository(t)
		v := &farVictim{Store: s, mounts: []string{mount(t), mount(t)}, into: filepath.Join(fastDir(t), "one")}
		mustAdd(t, s, v.mounts[0])
		mustAdd(t, s, v.mounts[1])
		mustIngest(t, s, secretPackage(t), IngestOptions{})
		p := requestPurge(t, s)
		id, err := documentID(PurgesDocument)
		if err != nil {
			t.Fatal(err)
		}
		v.path = ocfl.ObjectPath(id)
		before := filepath.Join(t.TempDir(), "before")
		copyTree(t, v.object(1), before)
		if _, err := s.ApprovePurge(context.Background(), p.Token, "Bob", nil); err != nil {
			t.Fatal(err)
		}
		_ = s.Close()
		if both {
			for n := range v.mounts {
				put(t, filepath.Join(v.object(n), "inventory.json"), "{")
			}
		} else {
			v.put(t, 1, before)
		}
		_, err = v.rebuild(t, false, "")
		var choice *ChoiceError
		if errors.As(err, &choice) == both || err == nil || both && !strings.Contains(err.Error(), "could come back") {
			t.Errorf("both=%v: %v", both, err)
		}
	}
}
