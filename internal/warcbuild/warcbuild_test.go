package warcbuild

import (
	"strings"
	"testing"

	"quire/format/warc"
)

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
