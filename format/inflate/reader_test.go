package inflate

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"quire/format/fault"
)

// member returns s as one gzip member.
func member(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func frame(t testing.TB, s string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// part is the section of the inflated stream from one member.
type part struct {
	file int64
	text string
}

// read reads everything, with the member of each byte, and continues after damage.
func read(t *testing.T, file []byte) (parts []part, codes []string, in *Reader) {
	t.Helper()
	in = NewReader(bytes.NewReader(file),
		Options{Report: func(f fault.Fault) { codes = append(codes, string(f.Code)) }})
	for {
		at, err := in.Position()
		var d *Damage
		switch {
		case errors.Is(err, io.EOF):
			return parts, codes, in
		case errors.As(err, &d):
			if err := in.Resume(); err != nil {
				t.Fatal(err)
			}
			continue
		case err != nil:
			t.Fatal(err)
		}
		chunk, err := in.Chunk(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(parts); n > 0 && in.Compression() != None && parts[n-1].file == at.File {
			parts[n-1].text += string(chunk)
			continue
		}
		parts = append(parts, part{at.File, string(chunk)})
	}
}

func TestEachByteKnowsItsMember(t *testing.T) {
	a, b, empty := member(t, "first"), member(t, "second"), member(t, "")
	za, zb := frame(t, "first"), frame(t, "second")
	cut := a[:len(a)-4]
	badData := bytes.Clone(b)
	badData[12] ^= 0xff
	badSum := bytes.Clone(a)
	badSum[len(badSum)-8] ^= 1
	n := func(parts ...[]byte) int64 { return int64(len(join(parts...))) }
	for _, c := range []struct {
		name  string
		file  []byte
		want  []part
		codes string
	}{
		{"plain", []byte("first second"), []part{{0, "first second"}}, ""},
		{"two members", join(a, b), []part{{0, "first"}, {n(a), "second"}}, ""},
		{"two frames", join(za, zb), []part{{0, "first"}, {n(za), "second"}}, ""},
		{"an empty member between", join(a, empty, b), []part{{0, "first"}, {n(a, empty), "second"}},
			"GZIP-EMPTY-MEMBER"},
		{"an empty member first", join(empty, a), []part{{n(empty), "first"}}, "GZIP-EMPTY-MEMBER"},
		{"an empty member last", join(a, empty), []part{{0, "first"}}, "GZIP-EMPTY-MEMBER"},
		{"garbage between", join(a, []byte("garbage"), b), []part{{0, "first"}, {n(a) + 7, "second"}}, "GZIP-GARBAGE"},
		{"zeros after", join(a, make([]byte, 512)), []part{{0, "first"}}, "GZIP-PADDING"},
		{"cut in the trailer", join(b, cut), []part{{0, "second"}, {n(b), "first"}}, "GZIP-TRUNCATED"},
		{"corrupt in the middle", join(a, badData, a), []part{{0, "first"}, {n(a, b), "first"}}, "GZIP-DEFLATE"},
		{"wrong checksum", join(badSum, b), []part{{0, "first"}, {n(a), "second"}}, "GZIP-CRC32"},
		{"a frame cut off", join(za, zb[:len(zb)-3]), []part{{0, "first"}}, "ZSTD-TRUNCATED"},
		{"garbage between frames", join(za, []byte("xxxxxx"), zb), []part{{0, "first"}, {n(za) + 6, "second"}},
			"ZSTD-GARBAGE"},
		{"nothing", nil, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts, codes, in := read(t, c.file)
			var got []part
			for _, p := range parts {
				if c.name == "corrupt in the middle" && p.file == n(a) || c.name == "a frame cut off" &&
					p.file == n(za) {
					continue // the inflated part of the damaged member
				}
				got = append(got, p)
			}
			if len(got) != len(c.want) {
				t.Fatalf("parts %v, want %v", got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("part %d is %v, want %v", i, got[i], c.want[i])
				}
			}
			if s := strings.Join(codes, " "); s != c.codes {
				t.Errorf("faults %q, want %q", s, c.codes)
			}
			if at, _ := in.Position(); at.File != int64(len(c.file)) {
				t.Errorf("the end is at %d, want %d", at.File, len(c.file))
			}
		})
	}
}

func TestPeekAcrossMembers(t *testing.T) {
	a, b := member(t, "WARC"), member(t, "/1.0")
	in := NewReader(bytes.NewReader(join(a, b)), Options{})
	got, err := in.Peek(8)
	if err != nil || string(got) != "WARC/1.0" {
		t.Fatalf("Peek returns %q, %v", got, err)
	}
	chunk, err := in.Chunk(8)
	if err != nil || string(chunk) != "WARC" {
		t.Errorf("a chunk stops at the member's end; got %q, %v", chunk, err)
	}
	at, err := in.Position()
	if err != nil || at != (Position{File: int64(len(a)), Inflated: 4, Member: 1}) {
		t.Errorf("position %+v, %v", at, err)
	}
	if got := in.PreviousEnd(); got != int64(len(a)) {
		t.Errorf("the first member ended at %d, want %d", got, len(a))
	}
	if got, err := in.Peek(5); string(got) != "/1.0" || !errors.Is(err, io.EOF) {
		t.Errorf("at the end Peek returns %q, %v", got, err)
	}
}

func FuzzReader(f *testing.F) {
	a, b := member(f, "first"), member(f, strings.Repeat("second", 100))
	f.Add(join(a, b))
	f.Add(join(a, []byte("junk"), b))
	f.Add(join(a[:len(a)-3], b))
	f.Add(join(frame(f, "first"), frame(f, "second")))
	f.Add([]byte("plain text"))
	f.Fuzz(func(t *testing.T, file []byte) {
		in := NewReader(bytes.NewReader(file),
			Options{Holds: func(b []byte) bool { return bytes.HasPrefix(b, []byte("sec")) }, Ahead: true})
		defer func() { _ = in.Close() }()
		var last Position
		var total int64
		for total < 1<<24 {
			at, err := in.Position()
			if at.Inflated != total {
				t.Fatalf("inflated offset %d after %d bytes", at.Inflated, total)
			}
			var d *Damage
			if errors.As(err, &d) {
				if err := in.Resume(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				return
			}
			if at.File < last.File {
				t.Fatalf("went back from %+v to %+v", last, at)
			}
			last = at
			chunk, err := in.Chunk(1000)
			if err != nil {
				t.Fatal(err)
			}
			total += int64(len(chunk))
		}
	})
}
