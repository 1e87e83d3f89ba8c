package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
	"quire/model"
)

// TestRebuildPastFolders: an object that no folder has whole, or in the version of the register, comes from a far
// copy. The one in the first folder moves to the quarantine, and the rebuild reports why.
func TestRebuildPastFolders(t *testing.T) {
	prove.Serial(t)
	each := func(harm func(t *testing.T, v *farVictim, object string)) func(*testing.T, *farVictim) {
		return func(t *testing.T, v *farVictim) {
			for _, c := range v.folders() {
				harm(t, v, c.object(v.path))
			}
		}
	}
	for name, c := range map[string]struct {
		harm   func(*testing.T, *farVictim)
		reason string // in the report; "" if the rebuild refuses
	}{
		"a garbled inventory": {each(func(t *testing.T, _ *farVictim, object string) {
			put(t, filepath.Join(object, "inventory.json"), "{")
		}), "sidecar states"},
		"no METS": {each(func(t *testing.T, _ *farVictim, object string) {
			remove(t, filepath.Join(object, "v2/content/mets.xml"))
		}), "mets.xml"},
		"no inventory of an earlier version": {each(func(t *testing.T, _ *farVictim, object string) {
			remove(t, filepath.Join(object, "v1/inventory.json"))
		}), "v1/inventory.json"},
		"an older version": {each(func(t *testing.T, v *farVictim, object string) {
			remove(t, object)
			copyTree(t, v.before, object)
		}), "the register has v2"},
		"a forged newer version": {each(func(t *testing.T, v *farVictim, object string) {
			remove(t, object)
			copyTree(t, v.forged, object)
		}), "the register has v2"},
		"older everywhere": {func(t *testing.T, v *farVictim) {
			each(func(t *testing.T, v *farVictim, object string) {
				remove(t, object)
				copyTree(t, v.before, object)
			})(t, v)
			v.put(t, 0, v.forged)
			v.put(t, 1, v.before)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := newFarVictim(t)
			c.harm(t, v)
			s, err := rebuildAgain(t, v.Store, "")
			if c.reason == "" {
				var choice *ChoiceError
				const want = "[copy-1 has v1 copy-2 has v1 copy-3 has v1 copy-4 has v3 copy-5 has v1]"
				if !errors.As(err, &choice) || fmt.Sprint(choice.Objects[0].Copies) != want {
					t.Errorf("got %v, want the choice %s", err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := storedIn(t, s); got != 2 {
				t.Errorf("version %d came back", got)
			}
			r := fmt.Sprint(s.Recovered())
			if !strings.Contains(r, "the object in copy-1 was damaged and was replaced from copy-4") ||
				!strings.Contains(r, c.reason) || strings.Contains(r, string(Pending)) {
				t.Errorf("reported: %s", r)
			}
			kept, err := filepath.Glob(filepath.Join(s.copies[0].path, quarantineFolder, "*", "object"))
			if err != nil || len(kept) != 1 {
				t.Errorf("the quarantine has %q, %v", kept, err)
			}
			for _, f := range mustAudit(t, s).Findings {
				if f.Copy != "copy-2" && f.Copy != "copy-3" {
					t.Errorf("in the end: %v", f)
				}
			}
			if _, mended := auditAndRepair(t, s); !mended {
				t.Error("the other folders are not mended")
			}
			if report := mustAudit(t, s); !report.OK() {
				t.Errorf("after the repair: %v", report.Findings)
			}
		})
	}
}

// TestRebuildKeepsWholeObjects: an object that cannot be catalogued for another reason than damage stays in its
// folder, although far copies have the same one.
func TestRebuildKeepsWholeObjects(t *testing.T) {
	needsFile(t, "loses the folder of a repository that is open")
	v := newFarVictim(t)
	remove(t, v.cataloguePath())
	s, err := Init(context.Background(), v.root, InitOptions{Rebuild: true, Describe: describeNothing})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if r := fmt.Sprint(s.Recovered()); !strings.Contains(r, "cannot be catalogued") ||
		!strings.Contains(r, "far copies have the same object") {
		t.Errorf("reported: %s", r)
	}
	kept, err := filepath.Glob(filepath.Join(s.copies[0].path, quarantineFolder, "*", "object"))
	if err != nil || len(kept) > 0 || !exists(s.copies[0].object(v.path)) {
		t.Errorf("the quarantine has %q, %v", kept, err)
	}
}

func describeNothing(fs.FS) (model.Package, error) {
	return model.Package{}, errors.New("this METS is of a later profile")
}
