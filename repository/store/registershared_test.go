package store

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/repository/place/placetest"
)

// TestFolderRegisterWentBack: the register of a folder that was rolled back or removed while the repository was closed
// is a finding of the next audit, also after other commands. That audit brings the leaves again. A folder that was away
// has no finding.
func TestFolderRegisterWentBack(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		harm func(t *testing.T, folder, before string)
	}{
		"rolled back": {"copy-2 REGISTER-BEHIND", func(t *testing.T, folder, before string) {
			remove(t, folder)
			copyTree(t, before, folder)
		}},
		"removed": {"copy-2 REGISTER-MISSING", func(t *testing.T, folder, _ string) { remove(t, folder) }},
		"the head removed": {"copy-2 REGISTER-MISSING", func(t *testing.T, folder, _ string) {
			remove(t, filepath.Join(folder, registerHead))
		}},
		"away": {"", func(*testing.T, string, string) {}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newRepository(t)
			s.rules.Require = 2
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			_ = s.Close()
			folder := s.copies[1].register()
			before := filepath.Join(fastDir(t), "before")
			copyTree(t, folder, before)
			back := func() {}
			if c.want == "" {
				back = takeAway(t, s.copies[1])
			}
			s = reopen(t, s.root)
			s.rules.Require = 2
			mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
			_ = s.Close()
			back()
			c.harm(t, folder, before)
			s = reopen(t, s.root) // each opening brings leaves to folders that lag
			s.rules.Require = 2
			mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "second"}), IngestOptions{NewVersion: true})
			_ = s.Close()
			s = reopen(t, s.root)
			dry, err := s.Audit(context.Background(), nil, AuditOptions{DryRun: true})
			if err != nil || slices.Contains(codesOf(dry), c.want) != (c.want != "") {
				t.Errorf("a dry run found %q, want %q, %v", codesOf(dry), c.want, err)
			}
			report, mended := auditAndRepair(t, s)
			got := slices.DeleteFunc(codesOf(report), func(code string) bool {
				return code == "copy-2 OBJECT-MISSING" || code == "copy-2 OBJECT-OLDER"
			})
			if found := strings.Join(got, ", "); found != c.want || !mended {
				t.Errorf("found %q, want %q; mended: %v", found, c.want, mended)
			}
			if report := mustAudit(t, s); !report.OK() {
				t.Errorf("after the audit: %v", report.Findings)
			}
			if string(read(t, filepath.Join(folder, registerHead))) !=
				string(read(t, filepath.Join(s.registerPath(), registerHead))) {
				t.Error("the copy lacks leaves")
			}
		})
	}
}

// TestNoteAfterSync: each change in a sharing fails in turn, as if the process died. The repository never notes more
// leaves than the folder has.
func TestNoteAfterSync(t *testing.T) {
	for at := 1; ; at++ {
		s := newRepository(t)
		mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
		d := &door{at: at, dies: true}
		s.disk.fault = d.fault
		s.closeRegister()
		s.disk.fault = nil
		if d.count < at {
			if at < 10 {
				t.Errorf("a sharing has %d changes", d.count)
			}
			return
		}
		for _, c := range s.copies {
			if f := c.rolledBack(s.notedLeaves(sharedFile)[c.name]); f != nil {
				t.Errorf("change %d: %v", at, f)
			}
		}
		_ = s.Close()
		s = reopen(t, s.root)
		if report := mustAudit(t, s); !report.OK() {
			t.Errorf("change %d: %v", at, report.Findings)
		}
		if t.Failed() {
			return
		}
	}
}

// TestFarRegisterWentBack: an ingest does not bring leaves to a far copy whose register was rolled back. The next audit
// reports it, and brings them.
func TestFarRegisterWentBack(t *testing.T) {
	s, c := withFar(t, "mount")
	_ = s.Close()
	before := map[string]string{}
	for _, name := range placetest.Names(t, c.far, registerFolder+"/") {
		before[name] = placetest.Read(t, c.far, name, 0)
	}
	s = reopen(t, s.root)
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	_ = s.Close()
	s = reopen(t, s.root)
	for name, text := range before {
		mustDo(t, c.far.Replace(context.Background(), name, []byte(text)))
	}
	mustIngest(t, s, makePackage(t, otherID, content{"a.warc": "second"}), IngestOptions{NewVersion: true})
	_ = s.Close()
	s = reopen(t, s.root)
	report, mended := auditAndRepair(t, s)
	if got := codesOf(report); !slices.Equal(got, []string{"copy-4 REGISTER-BEHIND"}) || !mended {
		t.Errorf("found %q; mended: %v", got, mended)
	}
	farRegisterIs(t, s, s.copies[3])
}
