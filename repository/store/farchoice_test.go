package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/prove"
	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/register"
)

// farVictim is a repository with a package of two versions in two mounts. All its folders are lost.
type farVictim struct {
	*Store
	mounts []string // addresses of copy-4 and copy-5
	into   string   // a new folder
	path   string   // of the object
	before string   // folder of the object when it had one version
	forged string   // folder of a forger's third version, valid in itself
}

func newFarVictim(t *testing.T) *farVictim {
	t.Helper()
	s := newRepository(t)
	dir := fastDir(t)
	v := &farVictim{Store: s, mounts: []string{mount(t), mount(t)}, into: filepath.Join(dir, "one"),
		before: filepath.Join(dir, "before"), forged: filepath.Join(dir, "forged")}
	for _, address := range v.mounts {
		mustAdd(t, s, address)
	}
	v.path = mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{}).Object
	copyTree(t, v.object(0), v.before)
	mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "second"}), IngestOptions{NewVersion: true})
	mustAudit(t, s)
	_ = s.Close()
	elsewhere := filepath.Join(dir, "repo")
	copyTree(t, s.root, elsewhere)
	for n := range v.mounts {
		copyTree(t, v.object(n), filepath.Join(dir, fmt.Sprint(n)))
	}
	forger := reopen(t, elsewhere)
	f, err := forger.Ingest(context.Background(), makePackage(t, damagedID, content{"a.warc": "never captured"}),
		IngestOptions{NewVersion: true})
	if err != nil {
		t.Fatal(err)
	}
	copyTree(t, f.Copies[0].Path, v.forged)
	for n := range v.mounts { // the forger's Quire wrote there, too
		v.put(t, n, filepath.Join(dir, fmt.Sprint(n)))
		remove(t, v.register(n))
		copyTree(t, s.registerPath(), v.register(n))
	}
	return v
}

// object returns the folder of the object in a mount.
func (v *farVictim) object(n int) string {
	return filepath.Join(strings.TrimPrefix(v.mounts[n], "file://"), rootFolder, filepath.FromSlash(v.path))
}

// register returns the folder of the register in a mount.
func (v *farVictim) register(n int) string {
	return filepath.Join(strings.TrimPrefix(v.mounts[n], "file://"), registerFolder)
}

// put replaces the object in a mount.
func (v *farVictim) put(t *testing.T, n int, from string) {
	t.Helper()
	remove(t, v.object(n))
	copyTree(t, from, v.object(n))
}

// rebuild loses all folders, and builds the repository again from the mounts. With register, REPO and its register
// survive.
func (v *farVictim) rebuild(t *testing.T, register bool, trust string) (*Store, error) {
	t.Helper()
	if !register {
		remove(t, v.root)
		for n := range v.mounts {
			remove(t, v.register(n))
		}
	}
	return v.rebuildWith(t, trust)
}

// rebuildFrom loses all folders and the repository, and builds it again from the mounts with their registers.
func (v *farVictim) rebuildFrom(t *testing.T) (*Store, error) {
	t.Helper()
	remove(t, v.root)
	return v.rebuildWith(t, "")
}

// rebuildWith rebuilds into a file: the repository of the forger has the same UUID, and so the same schema.
func (v *farVictim) rebuildWith(t *testing.T, trust string) (*Store, error) {
	t.Helper()
	for _, name := range []string{"copy-1", "copy-2", "copy-3", catalogueFile} {
		if path := filepath.Join(v.root, name); exists(path) {
			remove(t, path)
		}
	}
	s, err := Init(context.Background(), v.root, InitOptions{Rebuild: true, Describe: testDescribe, Trust: trust,
		Catalogue: CatalogueFile, Copies: append([]string{v.into}, v.mounts...)})
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// otherInventory changes the inventory of the object in a mount, and makes it valid in itself.
func (v *farVictim) otherInventory(t *testing.T, n int) {
	t.Helper()
	for _, folder := range []string{"", "v2"} {
		path := filepath.Join(v.object(n), folder, "inventory.json")
		text := string(read(t, path)) + "\n"
		put(t, path, text)
		put(t, path+".sha512", sumBytes([]byte(text))+" inventory.json\n")
	}
}

// TestRebuildFromSeveralFar: the register decides between far copies, as between folders. If no register survives
// and they differ, or if it confirms none, nothing is written, and a person chooses.
func TestRebuildFromSeveralFar(t *testing.T) {
	prove.Serial(t)
	behind := func(t *testing.T, v *farVictim) { v.put(t, 0, v.before) }
	forged := func(t *testing.T, v *farVictim) { v.put(t, 0, v.forged) }
	otherInventory := func(t *testing.T, v *farVictim) { v.otherInventory(t, 0) }
	otherSalt := func(t *testing.T, v *farVictim) { v.changeSalt(t, 0) }
	bothBehind := func(t *testing.T, v *farVictim) { v.put(t, 0, v.before); v.put(t, 1, v.before) }
	bothForged := func(t *testing.T, v *farVictim) { v.put(t, 0, v.forged); v.put(t, 1, v.forged) }
	noSalt := func(t *testing.T, v *farVictim) { v.changeSalt(t, 0); v.changeSalt(t, 1) }
	for name, c := range map[string]struct {
		harm     func(*testing.T, *farVictim)
		register bool
		choices  string // of a refused rebuild
		state    string // of the register in its error
		trust    string // the choice
		want     int    // the version that comes back
	}{
		"equal":                           {func(*testing.T, *farVictim) {}, false, "", "", "", 2},
		"one behind":                      {behind, true, "", "", "", 2},
		"a forged newer version":          {forged, true, "", "", "", 2},
		"another inventory":               {otherInventory, true, "", "", "", 2},
		"another salt":                    {otherSalt, true, "", "", "", 2},
		"one behind, no register":         {behind, false, "v1 v2", "no register survives", "copy-5", 2},
		"a newer version, no register":    {forged, false, "v3 v2", "no register survives", "copy-5", 2},
		"two inventories, no register":    {otherInventory, false, "v2 v2", "no register", "copy-4", 2},
		"both behind":                     {bothBehind, true, "v1 v1", "the register has v2", "copy-4", 1},
		"both forged":                     {bothForged, true, "v3 v3", "the register has v2", "copy-5", 3},
		"an object that nothing confirms": {noSalt, true, "v2 v2", "does not have it", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			v := newFarVictim(t)
			c.harm(t, v)
			s, err := v.rebuild(t, c.register, "")
			if c.choices != "" {
				was := strings.Fields(c.choices)
				want := fmt.Sprintf("[copy-4 has %s copy-5 has %s]", was[0], was[1])
				var choice *ChoiceError
				if !errors.As(err, &choice) || choice.Total != 1 || fmt.Sprint(choice.Objects[0].Copies) != want ||
					!strings.Contains(err.Error(), c.state) {
					t.Fatalf("got %v, want the choice %s", err, want)
				}
				if _, err := os.Stat(filepath.Join(v.into, rootFolder, filepath.FromSlash(v.path))); err == nil {
					t.Error("the refused rebuild wrote the object")
				}
				if c.trust == "" {
					return
				}
				s, err = v.rebuild(t, c.register, c.trust)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := storedIn(t, s); got != c.want {
				t.Errorf("version %d came back, want %d", got, c.want)
			}
			d, err := s.Show(context.Background(), damagedID)
			if err != nil || (c.trust != "") != slices.ContainsFunc(d.Events, func(e catalogue.Event) bool {
				return strings.Contains(e.Detail, fmt.Sprintf("person chose v%d", c.want))
			}) {
				t.Errorf("%v, %+v", err, d.Events)
			}
			for _, f := range mustAudit(t, s).Findings {
				if f.Copy != "copy-4" && f.Copy != "copy-5" {
					t.Errorf("in the new folder: %v", f)
				}
			}
			if _, mended := auditAndRepair(t, s); !mended {
				t.Error("the far copies are not mended")
			}
			if report := mustAudit(t, s); !report.OK() {
				t.Errorf("in the end: %v", report.Findings)
			}
		})
	}
}

func (v *farVictim) changeSalt(t *testing.T, n int) {
	t.Helper()
	edit(t, filepath.Join(v.object(n), saltPath), func([]byte) []byte { return saltText(register.NewSalt()) })
}

// TestRebuildFromFarIsSound: the audit after a rebuild with the surviving register finds nothing: also the event of
// the rebuild is in the register.
func TestRebuildFromFarIsSound(t *testing.T) {
	needsFile(t, "loses the folder of a repository that is open")
	v := newFarVictim(t)
	s, err := v.rebuild(t, true, "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Show(context.Background(), damagedID)
	if err != nil || !slices.ContainsFunc(d.Events, func(e catalogue.Event) bool {
		return e.Type == string(model.Recovery) && strings.Contains(e.Detail, "written there from copy-4")
	}) {
		t.Errorf("the event of the rebuild: %+v, %v", d.Events, err)
	}
	if report := mustAudit(t, s); !report.OK() || len(report.Notes) > 0 || report.Register.Leaves == 0 {
		t.Errorf("audit: %v, %v", report.Findings, report.Notes)
	}
	for _, c := range s.farPresent() {
		mustMatch(t, s, c)
	}
}

// TestRebuildFromFarInPlace rebuilds from far copies into the usual place of catalogues, also into a database.
func TestRebuildFromFarInPlace(t *testing.T) {
	s := newRepository(t)
	address := mount(t)
	mustAdd(t, s, address)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	mustAudit(t, s)
	if err := s.Close(); err != nil { // else the database says that the repository is in use
		t.Fatal(err)
	}
	remove(t, s.root)
	again := mustRebuild(t, filepath.Join(fastDir(t), "again"), filepath.Join(fastDir(t), "one"), address)
	if (again.database != nil) != (defaultCatalogue != "") || again.id != s.id {
		t.Errorf("database %v, repository %s instead of %s", again.database, again.id, s.id)
	}
	if got := storedIn(t, again); got != 1 {
		t.Errorf("version %d came back", got)
	}
	wantNoted(t, again, defaultCatalogue)
}
