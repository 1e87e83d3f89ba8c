package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/prove"
	remote "quire/repository/place"
	"quire/repository/place/placetest"
	"quire/repository/register"
)

// farRegisterIs requires that a far copy has the register of the repository, byte by byte, and no other files there.
func farRegisterIs(t *testing.T, s *Store, c *copyFolder) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range placetest.Names(t, c.far, registerFolder+"/") {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), placetest.Read(t, c.far, name, 0))
	}
	copied := filepath.Join(dir, registerFolder)
	report, err := register.Verify(context.Background(), copied, register.VerifyOptions{Keys: s.trustedKeys()})
	if err != nil || !report.OK() {
		t.Errorf("%s: %v, %v", c.name, report.Findings, err)
	}
	head, err := s.Register()
	if err != nil || string(report.Head.Text) != string(head.Text) {
		t.Errorf("%s has %d leaves, want %d, %v", c.name, report.Head.Size, head.Size, err)
	}
	for name, text := range folderTree(t, copied) {
		if text != string(read(t, filepath.Join(s.registerPath(), filepath.FromSlash(name)))) {
			t.Errorf("%s: %s differs", c.name, name)
		}
	}
}

// withFar returns a repository with a far copy of a kind and a package.
func withFar(t *testing.T, kind string) (*Store, *copyFolder) {
	t.Helper()
	s := newRepository(t)
	address := mount(t)
	if kind == "bucket" {
		address, _ = inBucket(t)
	}
	mustAdd(t, s, address)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	return s, s.copies[3]
}

// TestFarRegister brings the register to a far copy: when the repository is closed, after 256 leaves, and with each
// audit.
func TestFarRegister(t *testing.T) {
	for _, kind := range []string{"bucket", "mount"} {
		t.Run(kind, func(t *testing.T) {
			s, _ := withFar(t, kind)
			_ = s.Close()
			s = reopen(t, s.root)
			c := s.copies[3]
			farRegisterIs(t, s, c)
			auditWith(t, s, AuditOptions{})
			farRegisterIs(t, s, c)
			for range 3 { // past the first full tile
				var list [][]byte
				for range 150 {
					run := [16]byte([]byte(newToken())[:16])
					raw, err := register.Marshal(register.Batch{Time: s.moment(), Run: run, Type: "x"})
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, raw)
				}
				if err := s.enter(context.Background(), &noteLeaves{Leaves: list}); err != nil {
					t.Fatal(err)
				}
			}
			_ = s.Close()
			farRegisterIs(t, reopen(t, s.root), c)
			for _, name := range placetest.Names(t, c.far, registerFolder+"/") {
				if strings.Contains(name, "/000.p/") && !strings.Contains(name, "/tile/1/") {
					t.Errorf("%s is a part of a full tile", name)
				}
			}
		})
	}
}

// TestForgedFarRegister harms the register in a bucket. Each audit of all finds it, and a repair writes it again.
func TestForgedFarRegister(t *testing.T) {
	prove.Serial(t)
	for name, c := range map[string]struct {
		want string
		harm func(t *testing.T, s *Store, p remote.Place, old map[string]string)
	}{
		"removed": {"REGISTER-MISSING", func(t *testing.T, _ *Store, p remote.Place, _ map[string]string) {
			for _, name := range placetest.Names(t, p, registerFolder+"/") {
				mustDo(t, p.Remove(context.Background(), name))
			}
		}},
		"rolled back": {"REGISTER-BEHIND", func(t *testing.T, _ *Store, p remote.Place, old map[string]string) {
			for name, text := range old {
				mustDo(t, p.Replace(context.Background(), name, []byte(text)))
			}
		}},
		"another history": {"REGISTER-FORKED", func(t *testing.T, s *Store, p remote.Place, _ map[string]string) {
			replaceFar(t, p, forkOf(t, s))
		}},
		"another register": {"REGISTER-FORKED", func(t *testing.T, _ *Store, p remote.Place, _ map[string]string) {
			other := newRepository(t)
			replaceFar(t, p, other.registerPath())
		}},
		"another key": {"REGISTER-SIGNATURE", func(t *testing.T, s *Store, p remote.Place, _ map[string]string) {
			dir := filepath.Join(fastDir(t), "repo")
			copyTree(t, s.root, dir)
			remove(t, filepath.Join(dir, registerKey))
			forger := mustRebuild(t, dir)
			replaceFar(t, p, forger.registerPath())
		}},
		"a leaf changed": {"REGISTER-DAMAGED", func(t *testing.T, s *Store, p remote.Place, _ map[string]string) {
			head, err := s.Register()
			mustDo(t, err)
			name := registerFolder + fmt.Sprintf("/tile/entries/000.p/%d", head.Size)
			mustDo(t, p.Replace(context.Background(), name, flip([]byte(placetest.Read(t, p, name, 0)))))
		}},
		"no keys": {"REGISTER-DAMAGED", func(t *testing.T, _ *Store, p remote.Place, _ map[string]string) {
			mustDo(t, p.Remove(context.Background(), registerFolder+"/"+registerKeysFile))
		}},
		"garbage": {"REGISTER-DAMAGED", func(t *testing.T, _ *Store, p remote.Place, _ map[string]string) {
			mustDo(t, p.Replace(context.Background(), registerFolder+"/"+registerHead, []byte("garbage")))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, far := withFar(t, "bucket")
			auditRun(t, s)
			old := map[string]string{}
			for _, name := range placetest.Names(t, far.far, registerFolder+"/") {
				old[name] = placetest.Read(t, far.far, name, 0)
			}
			auditRun(t, s)
			c.harm(t, s, far.far, old)
			found := func(o AuditOptions) string {
				r, err := s.Audit(context.Background(), nil, o)
				if err != nil {
					t.Fatal(err)
				}
				return strings.Join(codesOf(r), " ")
			}
			if got := found(AuditOptions{DryRun: true}); got != "copy-4 "+c.want {
				t.Fatalf("found %q, want %s", got, c.want)
			}
			if got := found(AuditOptions{Repair: true}); got != "copy-4 "+c.want {
				t.Errorf("with a repair: %q", got)
			}
			auditWith(t, s, AuditOptions{})
			farRegisterIs(t, s, far)
		})
	}
}

// keyOf returns a folder with a backup of the key and its state.
func keyOf(t *testing.T, s *Store) string {
	t.Helper()
	dir := fastDir(t)
	for _, name := range []string{registerKey, registerState} {
		put(t, filepath.Join(dir, name), string(read(t, filepath.Join(s.root, name))))
	}
	return dir
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// replaceFar replaces the register in a place by another one.
func replaceFar(t *testing.T, p remote.Place, from string) {
	t.Helper()
	for _, name := range placetest.Names(t, p, registerFolder+"/") {
		mustDo(t, p.Remove(context.Background(), name))
	}
	for name, text := range folderTree(t, from) {
		mustDo(t, p.Replace(context.Background(), registerFolder+"/"+name, []byte(text)))
	}
}

// forkOf returns a register with the same key, and with another leaf in the place of the last one.
func forkOf(t *testing.T, s *Store) string {
	t.Helper()
	dir := fastDir(t)
	head, err := s.Register()
	mustDo(t, err)
	key := filepath.Join(dir, "key")
	copyTree(t, s.registerPath(), filepath.Join(dir, "all"))
	put(t, key, string(read(t, filepath.Join(s.root, registerKey))))
	o := register.Options{Folder: filepath.Join(dir, "fork"), Key: key}
	w, err := register.Create(context.Background(), o, head.Origin, s.moment())
	mustDo(t, err)
	_, err = w.AppendLeaves(context.Background(), register.Batch{Time: s.moment(), Type: "other"})
	mustDo(t, err)
	return o.Folder
}

// TestRollbackOfAllFolders rolls the whole repository back, with the state beside the key. The bucket has more leaves.
func TestRollbackOfAllFolders(t *testing.T) {
	s, _ := withFar(t, "bucket")
	auditRun(t, s)
	_ = s.Close()
	old := filepath.Join(fastDir(t), "old")
	copyTree(t, s.root, old)
	s = reopen(t, s.root)
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	_ = s.Close()
	remove(t, s.root)
	copyTree(t, old, s.root)
	r, err := reopen(t, s.root).Audit(context.Background(), nil, AuditOptions{})
	if err != nil || !slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.Code == Code(register.RegisterBehind) && f.Copy == "copy-4"
	}) {
		t.Errorf("%v, %v", r.Findings, err)
	}
}

// TestFaultInFarRegister lets the place fail from each change of a push on. The next audit completes it.
func TestFaultInFarRegister(t *testing.T) {
	prove.Serial(t)
	for at := 1; ; at++ {
		s, c := withFar(t, "mount")
		p := &failingPlace{Place: c.far, at: at}
		c.far = p
		_ = s.shareFarRegister(context.Background())
		done := p.count < at
		c.far = p.Place
		auditWith(t, s, AuditOptions{})
		farRegisterIs(t, s, c)
		if t.Failed() || done {
			t.Logf("%d changes", at-1)
			return
		}
	}
}

// failingPlace fails from one change on.
type failingPlace struct {
	remote.Place
	count, at int
}

func (p *failingPlace) Replace(ctx context.Context, name string, text []byte) error {
	if p.count++; p.count >= p.at {
		return errInjected
	}
	return p.Place.Replace(ctx, name, text)
}

// TestRegisterFromFar loses all folders and the repository. The register comes from the far copies, and decides
// between them. If they have different histories, the rebuild stops.
func TestRegisterFromFar(t *testing.T) {
	t.Run("one behind", func(t *testing.T) {
		v := newFarVictim(t)
		v.put(t, 0, v.before)
		s, err := v.rebuildFrom(t)
		if err != nil || storedIn(t, s) != 2 {
			t.Fatal(err)
		}
		if exists(filepath.Join(s.root, fetchedFolder)) {
			t.Error("the fetched registers are left")
		}
		r := mustAudit(t, s)
		for _, f := range r.Findings {
			if f.Code != Code(register.KeyUnlinked) && f.Copy != "copy-4" {
				t.Errorf("%v", f)
			}
		}
	})
	t.Run("with the key", func(t *testing.T) {
		v := newFarVictim(t)
		key := keyOf(t, v.Store)
		remove(t, v.root)
		copyTree(t, key, v.root)
		s, err := v.rebuildWith(t, "")
		if err != nil || storedIn(t, s) != 2 {
			t.Fatal(err)
		}
		auditWith(t, s, AuditOptions{})
	})
	t.Run("a forged version", func(t *testing.T) {
		v := newFarVictim(t)
		v.put(t, 0, v.forged)
		if s, err := v.rebuildFrom(t); err != nil || storedIn(t, s) != 2 {
			t.Fatal(err)
		}
	})
	t.Run("two histories", func(t *testing.T) {
		v := newFarVictim(t)
		fork := forkOf(t, v.Store)
		remove(t, v.register(1))
		copyTree(t, fork, v.register(1))
		_, err := v.rebuildFrom(t)
		if err == nil || !strings.Contains(err.Error(), "different histories") ||
			!strings.Contains(err.Error(), v.mounts[1]) {
			t.Errorf("%v", err)
		}
		if _, err := os.Stat(filepath.Join(v.into, rootFolder, filepath.FromSlash(v.path))); err == nil {
			t.Error("the refused rebuild wrote the object")
		}
	})
}

// TestRecordsInFar brings the records of audits to a far copy, and back from it if no folder has them.
func TestRecordsInFar(t *testing.T) {
	s, far := withFar(t, "bucket")
	auditWith(t, s, AuditOptions{})
	auditWith(t, s, AuditOptions{})
	names := runNames(s.copies[0])
	if got := placetest.Names(t, far.far, auditsFolder+"/"); len(got) != 2 || got[0] != auditsFolder+"/"+names[0] {
		t.Fatalf("%q", got)
	}
	want := string(read(t, filepath.Join(s.copies[0].audits(), names[0])))
	for _, c := range s.copies[:3] {
		remove(t, filepath.Join(c.audits(), names[0]))
	}
	r, err := s.Audit(context.Background(), nil, AuditOptions{})
	if err != nil || len(r.Findings) != 3 || r.Findings[0].Code != RemovedAudit || len(r.Notes) > 0 {
		t.Errorf("%v, %q, %v", r.Findings, r.Notes, err)
	}
	for _, c := range s.copies[:3] {
		if got := folderTree(t, c.audits())[names[0]]; !strings.HasPrefix(got, want[:200]) {
			t.Errorf("%s has %q", c.name, got)
		}
	}
	auditWith(t, s, AuditOptions{})
	was := dump(t, s)
	_ = s.Close()
	for _, c := range s.copies[:3] {
		remove(t, c.path)
	}
	forged := placetest.Names(t, far.far, auditsFolder+"/")[1]
	text := placetest.Read(t, far.far, forged, 0)
	mustDo(t, far.far.Replace(context.Background(), forged, []byte(strings.Replace(text, `"good"`, `"gone"`, 1))))
	built := mustRebuild(t, s.root, filepath.Join(fastDir(t), "new"), far.path)
	if got := runNames(built.folders()[0]); len(got) != 3 || slices.Contains(got, filepath.Base(forged)) {
		t.Errorf("%q came back, of which %s is forged", got, forged)
	}
	if !strings.Contains(dump(t, built), r.Run) || !strings.Contains(was, r.Run) {
		t.Error("the rebuilt catalogue lacks an audit")
	}
	r, err = built.Audit(context.Background(), nil, AuditOptions{})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Code != RemovedAudit {
		t.Errorf("%v, %v", r.Findings, err)
	}
}
