package secret

import (
	"errors"
	"strings"
	"testing"
)

// TestWriter writes a text in pieces of each size: no cut lets a password through.
func TestWriter(t *testing.T) {
	in := "seed http://anna:geheim@a.test/\n{\"url\":\"ftp://b:geheim@h/\"} x@y\n\nlast //c:geheim@h"
	want := "seed http://anna:…@a.test/\n{\"url\":\"ftp://b:…@h/\"} x@y\n\nlast //c:…@h"
	for size := 1; size <= len(in); size++ {
		var out strings.Builder
		w := NewWriter(&out)
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			if m, err := w.Write([]byte(rest[:n])); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil || out.String() != want {
			t.Fatalf("pieces of %d bytes: %v, %q", size, err, out.String())
		}
	}
}

// TestWriterLongLine: a line without an end is passed on in parts, cut behind a URL.
func TestWriterLongLine(t *testing.T) {
	for _, between := range []string{" ", "\t", "'", ",", "/"} {
		longLine(t, strings.Repeat("http://anna:geheim@a.test/"+between, 20000))
	}
}

func longLine(t *testing.T, in string) {
	t.Helper()
	var out strings.Builder
	w := NewWriter(&out)
	for i := 0; i < len(in); i += 1000 {
		if _, err := w.Write([]byte(in[i:min(i+1000, len(in))])); err != nil {
			t.Fatal(err)
		}
		if len(w.line) > maxLine {
			t.Fatalf("%d bytes are kept", len(w.line))
		}
	}
	if err := w.Flush(); err != nil || out.String() != strings.ReplaceAll(in, "geheim", "…") {
		t.Error(err, out.Len())
	}
}

// TestWriterFails: a failed write is reported by each call that follows.
func TestWriterFails(t *testing.T) {
	full := errors.New("the disk is full")
	w := NewWriter(failing{full})
	if _, err := w.Write([]byte("a\n")); !errors.Is(err, full) {
		t.Error(err)
	}
	if _, err := w.Write([]byte("b")); !errors.Is(err, full) || !errors.Is(w.Flush(), full) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestFinder finds a password wherever the text is cut, also in a line of a megabyte.
func TestFinder(t *testing.T) {
	for in, want := range map[string]bool{
		"": false, "a@b\nhttp://a.test/ x@y": false, "a\nb http://anna:geheim@a.test/\nc": true, "//c:geheim@h": true,
		strings.Repeat("x", 1<<20) + " http://anna:geheim@a.test/" + strings.Repeat("y", 1<<20): true,
		strings.Repeat("x@", 1<<20): false,
	} {
		for _, size := range []int{1, 7, 64, 4096, 1 << 20} {
			if len(in) > 1<<20 && size < 4096 {
				continue
			}
			var f Finder
			for rest := in; rest != ""; {
				n := min(size, len(rest))
				if m, err := f.Write([]byte(rest[:n])); m != n || err != nil || len(f.line) > maxLine+size {
					t.Fatal(m, err, len(f.line))
				}
				rest = rest[n:]
			}
			if err := f.Close(); err != nil || f.Found != want {
				t.Errorf("%.40q in pieces of %d bytes: %v", in, size, f.Found)
			}
		}
	}
}
