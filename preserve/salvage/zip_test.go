package salvage

import (
	"bytes"
	"compress/gzip"
	"testing"
)

// member returns a text as a gzip member.
func member(t *testing.T, text string) []byte { return memberAt(t, text, gzip.DefaultCompression) }

// stored returns a text as a gzip member that stores it uncompressed.
func stored(t *testing.T, text string) []byte { return memberAt(t, text, gzip.NoCompression) }

func memberAt(t *testing.T, text string, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zip(t *testing.T, records ...string) []byte {
	t.Helper()
	var file bytes.Buffer
	for _, r := range records {
		file.Write(member(t, r))
	}
	return file.Bytes()
}
