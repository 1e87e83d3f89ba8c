package store

import (
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// retitle returns an Amendment that gives the package a new title.
func retitle(title string) Amendment {
	return Amendment{Message: "the board decided", By: "Ada", Edit: func(_ context.Context, pkg, changed string) error {
		text, err := os.ReadFile(filepath.Join(pkg, "mets.xml"))
		if err != nil {
			return err
		}
		var m testMETS
		if err := xml.Unmarshal(text, &m); err != nil {
			return err
		}
		m.Title = title
		if text, err = xml.Marshal(m); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(changed, "mets.xml"), text, 0o600)
	}}
}

// TestAmend: an amendment stores a version with only the changed files, in every copy. Its stored files
// are neither read nor written.
func TestAmend(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
	d, err := s.Show(ctx, "urn:a")
	if err != nil {
		t.Fatal(err)
	}
	a, validated := retitle("Another title"), ""
	a.Validate = func(_ context.Context, pkg string) error {
		for name, want := range crawl {
			if text, err := os.ReadFile(filepath.Join(pkg, name)); err != nil || string(text) != want {
				t.Errorf("%s is %q in the folder to validate (%v)", name, text, err)
			}
		}
		validated = pkg
		return nil
	}
	r, err := s.Amend(ctx, "urn:a", a)
	if err != nil || r.Version != 2 || len(r.Copies) != 3 || validated == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, p := range d.Places {
		content := filepath.Join(p.Path, "v2", "content")
		entries, err := os.ReadDir(content)
		if err != nil || len(entries) != 1 || entries[0].Name() != "mets.xml" {
			t.Errorf("%s has %v, %v", content, entries, err)
		}
		text, err := os.ReadFile(filepath.Join(p.Path, "v1", "content", "mets.xml"))
		if err != nil || !strings.Contains(string(text), "Title of urn:a") {
			t.Errorf("the first version of the METS is %s, %v", text, err)
		}
	}
	if _, err := os.Stat(filepath.Join(s.copies[0].path, amendFolder)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder remains: %v", err)
	}
	if d, err = s.Show(ctx, "urn:a"); err != nil || d.Package.Title != "Another title" ||
		d.Versions[1].Message != a.Message {
		t.Errorf("%+v, %v", d.Package, err)
	}
	all, err := s.Versions(ctx, "urn:a")
	if err != nil || all[1].By != "Ada" || all[1].Changed != 1 || all[1].Added+all[1].Removed != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if report, err := s.Audit(ctx, nil, AuditOptions{}); err != nil || !report.OK() {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestAmendDamage: damage in the METS of the first copy is found, and does not get into the new version.
// A copy that is known to be damaged, or is away, is not read.
func TestAmendDamage(t *testing.T) {
	ctx := context.Background()
	for name, damage := range map[string]func(t *testing.T, s *Store, r Receipt){
		"unknown": func(*testing.T, *Store, Receipt) {},
		"known": func(t *testing.T, s *Store, _ Receipt) {
			t.Helper()
			if report, err := s.Audit(ctx, nil, AuditOptions{}); err != nil || report.OK() {
				t.Errorf("%+v, %v", report, err)
			}
		},
		"everywhere": func(t *testing.T, _ *Store, r Receipt) {
			t.Helper()
			spoil(t, r.Copies[1].Path)
			spoil(t, r.Copies[2].Path)
		},
	} {
		s := newRepository(t)
		r := mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
		spoil(t, r.Copies[0].Path)
		damage(t, s, r)
		read := ""
		a := retitle("x")
		edit := a.Edit
		a.Edit = func(ctx context.Context, pkg, changed string) error {
			text, err := os.ReadFile(filepath.Join(pkg, "mets.xml"))
			read = string(text)
			return errors.Join(err, edit(ctx, pkg, changed))
		}
		_, err := s.Amend(ctx, "urn:a", a)
		if strings.Contains(read, "Spoilt") || name == "unknown" && err != nil || name != "unknown" && err == nil {
			t.Errorf("%s: edited %s (%v)", name, read, err)
		}
		if entries, _ := filepath.Glob(filepath.Join(s.root, "copy-*", amendFolder)); len(entries) > 0 {
			t.Errorf("%s: %v remain", name, entries)
		}
	}
}

// spoil changes the title in the first version of the METS of an object.
func spoil(t *testing.T, object string) {
	t.Helper()
	path := filepath.Join(object, "v1", "content", "mets.xml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, path, strings.Replace(string(text), "Title of", "Spoilt  ", 1))
}

// TestAmendAway: an amendment needs as many copies as an ingest.
func TestAmendAway(t *testing.T) {
	ctx := context.Background()
	s := requiring(t)
	mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
	back := takeAway(t, s.copies[0])
	r, err := s.Amend(ctx, "urn:a", retitle("x"))
	if err != nil || len(r.Copies) != 2 || len(r.Owed) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	back()
	// The first copy is behind now, so the others are read.
	if r, err = s.Amend(ctx, "urn:a", retitle("y")); err != nil || r.Version != 3 || len(r.Owed) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := s.Refill(ctx, "", RepairOptions{}, justErr); err != nil {
		t.Error(err)
	}
	mustBeSound(t, s)
}

// TestAmendRefused: an error of the change or the validation, or another version meanwhile, leaves the
// old version.
func TestAmendRefused(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
	refused := errors.New("refused")
	invalid := retitle("x")
	invalid.Validate = func(context.Context, string) error { return refused }
	if _, err := s.Amend(ctx, "urn:a", invalid); !errors.Is(err, refused) {
		t.Error(err)
	}
	if _, err := s.Amend(ctx, "urn:a", Amendment{Edit: func(context.Context, string, string) error {
		return refused
	}}); !errors.Is(err, refused) {
		t.Error(err)
	}
	if _, err := s.Amend(ctx, "urn:b", retitle("x")); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	other := retitle("x")
	other.Validate = func(ctx context.Context, _ string) error {
		_, err := s.Amend(ctx, "urn:a", retitle("by another program"))
		return err
	}
	if _, err := s.Amend(ctx, "urn:a", other); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	foreign := Amendment{Edit: func(_ context.Context, pkg, changed string) error {
		text, err := os.ReadFile(filepath.Join(pkg, "mets.xml"))
		if err != nil {
			return err
		}
		other := strings.Replace(string(text), "urn:a", "urn:c", 1)
		return os.WriteFile(filepath.Join(changed, "mets.xml"), []byte(other), 0o600)
	}}
	if _, err := s.Amend(ctx, "urn:a", foreign); err == nil {
		t.Error("an amendment changed the id")
	}
	d, err := s.Show(ctx, "urn:a")
	if err != nil || len(d.Versions) != 2 || d.Package.Title != "by another program" {
		t.Errorf("%+v, %v", d.Package, err)
	}
	entries, err := os.ReadDir(s.copies[0].path)
	for _, e := range entries {
		if e.Name() == amendFolder {
			t.Error("the folder of an amendment remains")
		}
	}
	if err != nil {
		t.Error(err)
	}
}
