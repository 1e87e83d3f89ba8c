package matcher

import (
	"bytes"
	"compress/flate"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/richardlehane/siegfried/pkg/static"
)

// file returns siegfried's built-in signatures as a file.
func file(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := static.New().SaveWriter(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLoad(t *testing.T) {
	s, err := Load(bytes.NewReader(file(t)))
	if err != nil {
		t.Fatal(err)
	}
	if s.Name() != "pronom" || !strings.HasPrefix(s.Details(), "DROID_SignatureFile_V") ||
		s.Created().Before(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("name %q, details %q, created %v", s.Name(), s.Details(), s.Created())
	}
}

// TestLoadRefuses checks that incomplete files and files of other kinds have an error.
func TestLoadRefuses(t *testing.T) {
	whole := file(t)
	header := len(magic) + 2
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(whole[header:])))
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(name string, b []byte) {
		t.Helper()
		if _, err := Load(bytes.NewReader(b)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	refuse("an empty file", nil)
	refuse("a text", []byte("a text that is no signature file"))
	refuse("half a file", whole[:len(whole)/2])
	older := bytes.Clone(whole)
	older[len(magic)+1] = minorVersion - 1
	refuse("an older version", older)
	for _, n := range []int{0, 10, 1000, len(plain) / 2, len(plain) - 1} {
		var b bytes.Buffer
		b.Write(whole[:header])
		z, err := flate.NewWriter(&b, flate.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(plain[:n]); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		refuse("a cut list of signatures", b.Bytes())
	}
}
