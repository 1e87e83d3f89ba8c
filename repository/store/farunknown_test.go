package store

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/repository/place/placetest"
)

// TestFarUnknownVersion: a version in a far copy that the repository does not know is not overwritten, neither by an
// ingest nor by a filling. An audit reports it. A repair, which a person starts after that, keeps it in the
// quarantine.
func TestFarUnknownVersion(t *testing.T) {
	needsFile(t, "makes a second repository with the same UUID")
	for code, versions := range map[string]int{"VERSION-FORGED": 2, "VERSION-UNREGISTERED": 3} {
		t.Run(code, func(t *testing.T) {
			ctx := context.Background()
			s := requiring(t)
			mustAdd(t, s, mount(t))
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			card, err := s.card(ctx, damagedID)
			if err != nil {
				t.Fatal(err)
			}
			_ = s.Close()
			elsewhere := filepath.Join(fastDir(t), "repo")
			copyTree(t, s.root, elsewhere)
			other := reopen(t, elsewhere) // its far copy is the same one
			for n := 2; n <= versions; n++ {
				dir := makePackage(t, damagedID, content{"a.warc": fmt.Sprint("unknown ", n)})
				mustIngest(t, other, dir, IngestOptions{NewVersion: true})
			}
			_ = other.Close()
			s = reopen(t, s.root)
			far := s.copies[3]
			replaceFar(t, far.far, s.registerPath()) // a forger without the key cannot write it
			inventory := farName(card.Path, "inventory.json")
			was := placetest.Read(t, far.far, inventory, 0)
			second := makePackage(t, damagedID, content{"a.warc": "second"})
			r := mustIngest(t, s, second, IngestOptions{NewVersion: true})
			if !reflect.DeepEqual(r.Owed, []string{"copy-4"}) {
				t.Errorf("receipt: %+v", r)
			}
			var failed error
			sum, err := s.Refill(ctx, "copy-4", RepairOptions{}, func(_ RepairReport, err error) error {
				failed = err
				return nil
			})
			if err != nil || sum.Failed != 1 || failed == nil || !strings.Contains(failed.Error(),
				fmt.Sprintf("it has v%d of the package with another inventory", versions)) {
				t.Errorf("filling: %+v, %v, %v", sum, err, failed)
			}
			if got := placetest.Read(t, far.far, inventory, 0); got != was {
				t.Errorf("the inventory was overwritten: %s", got)
			}
			if names := placetest.Names(t, far.far, quarantineFolder+"/"); len(names) > 0 {
				t.Errorf("the refused push moved %q", names)
			}
			report, mended := auditAndRepair(t, s)
			if got := codesOf(report); !strings.Contains(fmt.Sprint(got), "copy-4 "+code) || !mended {
				t.Errorf("found %q, mended: %v", got, mended)
			}
			if report := mustAudit(t, s); !report.OK() {
				t.Errorf("after the repair: %v", report.Findings)
			}
			kept := ""
			for _, name := range placetest.Names(t, far.far, quarantineFolder+"/") {
				if strings.HasSuffix(name, card.Path+"/inventory.json") {
					kept = placetest.Read(t, far.far, name, 0)
				}
			}
			if kept != was {
				t.Error("the quarantine does not have the unknown inventory")
			}
		})
	}
}
