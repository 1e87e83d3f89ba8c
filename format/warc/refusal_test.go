package warc

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/testsamples"
)

// TestWriteRecordNamesField checks that a value that breaks the standard, or that a reader could not
// read back, is refused with an error that names the field. Nothing is written, and the block is not
// read.
func TestWriteRecordNamesField(t *testing.T) {
	with := func(change func(*Builder)) *Builder {
		b := NewResource("http://a/", day, "text/plain", strings.NewReader("hello"))
		change(b)
		return b
	}
	add := func(name, value string) *Builder { return with(func(b *Builder) { b.Add(name, value) }) }
	year := func(y int) *Builder {
		return with(func(b *Builder) { b.Date = time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC) })
	}
	id := func(s string) *Builder { return with(func(b *Builder) { b.ID = s }) }
	uri := func(s string) *Builder { return with(func(b *Builder) { b.TargetURI = s }) }
	for _, test := range []struct {
		name string
		b    *Builder
		want string // in the error; "" is no error
	}{
		{"nothing wrong", add("X-Ours", "a\tb é"), ""},
		{"a header larger than a reader reads", add("X-Large", strings.Repeat("x", 2<<20)), "X-Large"},
		{"a second type", add("warc-type", "response"), "warc-type"},
		{"a second id", add(FieldRecordID, "<urn:x>"), FieldRecordID},
		{"a second date", add(FieldDate, "2020"), FieldDate},
		{"a second URI", add(FieldTargetURI, "http://b/"), FieldTargetURI},
		{"a second media type", add(FieldContentType, "text/html").Add(FieldContentType, "text/css"), FieldContentType},
		{"two addresses", add(FieldIPAddress, "192.0.2.1").Add(FieldIPAddress, "192.0.2.2"), FieldIPAddress},
		{"several concurrent records", add(FieldConcurrentTo, "<urn:x>").Add(FieldConcurrentTo, "<urn:y>"), ""},
		{"several fields of the caller's", add("X-Ours", "1").Add("X-Ours", "2"), ""},
		{"an id without brackets", id("urn:x"), FieldRecordID},
		{"an id that is no URI", id("<nope>"), FieldRecordID},
		{"an id in two pairs of brackets", id("<<urn:x>>"), FieldRecordID},
		{"an id with a space", id("<urn:x y>"), FieldRecordID},
		{"year 12000", year(12000), FieldDate},
		{"year -1", year(-1), FieldDate},
		{"year 9999", year(9999), ""},
		{"a space in the URI", uri("http://a/b c"), FieldTargetURI},
		{"a URI in brackets", uri("<http://a/>"), FieldTargetURI},
		{"NUL in the URI", uri("http://a/\x00"), FieldTargetURI},
		{"NUL in a value", add("X-Ours", "a\x00b"), "X-Ours"},
		{"DEL in a value", add("X-Ours", "a\x7fb"), "X-Ours"},
		{"a value that is not UTF-8", add("X-Ours", "a\xff"), "X-Ours"},
		{"blanks around a value", add("X-Ours", " y "), "X-Ours"},
		{"a line break in the type", with(func(b *Builder) { b.Type = "x\r\ny" }), FieldType},
	} {
		var file bytes.Buffer
		w, err := NewWriter(&file, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = w.WriteRecord(test.b)
		if test.want == "" {
			if err != nil || back(t, file.Bytes(), nil) != 1 {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 300 || file.Len() > 0 {
			t.Errorf("%s: error %.300v, %d bytes written; want one that names %s", test.name, err, file.Len(), test.want)
		}
		if left, _ := io.ReadAll(test.b.Block); string(left) != "hello" {
			t.Errorf("%s: %q is left of the block", test.name, left)
		}
	}
}

// TestWriteRefuses checks that Write, which carries text of others, refuses only a header that a
// reader could not read back, or whose fields contradict each other.
func TestWriteRefuses(t *testing.T) {
	for _, test := range []struct {
		name, field, value string
		refused            bool
	}{
		{"a header that is too large", "X-Large", strings.Repeat("x", MaxHeader), true},
		{"a second type", FieldType, "response", true},
		{"a line break", "X-Ours", "a\nb", true},
		{"a space in a URI of others", FieldTargetURI, "http://a/b c", false},
		{"an id of others", FieldRefersTo, "nope\x00\xff", false},
	} {
		var file bytes.Buffer
		w, err := NewWriter(&file, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		fields := []NameValue{{FieldType, TypeMetadata}, {test.field, test.value}}
		_, _, err = w.Write(fields, 1, strings.NewReader("x"))
		if (err != nil) != test.refused || err != nil && !strings.Contains(err.Error(), test.field) {
			t.Errorf("%s: %.200v", test.name, err)
		}
		if !test.refused {
			back(t, file.Bytes(), func(rec *Record) {
				if rec.Get(test.field) != test.value {
					t.Errorf("%s: %q came back", test.name, rec.Get(test.field))
				}
			})
		}
	}
}

// The largest header that is written can be read.
func TestLargestHeader(t *testing.T) {
	frame := len("WARC/1.1\r\nX: \r\nContent-Length: 1\r\n\r\n")
	for size, fits := range map[int]bool{MaxHeader: true, MaxHeader + 1: false} {
		var file bytes.Buffer
		w, err := NewWriter(&file, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = w.Write([]NameValue{{"X", strings.Repeat("x", size-frame)}}, 1, strings.NewReader("x"))
		if (err == nil) != fits || fits && back(t, file.Bytes(), nil) != 1 {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// TestCopyOfOddHeader checks that Copy carries a record of others that WriteRecord would refuse.
func TestCopyOfOddHeader(t *testing.T) {
	odd := "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Type: response\r\nWARC-Record-ID: nope\r\nWARC-Date: -1\r\n" +
		"WARC-Target-URI: http://a/b c\x00\xff \r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"
	var file bytes.Buffer
	w, err := NewWriter(&file, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := NewReader(strings.NewReader(odd)).Next()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Copy(rec); err != nil || file.String() != odd {
		t.Errorf("%q, %v", file.String(), err)
	}
}

// A Builder is written once: its block is used up, and its id is taken.
func TestBuilderIsWrittenOnce(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b := NewResource("http://a/ b", day, "text/plain", strings.NewReader("hello"))
	if _, _, err := w.WriteRecord(b); err == nil {
		t.Fatal("a space was written")
	}
	b.TargetURI = "http://a/"
	if _, _, err := w.WriteRecord(b); err != nil {
		t.Errorf("corrected after a refusal: %v", err)
	}
	if _, _, err := w.WriteRecord(b); err == nil || back(t, file.Bytes(), nil) != 1 {
		t.Errorf("written again: %v", err)
	}
}

// TestWriteErrors checks that an error of the output is not attributed to the block.
func TestWriteErrors(t *testing.T) {
	w, err := NewWriter(&limited{left: 1000}, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = w.WriteRecord(NewResource("http://a/", day, "", strings.NewReader(strings.Repeat("x", 9000))))
	if !errors.Is(err, errFull) || strings.Contains(err.Error(), "the block has only") {
		t.Error(err)
	}
}

// TestCopyNamesDamage checks that the error states the kind of damage.
func TestCopyNamesDamage(t *testing.T) {
	w, err := NewWriter(io.Discard, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := NewReader(strings.NewReader(record("resource", "x") + "junk\r\n" + record("resource", "y"))).Next()
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = w.Copy(rec)
	if err != nil {
		t.Fatal(err) // bytes after a whole separator are not of this record
	}
	file := strings.TrimSuffix(record("resource", "x"), "\r\n\r\n") + "more\r\n\r\n" + record("resource", "y")
	if rec, err = NewReader(strings.NewReader(file)).Next(); err != nil {
		t.Fatal(err)
	}
	_, _, err = w.Copy(rec)
	if !errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "member") {
		t.Error(err)
	}
}

// A closed Reader reads nothing more.
func TestReadAfterClose(t *testing.T) {
	for _, c := range []Compression{Plain, Gzip, Zstd} {
		r, err := Open(written(t, "a.warc", made(t, c, 3)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(r.Close(), r.Close()); err != nil {
			t.Error(err)
		}
		if _, err := r.Next(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: Next: %v", c, err)
		}
		if _, err := r.At(0); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: At: %v", c, err)
		}
	}
}

// TestOpenRefusesSmallFiles checks that Open looks at all of a small file.
func TestOpenRefusesSmallFiles(t *testing.T) {
	arc := "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 66\n1 0 Quire\n" +
		"URL IP-address Archive-date Content-type Archive-length\n\n"
	for name, file := range map[string][]byte{"a page": []byte("<html>hi</html>"), "an ARC": []byte(arc),
		"a zipped ARC": zip(t, arc)} {
		if _, err := Open(written(t, "a", file)); !errors.Is(err, ErrNotWARC) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, file := range map[string]string{"one record": record("resource", "x"), "a beginning": "WARC/1.1\r\nWARC-Ty"} {
		r, err := Open(written(t, "a", []byte(file)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_ = r.Close()
	}
}

// TestOpenRefusesSampleARCs opens the small ARC files of the samples.
func TestOpenRefusesSampleARCs(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(testsamples.Path(t, "samples", "webrecorder_warcio"), "*.arc*"))
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			continue
		}
		if _, err := Open(name); !errors.Is(err, ErrNotWARC) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDigestForm checks the words of the error, which go into METS.
func TestDigestForm(t *testing.T) {
	_, err := ParseDigest("x")
	if err == nil || err.Error() != `"x" does not have the form of any known digest` {
		t.Error(err)
	}
}
