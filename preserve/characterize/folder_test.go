package characterize

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The names of the documents distinguish the containers in any folder.
func TestBelowOneFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ files, want string }{
		{"a.warc", "a.warc"},
		{"x/y/a.warc", "a.warc"},
		{"x/a.warc x/y/a.warc", "a.warc y/a.warc"},
		{"x/y/a.warc x/z/a.warc", "y/a.warc z/a.warc"},
		{"../a.warc " + here + "/b.warc", "a.warc " + filepath.Base(here) + "/b.warc"},
		{"..x/a.warc b.warc", "..x/a.warc b.warc"},
	} {
		got, err := belowOneFolder(strings.Fields(test.files))
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, %v, want %s", test.files, got, err, test.want)
		}
	}
}

// A document either appears complete or does not appear, and it never replaces another document.
func TestFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	hello := func(w io.Writer) error { _, err := io.WriteString(w, "hello"); return err }
	f, err := NewFolder("md", []string{"x/a.warc", "x/y/b.warc"})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write("x/y/b.warc", hello); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("md/y/b.warc.containermd.xml"); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if err := f.Write("x/y/b.warc", hello); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written twice: %v", err)
	}
	if _, err := NewFolder("md", []string{"x/a.warc", "x/y/b.warc"}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("planned over a document: %v", err)
	}
	broken := errors.New("broken")
	half := func(w io.Writer) error { return errors.Join(hello(w), broken) }
	if err := f.Write("x/a.warc", half); !errors.Is(err, broken) {
		t.Errorf("a document that breaks off: %v", err)
	}
	left, err := filepath.Glob("md/*")
	if hidden, err := filepath.Glob("md/.*"); err != nil || len(hidden) != 0 {
		t.Errorf("left behind: %q, %v", hidden, err)
	}
	if err != nil || len(left) != 1 {
		t.Errorf("below the folder are %q, %v", left, err)
	}
}
