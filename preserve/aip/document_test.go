package aip

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// A document is read to its end, member by member, and damaged gzip is an error behind the text
// before it.
func TestDocumentText(t *testing.T) {
	var content strings.Builder
	for content.Len() < 3*bufferSize {
		_ = content.WriteByte(byte('a' + content.Len()*content.Len()%23))
	}
	long := content.String()
	whole := gzipped(t, long)
	wrongCRC, wrongSize := []byte(whole), []byte(whole)
	wrongCRC[len(whole)-8] ^= 1
	wrongSize[len(whole)-4] ^= 1
	for _, c := range []struct {
		name, file, text, wrong string
	}{
		{"one member", whole, long, ""},
		{"two members", whole + gzipped(t, "end"), long + "end", ""},
		{"an empty member", gzipped(t, "") + whole, long, ""},
		{"a wrong checksum", string(wrongCRC), long, "GZIP-CRC32"},
		{"a wrong size", string(wrongSize), long, "GZIP-ISIZE"},
		{"without the end", whole[:len(whole)-9], long, "GZIP-TRUNCATED"},
		{"other bytes behind", whole + "other", long, "GZIP-GARBAGE"},
		{"zeros behind", whole + "\x00\x00", long, "GZIP-PADDING"},
		{"other bytes between", whole + "other" + gzipped(t, "end"), long, "GZIP-GARBAGE"},
		{"other bytes before", "other" + whole, "", "not in gzip"},
		{"empty", "", "", "not in gzip"},
		{"plain", long, "", "not in gzip"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := unzipped(strings.NewReader(c.file), int64(len(c.file)), "a.xml.gz")
			var text bytes.Buffer
			if err == nil {
				_, err = io.Copy(&text, onlyReader{in})
			}
			if text.String() != c.text && !(c.wrong == "GZIP-TRUNCATED" && strings.HasPrefix(c.text, text.String())) {
				t.Errorf("%d bytes of text, want %d", text.Len(), len(c.text))
			}
			if (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%v, want %q", err, c.wrong)
			}
		})
	}
}

// A document that unpacks to too many bytes is an error.
func TestDocumentBomb(t *testing.T) {
	in, err := unzipped(strings.NewReader(gzipped(t, strings.Repeat("x", 3*bufferSize))), 0, "a.xml.gz")
	if err != nil {
		t.Fatal(err)
	}
	in.most = 2 * bufferSize
	if n, err := io.Copy(io.Discard, onlyReader{in}); err == nil || !strings.Contains(err.Error(), "too many bytes") ||
		n > in.most {
		t.Errorf("%d bytes, %v", n, err)
	}
}
