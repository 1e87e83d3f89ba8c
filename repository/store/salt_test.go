package store

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/model"
	"quire/repository/register"
)

// forgeSalt writes one other salt of an object into copies, as a forger of most copies does.
func forgeSalt(t *testing.T, path string, copies ...*copyFolder) {
	t.Helper()
	salt := register.NewSalt()
	for _, c := range copies {
		edit(t, filepath.Join(c.object(path), saltPath), func([]byte) []byte { return saltText(salt) })
	}
}

// TestForgedSaltInMost: a change enters its leaves under the salt that the register knows, although most copies
// have another one. So the history of the object stays one.
func TestForgedSaltInMost(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	pkg := makePackage(t, damagedID, content{"a.warc": "third"})
	for name, change := range map[string]func(t *testing.T, v *victim) *Store{
		"an event": func(t *testing.T, v *victim) *Store {
			if _, err := v.Record(ctx, damagedID, Action{Type: model.Reinstating, Detail: "by order"}); err != nil {
				t.Fatal(err)
			}
			return v.Store
		},
		"a version": func(t *testing.T, v *victim) *Store {
			mustIngest(t, v.Store, pkg, IngestOptions{NewVersion: true})
			return v.Store
		},
		"a recovery": func(t *testing.T, v *victim) *Store {
			v.disk.fault = func(op, path string) error {
				if op == "rename" && filepath.Base(path) == "v3" { // after it was decided
					return errInjected
				}
				return nil
			}
			if _, err := v.Ingest(ctx, pkg, IngestOptions{NewVersion: true}); err == nil {
				t.Fatal("the ingest was not cut off")
			}
			v.disk.fault = nil
			_ = v.Close()
			return reopen(t, v.root)
		},
		"a choice": func(t *testing.T, v *victim) *Store {
			for _, c := range v.copies {
				salt := read(t, filepath.Join(c.object(v.path), saltPath))
				v.put(t, c, v.forged)
				put(t, filepath.Join(c.object(v.path), saltPath), string(salt))
			}
			again, err := rebuildAgain(t, v.Store, "copy-1")
			if err != nil {
				t.Fatal(err)
			}
			return again
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVictim(t)
			forgeSalt(t, v.path, v.copies[0], v.copies[1])
			s := change(t, v)
			report, mended := auditAndRepair(t, s)
			for _, code := range codesOf(report) {
				if !slices.Contains([]string{"copy-1 SALT-WRONG", "copy-2 SALT-WRONG"}, code) && name != "a choice" {
					t.Error("found", code)
				}
			}
			if !mended {
				t.Errorf("not mended: %v", report.Findings)
			}
			mustBeSound(t, s)
			registerSound(t, s)
		})
	}
}

// TestSaltOfFarCopies: a far copy gets the salt that the register knows.
func TestSaltOfFarCopies(t *testing.T) {
	needsFile(t, "makes a second repository with the same UUID")
	v := newVictim(t)
	want := read(t, filepath.Join(v.copies[2].object(v.path), saltPath))
	forgeSalt(t, v.path, v.copies[0], v.copies[1])
	card, err := v.card(context.Background(), damagedID)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := v.farTexts(context.Background(), card.Object, card.Path)
	if err != nil || string(texts[saltFile]) != string(want) {
		t.Errorf("%q, %v", texts[saltFile], err)
	}
}

// TestSplitHistory: of two salts that have leaves, the one with all versions counts. An earlier version of Quire
// entered events under a forged salt. The salt of a purged package may return with a copy that was away.
func TestSplitHistory(t *testing.T) {
	prove.Serial(t)
	ctx, at := context.Background(), time.Unix(1e9, 0)
	for name, split := range map[string]func(l *leaves){
		"an event":    func(l *leaves) { l.add(register.Event{Time: at, Object: l.object, Type: "test"}) },
		"a version":   func(l *leaves) { l.version(at, 3, fmt.Sprintf("%0128d", 3)) },
		"a tombstone": func(l *leaves) { l.add(register.Tombstone{Time: at, Object: l.object}) },
	} {
		v := newVictim(t)
		want, _ := saltIn(v.copies[2], v.path)
		forgeSalt(t, v.path, v.copies[0])
		forged, _ := saltIn(v.copies[0], v.path)
		card, err := v.card(ctx, damagedID)
		if err != nil {
			t.Fatal(err)
		}
		l := leavesOf(forged, card.Object)
		split(l)
		if err := v.enter(ctx, &noteLeaves{Leaves: l.list}); err != nil || l.err != nil {
			t.Fatal(err, l.err)
		}
		h, found, err := v.historyOf(ctx, card.Object, card.Path)
		if err != nil || !found || h.salt != want || h.Newest() != 2 {
			t.Errorf("%s: %v, %v, version %d", name, found, err, h.Newest())
		}
	}
}
