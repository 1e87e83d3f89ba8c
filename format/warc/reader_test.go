package warc

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"quire/format/fault"
	"quire/format/inflate"
)

// record writes one record with the block; extra are header lines.
func record(kind, block string, extra ...string) string {
	head := "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:x:" + kind +
		">\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"
	for _, line := range extra {
		head += line + "\r\n"
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

func zip(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, p); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

type seen struct {
	offset, length int64
	kind, block    string
}

func readAll(t testing.TB, file []byte) (records []seen, codes []string) {
	t.Helper()
	sink := func(f fault.Fault) { codes = append(codes, fmt.Sprintf("%s@%d", f.Code, f.Offset)) }
	r := NewReader(inflate.NewReader(bytes.NewReader(file), inflate.Options{Report: sink}))
	r.Report = sink
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records, codes
		}
		if err != nil {
			t.Fatal(err)
		}
		var block bytes.Buffer
		if _, err := io.Copy(&block, rec); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatal(err)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		records = append(records, seen{rec.Offset, rec.Length, rec.Type(), block.String()})
	}
}

func TestReader(t *testing.T) {
	a, b, c := record("warcinfo", "software: x\r\n"), record("response", "HTTP/1.1 200 OK\r\n\r\nhello"),
		record("metadata", "")
	la, lb, lc := int64(len(a)), int64(len(b)), int64(len(c))
	za, zb, zc := int64(len(zip(t, a))), int64(len(zip(t, b))), int64(len(zip(t, c)))
	ba, bb := "software: x\r\n", "HTTP/1.1 200 OK\r\n\r\nhello"
	long := strings.Replace(b, "Content-Length: 24", "Content-Length: 34", 1)
	short := strings.Replace(b, "Content-Length: 24", "Content-Length: 14", 1)
	none := strings.Replace(b, "Content-Length: 24\r\n", "", 1)
	negative := strings.Replace(b, "Content-Length: 24", "Content-Length: -24", 1)
	damaged := zip(t, b)
	damaged[10] |= 6 // block type 3 does not exist
	for _, k := range []struct {
		name   string
		file   []byte
		want   []seen
		faults string
	}{
		{"plain", []byte(a + b + c), []seen{{0, la, "warcinfo", ba}, {la, lb, "response", bb},
			{la + lb, lc, "metadata", ""}}, ""},
		{"one member a record", zip(t, a, b, c),
			[]seen{{0, za, "warcinfo", ba}, {za, zb, "response", bb}, {za + zb, zc, "metadata", ""}}, ""},
		{"all in one member", zip(t, a+b+c),
			[]seen{{0, -1, "warcinfo", ba}, {0, -1, "response", bb}, {0, -1, "metadata", ""}}, "WARC-MEMBER-SHARED@0"},
		{"a record over two members", zip(t, a, b[:len(b)-10], b[len(b)-10:]),
			[]seen{{0, za, "warcinfo", ba},
				{za, int64(len(zip(t, a, b[:len(b)-10], b[len(b)-10:]))) - za, "response", bb}},
			fmt.Sprintf("WARC-MEMBER-SPANNED@%d", za)},
		{"an empty member", append(zip(t, a, ""), zip(t, b)...),
			[]seen{{0, za, "warcinfo", ba}, {int64(len(zip(t, a, ""))), zb, "response", bb}},
			fmt.Sprintf("GZIP-EMPTY-MEMBER@%d", za)},
		{"length too long in a member", zip(t, long, c),
			[]seen{{0, int64(len(zip(t, long))), "response", bb + "\r\n\r\n"},
				{int64(len(zip(t, long))), zc, "metadata", ""}}, "WARC-TRUNCATED@0"},
		{"length too short", []byte(short + c), []seen{{0, lb - 14, "response", bb[:14]}, {lb, lc, "metadata", ""}},
			fmt.Sprintf("WARC-SEPARATOR@0 WARC-GARBAGE@%d WARC-INFERRED@%d", lb-14, lb)},
		{"no length in a member", zip(t, none, c),
			[]seen{{0, int64(len(zip(t, none))), "response", bb + "\r\n\r\n"},
				{int64(len(zip(t, none))), zc, "metadata", ""}}, "WARC-LENGTH@0"},
		{"negative length", []byte(negative + c), []seen{{0, lb - 27, "response", ""}, {lb + 1, lc, "metadata", ""}},
			fmt.Sprintf("WARC-LENGTH@0 WARC-GARBAGE@%d WARC-INFERRED@%d", lb-27, lb+1)},
		{"cut in a block", []byte(a + b[:len(b)-8]), []seen{{0, la, "warcinfo", ba}, {la, lb - 8, "response", bb[:20]}},
			fmt.Sprintf("WARC-TRUNCATED@%d", la)},
		{"cut in a header", []byte(a + b[:40]), []seen{{0, la, "warcinfo", ba}, {la, 40, "response", ""}},
			fmt.Sprintf("WARC-HEADER-TRUNCATED@%d", la)},
		{"no separator", []byte(a[:len(a)-4] + b), []seen{{0, la - 4, "warcinfo", ba}, {la - 4, lb, "response", bb}},
			"WARC-SEPARATOR@0"},
		{"three line breaks", []byte(a + "\r\n" + b), []seen{{0, la + 2, "warcinfo", ba}, {la + 2, lb, "response", bb}},
			"WARC-SEPARATOR@0"},
		{"leading junk", []byte("junk\n" + a), []seen{{5, la, "warcinfo", ba}}, "WARC-GARBAGE@0 WARC-INFERRED@5"},
		{"a damaged member", append(append(zip(t, a), damaged...), zip(t, c)...),
			[]seen{{0, za, "warcinfo", ba}, {za + zb, zc, "metadata", ""}},
			fmt.Sprintf("GZIP-DEFLATE@%d WARC-INFERRED@%d", za, za+zb)},
		{"a WARC as a block", []byte(record("resource", a+b)),
			[]seen{{0, int64(len(record("resource", a+b))), "resource", a + b}}, ""},
		{"bare line feeds", []byte(strings.ReplaceAll(c, "\r\n", "\n")), []seen{{0, lc - 8, "metadata", ""}},
			"WARC-HEADER-LF@0 WARC-SEPARATOR@0"},
		{"another version", []byte("WARC/7.3" + c[8:]), []seen{{0, lc, "metadata", ""}}, "WARC-VERSION@0"},
		{"a version of three numbers", []byte("WARC/1.0.1" + c[8:]), []seen{{0, lc + 2, "metadata", ""}},
			"WARC-VERSION@0"},
		{"text", []byte("just a text\nof two lines\n"), nil, "WARC-GARBAGE@0 WARC-EMPTY@0"},
	} {
		t.Run(k.name, func(t *testing.T) {
			got, codes := readAll(t, k.file)
			if f := strings.Join(codes, " "); f != k.faults {
				t.Errorf("faults %q, want %q", f, k.faults)
			}
			if fmt.Sprint(got) != fmt.Sprint(k.want) {
				t.Errorf("records\n%+v, want\n%+v", got, k.want)
			}
		})
	}
}

func TestHeaderFields(t *testing.T) {
	file := record("request", "x", "X-Folded: one\r\n  two\r\n\tthree", "warc-concurrent-to: <a>",
		"WARC-Concurrent-To: <b>", "Empty:", "no field", "WARC-Target-URI: <http://x/>")
	r := NewReader(inflate.NewReader(strings.NewReader(file), inflate.Options{}))
	rec, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if got := rec.Get("x-folded"); got != "one two three" {
		t.Errorf("a folded value reads %q", got)
	}
	if got := rec.Values(FieldConcurrentTo); fmt.Sprint(got) != "[<a> <b>]" {
		t.Errorf("repeated field: %q", got)
	}
	if !rec.Has("empty") || rec.Get("Empty") != "" || rec.Has("no field") {
		t.Error("an empty field is there, a line without colon is not")
	}
	if got := rec.TargetURI(); got != "http://x/" {
		t.Errorf("target URI %q", got)
	}
	if got := string(rec.Raw()); got != file[:len(file)-5] {
		t.Errorf("the raw header is %q", got)
	}
}

func TestParseDigest(t *testing.T) {
	sum := sha1.Sum(nil)
	for _, c := range []struct{ in, algorithm, encoding string }{
		{"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1", "base32"},
		{"SHA-1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "sha1", "hex"},
		{"sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1", "base64"},
		{"3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1", "base32"},
	} {
		d, err := ParseDigest(c.in)
		if err != nil || d.Algorithm != c.algorithm || d.Encoding != c.encoding || !bytes.Equal(d.Sum, sum[:]) {
			t.Errorf("%s: %+v, %v", c.in, d, err)
		}
	}
	if _, err := ParseDigest("tiger:AAAA"); !errors.Is(err, ErrAlgorithm) {
		t.Errorf("an unknown algorithm returns %v", err)
	}
	for _, foreign := range []string{"sha1:1I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
		"sha1:ga39a3ee5e6b4b0d3255bfef95601890afd80709"} {
		if _, err := ParseDigest(foreign); !errors.Is(err, ErrLetters) {
			t.Errorf("%s, with an invalid character, returns %v", foreign, err)
		}
	}
	for _, bad := range []string{"", "sha1:", "sha1:xyz", "\vsha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
		"00000000000000\r000000000000", "sha256:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "zzzz"} {
		if d, err := ParseDigest(bad); err == nil {
			t.Errorf("%q reads as %+v", bad, d)
		}
	}
}

func TestWriterIsReadBack(t *testing.T) {
	for _, o := range []WriterOptions{{}, {Compression: Gzip}, {Compression: Zstd}} {
		var b bytes.Buffer
		w, err := NewWriter(&b, o)
		if err != nil {
			t.Fatal(err)
		}
		var want []seen
		for _, block := range []string{"", "one", strings.Repeat("two ", 100000)} {
			at, n, err := w.WriteBytes([]NameValue{{FieldType, TypeResource}, {FieldRecordID, "<urn:x>"}},
				[]byte(block))
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, seen{at, n, TypeResource, block})
		}
		got, faults := readAll(t, b.Bytes())
		if fmt.Sprint(got) != fmt.Sprint(want) || faults != nil {
			t.Errorf("%+v: read back %.200v, want %.200v; faults %v", o, got, want, faults)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	w, err := NewWriter(io.Discard, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.WriteBytes([]NameValue{{"X", "a\r\nWARC-Type: response"}}, nil); err == nil {
		t.Error("a field with a line break was written")
	}
	if _, _, err := w.WriteBytes([]NameValue{{FieldType, "resource"}}, nil); err != nil {
		t.Errorf("after a refusal, before anything was written, it fails with %v", err)
	}
	_, _, first := w.Write([]NameValue{{FieldType, "resource"}}, 10, strings.NewReader("short"))
	_, _, second := w.WriteBytes([]NameValue{{FieldType, "resource"}}, nil)
	if first == nil || !errors.Is(second, first) {
		t.Errorf("a block that is too short returns %v, then %v", first, second)
	}
}

func FuzzReader(f *testing.F) {
	a, b := record("warcinfo", "software: x\r\n"), record("response", "HTTP/1.1 200 OK\r\n\r\nhello")
	f.Add([]byte(a + b))
	f.Add(zip(f, a, b))
	f.Add(zip(f, a+b))
	f.Add([]byte(a[:50] + "\n" + b))
	f.Fuzz(func(t *testing.T, file []byte) {
		r := NewReader(inflate.NewReader(bytes.NewReader(file), inflate.Options{}))
		last := int64(-1)
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if rec.InflatedOffset <= last {
				t.Fatalf("a record at inflated byte %d follows one at %d", rec.InflatedOffset, last)
			}
			last = rec.InflatedOffset
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}
			if rec.Offset < 0 || rec.Offset+max(rec.Length, 0) > int64(len(file)) {
				t.Fatalf("a record of %d bytes at %d in a file of %d", rec.Length, rec.Offset, len(file))
			}
		}
	})
}

func FuzzParseDate(f *testing.F) {
	f.Add("2024-01-02T03:04:05Z")
	f.Add("2024")
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseDate(s); err == nil && d.Location().String() != "UTC" {
			t.Errorf("%q is read in %v", s, d.Location())
		}
	})
}

func FuzzParseDigest(f *testing.F) {
	f.Add("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseDigest(s); err == nil && NewHash(d.Algorithm).Size() != len(d.Sum) {
			t.Errorf("%q has a sum of %d bytes for %s", s, len(d.Sum), d.Algorithm)
		}
	})
}
