package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/internal/prove"
	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

const (
	damagedID = "urn:test:damaged"
	otherID   = "urn:test:other"
)

// damage is one kind of damage to copy-2. object is the folder of the damaged package in this copy,
// and other is the folder of another package.
type damage struct {
	name   string
	do     func(t *testing.T, object, other string)
	want   []string         // code and file of each finding
	status catalogue.Status // of the package in copy-2 afterwards
}

var damages = []damage{
	{
		name: "a flipped byte",
		do: func(t *testing.T, object, _ string) {
			edit(t, object+"/v1/content/data/crawl.warc.gz", func(b []byte) []byte { b[7] ^= 1; return b })
		},
		want: []string{"FILE-DIGEST v1/content/data/crawl.warc.gz"}, status: catalogue.Damaged,
	},
	{
		name: "a truncated file",
		do: func(t *testing.T, object, _ string) {
			edit(t, object+"/v1/content/data/crawl.warc.gz", func(b []byte) []byte { return b[:len(b)-1] })
		},
		want: []string{"FILE-SIZE v1/content/data/crawl.warc.gz"}, status: catalogue.Damaged,
	},
	{
		name: "an empty file that has grown",
		do: func(t *testing.T, object, _ string) {
			edit(t, object+"/v1/content/data/empty.warc", func([]byte) []byte { return []byte("x") })
		},
		want: []string{"FILE-SIZE v1/content/data/empty.warc"}, status: catalogue.Damaged,
	},
	{
		name:   "a missing file",
		do:     func(t *testing.T, object, _ string) { remove(t, object+"/v1/content/mets.xml") },
		want:   []string{"FILE-MISSING v1/content/mets.xml"},
		status: catalogue.Damaged,
	},
	{
		name:   "an extra file among the content",
		do:     func(t *testing.T, object, _ string) { put(t, object+"/v1/content/data/.DS_Store", "x") },
		want:   []string{"FILE-EXTRA v1/content/data/.DS_Store"},
		status: catalogue.Damaged,
	},
	{
		name:   "an extra folder",
		do:     func(t *testing.T, object, _ string) { put(t, object+"/v2/content/x", "x") },
		want:   []string{"FILE-EXTRA v2"},
		status: catalogue.Damaged,
	},
	{
		name: "a link in place of a file",
		do: func(t *testing.T, object, other string) {
			path := object + "/v1/content/logs/.hidden"
			remove(t, path)
			if err := os.Symlink(other+"/v1/content/logs/.hidden", path); err != nil {
				t.Fatal(err)
			}
		},
		want: []string{"FILE-EXTRA v1/content/logs/.hidden"}, status: catalogue.Damaged,
	},
	{
		name: "the sidecar of another object",
		do: func(t *testing.T, object, other string) {
			edit(t, object+"/inventory.json.sha512", func([]byte) []byte {
				return read(t, other+"/inventory.json.sha512")
			})
		},
		want: []string{"SIDECAR-DAMAGED inventory.json.sha512"}, status: catalogue.Damaged,
	},
	{
		name: "inventory and sidecar of another object",
		do: func(t *testing.T, object, other string) {
			for _, name := range []string{"/inventory.json", "/inventory.json.sha512"} {
				edit(t, object+name, func([]byte) []byte { return read(t, other+name) })
			}
		},
		want: []string{"INVENTORY-DAMAGED inventory.json", "SIDECAR-DAMAGED inventory.json.sha512",
			"VERSION-FORGED inventory.json"},
		status: catalogue.Damaged,
	},
	{
		name: "an empty inventory",
		do: func(t *testing.T, object, _ string) {
			edit(t, object+"/inventory.json", func([]byte) []byte { return nil })
		},
		want: []string{"INVENTORY-DAMAGED inventory.json"}, status: catalogue.Damaged,
	},
	{
		name: "an inventory edited with its sidecar, so that it validates",
		do: func(t *testing.T, object, _ string) {
			for _, folder := range []string{object, object + "/v1"} {
				edit(t, folder+"/inventory.json", func(b []byte) []byte {
					return bytes.Replace(b, []byte("Stored as received"), []byte("Never as received"), 1)
				})
				_, side := ocfl.Sidecar(ocfl.SHA512, sumBytes(read(t, folder+"/inventory.json")))
				edit(t, folder+"/inventory.json.sha512", func([]byte) []byte { return side })
			}
		},
		want: []string{
			"INVENTORY-DAMAGED inventory.json", "INVENTORY-DAMAGED v1/inventory.json",
			"SIDECAR-DAMAGED inventory.json.sha512", "SIDECAR-DAMAGED v1/inventory.json.sha512",
			"VERSION-FORGED inventory.json",
		},
		status: catalogue.Damaged,
	},
	{
		name:   "no declaration",
		do:     func(t *testing.T, object, _ string) { remove(t, object+"/0=ocfl_object_1.1") },
		want:   []string{"FILE-MISSING 0=ocfl_object_1.1"},
		status: catalogue.Damaged,
	},
	{
		name:   "no object",
		do:     func(t *testing.T, object, _ string) { remove(t, object) },
		want:   []string{"OBJECT-MISSING "},
		status: catalogue.Missing,
	},
}

func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	text := change(read(t, path))
	remove(t, path) // files in a copy are read-only
	put(t, path, string(text))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// TestAuditNamesTheDamage checks that every damage is found in the right copy and file, recorded
// once as an event, and repaired from a good copy.
func TestAuditNamesTheDamage(t *testing.T) {
	prove.Serial(t)
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			s := newRepository(t)
			r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
			good := folderTree(t, r.Copies[0].Path)
			object := r.Copies[1].Path
			d.do(t, object, s.copies[1].object(ocfl.ObjectPath(otherID)))
			damaged := folderTree(t, s.copies[1].root())

			report := mustAudit(t, s)
			if got := findingsIn(report, "copy-2"); !reflect.DeepEqual(got, d.want) {
				t.Errorf("findings %q, want %q", got, d.want)
			}
			if report.Problems != int64(len(report.Findings)) ||
				len(findingsIn(report, "copy-2")) != len(report.Findings) {
				t.Errorf("findings elsewhere: %v", report.Findings)
			}
			if d.status != catalogue.Missing &&
				!reflect.DeepEqual(withoutLogs(folderTree(t, s.copies[1].root())), withoutLogs(damaged)) {
				t.Error("the audit changed content")
			}
			checkEvents(t, s, d.status)

			rep, err := s.Repair(context.Background(), damagedID, RepairOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if rep.From != "copy-1" || !reflect.DeepEqual(rep.Repaired, []string{"copy-2"}) {
				t.Errorf("repair: %+v", rep)
			}
			if got := folderTree(t, object); !reflect.DeepEqual(withoutLogs(got), withoutLogs(good)) {
				t.Error("repaired is not equal to the good copy")
			}
			mustBeSound(t, s)
		})
	}
}

// checkEvents checks that the change of status is one event, in the logs of the good copies too,
// and that a second audit adds none.
func checkEvents(t *testing.T, s *Store, want catalogue.Status) {
	t.Helper()
	mustAudit(t, s)
	d, err := s.Show(context.Background(), damagedID)
	if err != nil {
		t.Fatal(err)
	}
	var told []catalogue.Event
	for _, e := range d.Events {
		if e.Type == string(model.FixityCheck) {
			told = append(told, e)
		}
	}
	if len(told) != 1 || told[0].Copy != "copy-2" || told[0].Outcome != string(model.Fail) {
		t.Fatalf("events %+v, want one failed fixity check of copy-2", told)
	}
	if _, err := os.Stat(filepath.Join(s.copies[0].object(d.Package.Path), ocfl.LogsDir, told[0].File)); err != nil {
		t.Error(err)
	}
	if d.Copies[0].Status != catalogue.Good || d.Copies[1].Status != want {
		t.Errorf("copies are %+v, want copy-2 %s", d.Copies, want)
	}
}

func mustAudit(t *testing.T, s *Store, ids ...string) AuditReport {
	t.Helper()
	report, err := s.Audit(context.Background(), ids, AuditOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// findingsIn lists "CODE file" of one copy, sorted.
func findingsIn(r AuditReport, name string) []string {
	set := map[string]bool{}
	for _, f := range r.Findings {
		if f.Copy == name {
			set[string(f.Code)+" "+f.File] = true
		}
	}
	return sortedKeys(set)
}

// withoutLogs removes the events; their differences do not matter here.
func withoutLogs(files content) content {
	out := content{}
	for name, text := range files {
		if !strings.Contains("/"+name, "/"+ocfl.LogsDir+"/2") {
			out[name] = text
		}
	}
	return out
}

func TestAuditOfDamagedRoots(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(t *testing.T, s *Store)
		want []string
	}{
		{"nothing", func(*testing.T, *Store) {}, []string{}},
		{"missing copy", func(t *testing.T, s *Store) { remove(t, s.copies[1].path) }, []string{"COPY-MISSING "}},
		{"copy of another repository", func(t *testing.T, s *Store) {
			put(t, s.copies[1].path+"/"+copyFile, `{"format":1,"repository":"0-0","name":"copy-2"}`)
		}, []string{"COPY-MISSING "}},
		{"stray file", func(t *testing.T, s *Store) {
			put(t, s.copies[1].root()+"/notes.txt", "x")
		}, []string{"FILE-EXTRA notes.txt"}},
		{"root declaration gone", func(t *testing.T, s *Store) {
			remove(t, s.copies[1].root()+"/0=ocfl_1.1")
		}, []string{"ROOT-DAMAGED 0=ocfl_1.1"}},
		{"object that is not in the catalogue", func(t *testing.T, s *Store) {
			path := s.copies[1].object(ocfl.ObjectPath(damagedID))
			if err := os.MkdirAll(s.copies[1].root()+"/aaa/bbb/ccc", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(s.copies[1].root()+"/aaa/bbb/ccc/stranger", os.DirFS(path)); err != nil {
				t.Fatal(err)
			}
		}, []string{"OBJECT-UNKNOWN aaa/bbb/ccc/stranger"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRepository(t)
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			c.do(t, s)
			report := mustAudit(t, s)
			if got := findingsIn(report, "copy-2"); !reflect.DeepEqual(got, c.want) ||
				len(got) != len(report.Findings) {
				t.Errorf("findings %v, want %q", report.Findings, c.want)
			}
			if report.OK() != (len(c.want) == 0) {
				t.Errorf("OK is %v", report.OK())
			}
		})
	}
}

// TestNothingIsLeft checks the case that no copy has the inventory. The audit reports the loss, and
// neither repair nor export invents content.
func TestNothingIsLeft(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	for _, c := range r.Copies {
		edit(t, c.Path+"/inventory.json", func([]byte) []byte { return nil })
		edit(t, c.Path+"/v1/inventory.json", func([]byte) []byte { return []byte("{") })
	}
	report := mustAudit(t, s)
	for _, c := range s.copies {
		want := []string{"INVENTORY-DAMAGED inventory.json", "INVENTORY-DAMAGED v1/inventory.json",
			"INVENTORY-LOST inventory.json"}
		if got := findingsIn(report, c.name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
	var wrong *ContentError
	if _, err := s.Repair(ctx, damagedID, RepairOptions{}); !errors.As(err, &wrong) {
		t.Errorf("repair: %v, want a ContentError", err)
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := s.Export(ctx, damagedID, out, ExportOptions{}); !errors.As(err, &wrong) {
		t.Errorf("export: %v, want a ContentError", err)
	}
	if exists(out) {
		t.Error("export left something")
	}
}

// TestExportFallsBack checks that a file damaged in one copy is read from another, and the result
// reports it. A file damaged in every copy prevents the export.
func TestExportFallsBack(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	dir := makePackage(t, damagedID, crawl)
	r := mustIngest(t, s, dir, IngestOptions{})
	name := "v1/content/data/crawl.warc.gz"
	flip := func(b []byte) []byte { b[3] ^= 0x40; return b }
	edit(t, filepath.Join(r.Copies[0].Path, name), flip)
	remove(t, filepath.Join(r.Copies[1].Path, name))
	out := filepath.Join(t.TempDir(), "out")
	result, err := s.Export(ctx, damagedID, out, ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(folderTree(t, out), folderTree(t, dir)) {
		t.Error("the export is not the package")
	}
	if len(result.Fallbacks) != 2 || result.Fallbacks[0].Copy != "copy-1" || result.Fallbacks[0].Code != WrongDigest ||
		result.Fallbacks[1].Copy != "copy-2" || result.Fallbacks[1].Code != MissingFile {
		t.Errorf("fallbacks: %v", result.Fallbacks)
	}
	edit(t, filepath.Join(r.Copies[2].Path, name), flip)
	again := filepath.Join(t.TempDir(), "again")
	var wrong *ContentError
	if _, err := s.Export(ctx, damagedID, again, ExportOptions{}); !errors.As(err, &wrong) || wrong.Total != 3 {
		t.Errorf("export: %v, want a ContentError that names all three copies", err)
	}
	if left, err := os.ReadDir(filepath.Dir(again)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
