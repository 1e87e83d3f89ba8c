package holdings_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/holdingstest"
	"quire/holdings/outline"
	"quire/holdings/rights"
	"quire/preserve/aip"
	"quire/preserve/statements"
)

// metsOf returns the METS of a package in all copies.
func metsOf(t *testing.T, r *holdingstest.Repository, id string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(r.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != aip.METSName || !strings.Contains(path, "copy-") {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), `OBJID="`+id+`"`) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatal(err, paths)
	}
	return paths
}

// TestOutlines: after a restart, decisions come from the outlines of METS that were read before. A package whose METS
// can no longer be read is closed as soon as its details are asked for, and opens again when the METS can be read.
func TestOutlines(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(one("a", "access: open"))
	r.Ingest(one("b", "access: onsite"))
	var mu sync.Mutex
	var told []string
	problems := func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(told, "\n")
	}
	o := holdings.Options{Dir: filepath.Join(r.Dir, "access"), Problem: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, err.Error())
	}}
	if err := r.Open(o).Close(); err != nil {
		t.Fatal(err)
	}
	paths := metsOf(t, r, "a")
	for _, path := range paths {
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
	}
	dry := o
	dry.DryRun = true
	for _, o := range []holdings.Options{dry, o} {
		if got := what(t, r, r.Open(o), public, "a"); got != "<p>" || problems() != "" {
			t.Errorf("from its outline: %q, %s", got, problems())
		}
	}
	h := r.Open(o)
	if got := what(t, r, h, public, "b"); got != "denied: onsite" {
		t.Error(got)
	}
	p, err := h.Package(t.Context(), staff, "a")
	if err != nil || p.Allowed || len(p.Files) > 0 || !strings.Contains(problems(), "package a: ") {
		t.Errorf("%+v, %v, reported %q", p, err, problems())
	}
	for _, who := range []holdings.Reader{public, staff} {
		if got := what(t, r, h, who, "a"); got != "denied: blocked" {
			t.Errorf("without facts, for %s: %q", who.Class, got)
		}
	}
	if _, err := h.OpenFile(t.Context(), staff, "a", "documentation/rights.yaml"); err == nil {
		t.Error("a file of a package without facts is open")
	}
	if h.Facts(t.Context(), "a") != nil {
		t.Error("there are facts")
	}
	for _, path := range paths {
		if err := os.Rename(path+".away", path); err != nil {
			t.Fatal(err)
		}
	}
	r.Clock.Set(r.Clock.Now().Add(time.Hour))
	r.Ingest(one("c", "access: open")) // the next query looks
	if got := what(t, r, h, public, "a"); got != "<p>" {
		t.Errorf("the METS can be read again: %q", got)
	}
	if f := h.Facts(t.Context(), "a"); f == nil || f.Containers["containers/a.warc"] == nil {
		t.Errorf("%+v", f)
	}
}

// TestOtherOutline: the outline of an older version, a damaged one, or a file that is no database decides nothing.
func TestOtherOutline(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, r *holdingstest.Repository, file string){
		"older": func(*testing.T, *holdingstest.Repository, string) {},
		"no database": func(t *testing.T, _ *holdingstest.Repository, file string) {
			if err := os.WriteFile(file, []byte("no database, though longer than its head"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := holdingstest.New(t)
			r.Ingest(one("a", "access: open"))
			o := holdings.Options{Dir: filepath.Join(r.Dir, "access")}
			if err := r.Open(o).Close(); err != nil {
				t.Fatal(err)
			}
			r.Ingest(one("a", "access: restricted"))
			change(t, r, filepath.Join(o.Dir, "outlines.db"))
			h := r.Open(o)
			if got := what(t, r, h, public, "a"); got != "denied: restricted" {
				t.Error(got)
			}
			if got := holdingstest.Captures(t, h, staff, captures.Query{}); len(got) != 1 {
				t.Errorf("%d captures", len(got))
			}
		})
	}
}

// TestShutWhileIndexing: a package that is shut while the index takes it up stays shut until its METS is read.
func TestShutWhileIndexing(t *testing.T) {
	for name, of := range map[string]struct {
		known bool   // the index and the outlines have it from before
		lost  string // in the folder of its METS
		then  string
	}{
		"indexed before":    {known: true, lost: aip.METSName, then: "denied: blocked"},
		"cannot be indexed": {lost: ".", then: "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := holdingstest.New(t)
			r.Ingest(one("a", "access: open"))
			o := holdings.Options{Dir: filepath.Join(r.Dir, "access"), Location: time.UTC, Now: r.Clock.Now,
				Wait: time.Minute, Problem: func(error) {}}
			during := "a"
			if of.known {
				if err := r.Open(o).Close(); err != nil {
					t.Fatal(err)
				}
				during = "b"
				r.Ingest(one("b", "access: open"))
			}
			paths := metsOf(t, r, "a")
			move := func(from, to string) {
				for _, path := range paths {
					path := filepath.Join(filepath.Dir(path), of.lost)
					if err := os.Rename(path+from, path+to); err != nil {
						t.Error(err)
					}
				}
			}
			opened := make(chan *holdings.Holdings, 1)
			var once sync.Once
			o.Progress = func(p holdings.Progress) {
				if p.Package != during || p.Total == 0 { // no container is read now
					return
				}
				once.Do(func() {
					h := <-opened
					move("", ".away")
					if h.Facts(context.Background(), "a") != nil {
						t.Error("there are facts")
					}
				})
			}
			h, err := holdings.Of(t.Context(), r.Store, o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = h.Close() })
			opened <- h
			if err := h.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, readable := h.Inventory("a"); readable || len(opened) > 0 {
				t.Error("it is open without its METS")
			}
			if got := what(t, r, h, public, "a"); got != of.then {
				t.Errorf("without its METS: %q", got)
			}
			move(".away", "")
			r.Clock.Set(r.Clock.Now().Add(time.Hour))
			r.Ingest(one("c", "access: open")) // the next query looks
			if err := h.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := what(t, r, h, public, "a"); got != "<p>" {
				t.Errorf("the METS can be read again: %q", got)
			}
		})
	}
}

// TestOutlinesOfRemoved: the outlines of packages that were removed while no server ran are removed at its start.
func TestOutlinesOfRemoved(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	for _, id := range []string{"b", "d"} {
		r.Ingest(one(id, "access: open"))
	}
	o := holdings.Options{Dir: filepath.Join(r.Dir, "access")}
	if err := os.Mkdir(o.Dir, 0o777); err != nil {
		t.Fatal(err)
	}
	file := func(do func(*outline.File) error) {
		t.Helper()
		f, err := outline.Open(t.Context(), o.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(do(f), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	file(func(f *outline.File) error {
		own, err := outline.Of(&facts.Facts{Rights: &statements.Set{}}, rights.NewShared(holdings.Restricted))
		w := f.Write()
		for _, id := range []string{"a", "b", "c", "e", "f"} {
			err = errors.Join(err, w.Add(t.Context(), id, "inventory", own))
		}
		return errors.Join(err, w.Flush(t.Context()))
	})
	for range 2 {
		if err := r.Open(o).Close(); err != nil {
			t.Fatal(err)
		}
		var kept []string
		file(func(f *outline.File) (failed error) {
			for k, err := range f.All(t.Context()) {
				kept, failed = append(kept, k.ID), errors.Join(failed, err)
			}
			return failed
		})
		if !slices.Equal(kept, []string{"b", "d"}) {
			t.Errorf("there are outlines of %q", kept)
		}
	}
}
