package warc

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"quire/format/fault"
)

func sum1(s string) string {
	sum := sha1.Sum([]byte(s))
	return FormatDigest("sha1", sum[:])
}

// back reads a file that must break no rule.
func back(t testing.TB, file []byte, each func(*Record)) (n int) {
	t.Helper()
	r := NewReader(bytes.NewReader(file))
	r.Report = func(f fault.Fault) {
		if !strings.HasPrefix(string(f.Code), "HTTP-") {
			t.Error(f)
		}
	}
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; each != nil {
			each(rec)
		}
	}
	return n
}

// A builder fills in id, date, digests and length, for each type of record.
func TestBuilder(t *testing.T) {
	body := "<p>hello"
	head := "HTTP/1.1 200 OK\r\n\r\n"
	framed := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(body)
	original := header("WARC-Record-ID: <urn:o>", "WARC-Target-URI: http://o/", "WARC-Date: 2020-01-01T00:00:00Z",
		"WARC-Payload-Digest: sha1:X")
	first := NewResponse("http://a/", day, strings.NewReader(head+body))
	for _, test := range []struct {
		name           string
		b              *Builder
		block, payload string // data whose digests are expected; "" in payload: none
		fields         string // that must be there, too
	}{
		{"warcinfo", NewWarcinfo(NameValue{"software", "ours/1"}, NameValue{"x", "two\r\nlines"}),
			"software: ours/1\r\nx: two  lines\r\n", "", "Content-Type: application/warc-fields"},
		{"response", first, head + body, body, "WARC-Target-URI: http://a/"},
		{"chunked response", NewResponse("http://a/", day, strings.NewReader(framed)), framed, body, ""},
		{"HTTP/0.9 response", NewResponse("http://a/", day, strings.NewReader(body)), body, body, ""},
		{"request", NewRequest(first, strings.NewReader("GET / HTTP/1.1\r\n\r\n")), "GET / HTTP/1.1\r\n\r\n", "\x00",
			"WARC-Concurrent-To: " + first.ID},
		{"resource", NewResource("http://a/", day, "text/html", strings.NewReader(body)), body, body,
			"Content-Type: text/html"},
		{"metadata", NewMetadata(original, day, "text/plain", strings.NewReader(body)), body, "",
			"WARC-Refers-To: <urn:o>"},
		{"conversion", NewConversion(original, day, "text/plain", strings.NewReader(body)), body, body,
			"WARC-Refers-To: <urn:o>"},
		{"revisit", NewRevisit(original, day, strings.NewReader(head)), head, "=sha1:X",
			"WARC-Refers-To-Date: 2020-01-01T00:00:00Z"},
		{"an empty block", &Builder{Type: TypeMetadata, Date: day}, "", "", ""},
		{"a digest of the caller's", NewResource("http://a/", day, "", strings.NewReader(body)).
			Add(FieldPayloadDigest, "sha1:Y"),
			body, "=sha1:Y", ""},
	} {
		var file bytes.Buffer
		w, err := NewWriter(&file, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.WriteRecord(test.b); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		back(t, file.Bytes(), func(rec *Record) {
			date, _ := rec.Date()
			if !date.Equal(day) && test.name != "warcinfo" || !strings.HasPrefix(rec.ID(), "<urn:uuid:") || len(rec.ID()) != 47 {
				t.Errorf("%s: date %v, id %s", test.name, date, rec.ID())
			}
			payload := ""
			switch {
			case strings.HasPrefix(test.payload, "="):
				payload = test.payload[1:]
			case test.payload == "\x00":
				payload = sum1("")
			case test.payload != "":
				payload = sum1(test.payload)
			}
			if rec.Get(FieldBlockDigest) != sum1(test.block) || rec.Get(FieldPayloadDigest) != payload {
				t.Errorf("%s: block %q, payload %q, want %q, %q", test.name, rec.Get(FieldBlockDigest),
					rec.Get(FieldPayloadDigest), sum1(test.block), payload)
			}
			if !strings.Contains(string(rec.Raw()), test.fields) {
				t.Errorf("%s: no %s in\n%s", test.name, test.fields, rec.Raw())
			}
			if v, err := rec.Verify(nil); err != nil || v.Block.Outcome != Match || rec.ContentLength != int64(len(test.block)) {
				t.Errorf("%s: %+v, %v", test.name, v, err)
			}
		})
	}
}

// TestBuilderRefuses checks that nothing is written of a record that lacks a required field, or
// whose block cannot be read. The next record is written.
func TestBuilderRefuses(t *testing.T) {
	broken := errors.New("broken")
	var file bytes.Buffer
	w, err := NewWriter(&file, WriterOptions{Compression: Gzip, Digest: "sha256"})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*Builder{
		"no type":           {},
		"no URI":            NewResponse("", day, strings.NewReader("x")),
		"a line in a field": NewResponse("http://a/\r\nX: y", day, nil),
		"a length":          NewResponse("http://a/", day, nil).Add("content-length", "5"),
		"a bad name":        NewResponse("http://a/", day, nil).Add("a b", "c"),
		"a broken block":    NewResponse("http://a/", day, io.MultiReader(strings.NewReader("x"), iotest.ErrReader(broken))),
	} {
		if _, _, err := w.WriteRecord(b); err == nil || file.Len() > 0 {
			t.Errorf("%s: %v, %d bytes written", name, err, file.Len())
		}
	}
	if _, _, err := w.WriteRecord(NewResource("http://a/", day, "", strings.NewReader("x"))); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("x"))
	back(t, file.Bytes(), func(rec *Record) {
		if rec.Get(FieldBlockDigest) != FormatDigest("sha256", sum[:]) {
			t.Errorf("%s", rec.Raw())
		}
	})
	if _, err := NewWriter(&file, WriterOptions{Digest: "crc"}); !errors.Is(err, ErrAlgorithm) {
		t.Error(err)
	}
}

func TestVerify(t *testing.T) {
	body := "<p>" + strings.Repeat("hello", 100)
	framed := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(body)
	for _, test := range []struct {
		name, kind, block, blockDigest, payloadDigest string
		want                                          string
	}{
		{"both right", "response", framed, sum1(framed), sum1(body), "match, match"},
		{"as sent", "response", framed, sum1(framed), sum1(chunked(body)), "match, match as sent"},
		{"both wrong", "response", framed, sum1("x"), sum1("y"), "mismatch, mismatch"},
		{"none", "response", framed, "", "", "not stated, not stated"},
		{"unknown", "response", framed, "crc:1", "sha1:!", "unknown, unknown"},
		{"of a revisit", "revisit", framed, sum1(framed), sum1("original"), "match, not stated"},
	} {
		fields := fmt.Sprintf("WARC-Type: %s\r\nContent-Type: %s\r\n", test.kind, response)
		if test.blockDigest != "" {
			fields += "WARC-Block-Digest: " + test.blockDigest + "\r\n"
		}
		if test.payloadDigest != "" {
			fields += "WARC-Payload-Digest: " + test.payloadDigest + "\r\n"
		}
		file := fmt.Sprintf("WARC/1.1\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", fields, len(test.block), test.block)
		for _, cut := range []bool{false, true} {
			if cut {
				file = file[:len(file)-10]
			}
			rec, err := NewReader(strings.NewReader(file)).Next()
			if err != nil {
				t.Fatal(err)
			}
			var copied bytes.Buffer
			v, err := rec.Verify(&copied)
			want := test.want
			if cut {
				want = strings.NewReplacer("mismatch", "incomplete", "match as sent", "incomplete",
					"match", "incomplete").Replace(want)
			}
			if got := fmt.Sprintf("%v, %v", v.Block.Outcome, v.Payload.Outcome); err != nil || got != want {
				t.Errorf("%s, cut %v: %s, %v", test.name, cut, got, err)
			}
			fine := v.Block.Outcome <= MatchAsSent && v.Payload.Outcome <= MatchAsSent
			if (v.Err() == nil) != fine {
				t.Errorf("%s, cut %v: %v", test.name, cut, v.Err())
			}
			if !cut && copied.String() != test.block {
				t.Errorf("%s: copied %q", test.name, copied.String())
			}
		}
	}
}

// TestCopy checks that a copied record is equal to the original byte for byte, with any
// compressions. Incomplete records are not copied.
func TestCopy(t *testing.T) {
	odd := "WARC/0.18\nwarc-type:resource\r\nX-Ours: a\r\n b\r\nCONTENT-LENGTH: 5\r\n\r\nhello\r\n\r\n"
	for _, c := range []Compression{Plain, Gzip, Zstd} {
		var file bytes.Buffer
		w, err := NewWriter(&file, WriterOptions{Compression: c})
		if err != nil {
			t.Fatal(err)
		}
		whole, refused := 0, 0
		for rec, err := range NewReader(strings.NewReader(odd + record("response", "x") + odd[:len(odd)-8])).Records() {
			if err != nil {
				t.Fatal(err)
			}
			if _, err := rec.HTTP(); err == nil {
				t.Error("it is no HTTP")
			}
			switch _, _, err := w.Copy(rec); {
			case errors.Is(err, ErrDamaged):
				refused++
			case err != nil:
				t.Fatal(err)
			default:
				whole++
			}
		}
		if whole != 2 || refused != 1 {
			t.Errorf("%d copied, %d refused", whole, refused)
		}
		plain, err := io.ReadAll(NewReader(&file).in)
		if err != nil || string(plain) != odd+record("response", "x") {
			t.Errorf("%q, %v", plain, err)
		}
	}
}

// TestCopyOfShortLength checks that a record is not copied if it continues after its
// Content-Length: its end would be lost.
func TestCopyOfShortLength(t *testing.T) {
	short := strings.Replace(record("resource", "hello, world"), "Content-Length: 12", "Content-Length: 7", 1)
	for name, file := range map[string][]byte{
		"plain": []byte(short + record("resource", "x")), "gzip": zip(t, short, record("resource", "x"))} {
		w, err := NewWriter(io.Discard, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []bool
		for rec, err := range NewReader(bytes.NewReader(file)).Records() {
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = w.Copy(rec)
			got = append(got, errors.Is(err, ErrDamaged))
		}
		if fmt.Sprint(got) != "[true false]" {
			t.Errorf("%s: damaged: %v", name, got)
		}
	}
}

// TestCopyOfDamagedMember checks that a record in a damaged member is not copied, even if its block
// seems to be complete.
func TestCopyOfDamagedMember(t *testing.T) {
	whole := made(t, Gzip, 3)
	starts := []int{0}
	for rec, err := range NewReader(bytes.NewReader(whole)).Records() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Offset > 0 {
			starts = append(starts, int(rec.Offset))
		}
	}
	for _, test := range []struct {
		name string
		at   int // the byte that is changed, from the end of the second member
		code fault.Code
	}{
		{"CRC32", -8, "GZIP-CRC32"}, {"ISIZE", -4, "GZIP-ISIZE"}, {"deflate data", -60, ""},
	} {
		file := bytes.Clone(whole)
		file[starts[2]+test.at] ^= 0x55
		w, err := NewWriter(io.Discard, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for rec, err := range NewReader(bytes.NewReader(file)).Records() {
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = w.Copy(rec)
			got = append(got, fmt.Sprint(rec.TargetURI(), " ", errors.Is(err, ErrDamaged)))
			if rec.TargetURI() == "http://a/1" {
				if f := rec.Faults(); len(f) == 0 || test.code != "" && f[0].Code != test.code {
					t.Errorf("%s: faults %v", test.name, f)
				}
			}
		}
		if want := "[http://a/0 false http://a/1 true http://a/2 false]"; fmt.Sprint(got) != want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// limited is an output that fails after a given number of bytes, like a full disk.
type limited struct {
	bytes.Buffer
	left int
}

var errFull = errors.New("no space left")

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	l.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestWriterFailsAtEachByte lets the output fail at each byte. The writer must state where the last
// complete record ends, and must write nothing more.
func TestWriterFailsAtEachByte(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one call after the other: run it without -short")
	}
	write := func(out io.Writer, c Compression) (n int, w *Writer, err error) {
		if w, err = NewWriter(out, WriterOptions{Compression: c}); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			b := NewResource("http://a/", day, "text/plain", strings.NewReader(strings.Repeat("hello ", 10*i)))
			b.ID = "<urn:uuid:00000000-0000-4000-8000-000000000000>" // so that the length is always the same
			if _, _, err := w.WriteRecord(b); err != nil {
				return n, w, err
			}
			n++
		}
		return n, w, nil
	}
	for _, c := range []Compression{Plain, Gzip, Zstd} {
		var file bytes.Buffer
		if _, _, err := write(&file, c); err != nil {
			t.Fatal(err)
		}
		for at := range file.Len() {
			out := &limited{left: at}
			written, w, err := write(out, c)
			if !errors.Is(err, errFull) {
				t.Fatalf("%s, failing at %d: %v", c, at, err)
			}
			if _, _, again := w.WriteRecord(&Builder{Type: "metadata"}); again == nil || again.Error() != err.Error() {
				t.Fatalf("%s, failing at %d: then %v", c, at, again)
			}
			if w.Close() == nil {
				t.Fatalf("%s, failing at %d: Close says nothing", c, at)
			}
			whole := out.Bytes()[:w.Offset()]
			if len(whole) == 0 && written == 0 {
				continue
			}
			if n := back(t, whole, nil); n != written || t.Failed() {
				t.Fatalf("%s, failing at %d: %d records, %d written", c, at, n, written)
			}
		}
	}
}

// A block that ends early or fails after the record was begun is cut off a file: only whole records
// are there.
func TestBlockFailsInFile(t *testing.T) {
	for _, c := range []Compression{Plain, Gzip, Zstd} {
		for _, size := range []int{0, 1, 5, 1 << 16, 1 << 20} {
			path := filepath.Join(t.TempDir(), "a.warc")
			w, err := Create(path, WriterOptions{Compression: c})
			if err != nil {
				t.Fatal(err)
			}
			fields := []NameValue{{FieldType, TypeMetadata}}
			if _, _, err := w.Write(fields, 3, strings.NewReader("abc")); err != nil {
				t.Fatal(err)
			}
			_, _, err = w.Write(fields, int64(size)+1, bytes.NewReader(bytes.Repeat([]byte("abcdefg"), size/7+1)[:size]))
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatal(err)
			}
			if err := w.Close(); !errors.Is(err, io.ErrUnexpectedEOF) || w.Close() == nil {
				t.Errorf("Close: %v", err)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the unfinished file has its name: %v", err)
			}
			file, err := os.ReadFile(path + ".open")
			if err != nil || int64(len(file)) != w.Offset() {
				t.Errorf("%d bytes are left of %d: %v", len(file), w.Offset(), err)
			}
			if n := back(t, file, nil); n != 1 {
				t.Errorf("%d records", n)
			}
		}
	}
}

// A file has its name when it is whole, and no sooner; none that is there is overwritten.
func TestCreate(t *testing.T) {
	for _, name := range []string{"a.warc", "a.warc.gz", "a.WARC.ZST"} {
		path := filepath.Join(t.TempDir(), name)
		w, err := Create(path, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Create(path, WriterOptions{}); !errors.Is(err, os.ErrExist) {
			t.Errorf("a second writer: %v", err)
		}
		if _, _, err := w.WriteRecord(NewWarcinfo()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
		if err := errors.Join(w.Close(), w.Close()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.WriteRecord(NewWarcinfo()); err == nil {
			t.Error("a closed writer writes")
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		back(t, file, func(rec *Record) {
			if rec.Filename() != name {
				t.Errorf("WARC-Filename %q", rec.Filename())
			}
		})
		if _, err := Create(path, WriterOptions{}); !errors.Is(err, os.ErrExist) {
			t.Errorf("over a file: %v", err)
		}
		other := filepath.Join(filepath.Dir(path), "b"+name)
		w, err = Create(other, WriterOptions{})
		if err == nil {
			err = errors.Join(w.Discard(), w.Discard(), w.Close())
		}
		if left, _ := filepath.Glob(other + "*"); err != nil || len(left) > 0 {
			t.Errorf("discarded: %v, %v", left, err)
		}
	}
}
