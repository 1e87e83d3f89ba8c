package arc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"

	"quire/format/fault"
	"quire/format/inflate"
)

// readings is the result of reading a whole file.
type readings struct {
	records []*Record
	blocks  []string
	faults  []fault.Fault
	skipped int64
}

// codes lists the faults in order; consecutive equal ones are written "CODE*3".
func (g *readings) codes() string {
	var text []string
	for rest := g.faults; len(rest) > 0; {
		code, n := rest[0].Code, 1
		for n < len(rest) && rest[n].Code == code {
			n++
		}
		rest = rest[n:]
		name := strings.TrimPrefix(string(code), "ARC-")
		if n > 1 {
			name = fmt.Sprintf("%s*%d", name, n)
		}
		text = append(text, name)
	}
	return strings.Join(text, " ")
}

// account checks that every byte of a plain file belongs to a record or was reported as skipped,
// and that offsets ascend.
func (g *readings) account(t testing.TB, size int64) {
	t.Helper()
	sum, end := g.skipped, int64(0)
	for _, rec := range g.records {
		if rec.Offset < end || rec.Offset != rec.InflatedOffset || rec.Length <= 0 {
			t.Fatalf("%s at %d (%d inflated), %d long, after %d", rec.URL, rec.Offset, rec.InflatedOffset, rec.Length,
				end)
		}
		end = rec.Offset + rec.Length
		sum += rec.Length
	}
	if sum != size {
		t.Fatalf("records and skipped bytes are %d bytes, the file has %d", sum, size)
	}
}

func readAll(t testing.TB, r io.Reader) readings {
	t.Helper()
	var got readings
	sink := func(f fault.Fault) { got.faults = append(got.faults, f) }
	in := inflate.NewReader(r, inflate.Options{Report: sink})
	arc := NewReader(in)
	arc.Report = sink
	for {
		rec, err := arc.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(io.LimitReader(rec, 1<<22)) // Close skips the rest
		if err != nil {
			t.Fatal(err)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		got.records = append(got.records, rec)
		got.blocks = append(got.blocks, string(block))
	}
	got.skipped = arc.Skipped()
	return got
}

const (
	v1 = "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 76\n1 0 InternetArchive\n" + definition1 + "\n"
	v2 = "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 200 - - 0 a.arc 122\n2 0 InternetArchive\n" +
		definition2 + "\n"
	recA   = "http://a.org/ 192.0.2.1 20251101100001 text/html 5\nhello"
	recB   = "http://b.org/ 192.0.2.2 20251101100002 text/html 5\nworld"
	urlA   = "http://a.org/"
	urlB   = "http://b.org/"
	urlV   = "filedesc://a.arc"
	length = " 192.0.2.1 20251101100001 text/html "
)

func TestReader(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	tests := []struct {
		name   string
		file   string
		want   string // URL=block of the records after the version block, if that is v1 or v2
		faults string
	}{
		{"version 1", v1 + "\n" + recA + "\n" + recB + "\n", "http://a.org/=hello http://b.org/=world", ""},
		{"no newline at the end: by the grammar it leads", v1 + "\n" + recA + "\n" + recB,
			"http://a.org/=hello http://b.org/=world", ""},
		{"empty block", v1 + "\n" + urlA + length + "0\n\n" + recB + "\n", "http://a.org/= http://b.org/=world", ""},
		{"no version block", recA + "\n" + recB + "\n", "http://a.org/=hello http://b.org/=world", "NO-VERSION-BLOCK"},
		{"another version block", v1 + "\n" + recA + "\n" + v1 + "\n" + recB + "\n",
			"http://a.org/=hello " + urlV + "=" + v1[54:] + " http://b.org/=world", "ANOTHER-VERSION-BLOCK"},
		{"empty file", "", "", "EMPTY"},
		{"no ARC", "some text\nand more\n", "", "GARBAGE EMPTY"},
		{"text that talks of ARC", "see filedesc://a.arc\n", "", "GARBAGE EMPTY"},
		{"newlines first", "\n\n" + v1 + "\n" + recA + "\n", "http://a.org/=hello", "NEWLINE"},
		{"garbage first", "garbage\n" + v1 + "\n" + recA + "\n", "http://a.org/=hello", "GARBAGE INFERRED"},
		{"CRLF behind blocks", v1 + "\r\n" + recA + "\r\n" + recB + "\r\n", "http://a.org/=hello http://b.org/=world",
			"NEWLINE*3"},
		{"CRLF behind the line", v1 + "\n" + urlA + length + "5\r\nhello\n", "http://a.org/=hello", "LINE-END"},
		{"no newline between", v1 + "\n" + recA + recB + "\n", "http://a.org/=hello http://b.org/=world", "NEWLINE"},
		{"two newlines between", v1 + "\n" + recA + "\n\n" + recB + "\n", "http://a.org/=hello http://b.org/=world",
			"NEWLINE"},
		{"garbage between", v1 + "\n" + recA + "\n" + "garbage\n" + recB + "\n",
			"http://a.org/=hello http://b.org/=world", "GARBAGE INFERRED"},
		{"garbage behind", v1 + "\n" + recA + "\n" + "garbage", "http://a.org/=hello", "GARBAGE"},
		{"much garbage between", v1 + "\n" + recA + "\n" + long + "\n" + recB + "\n",
			"http://a.org/=hello http://b.org/=world", "GARBAGE INFERRED"},
		{"length too short", v1 + "\n" + urlA + length + "2\nhello\n" + recB + "\n",
			"http://a.org/=he http://b.org/=world", "LENGTH INFERRED"},
		{"length too long", v1 + "\n" + urlA + length + "20\nhello\n" + recB + "\n",
			"http://a.org/=hello http://b.org/=world", "LENGTH INFERRED"},
		{"length too long at the end", v1 + "\n" + urlA + length + "20\nhello\n", "http://a.org/=hello\n", "TRUNCATED"},
		{"length negative", v1 + "\n" + urlA + length + "-5\nhello\n" + recB + "\n",
			"http://a.org/= http://b.org/=world", "LENGTH GARBAGE INFERRED"},
		{"length no number", v1 + "\n" + urlA + length + "-\nhello\n" + recB + "\n",
			"http://a.org/= http://b.org/=world", "LENGTH GARBAGE INFERRED"},
		{"length huge", v1 + "\n" + urlA + length + "9223372036854775807\nhello", "http://a.org/=hello", "TRUNCATED"},
		{"length beyond numbers", v1 + "\n" + urlA + length + "99999999999999999999\nhello\n" + recB + "\n",
			"http://a.org/= http://b.org/=world", "LENGTH GARBAGE INFERRED"},
		{"cut in a block", v1 + "\n" + recA + "\n" + recB[:len(recB)-2], "http://a.org/=hello http://b.org/=wor",
			"TRUNCATED"},
		{"cut in a line", v1 + "\n" + recA + "\n" + recB[:20], "http://a.org/=hello", "GARBAGE"},
		{"block that looks like a record", v1 + "\n" + urlA + length + "57\n" + recB + "\n\n" + recB + "\n",
			"http://a.org/=" + recB + "\n http://b.org/=world", ""},
		{"12 digits", v1 + "\n" + "http://a.org/ 192.0.2.1 202511011000 text/html 5\nhello\n", "http://a.org/=hello",
			"DATE-FORM"},
		{"17 digits", v1 + "\n" + "http://a.org/ 192.0.2.1 20251101100000123 text/html 5\nhello\n",
			"http://a.org/=hello", "DATE-FORM"},
		{"no month 13", v1 + "\n" + "http://a.org/ 192.0.2.1 20251301100000 text/html 5\nhello\n",
			"http://a.org/=hello", "DATE"},
		{"spaces in URL", v1 + "\n" + "http://a.org/a b 192.0.2.1 20251101100000 text/html 5\nhello\n",
			"http://a.org/a b=hello", "URL"},
		{"latin-1 URL", v1 + "\n" + "http://a.org/\xe9 192.0.2.1 20251101100000 text/html 5\nhello\n",
			"http://a.org/\xe9=hello", "URL"},
		{"spaces in type", v1 + "\n" + "http://a.org/ 192.0.2.1 20251101100000 text/html; charset=utf-8 5\nhello\n",
			"http://a.org/=hello", "CONTENT-TYPE"},
		{"no IP", v1 + "\n" + "http://a.org/ - 20251101100000 text/html 5\nhello\n", "http://a.org/=hello", "IP"},
		{"IPv6", v1 + "\n" + "http://a.org/ 2001:db8::1 20251101100000 text/html 5\nhello\n", "http://a.org/=hello",
			""},
		{"no scheme", v1 + "\n" + "a.org/ 192.0.2.1 20251101100000 text/html 5\nhello\n", "a.org/=hello", "URL"},
		{"version 2", v2 + "\n" + "http://a.org/ 192.0.2.1 20251101100001 text/html 200 abc - 194 a.arc 5\nhello\n",
			"http://a.org/=hello", ""},
		{"version 2, offset wrong", v2 + "\n" +
			"http://a.org/ 192.0.2.1 20251101100001 text/html 200 abc - 0 a.arc 5\nhello\n", "http://a.org/=hello",
			"OFFSET"},
		{"version 2, result code wrong",
			v2 + "\n" + "http://a.org/ 192.0.2.1 20251101100001 text/html -1 abc - 194 a.arc 5\nhello\n",
			"http://a.org/=hello", "RESULT-CODE"},
		{"version 1 in 2", v2 + "\n" + recA + "\n", "http://a.org/=hello", "FIELDS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"at once": strings.NewReader(tt.file), "in bytes": iotest.OneByteReader(strings.NewReader(tt.file)),
			} {
				got := readAll(t, r)
				var text []string
				for i, rec := range got.records {
					if i > 0 || !rec.IsVersionBlock() {
						text = append(text, rec.URL+"="+got.blocks[i])
					}
				}
				if joined := strings.Join(text, " "); joined != tt.want {
					t.Errorf("%s: records %q, want %q", name, joined, tt.want)
				}
				if got.codes() != tt.faults {
					t.Errorf("%s: faults %q, want %q: %v", name, got.codes(), tt.faults, got.faults)
				}
				got.account(t, int64(len(tt.file)))
			}
		})
	}
}

// members compresses each part as a gzip member.
func members(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestReaderOfMembers(t *testing.T) {
	size := func(parts ...string) int64 { return int64(len(members(t, parts...))) }
	type place struct{ offset, length, inflated int64 }
	v, a, b := v1+"\n", recA+"\n", recB+"\n"
	at := int64(len(v))
	long := urlA + length + "20\nhello\n"
	none := urlA + length + "-5\nhello\n"
	tests := []struct {
		name   string
		file   []byte
		want   []place
		blocks string
		faults string
	}{
		{"one a record", members(t, v, a, b),
			[]place{{0, size(v), 0}, {size(v), size(a), at}, {size(v, a), size(b), at + 57}}, "hello world", ""},
		{"whole file in one", members(t, v+a+b),
			[]place{{0, -1, 0}, {0, -1, at}, {0, -1, at + 57}}, "hello world", "MEMBER-SHARED"},
		{"two records in one", members(t, v, a+b),
			[]place{{0, size(v), 0}, {size(v), -1, at}, {size(v), -1, at + 57}}, "hello world", "MEMBER-SHARED"},
		{"newlines lead, as the grammar has it", members(t, v1, "\n"+recA, "\n"+recB),
			[]place{{0, size(v1), 0}, {size(v1), size("\n" + recA), at},
				{size(v1, "\n"+recA), size("\n" + recB), at + 57}}, "hello world", ""},
		{"no newline at all", members(t, v1, recA, recB),
			[]place{{0, size(v1), 0}, {size(v1), size(recA), at - 1}, {size(v1, recA), size(recB), at + 55}},
			"hello world", "NEWLINE*2"},
		{"empty member between", members(t, v, "", a),
			[]place{{0, size(v), 0}, {size(v, ""), size(a), at}}, "hello", "GZIP-EMPTY-MEMBER"},
		{"the member ends before the length", members(t, v, long, b),
			[]place{{0, size(v), 0}, {size(v), size(long), at}, {size(v, long), size(b), at + int64(len(long))}},
			"hello world", "LENGTH"},
		{"no length: the member is the block", members(t, v, none, b),
			[]place{{0, size(v), 0}, {size(v), size(none), at}, {size(v, none), size(b), at + int64(len(none))}},
			"hello\n world", "LENGTH"},
		{"a block over two members", members(t, v, a[:len(a)-3], a[len(a)-3:]+b),
			[]place{{0, size(v), 0}, {size(v), -1, at}, {size(v, a[:len(a)-3]), -1, at + 57}}, "hello world",
			"MEMBER-SPANNED MEMBER-SHARED"},
		{"a damaged member between", bytes.Join([][]byte{members(t, v), members(t, a)[:30], members(t, b)}, nil),
			[]place{{0, size(v), 0}, {size(v) + 30, size(b), -1}}, "world", "GZIP-TRUNCATED"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := readAll(t, bytes.NewReader(tt.file))
			if tt.name == "a damaged member between" {
				got = withoutDamaged(got, tt.want[1].offset)
			} else if got.codes() != tt.faults {
				t.Errorf("faults %q, want %q: %v", got.codes(), tt.faults, got.faults)
			}
			if len(got.records) != len(tt.want) {
				t.Fatalf("%d records, want %d: %v", len(got.records), len(tt.want), got.faults)
			}
			for i, rec := range got.records {
				want := tt.want[i]
				if rec.Offset != want.offset || rec.Length != want.length || want.inflated >= 0 &&
					rec.InflatedOffset != want.inflated {
					t.Errorf("%s at %d, %d long, %d inflated; want %v", rec.URL, rec.Offset, rec.Length,
						rec.InflatedOffset, want)
				}
			}
			if blocks := strings.Join(got.blocks[1:], " "); blocks != tt.blocks {
				t.Errorf("blocks %q, want %q", blocks, tt.blocks)
			}
		})
	}
}

// withoutDamaged drops the content of a damaged member, because its length depends on the inflater.
func withoutDamaged(got readings, next int64) readings {
	kept := readings{faults: got.faults}
	for i, rec := range got.records {
		if i == 0 || rec.Offset >= next {
			kept.records = append(kept.records, rec)
			kept.blocks = append(kept.blocks, got.blocks[i])
		}
	}
	return kept
}

func TestReaderTellsReadErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	for name, begin := range map[string]string{"in a line": v1 + "\n" + recA[:20],
		"in a block": v1 + "\n" + recA[:len(recA)-2], "at once": ""} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(inflate.NewReader(io.MultiReader(strings.NewReader(begin), iotest.ErrReader(broken)),
				inflate.Options{}))
			var err error
			for err == nil {
				_, err = r.Next()
			}
			if _, again := r.Next(); !errors.Is(err, broken) || !errors.Is(again, broken) {
				t.Errorf("%v, and again %v", err, again)
			}
		})
	}
}

func TestReaderMemory(t *testing.T) {
	const size = 64 << 20
	file := io.MultiReader(strings.NewReader(fmt.Sprintf("%s\n%s%s%d\n", v1, urlA, length, size)),
		io.LimitReader(zeros{}, size))
	r := NewReader(inflate.NewReader(file, inflate.Options{}))
	rec, err := r.Next()
	if err == nil {
		rec, err = r.Next()
	}
	if err != nil {
		t.Fatal(err)
	}
	largest := 0
	for {
		chunk, err := rec.Chunk(1 << 30)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, len(chunk))
	}
	if n := testing.AllocsPerRun(1, func() {
		if _, err := rec.Chunk(1); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	}); n > 0 || largest > 1<<20 {
		t.Errorf("chunks of up to %d bytes, %v allocations", largest, n)
	}
}

// zeros is an endless stream of zero bytes.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestSniff(t *testing.T) {
	tests := []struct {
		name, begin string
		want        bool
	}{
		{"version block", v1, true},
		{"begin of one", "filedesc://", true},
		{"newline first", "\n" + v1, true},
		{"URL-record", recA, true},
		{"version 2", v2, true},
		{"nothing", "", false},
		{"WARC", "WARC/1.0\r\nWARC-Type: response\r\n", false},
		{"HTTP", "HTTP/1.1 200 OK\r\n", false},
		{"text", "Dear 192.0.2.1 20251101100000 text/html 5\n", false},
		{"URL-record without end", "http://a.org/ 192.0.2.1 20251101100001 text/html 5", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sniff([]byte(tt.begin)); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{v1 + "\n" + recA + "\n" + recB, v2 + recA, recA + recB,
		urlA + length + "-1\n\n\r\n" + recB,
		v1 + urlA + length + "99\nhello\n" + recB, "\n\nxx\n" + recA,
		urlV + " 0 0 x 3\n1 1 a\n<a b='c'>&d;</a>\n" + recA} {
		f.Add([]byte(seed))
		f.Add(members(f, seed))
		f.Add(members(f, seed[:len(seed)/2], seed[len(seed)/2:]))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		in := inflate.NewReader(bytes.NewReader(file), inflate.Options{})
		if in.Compression() == inflate.Zstd || len(file) > 1<<16 {
			return
		}
		got := readAll(t, bytes.NewReader(file))
		if in.Compression() == inflate.None {
			got.account(t, int64(len(file)))
		}
		var last int64
		for _, rec := range got.records {
			if rec.Offset < last || rec.Length >= 0 && rec.Offset+rec.Length > int64(len(file)) {
				t.Fatalf("%q at %d, %d long, after %d in %d bytes", rec.URL, rec.Offset, rec.Length, last, len(file))
			}
			last = rec.Offset
		}
	})
}

func BenchmarkReader(b *testing.B) {
	record := urlA + length + "20000\n" + strings.Repeat("x", 20_000) + "\n"
	file := []byte(v1 + "\n" + strings.Repeat(record, 200))
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(inflate.NewReader(bytes.NewReader(file), inflate.Options{}))
		n := 0
		for _, err := r.Next(); !errors.Is(err, io.EOF); _, err = r.Next() {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 201 {
			b.Fatal(n)
		}
	}
}

func ExampleReader() {
	r := NewReader(inflate.NewReader(strings.NewReader(v1+"\n"+recA+"\n"), inflate.Options{}))
	r.Report = func(f fault.Fault) { fmt.Println(f) }
	for {
		rec, err := r.Next()
		if err != nil {
			break // io.EOF at the end
		}
		t, _ := rec.Time()
		fmt.Println(rec.Offset, rec.URL, t.Format(time.RFC3339), rec.IsVersionBlock())
	}
	// Output:
	// 0 filedesc://a.arc 2025-11-01T10:00:00Z true
	// 131 http://a.org/ 2025-11-01T10:00:01Z false
}
