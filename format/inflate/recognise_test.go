package inflate

import (
	"bytes"
	"io"
	"math/rand"
	"strings"
	"testing"
)

// noise returns n bytes that hardly compress.
func noise(n int) string {
	b := make([]byte, n)
	rand.New(rand.NewSource(1)).Read(b) //nolint:gosec // the same bytes every time
	return string(b)
}

// TestRecognisedByContent checks that the content identifies a file with damaged first bytes, or
// with other bytes before the first member.
func TestRecognisedByContent(t *testing.T) {
	holds := func(b []byte) bool { return bytes.Contains(b, []byte("WARC/")) || bytes.HasPrefix(b, []byte("RC/")) }
	a, b, page := member(t, "WARC/1.0 first"), member(t, "WARC/1.0 second"), member(t, "a page")
	za, zb := frame(t, "WARC/1.0 first"), frame(t, "WARC/1.0 second")
	overwritten := bytes.Clone(a)
	copy(overwritten, "\x00\x00")
	large := "WARC/1.0 " + noise(600<<10)
	flawed := member(t, large)
	copy(flawed, "\x00\x00")
	text := "WARC/1.0 a record that is kept as it is\r\n"
	// a last empty block, CRC32, ISIZE
	beheaded := join([]byte(text[2:]), []byte{3, 0, 1, 2, 3, 4, byte(len(text)), 0, 0, 0})
	tar := append(bytes.Repeat([]byte{'x'}, 257), "ustar\x0000"...)
	for _, c := range []struct {
		name string
		file []byte
		want Compression
		read string
	}{
		{"the first magic is gone", join(overwritten, b), Gzip, "WARC/1.0 firstWARC/1.0 second"},
		{"the first magic is gone, of a large member", join(flawed, b), Gzip, large + "WARC/1.0 second"},
		{"junk before the first member", join([]byte("<html>"), a, b), Gzip, "WARC/1.0 firstWARC/1.0 second"},
		{"junk with false magics", join(bytes.Repeat([]byte{0, 0x1f, 0x8b, 8, 0}, 100), a), Gzip, "WARC/1.0 first"},
		{"a member that holds something else", join([]byte("junk"), page), None, "junk" + string(page)},
		{"plain, with a container in it", join([]byte("WARC/1.0 "), a), None, "WARC/1.0 " + string(a)},
		{"a stored member without its header", join(beheaded, b), Gzip, "WARC/1.0 second"},
		{"a ZIP with a container in it", join([]byte("PK\x03\x04"), a), None, "PK\x03\x04" + string(a)},
		{"a tar with a container in it", join(tar, a), None, string(tar) + string(a)},
		{"far away", join(bytes.Repeat([]byte{'x'}, 300<<10), a), Gzip, "WARC/1.0 first"},
		{"far away, across a window", join(bytes.Repeat([]byte{'x'}, 256<<10-5), a), Gzip, "WARC/1.0 first"},
		{"plain, with a container far away", join(bytes.Repeat([]byte{'x'}, 300<<10), []byte("WARC/1.0 "), a), None,
			strings.Repeat("x", 300<<10) + "WARC/1.0 " + string(a)},
		{"the first bytes of a frame are gone", join(make([]byte, 25), za[25:], zb), Zstd, "WARC/1.0 second"},
		{"a frame far away", join(bytes.Repeat([]byte{'x'}, 300<<10), za), Zstd, "WARC/1.0 first"},
		{"junk before a frame that holds something else", join([]byte("junk"), frame(t, "a page")), None,
			"junk" + string(frame(t, "a page"))},
		{"nothing", nil, None, ""},
	} {
		in := NewReader(bytes.NewReader(c.file), Options{Holds: holds})
		if in.Compression() != c.want {
			t.Errorf("%s: compression %s, want %s", c.name, in.Compression(), c.want)
		}
		var read bytes.Buffer
		if _, err := read.ReadFrom(in); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := read.String(); got != c.read {
			t.Errorf("%s: read %.100q, want %.100q", c.name, got, c.read)
		}
	}
	far := struct{ io.Reader }{bytes.NewReader(join(bytes.Repeat([]byte{'x'}, 300<<10), a))}
	if in := NewReader(far, Options{Holds: holds}); in.Compression() != None {
		t.Error("a file that cannot be read again must be plain")
	}
	if in := NewReader(bytes.NewReader(join([]byte("x"), a)), Options{}); in.Compression() != None {
		t.Error("without Holds the file must be plain")
	}
}
