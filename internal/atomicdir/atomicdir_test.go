package atomicdir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func open(t *testing.T, parent string) *Workplace {
	t.Helper()
	w, err := New(parent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// TestWhatWasLeft checks that a run removes the leftovers of a killed run, but no folder in use and
// nothing else.
func TestWhatWasLeft(t *testing.T) {
	parent := t.TempDir()
	left, other, file := filepath.Join(parent, Prefix+"left"), filepath.Join(parent, "crawl"),
		filepath.Join(parent, Prefix+"file")
	for _, dir := range []string{filepath.Join(left, "containers"), other} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	used := open(t, parent)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("the leftovers are still there (%v)", err)
	}
	next := open(t, parent)
	for _, path := range []string{used.Path(), next.Path(), other, file} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestInstall(t *testing.T) {
	for _, c := range []struct {
		name  string
		there func(t *testing.T, out string)
		want  string // "" if it is installed
	}{
		{"nothing there", func(*testing.T, string) {}, ""},
		{"an empty folder", func(t *testing.T, out string) { mkdir(t, out) }, ""},
		{"a folder with something", func(t *testing.T, out string) {
			mkdir(t, out)
			write(t, filepath.Join(out, "a"))
		}, "not empty"},
		{"a file", write, "appeared during the run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parent := t.TempDir()
			out := filepath.Join(parent, "out")
			w := open(t, parent)
			write(t, filepath.Join(w.Path(), "result"))
			c.there(t, out)
			err := w.Install(out + "/")
			_, missing := os.Stat(filepath.Join(out, "result"))
			if c.want == "" && (err != nil || missing != nil) {
				t.Errorf("%v, %v", err, missing)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || missing == nil) {
				t.Errorf("error %v, want %q; installed: %t", err, c.want, missing == nil)
			}
			if err := w.Remove(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	mkdir(t, filepath.Join(dir, "empty"))
	write(t, filepath.Join(dir, "file"))
	for out, want := range map[string]string{
		filepath.Join(dir, "new"):           "",
		filepath.Join(dir, "empty"):         "",
		"":                                  "--out",
		dir:                                 "not empty",
		filepath.Join(dir, "file"):          "already exists, and is a file",
		filepath.Join(dir, "no", "where"):   "",
		filepath.Join(dir, "file", "where"): "cannot be made",
	} {
		err := Check(out)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", out, err, want)
		}
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestEnd checks that End removes a folder that was not installed, and keeps an installed one.
func TestEnd(t *testing.T) {
	failure := errors.New("no")
	for _, want := range []error{nil, failure} {
		out := filepath.Join(t.TempDir(), "out")
		write := func() (err error) {
			w, err := Beside(out)
			if err != nil {
				return err
			}
			defer w.End(&err)
			if want != nil {
				return want
			}
			return w.Install(out)
		}
		if err := write(); !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%v, want %v", err, want)
		}
		entries, err := os.ReadDir(filepath.Dir(out))
		if err != nil {
			t.Fatal(err)
		}
		if there := len(entries) == 1 && entries[0].Name() == "out"; there != (want == nil) || want != nil &&
			len(entries) > 0 {
			t.Errorf("with the error %v there is %v", want, entries)
		}
	}
}

// TestParents checks that folders above the result are made, and removed again without a result.
func TestParents(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"))
	if err := Check(filepath.Join(dir, "file", "a", "out")); err == nil {
		t.Error("a result below a file")
	}
	out := filepath.Join(dir, "a", "b", "out")
	if err := Check(out); err != nil {
		t.Fatal(err)
	}
	for _, installed := range []bool{false, true} {
		w, err := Beside(out)
		if err != nil {
			t.Fatal(err)
		}
		if installed {
			if err := w.Install(out); err != nil {
				t.Fatal(err)
			}
		}
		w.End(&err)
		if _, missing := os.Stat(filepath.Join(dir, "a")); err != nil || (missing == nil) != installed {
			t.Errorf("installed: %t; the folder above: %v; %v", installed, missing, err)
		}
	}
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
}
