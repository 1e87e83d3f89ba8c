package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/format/inflate"
)

// work is a file that counts the bytes that the reader fetches from it, including bytes read again.
type work struct {
	*bytes.Reader
	read int64
}

func (w *work) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.read += int64(n)
	return n, err
}

// TestHostileFilesEnd checks that reading hostile files takes time in proportion to their size.
// Each of these took minutes or more when a search began again at each place.
func TestHostileFilesEnd(t *testing.T) {
	versionLines := strings.Repeat("WARC/1.0\r\n", 200_000)
	var members bytes.Buffer
	tiny := zip(t, "WARC/1.0 \nA\nA\nA\n")
	for range 60_000 {
		members.Write(tiny)
	}
	var bytewise bytes.Buffer
	bytewise.Write(zip(t, "WARC/1.0\r\n"))
	one := zip(t, "x")
	for range 300_000 {
		bytewise.Write(one)
	}
	for _, c := range []struct {
		name string
		file []byte
	}{
		{"version lines without end", []byte(versionLines)},
		{"members that each begin a header without end", members.Bytes()},
		{"members of one byte", bytewise.Bytes()},
		{"fields without end", []byte("WARC/1.0\r\n" + strings.Repeat("A:\r\n", 1_000_000))},
		{"folded lines without end", []byte("WARC/1.0\r\nA: b\r\n" + strings.Repeat(" \r\n", 1_000_000))},
		{"line feeds", append([]byte("WARC/1.0\r\nContent-Length: 0\r\n\r\n"), bytes.Repeat([]byte{'\n'}, 4<<20)...)},
		{"no line break", bytes.Repeat([]byte("WARC/"), 1<<20)},
		{"half version lines", bytes.Repeat([]byte("\nWARC/1"), 1<<20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			faults := 0
			source := &work{Reader: bytes.NewReader(c.file)}
			r := NewReader(inflate.NewReader(source, inflate.Options{}))
			r.Report = func(fault.Fault) { faults++ }
			for {
				_, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if faults == 0 {
				t.Error("nothing was told")
			}
			if source.read > 2*int64(len(c.file)) {
				t.Errorf("%d bytes were read of a file of %d", source.read, len(c.file))
			}
		})
	}
}

// TestDamageStaysWithItsRecord checks that a record with a damaged header or length does not hide
// the next one.
func TestDamageStaysWithItsRecord(t *testing.T) {
	a, b, c := record("warcinfo", "software: x\r\n"), record("response", "HTTP/1.1 200 OK\r\n\r\nhello"),
		record("metadata", "m")
	noEnd := strings.Replace(b, "\r\n\r\nHTTP", "\r\nX", 1)
	for _, k := range []struct {
		name string
		file []byte
	}{
		{"header cut in a plain file", []byte(a + b[:60] + "\r\n" + c)},
		{"header cut in its member", zip(t, a, b[:60], c)},
		{"no blank line", []byte(a + noEnd + c)},
		{"length 10 too long, plain", []byte(a + strings.Replace(b, "Length: 24", "Length: 34", 1) + c)},
		{"length 3000 too long, plain",
			[]byte(a + strings.Replace(b, "Length: 24", "Length: 3024", 1) + c +
				record("metadata", strings.Repeat("z", 5000)))},
		{"length 10 too long, one member", zip(t, a+strings.Replace(b, "Length: 24", "Length: 34", 1)+c)},
		{"bytes put in before a record", []byte(a + b + "\x00junk\xff" + c)},
		{"a bit of the separator flipped", []byte(a + b[:len(b)-1] + "\x0b" + c)},
	} {
		t.Run(k.name, func(t *testing.T) {
			var found int64 = -1
			sink := func(f fault.Fault) { found = max(found, f.Offset) }
			in := inflate.NewReader(bytes.NewReader(k.file), inflate.Options{Report: sink})
			r := NewReader(in)
			r.Report = sink
			kinds := ""
			for {
				rec, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				kinds += rec.Type() + " "
			}
			if !strings.Contains(kinds, "metadata") || !strings.HasPrefix(kinds, "warcinfo") {
				t.Errorf("read %s", kinds)
			}
			if found < 0 {
				t.Error("nothing was told")
			}
		})
	}
}

// TestErrorsOfTheFileAreErrors checks that the reader never reports a read error as an error of the
// content, wherever the read error occurs.
func TestErrorsOfTheFileAreErrors(t *testing.T) {
	bad := errors.New("disk gone")
	a, b := record("warcinfo", "software: x\r\n"), record("response", "HTTP/1.1 200 OK\r\n\r\nhello")
	for name, file := range map[string][]byte{"plain": []byte(a + b), "gzip": zip(t, a, b)} {
		for at := range file {
			source := io.MultiReader(bytes.NewReader(file[:at]), failing{bad})
			var told []string
			sink := func(f fault.Fault) { told = append(told, f.String()) }
			r := NewReader(inflate.NewReader(source, inflate.Options{Report: sink}))
			r.Report = sink
			var err error
			for err == nil {
				_, err = r.Next()
			}
			if !errors.Is(err, bad) {
				t.Errorf("%s, after %d bytes: %v", name, at, err)
			}
			if told != nil {
				t.Errorf("%s, after %d bytes: the content is blamed: %v", name, at, told)
			}
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestDatesCanBeWritten(t *testing.T) {
	for _, s := range []string{"0000-01-01T00:00:00+23:00", "9999-12-31T23:59:59-10:00"} {
		if d, err := ParseDate(s); err == nil {
			t.Errorf("%s reads as %v, which has no W3CDTF form", s, d)
		}
	}
}

func TestDigestWithoutLabelThatCouldBeTwo(t *testing.T) {
	d, err := ParseDigest("abcdefabcdefabcdef234567abcdef23") // hexadecimal MD5; by chance also Base32
	if err != nil || d.Algorithm != "md5" {
		t.Errorf("%+v, %v", d, err)
	}
	if fmt.Sprint(d.Encoding) != "hex" {
		t.Errorf("encoding %s", d.Encoding)
	}
}
