package archivefs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The same files, as a folder and in every archive. The second is large enough to be inflated to
// disk.
var (
	content  = map[string]string{"a/\xe9.html": "<p>", "b.bin": strings.Repeat("0123456789", inMemory/5), "empty": ""}
	modified = time.Date(2003, 4, 3, 1, 0, 14, 0, time.UTC)
)

func names() []string {
	var all []string
	for name := range content {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func inFolder(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "mirror")
	for name, c := range content {
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(c), 0o666),
			os.Chtimes(p, modified, modified)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, name string, b []byte) string {
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return p
}

func tarOf(t *testing.T, headers ...*tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names() {
		headers = append(headers, &tar.Header{Name: "./" + name, Typeflag: tar.TypeReg, Size: int64(len(content[name])),
			ModTime: modified, Mode: 0o644})
	}
	for _, h := range headers {
		err := w.WriteHeader(h)
		if err == nil && h.Size > 0 {
			_, err = io.WriteString(w, content[strings.TrimPrefix(h.Name, "./")])
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

func gzipped(t *testing.T, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipOf(t *testing.T, method uint16) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names() {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: modified, NonUTF8: true})
		if err == nil {
			_, err = io.WriteString(f, content[name])
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

func open(t *testing.T, path string) *Tree {
	t.Helper()
	tree, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
	return tree
}

func TestAllKindsReadTheSame(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		path string
	}{
		{Folder, inFolder(t)},
		{Tar, write(t, "x", tarOf(t))},
		{TarGzip, write(t, "x.zip", gzipped(t, tarOf(t)))}, // the name does not matter
		{Zip, write(t, "x", zipOf(t, zip.Deflate))},
		{Zip, write(t, "x", zipOf(t, zip.Store))},
	} {
		tree := open(t, c.path)
		var got []string
		for _, f := range tree.Files() {
			got = append(got, f.Path)
			if f.Size != int64(len(content[f.Path])) || !f.Modified.Equal(modified) {
				t.Errorf("%s: %q has %d bytes of %v", c.kind, f.Path, f.Size, f.Modified)
			}
			check(t, tree, f.Path)
		}
		if tree.Kind() != c.kind || !slices.Equal(got, names()) || len(tree.Faults()) > 0 {
			t.Errorf("%s is a %s with %q, %v", c.path, tree.Kind(), got, tree.Faults())
		}
		if _, err := tree.Open("absent"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: opening a missing file returns %v", c.kind, err)
		}
	}
}

// check reads a file from its beginning, and from its middle.
func check(t *testing.T, tree *Tree, path string) {
	t.Helper()
	f, err := tree.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want := content[path]
	b, err := io.ReadAll(f)
	if err != nil || string(b) != want {
		t.Errorf("%s: %q reads as %d bytes, %v", tree.Kind(), path, len(b), err)
	}
	half := make([]byte, len(want)-len(want)/2)
	if _, err := f.ReadAt(half, int64(len(want)/2)); err != nil && !errors.Is(err, io.EOF) ||
		string(half) != want[len(want)/2:] {
		t.Errorf("%s: the second half of %q reads otherwise, %v", tree.Kind(), path, err)
	}
	if at, err := f.Seek(0, io.SeekStart); at != 0 || err != nil {
		t.Errorf("%s: %q goes back to %d, %v", tree.Kind(), path, at, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func codes(tree *Tree) string {
	var all []string
	for _, f := range tree.Faults() {
		all = append(all, string(f.Code))
	}
	return strings.Join(all, " ")
}

func TestWhatLeadsOutIsRefused(t *testing.T) {
	for _, name := range []string{"/etc/passwd", "../x", "a/../../x", `C:\x`, `\\server\x`, `..\x`, "a/.."} {
		if _, ok := safe(name); ok {
			t.Errorf("%q is taken", name)
		}
	}
	for _, name := range []string{"a..b", "..a", "a/...", "C:", "WEB:8443?x=1*"} {
		if clean, ok := safe(name); !ok || clean != name {
			t.Errorf("%q is refused, or becomes %q", name, clean)
		}
	}
	tree := open(t, write(t, "x.tar",
		tarOf(t, &tar.Header{Name: "../up", Typeflag: tar.TypeReg},
			&tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc"},
			&tar.Header{Name: "hard", Typeflag: tar.TypeLink, Linkname: "b.bin"},
			&tar.Header{Name: "d/", Typeflag: tar.TypeDir}, &tar.Header{Name: "empty", Typeflag: tar.TypeReg})))
	if got := codes(tree); got != "SOURCE-PATH SOURCE-LINK SOURCE-LINK SOURCE-TWIN" ||
		len(tree.Files()) != len(content) {
		t.Errorf("%q, %d files", got, len(tree.Files()))
	}
	dir := inFolder(t)
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	tree = open(t, dir)
	if got := codes(tree); got != "SOURCE-LINK" || tree.Find("link") != nil {
		t.Errorf("a link in a folder: %q", got)
	}
}

// TestLinksWithin checks that a link to a place in the source is no refusal, and that one to another
// place, or to nothing, is.
func TestLinksWithin(t *testing.T) {
	dir := inFolder(t)
	links := map[string]string{"b": "b.bin", "here": ".", "none": "missing", "root": "/b.bin",
		"out": "../" + filepath.Base(dir) + "/b.bin", "full": filepath.Join(dir, "b.bin")}
	var headers []*tar.Header
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		headers = append(headers, &tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: to})
	}
	archive := open(t, write(t, "x.tar", tarOf(t, headers...)))
	for kind, tree := range map[string]*Tree{"folder": open(t, dir), "tar": archive} {
		got := map[string]int{}
		for _, f := range tree.Faults() {
			got[string(f.Code)]++
		}
		if got["SOURCE-ALIAS"] != 2 || got["SOURCE-LINK"] != 4 || len(got) != 2 {
			t.Errorf("%s: %v", kind, tree.Faults())
		}
		for name := range links {
			if tree.Find(name) != nil {
				t.Errorf("%s: the link %s is a file", kind, name)
			}
		}
	}
}

// TestNoWayOutOfAFolder checks that a link that replaces a file after the listing is not followed
// out of the folder.
func TestNoWayOutOfAFolder(t *testing.T) {
	dir := inFolder(t)
	tree := open(t, dir)
	place := filepath.Join(dir, "empty")
	if err := errors.Join(os.Remove(place), os.Symlink("/etc/passwd", place)); err != nil {
		t.Fatal(err)
	}
	if f, err := tree.Open("empty"); err == nil {
		_ = f.Close()
		t.Error("it was followed")
	}
}

func TestBombs(t *testing.T) {
	b := zipOf(t, zip.Deflate)
	// The first entry's place in the directory now also covers the second's bytes.
	first, second := bytes.Index(b, []byte("PK\x01\x02")),
		bytes.LastIndex(b[:bytes.LastIndex(b, []byte("PK\x01\x02"))], []byte("PK\x01\x02"))
	copy(b[first+42:first+46], b[second+42:second+46])
	copy(b[first+20:first+24], b[second+20:second+24])
	tree := open(t, write(t, "overlap.zip", b))
	if got := codes(tree); got != "SOURCE-BOMB" {
		t.Errorf("overlapping entries: %q", got)
	}
	b = zipOf(t, zip.Deflate)
	at := bytes.Index(b, []byte("PK\x01\x02")) + 24
	copy(b[at:], "\xff\xff\xff\x7f")
	if got := codes(open(t, write(t, "liar.zip", b))); got != "SOURCE-BOMB" {
		t.Errorf("two gigabytes of nothing: %q", got)
	}
}

// TestStoredEntriesThatLie reads stored entries with false headers. Bytes after the end of an entry
// belong to other entries. Encrypted bytes are not the packed content.
func TestStoredEntriesThatLie(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		at   int // in the directory's entry, APPNOTE 4.3.12
		is   byte
	}{
		"SOURCE-BOMB: longer than it is": {"SOURCE-BOMB", 24, 60},
		"SOURCE-TORN: encrypted":         {"SOURCE-TORN", 8, 1},
	} {
		b := zipOf(t, zip.Store)
		entry := bytes.Index(b, []byte("PK\x01\x02"))
		b[entry+c.at] |= c.is
		tree := open(t, write(t, "x.zip", b))
		if got := codes(tree); got != c.want || len(tree.Files()) != len(content)-1 {
			t.Errorf("%s: %q, %d files", name, got, len(tree.Files()))
		}
	}
}

// TestSparseEntriesAreNotReadInPlace reads sparse entries of GNU tar -S. Such an entry has a map of
// the holes before its bytes, and its header has the size including the holes. Read in place, the
// file would consist of the map, the data between the holes, and the start of the next file. The
// header in this test has the form of --format=pax -S.
func TestSparseEntriesAreNotReadInPlace(t *testing.T) {
	records := map[string]string{"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "sparse",
		"GNU.sparse.realsize": "600"}
	var body strings.Builder
	for name, value := range records {
		record := " " + name + "=" + value + "\n"
		fmt.Fprintf(&body, "%d%s", len(record)+2, record)
	}
	holes := append([]byte("1\n0\n512\n"), make([]byte, 1024-9)...) // the map, in its own block, and 512 bytes
	b := bytes.Join([][]byte{tarEntry(tar.TypeXHeader, "PaxHeaders/sparse", []byte(body.String())),
		tarEntry(tar.TypeReg, "GNUSparseFile.0/sparse", holes), tarOf(t)}, nil)
	tree := open(t, write(t, "x.tar", b))
	if got := codes(tree); got != "SOURCE-TORN" || tree.Find("sparse") != nil || len(tree.Files()) != len(content) {
		t.Errorf("%q, %d files", got, len(tree.Files()))
	}
	old := tarEntry(tar.TypeGNUSparse, "sparse", nil)
	copy(old[257:], "ustar  \x00")
	copy(old[483:], "00000001000\x00") // the size with holes
	sign(old)
	tree = open(t, write(t, "x.tar", append(old, tarOf(t)...)))
	if got := codes(tree); got != "SOURCE-TORN" || len(tree.Files()) != len(content) {
		t.Errorf("the older format: %q, %d files", got, len(tree.Files()))
	}
}

// tarEntry returns entries that archive/tar cannot write.
func tarEntry(kind byte, name string, body []byte) []byte {
	b := make([]byte, tarBlock+(len(body)+tarBlock-1)/tarBlock*tarBlock)
	copy(b, name)
	copy(b[100:], "0000644\x000000000\x000000000\x00")
	copy(b[124:], fmt.Sprintf("%011o\x00%011o\x00", len(body), 0))
	b[156] = kind
	copy(b[257:], "ustar\x0000")
	copy(b[tarBlock:], body)
	sign(b)
	return b
}

func sign(b []byte) {
	copy(b[148:156], "        ")
	sum := 0
	for _, c := range b[:tarBlock] {
		sum += int(c)
	}
	copy(b[148:156], fmt.Sprintf("%06o\x00 ", sum))
}

func TestTornArchives(t *testing.T) {
	whole := tarOf(t)
	for name, b := range map[string][]byte{"x.tar": whole[:len(whole)/2], "x.tgz": gzipped(t, whole)[:2000]} {
		tree := open(t, write(t, name, b))
		if got := codes(tree); !strings.Contains(got, "SOURCE-TORN") || len(tree.Files()) == 0 {
			t.Errorf("%s: %q, %d files", name, got, len(tree.Files()))
		}
	}
	for name, b := range map[string]string{"empty": "", "text": "no archive at all",
		"gz": string(gzipped(t, []byte("text")))} {
		if _, err := Open(write(t, name, []byte(b))); !errors.Is(err, ErrNotATree) {
			t.Errorf("%s opens with %v", name, err)
		}
	}
}

func FuzzArchive(f *testing.F) {
	t := &testing.T{}
	short := content["b.bin"]
	content["b.bin"] = "short"
	seeds := [][]byte{tarOf(t), gzipped(t, tarOf(t)), zipOf(t, zip.Deflate), zipOf(t, zip.Store)}
	content["b.bin"] = short
	for _, b := range seeds {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(p, b, 0o666); err != nil {
			t.Fatal(err)
		}
		tree, err := Open(p)
		if err != nil {
			return
		}
		for _, file := range tree.Files() {
			if _, ok := safe(file.Path); !ok || file.Size < 0 {
				t.Errorf("%q with %d bytes is listed", file.Path, file.Size)
			}
			c, err := tree.Open(file.Path)
			if err != nil {
				continue
			}
			if n, err := io.Copy(io.Discard, c); err == nil && n != file.Size {
				t.Errorf("%q has %d bytes, not %d", file.Path, n, file.Size)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
}
