package archivefs

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

// packed returns a zip, with lengths after the entries (streamed) or before them.
func packed(t testing.TB, method uint16, streamed bool, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: files[i], Method: method})
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if streamed {
		return b.Bytes()
	}
	return lengthsBefore(t, b.Bytes())
}

// lengthsBefore returns the same entries with their lengths in the headers.
func lengthsBefore(t testing.TB, streamed []byte) []byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(streamed), int64(len(streamed)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range r.File {
		h := f.FileHeader
		h.Flags &^= 8
		w, err := z.CreateRaw(&h)
		if err != nil {
			t.Fatal(err)
		}
		in, err := f.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		if _, err = io.Copy(w, in); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestTornZip checks that a zip without its directory yields its complete entries, and the
// remaining part of a stored entry that was cut.
func TestTornZip(t *testing.T) {
	noise := make([]byte, 3<<20)
	if _, err := rand.NewChaCha8([32]byte{7}).Read(noise); err != nil {
		t.Fatal(err)
	}
	copy(noise[1<<20-2:], "PK\x07\x08falsches")
	copy(noise[2<<20:], "PK\x03\x04PK\x01\x02")
	files := []string{"archive/big.warc.gz", string(noise), "a.txt", strings.Repeat("text ", 1000), "dir/", "", "empty",
		"", "../out", "x", "last.txt", "last"}
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		for _, streamed := range []bool{false, true} {
			name := fmt.Sprintf("method %d, streamed %v", method, streamed)
			whole := packed(t, method, streamed, files...)
			torn := whole[:bytes.LastIndex(whole, []byte("PK\x01\x02"))] // within the directory
			tr, err := Open(write(t, "x.zip", torn))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got := map[string]string{}
			for _, f := range tr.Files() {
				got[f.Path] = contentOf(t, tr, f.Path)
			}
			if len(got) != 4 || got["archive/big.warc.gz"] != string(noise) || got["a.txt"] != files[3] ||
				got["last.txt"] != "last" || tr.Kind() != Zip {
				t.Errorf("%s: %d files", name, len(got))
			}
			if codes := codesOf(tr); codes != "SOURCE-TORN SOURCE-PATH" {
				t.Errorf("%s: %s: %v", name, codes, tr.Faults())
			}
			if b, err := tr.Head("a.txt", 4); string(b) != "text" || err != nil {
				t.Errorf("%s: %q, %v", name, b, err)
			}
			if err := tr.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func codesOf(tr *Tree) string {
	var all []string
	for _, f := range tr.Faults() {
		all = append(all, string(f.Code))
	}
	return strings.Join(all, " ")
}

func contentOf(t *testing.T, tr *Tree, p string) string {
	t.Helper()
	c, err := tr.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(c)
	if err != nil || c.Close() != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestZipThatWasNotFinished reads a zip whose writer stopped in the middle of an entry.
func TestZipThatWasNotFinished(t *testing.T) {
	for _, c := range []struct {
		method   uint16
		streamed bool
		want     string // of the cut entry
	}{{zip.Store, false, "secon"}, {zip.Store, true, "secon"}, {zip.Deflate, false, ""}, {zip.Deflate, true, ""}} {
		whole := packed(t, c.method, c.streamed, "first.txt", "first first first", "second.txt", "second second second")
		cut := bytes.Index(whole, []byte("second.txt")) + len("second.txt") + 5
		tr, err := Open(write(t, "x.zip", whole[:cut]))
		if err != nil {
			t.Fatal(err)
		}
		if got := contentOf(t, tr, "first.txt"); got != "first first first" {
			t.Errorf("%+v: %q", c, got)
		}
		if second := tr.Find("second.txt"); (second != nil) != (c.want != "") || second != nil &&
			contentOf(t, tr, "second.txt") != c.want {
			t.Errorf("%+v: %+v", c, second)
		}
		if n := strings.Count(codesOf(tr), "SOURCE-TORN"); n < 2 {
			t.Errorf("%+v: %v", c, tr.Faults())
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTornZipThatLies checks that damaged entries fail when they are read, and that entries with
// false sizes are refused before.
func TestTornZipThatLies(t *testing.T) {
	whole := packed(t, zip.Deflate, false, "a.txt", strings.Repeat("text ", 1000))
	torn := whole[:bytes.Index(whole, []byte("PK\x01\x02"))]
	wrong := slices.Clone(torn)
	wrong[14]++ // the checksum
	tr, err := Open(write(t, "x.zip", wrong))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Open("a.txt"); !errors.Is(err, zip.ErrChecksum) {
		t.Error(err)
	}
	for name, change := range map[string]func([]byte){
		"encrypted":      func(b []byte) { b[6] |= 1 },
		"another method": func(b []byte) { b[8] = 99 },
		"a bomb":         func(b []byte) { b[25] = 0x7f },
	} {
		b := slices.Clone(torn)
		change(b)
		tr, err := Open(write(t, "x.zip", b))
		if err != nil || len(tr.Files()) != 0 || !strings.Contains(codesOf(tr), "SOURCE-TORN SOURCE-") {
			t.Errorf("%s: %v, %v", name, err, tr)
		}
	}
	for name, b := range map[string][]byte{"nothing but a mark": []byte("PK\x03\x04"),
		"a header that is cut": torn[:33]} {
		if tr, err := Open(write(t, "x.zip", b)); err == nil {
			t.Errorf("%s is a source: %v", name, tr.Files())
		}
	}
}

// TestTornZipThatIsABomb checks the search for the ends of entries. This search must not inflate
// more bytes than the limit for a zip.
func TestTornZipThatIsABomb(t *testing.T) {
	var files []string
	for i := range 60 {
		files = append(files, fmt.Sprint(i), strings.Repeat("0", 1000))
	}
	whole := packed(t, zip.Deflate, true, files...)
	k := &tornZip{file: archive{inMemoryFile{bytes.NewReader(whole)}, int64(len(whole))}, budget: 50500}
	if err := k.scan(); err != nil || len(k.entries) != 50 || k.stopped.fault == "" {
		t.Errorf("%d entries, %v, %v", len(k.entries), k.stopped, err)
	}
}

func TestTornSample(t *testing.T) {
	tr, err := Open(testsamples.Path(t, "samples", "_made", "synthetic", "wacz", "truncated.wacz"))
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Files()) != 5 && len(tr.Files()) != 4 || codesOf(tr) != "SOURCE-TORN" ||
		!strings.HasPrefix(contentOf(t, tr, "datapackage.json"), "{") {
		t.Errorf("%v, %v", tr.Files(), tr.Faults())
	}
}

func FuzzTornZip(f *testing.F) {
	for _, streamed := range []bool{false, true} {
		for _, method := range []uint16{zip.Store, zip.Deflate} {
			whole := packed(f, method, streamed, "a", "aaaa", "b/c", "text text text")
			f.Add(whole[:len(whole)-30])
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := openTorn(archive{inMemoryFile{bytes.NewReader(b)}, int64(len(b))}, zip.ErrFormat)
		if err != nil {
			return
		}
		tr := &Tree{keeper: k}
		if err := k.list(tr); err != nil {
			t.Fatal(err)
		}
		for i := range tr.files {
			e := tr.files[i].entry.(*tornEntry)
			if e.at < 0 || e.stored < 0 || e.at+e.stored > int64(len(b)) || tr.files[i].Size < 0 {
				t.Errorf("%+v", e)
			}
			if c, err := k.open(&tr.files[i]); err == nil {
				_ = c.Close()
			}
		}
	})
}

// inMemoryFile is a file in memory.
type inMemoryFile struct{ *bytes.Reader }

func (inMemoryFile) Close() error { return nil }

func TestAround(t *testing.T) {
	inner := packed(t, zip.Store, false, "x", "x")
	outer, err := Open(write(t, "outer.zip", packed(t, zip.Store, false, "a/inner.zip", string(inner))))
	if err != nil {
		t.Fatal(err)
	}
	n, err := outer.Nested("a/inner.zip")
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range []*Tree{n, n.Only(func(string) bool { return true })} {
		if around, p := tr.Around(); around != outer || p != "a/inner.zip" {
			t.Errorf("%v, %q", around, p)
		}
	}
	if around, _ := outer.Around(); around != nil {
		t.Error(around)
	}
}
