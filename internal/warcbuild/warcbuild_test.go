package warcbuild

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"quire/format/warc"
)

// TestHeld checks that a block is read back unchanged, from memory or not, also after a cut.
func TestHeld(t *testing.T) {
	h := Held{Dir: t.TempDir()}
	defer func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, size := range []int{0, 10, maxMemory, maxMemory + 1, 3 * maxMemory, 5} {
		h.Cut(0)
		want := bytes.Repeat([]byte("quire"), size/5+1)[:size]
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 1<<20+7)
			if _, err := h.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		for _, cut := range []int{size, size / 2} {
			h.Cut(int64(cut))
			for range 2 {
				if got, err := io.ReadAll(h.Reader()); err != nil || !bytes.Equal(got, want[:cut]) ||
					h.Size() != int64(cut) {
					t.Errorf("%d of %d: %d bytes, %v", cut, size, len(got), err)
				}
			}
		}
	}
}

// TestRecordID checks that the same fields give the same id, and that the end of a name matters.
func TestRecordID(t *testing.T) {
	a := RecordID([]warc.NameValue{{Name: "a", Value: "bc"}})
	if a != RecordID([]warc.NameValue{{Name: "a", Value: "bc"}}) ||
		a == RecordID([]warc.NameValue{{Name: "ab", Value: "c"}}) {
		t.Error(a)
	}
	if len(a) != len("<urn:uuid:00000000-0000-8000-8000-000000000000>") || a[24] != '8' ||
		!strings.ContainsRune("89ab", rune(a[29])) {
		t.Errorf("%s is no UUID of version 8", a)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add(" a%b\x00\xff ")
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := Unescape(Escape(s)); err != nil || got != s {
			t.Errorf("%q came back as %q, %v", s, got, err)
		}
	})
}
