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

// These tests play forgers: each row of docs/explanation/740_trust.md, with write access to some places and not
// to others. A forger has a Quire of their own: they make a consistent object in a copy of the repository.

// victim is a repository with a package of two versions, some events, and a forged object.
type victim struct {
	*Store
	path   string // of the object
	forged string // folder of the forger's object: a third version, valid in itself
	before string // folder of the object when it had one version
}

func newVictim(t *testing.T) *victim {
	t.Helper()
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	dir := fastDir(t)
	v := &victim{path: r.Object, before: filepath.Join(dir, "before"), forged: filepath.Join(dir, "forged")}
	copyTree(t, r.Copies[0].Path, v.before)
	mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "second"}), IngestOptions{NewVersion: true})
	if _, err := s.Record(ctx, damagedID, Action{Type: model.Withdrawing, Detail: "by order"}); err != nil {
		t.Fatal(err)
	}
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(fastDir(t), "repo")
	copyTree(t, s.root, elsewhere)
	forger := reopen(t, elsewhere)
	f := mustIngest(t, forger, makePackage(t, damagedID, content{"a.warc": "never captured"}),
		IngestOptions{NewVersion: true})
	copyTree(t, f.Copies[0].Path, v.forged)
	v.Store = reopen(t, s.root)
	mustBeSound(t, v.Store)
	return v
}

func copyTree(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// put replaces the object in a copy.
func (v *victim) put(t *testing.T, c *copyFolder, from string) {
	t.Helper()
	remove(t, c.object(v.path))
	copyTree(t, from, c.object(v.path))
}

// eventFile returns the path of the event of the withdrawal in a copy.
func (v *victim) eventFile(t *testing.T, c *copyFolder) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(c.object(v.path), "logs", "*withdrawal*.xml"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

// codesOf returns the codes of an audit for each copy: "copy-1 EVENT-FORGED".
func codesOf(report AuditReport) []string {
	var all []string
	for _, f := range report.Findings {
		all = append(all, strings.TrimSpace(f.Copy+" "+string(f.Code)))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// auditAndRepair is quire audit --repair.
func auditAndRepair(t *testing.T, s *Store) (AuditReport, bool) {
	t.Helper()
	ctx := context.Background()
	damage, err := NewDamage()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = damage.Close() }()
	report, err := s.Audit(ctx, nil, AuditOptions{Damage: damage, Repair: true})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := s.RepairAll(ctx, damage, RepairOptions{}, func(_ RepairReport, err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
	return report, sum.Failed == 0 && damage.Mends(report)
}

// rebuildAgain is quire init rebuild, after the forger removed the catalogue.
func rebuildAgain(t *testing.T, s *Store, trust string) (*Store, error) {
	t.Helper()
	_ = s.Close()
	remove(t, s.cataloguePath())
	again, err := Init(context.Background(), s.root, InitOptions{Rebuild: true, Trust: trust, Describe: testDescribe})
	if err == nil {
		t.Cleanup(func() { _ = again.Close() })
	}
	return again, err
}

// TestForgerOfOneCopy: each harm to one copy is found, and mended from the others. A rebuild of the catalogue
// does not believe the copy.
func TestForgerOfOneCopy(t *testing.T) {
	prove.Serial(t)
	type victimCopy struct {
		*victim
		c *copyFolder
	}
	for name, c := range map[string]struct {
		want string // a code in copy-1
		harm func(t *testing.T, v victimCopy)
	}{
		"an event removed": {"EVENT-REMOVED", func(t *testing.T, v victimCopy) { remove(t, v.eventFile(t, v.c)) }},
		"an event changed": {"EVENT-FORGED", func(t *testing.T, v victimCopy) {
			edit(t, v.eventFile(t, v.c), func(text []byte) []byte {
				return []byte(strings.Replace(string(text), "by order", "by nobody", 1))
			})
		}},
		"an event added": {"EVENT-FORGED", func(t *testing.T, v victimCopy) {
			text := strings.ReplaceAll(string(read(t, v.eventFile(t, v.c))), "withdrawal", "reinstatement")
			put(t, filepath.Join(v.c.object(v.path), "logs/20990101T000000.000000Z-reinstatement-00000000.xml"), text)
		}},
		"a newer version":  {"VERSION-UNREGISTERED", func(t *testing.T, v victimCopy) { v.put(t, v.c, v.forged) }},
		"an older version": {"VERSION-ROLLED-BACK", func(t *testing.T, v victimCopy) { v.put(t, v.c, v.before) }},
		"another salt":     {"SALT-WRONG", func(t *testing.T, v victimCopy) { changeSalt(t, v.c, v.path) }},
		"no package":       {"OBJECT-MISSING", func(t *testing.T, v victimCopy) { remove(t, v.c.object(v.path)) }},
		"a leaf changed":   {"REGISTER-DAMAGED", func(t *testing.T, v victimCopy) { changeLeaf(t, v.c.register()) }},
		"another register": {"REGISTER-KEY", func(t *testing.T, v victimCopy) { otherRegister(t, v.Store, v.c) }},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVictim(t)
			c.harm(t, victimCopy{v, v.copies[0]})
			report, mended := auditAndRepair(t, v.Store)
			if got := codesOf(report); !slices.Contains(got, "copy-1 "+c.want) {
				t.Errorf("found %q, want %s", got, c.want)
			}
			register := strings.HasPrefix(c.want, "REGISTER-")
			if mended == register {
				t.Errorf("mended: %v", mended)
			}
			if !register {
				mustBeSound(t, v.Store)
			}
			c.harm(t, victimCopy{v, v.copies[0]})
			trust := ""
			if register { // the main register is right, and a person says that the other one may go
				trust = "copy-2"
			}
			again, err := rebuildAgain(t, v.Store, trust)
			if err != nil {
				t.Fatal(err)
			}
			if card, err := again.card(context.Background(), damagedID); err != nil || card.Head != 2 {
				t.Errorf("the rebuild has version %d, %v", card.Head, err)
			}
			_, _ = auditAndRepair(t, again)
			mustBeSound(t, again)
		})
	}
}

func changeSalt(t *testing.T, c *copyFolder, path string) {
	edit(t, filepath.Join(c.object(path), saltPath), func([]byte) []byte { return saltText(register.NewSalt()) })
}

// changeLeaf changes a byte in the newest leaves of a register.
func changeLeaf(t *testing.T, folder string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "tile/entries/000.p/*"))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, path := range found {
		edit(t, path, func(text []byte) []byte { text[len(text)-3] ^= 1; return text })
	}
}

// otherRegister gives a copy the register of a forger: of this repository, and signed by another key.
func otherRegister(t *testing.T, s *Store, c *copyFolder) {
	t.Helper()
	ctx := context.Background()
	dir := fastDir(t)
	w, err := register.Create(ctx, register.Options{Folder: dir + "/register", Key: dir + "/key"},
		register.Origin(s.id), s.moment())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AppendLeaves(ctx, register.Setting{Time: s.moment(), Name: "rules"}); err != nil {
		t.Fatal(err)
	}
	remove(t, c.register())
	copyTree(t, dir+"/register", c.register())
}

// TestForgerOfAllButOne: the majority does not win.
func TestForgerOfAllButOne(t *testing.T) {
	prove.Serial(t)
	v := newVictim(t)
	forge := func() {
		for _, c := range v.copies[:2] {
			v.put(t, c, v.forged)
		}
	}
	forge()
	report, mended := auditAndRepair(t, v.Store)
	if got := codesOf(report); !mended || !slices.Contains(got, "copy-1 VERSION-UNREGISTERED") ||
		!slices.Contains(got, "copy-2 VERSION-UNREGISTERED") {
		t.Errorf("found %q, mended: %v", got, mended)
	}
	mustBeSound(t, v.Store)
	forge()
	again, err := rebuildAgain(t, v.Store, "")
	if err != nil {
		t.Fatal(err)
	}
	if card, err := again.card(context.Background(), damagedID); err != nil || card.Head != 2 {
		t.Errorf("the rebuild has version %d, %v", card.Head, err)
	}
	_, _ = auditAndRepair(t, again)
	mustBeSound(t, again)
}

// TestForgerOfAllCopies: without a copy that agrees with the main register, a rebuild does not choose. It names
// the choices, and a person's choice is an event.
func TestForgerOfAllCopies(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	v := newVictim(t)
	v.put(t, v.copies[0], v.forged)
	v.put(t, v.copies[1], v.forged)
	v.put(t, v.copies[2], v.before)
	report, err := v.Audit(ctx, nil, AuditOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := codesOf(report); !slices.Contains(got, "copy-2 VERSION-UNREGISTERED") ||
		!slices.Contains(got, "copy-3 VERSION-ROLLED-BACK") {
		t.Errorf("found %q", got)
	}
	_ = v.Close()
	was := read(t, v.cataloguePath())
	_, err = Init(ctx, v.root, InitOptions{Rebuild: true, Describe: testDescribe})
	var choice *ChoiceError
	if !errors.As(err, &choice) || choice.Total != 1 || choice.Objects[0].Register != "v2" ||
		fmt.Sprint(choice.Objects[0].Copies) != "[copy-1 has v3 copy-2 has v3 copy-3 has v1]" ||
		!strings.Contains(err.Error(), "--trust") {
		t.Fatalf("the rebuild: %v", err)
	}
	if string(read(t, v.cataloguePath())) != string(was) {
		t.Error("the refused rebuild changed the catalogue")
	}
	again, err := rebuildAgain(t, v.Store, "copy-3")
	if err != nil {
		t.Fatal(err)
	}
	d, err := again.Show(ctx, damagedID)
	if err != nil || d.Package.Head != 1 || !slices.ContainsFunc(d.Events, func(e catalogue.Event) bool {
		return strings.Contains(e.Detail, "person chose v1")
	}) {
		t.Errorf("the trusted copy: %+v, %v", d, err)
	}
	_, _ = auditAndRepair(t, again)
	mustBeSound(t, again)
}

// TestForgerOfTheMainFolder: without the key, a forger of all copies and the main folder can restore an older
// register, or begin another key. The state beside the key shows the first, and the register the second.
func TestForgerOfTheMainFolder(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	t.Run("an older register", func(t *testing.T) {
		v := newVictim(t)
		old := fastDir(t)
		copyTree(t, v.registerPath(), old+"/register")
		if _, err := v.Record(ctx, otherID, Action{Type: model.Withdrawing, Detail: "by order"}); err != nil {
			t.Fatal(err)
		}
		_ = v.Close()
		for _, folder := range []string{v.registerPath(), v.copies[0].register(), v.copies[1].register(),
			v.copies[2].register()} {
			remove(t, folder)
			copyTree(t, old+"/register", folder)
		}
		s, err := Open(ctx, v.root, Options{Describe: testDescribe})
		if err == nil {
			_, err = s.Record(ctx, otherID, Action{Type: model.Reinstating, Detail: "forged"})
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), string(register.RegisterBehind)) {
			t.Errorf("the rolled-back register: %v", err)
		}
	})
	t.Run("another key", func(t *testing.T) {
		v := newVictim(t)
		_ = v.Close()
		remove(t, filepath.Join(v.root, registerKey))
		s := reopen(t, v.root) // the key is needed for the next change only
		_, err := s.Record(ctx, otherID, Action{Type: model.Reinstating, Detail: "forged"})
		if !errors.Is(err, register.ErrNoKey) || !strings.Contains(err.Error(), "init rebuild") {
			t.Errorf("without the key: %v", err)
		}
		_ = s.Close()
		again, err := rebuildAgain(t, v.Store, "")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			report, err := again.Audit(ctx, nil, AuditOptions{})
			if got := codesOf(report); err != nil || fmt.Sprint(got) != "[KEY-UNLINKED]" {
				t.Errorf("found %q, %v", got, err)
			}
		}
	})
}

// TestForgerOfTheCatalogue: a catalogue that names the forged version neither makes it good, nor do repairs
// follow it. Removed rows are found.
func TestForgerOfTheCatalogue(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	v := newVictim(t)
	v.put(t, v.copies[0], v.forged)
	if err := v.recordForged(ctx, v.path); err != nil {
		t.Fatal(err)
	}
	report, mended := auditAndRepair(t, v.Store)
	if got := codesOf(report); mended || !slices.Contains(got, "CATALOGUE-DIFFERS") {
		t.Errorf("found %q, mended: %v", got, mended)
	}
	var refused *ContentError
	if _, err := v.Repair(ctx, damagedID, RepairOptions{}); !errors.As(err, &refused) {
		t.Errorf("repair: %v", err)
	}
	got := string(read(t, filepath.Join(v.copies[1].object(v.path), "inventory.json")))
	if strings.Contains(got, `"v3"`) {
		t.Error("the right version was replaced")
	}
	again, err := rebuildAgain(t, v.Store, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, mended := auditAndRepair(t, again); !mended {
		t.Error("the rebuilt catalogue does not mend the copy")
	}
	mustBeSound(t, again)

	for _, c := range again.copies {
		remove(t, c.object(v.path))
	}
	s, err := rebuildAgain(t, again, "")
	if err != nil {
		t.Fatal(err)
	}
	report, err = s.Audit(ctx, nil, AuditOptions{})
	if got := codesOf(report); err != nil || !slices.Contains(got, "OBJECT-LOST") {
		t.Errorf("removed everywhere: found %q, %v", got, err)
	}
}

// recordForged writes the object of copy-1 to the catalogue, as a forger does.
func (v *victim) recordForged(ctx context.Context, path string) error {
	o, err := openObject(v.copies[0].object(path))
	if err != nil {
		return err
	}
	record, err := v.makeRecord(ctx, o, path)
	if err != nil {
		return err
	}
	return v.catalogue.Put(ctx, record)
}

// TestForgerOfTheState: with the state beside the key, too, a forger can roll all back. Only a checkpoint that is
// kept elsewhere shows it. Anchors that fail are noted, and tried again.
func TestForgerOfTheState(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	v := newVictim(t)
	safe := fastDir(t)
	if err := v.SetAnchors(context.Background(), []string{safe, "command:false"}); err != nil {
		t.Fatal(err)
	}
	report, err := v.Audit(ctx, nil, AuditOptions{})
	if err != nil || !report.OK() || len(report.Notes) != 1 || !strings.Contains(report.Notes[0], "ANCHOR-OWED") {
		t.Fatalf("%v, %q, %v", report.Findings, report.Notes, err)
	}
	states, err := v.AnchorStates()
	if err != nil || len(states) != 2 || states[0].Leaves != report.Register.Leaves+1 || states[1].Reason == "" {
		t.Errorf("%+v, %v", states, err)
	}
	_ = v.Close()
	old := fastDir(t)
	copyTree(t, v.root, old+"/repo")
	s := reopen(t, v.root)
	mustIngest(t, s, makePackage(t, "urn:test:unwanted", crawl), IngestOptions{})
	if report, err = s.Audit(ctx, nil, AuditOptions{}); err != nil || !report.OK() {
		t.Fatal(report.Findings, err)
	}
	_ = s.Close()
	back := reopen(t, old+"/repo") // everything of the repository as it was
	report, err = back.Audit(ctx, nil, AuditOptions{})
	if got := codesOf(report); err != nil || fmt.Sprint(got) != "[REGISTER-BEHIND]" ||
		!strings.Contains(report.Findings[0].Detail, safe) {
		t.Errorf("found %v, %v", report.Findings, err)
	}
}

// TestRotateKey: after a rotation the register is whole, no audit reports the key, and notes are signed by it.
func TestRotateKey(t *testing.T) {
	needsFile(t, "makes a second repository with the same UUID")
	ctx := context.Background()
	v := newVictim(t)
	before, err := v.Sign(ctx, "report", []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.RotateKey(ctx); err != nil {
		t.Fatal(err)
	}
	keys, err := v.Keys()
	if err != nil || len(keys) != 2 || keys[1].Link != register.RotatedKey {
		t.Fatalf("%v, %v", keys, err)
	}
	after, err := v.Sign(ctx, "report", []byte("text"))
	if err != nil || register.CheckSignature(after, "report", []byte("text"), keys[1].Key) != nil ||
		register.CheckSignature(before, "report", []byte("text"), keys[0].Key) != nil {
		t.Errorf("the signatures: %v", err)
	}
	mustIngest(t, v.Store, makePackage(t, "urn:test:later", crawl), IngestOptions{})
	mustBeSound(t, v.Store)
}

// TestSetAnchors refuses settings that name nothing.
func TestSetAnchors(t *testing.T) {
	s := newRepository(t)
	for _, text := range []string{"", "folder", "no-such-program at all", "command:", "ftp://example.org"} {
		err := s.SetAnchors(context.Background(), []string{text})
		if err == nil || !strings.Contains(err.Error(), "folder:PATH") {
			t.Errorf("%q: %v", text, err)
		}
	}
	list := []string{"folder:/mnt/safe", "command:mail archive", "https://example.org/tsa"}
	err := s.SetAnchors(context.Background(), append(list, list[0]))
	if err != nil || !slices.Equal(s.Anchors(), list) {
		t.Errorf("%q, %v", s.Anchors(), err)
	}
	if again := reopen(t, s.root); !slices.Equal(again.Anchors(), list) {
		t.Errorf("reopened: %q", again.Anchors())
	}
}
