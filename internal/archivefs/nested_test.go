package archivefs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func zipWith(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestNestedReadsAnArchiveInATree checks that an archive in a folder, and one in a zip, is read
// like a separate one.
func TestNestedReadsAnArchiveInATree(t *testing.T) {
	inner := tarOf(t, &tar.Header{Name: "../evil", Typeflag: tar.TypeReg})
	dir := t.TempDir()
	outer := filepath.Join(dir, "outer.zip")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "inner.tar"), inner, 0o666),
		os.WriteFile(outer, zipWith(t, map[string][]byte{"inner.tar": inner}), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{dir, outer} {
		o, err := Open(source)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		n, err := o.Nested("inner.tar")
		if err != nil {
			t.Fatal(err)
		}
		if n.Path() != filepath.Join(source, "inner.tar") || n.Kind() != Tar || len(n.Files()) != len(content) {
			t.Errorf("%s: %s %s with %d files", source, n.Path(), n.Kind(), len(n.Files()))
		}
		if len(n.Faults()) != 1 || n.Faults()[0].Code != FaultPath {
			t.Errorf("%s: the entry that leads out gave %v", source, n.Faults())
		}
		for name, want := range content {
			if got := read(t, n, name); got != want {
				t.Errorf("%s: %q has %d bytes, want %d", source, name, len(got), len(want))
			}
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
}

func read(t *testing.T, tr *Tree, name string) string {
	t.Helper()
	c, err := tr.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(c)
	if err = errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestNestedGoesOnlySoDeep checks that nested zips end at a bound.
func TestNestedGoesOnlySoDeep(t *testing.T) {
	b := zipWith(t, map[string][]byte{"a.zip": []byte("no zip")})
	for range 2 * maxDepth {
		b = zipWith(t, map[string][]byte{"a.zip": b})
	}
	tr, err := Open(write(t, "a.zip", b))
	for range maxDepth {
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		tr, err = tr.Nested("a.zip")
	}
	if !errors.Is(err, ErrDepth) {
		t.Errorf("at depth %d: %v", maxDepth, err)
	}
}

func TestNestedOfAPlainFile(t *testing.T) {
	tr, err := Open(inFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if _, err := tr.Nested("b.bin"); !errors.Is(err, ErrNotATree) {
		t.Errorf("got %v", err)
	}
}

func TestSingle(t *testing.T) {
	tr, err := Single(write(t, "crawl.warc", []byte("WARC/1.0")))
	if err != nil || len(tr.Files()) != 1 || read(t, tr, "crawl.warc") != "WARC/1.0" {
		t.Errorf("got %v, %v", tr, err)
	}
	if _, err := Single(t.TempDir()); err == nil {
		t.Error("a folder was accepted as a file")
	}
}

// TestOfRefusesWhatLeadsOut checks the names of parts, which come from records and are untrusted.
func TestOfRefusesWhatLeadsOut(t *testing.T) {
	open := func() (Content, error) { return section{io.NewSectionReader(bytes.NewReader([]byte("x")), 0, 1)}, nil }
	closed := false
	tr := Of("job", []Part{{File{Path: "logs/crawl.log", Size: 1}, open}, {File{Path: "../out"}, open},
		{File{Path: "logs//crawl.log", Size: 1}, open}},
		func() error { closed = true; return nil })
	if len(tr.Files()) != 1 || read(t, tr, "logs/crawl.log") != "x" || len(tr.Faults()) != 2 {
		t.Errorf("files %v, faults %v", tr.Files(), tr.Faults())
	}
	if err := tr.Close(); err != nil || !closed {
		t.Errorf("closing: %v, %v", err, closed)
	}
}

// TestHeadShowsTheBeginning checks that the beginning of a file is readable without the rest, and
// identifies archives.
func TestHeadShowsTheBeginning(t *testing.T) {
	dir := t.TempDir()
	inner := tarOf(t)
	outer := zipWith(t, map[string][]byte{"inner.bin": inner, "short": []byte("abc"), "large": make([]byte, 3<<20)})
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "outer"), outer, 0o666),
		os.WriteFile(filepath.Join(dir, "short"), []byte("abc"), 0o666)); err != nil {
		t.Fatal(err)
	}
	folder, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	zipped, err := folder.Nested("outer")
	if err != nil {
		t.Fatal(err)
	}
	defer zipped.Close()
	for _, tt := range []struct {
		tree    *Tree
		path    string
		head    string
		archive bool
	}{{folder, "short", "abc", false}, {zipped, "short", "abc", false}, {zipped, "large", "\x00\x00\x00\x00", false},
		{folder, "outer", "PK\x03\x04", true}, {zipped, "inner.bin", string(inner[:4]), true}} {
		for _, some := range []*Tree{tt.tree, tt.tree.Only(func(p string) bool { return p == tt.path })} {
			head, err := some.Head(tt.path, 4)
			if err != nil || string(head) != tt.head {
				t.Errorf("%s: %q, %v", tt.path, head, err)
			}
			if is, err := some.IsArchive(tt.path); err != nil || is != tt.archive {
				t.Errorf("%s is an archive: %v, %v", tt.path, is, err)
			}
		}
	}
	none := zipped.Only(func(string) bool { return false })
	if _, err := none.Head("short", 4); !errors.Is(err, os.ErrNotExist) || len(none.Files()) != 0 ||
		none.Close() != nil {
		t.Errorf("a file that was left out: %v", err)
	}
	if _, err := zipped.Head("short", 4); err != nil {
		t.Errorf("closing a part closed the whole: %v", err)
	}
}
