package http1

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestDechunk(t *testing.T) {
	tests := []struct {
		name, body, want string
		faults           string
		fails            string // "", "chunk" or "not"
	}{
		{"as RFC 9112, 7.1 has it", "4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n", "Wikipedia", "", ""},
		{"no content", "0\r\n\r\n", "", "", ""},
		{"no body at all", "", "", "", ""},
		{"extensions", "4;name=\"va;l\"\r\nWiki\r\n0;x\r\n\r\n", "Wiki", "", ""},
		{"upper case and leading zeros", "000A\r\n0123456789\r\n0\r\n\r\n", "0123456789", "", ""},
		{"space around the size", " 4 \r\nWiki\r\n0 \r\n\r\n", "Wiki", "", ""},
		{"trailers", "4\r\nWiki\r\n0\r\nA: b\r\nC: d\r\n\r\n", "Wiki", "", ""},
		{"LF alone", "4\nWiki\n0\n\n", "Wiki", "CHUNK-LINE-END", ""},
		{"no line end after data", "4\r\nWiki5\r\npedia\r\n0\r\n\r\n", "Wikipedia", "CHUNK-LINE-END", ""},
		{"empty line before a size", "4\r\nWiki\r\n\r\n0\r\n\r\n", "Wiki", "CHUNK-LINE-END", ""},
		{"content that looks like chunks", "9\r\n1\r\na\r\n0\r\n\r\n0\r\n\r\n", "1\r\na\r\n0\r\n", "", ""},
		{"no last empty line", "4\r\nWiki\r\n0\r\n", "Wiki", "CHUNK-TRUNCATED", ""},
		{"no last chunk", "4\r\nWiki\r\n", "Wiki", "CHUNK-TRUNCATED", "chunk"},
		{"cut in a chunk", "4\r\nWi", "Wi", "CHUNK-TRUNCATED", "chunk"},
		{"cut in a later size", "4\r\nWiki\r\n5", "Wiki", "CHUNK-TRUNCATED", "chunk"},
		{"bytes after the end", "0\r\n\r\nmore", "", "AFTER-BODY", ""},
		{"later size is no number", "4\r\nWiki\r\nxyz\r\n", "Wiki", "CHUNK-SYNTAX", "chunk"},
		{"data longer than its size", "2\r\nWiki\r\n0\r\n\r\n", "Wi", "CHUNK-SYNTAX", "chunk"},
		{"later size overflows", "1\r\na\r\nffffffffffffffff\r\n", "a", "CHUNK-SYNTAX", "chunk"},
		{"not chunked", "<html></html>", "", "NOT-CHUNKED", "not"},
		{"not chunked, begins like hex", "face it\r\n", "", "NOT-CHUNKED", "not"},
		{"not chunked, nothing but hex", "abc", "", "NOT-CHUNKED", "not"},
		{"not chunked, empty line first", "\r\n\r\nhello", "", "NOT-CHUNKED", "not"},
		{"first size overflows", "ffffffffffffffffff\r\n", "", "NOT-CHUNKED", "not"},
		{"first size is 0x", "0x4\r\nWiki\r\n", "", "NOT-CHUNKED", "not"},
		{"CR within a size", "4\r4\r\nWiki", "", "NOT-CHUNKED", "not"},
		{"endless first line", strings.Repeat("0", maxChunkLine+1), "", "NOT-CHUNKED", "not"},
		{"endless extension", "1;" + strings.Repeat("x", maxChunkLine), "", "NOT-CHUNKED", "not"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, step := range []int{1, 2, 3, 7, len(tt.body) + 1} {
				var got codes
				var out bytes.Buffer
				d := NewDechunker(&out)
				d.Report = got.sink
				err := writeInPieces(d, tt.body, step)
				if cerr := d.Close(); err == nil {
					err = cerr
				}
				var damage *ChunkError
				var not *NotChunkedError
				fails := ""
				if errors.As(err, &damage) {
					fails = "chunk"
				} else if errors.As(err, &not) {
					fails = "not"
				}
				if out.String() != tt.want || fails != tt.fails || got.String() != tt.faults ||
					d.Size() != int64(out.Len()) {
					t.Errorf("in pieces of %d: %q, faults %q, error %v", step, out.String(), got, err)
				}
			}
		})
	}
}

func writeInPieces(w io.Writer, text string, step int) error {
	for i := 0; i < len(text); i += step {
		if _, err := io.WriteString(w, text[i:min(i+step, len(text))]); err != nil {
			return err
		}
	}
	return nil
}

func TestPayload(t *testing.T) {
	chunked := &Head{Fields: []Field{{"Transfer-Encoding", "chunked"}}}
	gzipChunked := &Head{Fields: []Field{{"transfer-encoding", "gzip, chunked"}}}
	tests := []struct {
		name      string
		head      *Head
		body      string
		want      string
		dechunked bool
		fails     bool
	}{
		{"no head", nil, "4\r\nWiki\r\n0\r\n\r\n", "4\r\nWiki\r\n0\r\n\r\n", false, false},
		{"not declared", &Head{}, "4\r\nWiki\r\n0\r\n\r\n", "4\r\nWiki\r\n0\r\n\r\n", false, false},
		{"declared and so", chunked, "4\r\nWiki\r\n0\r\n\r\n", "Wiki", true, false},
		{"over another coding", gzipChunked, "4\r\nWiki\r\n0\r\n\r\n", "Wiki", true, false},
		{"declared and not so", chunked, "  \r\n<html>", "  \r\n<html>", false, false},
		{"declared, and ends too soon to say", chunked, "ab", "ab", false, false},
		{"declared, empty", chunked, "", "", true, false},
		{"damaged", chunked, "4\r\nWiki\r\n<html>", "Wiki", true, true},
		{"cut", chunked, "4\r\nWi", "Wi", true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for step := 1; step <= len(tt.body)+1; step++ {
				var out bytes.Buffer
				p := NewPayload(tt.head, &out)
				if err := writeInPieces(p, tt.body, step); err != nil {
					t.Fatal(err)
				}
				err := p.Close()
				var damage *ChunkError
				if out.String() != tt.want || p.Dechunked() != tt.dechunked || errors.As(err, &damage) != tt.fails ||
					err != nil != tt.fails {
					t.Errorf("in pieces of %d: %q, dechunked %v, %v", step, out.String(), p.Dechunked(), err)
				}
			}
		})
	}
}

func TestPayloadErrorsStick(t *testing.T) {
	chunked := &Head{Fields: []Field{{"Transfer-Encoding", "chunked"}}}
	for name, body := range map[string]string{"chunked": "4\r\nWiki\r\n", "not chunked": "<html>"} {
		p := NewPayload(chunked, &broken{room: 2})
		for range 2 {
			if err := writeInPieces(p, body, len(body)); !errors.Is(err, errBroken) {
				t.Errorf("%s: Write: %v", name, err)
			}
		}
		if err := p.Close(); !errors.Is(err, errBroken) {
			t.Errorf("%s: Close: %v", name, err)
		}
	}
}

func FuzzDechunker(f *testing.F) {
	for _, seed := range []string{"4\r\nWiki\r\n0\r\n\r\n", "1;a=b\na1\nb\n0\nX: y\n\n", "<html>", "\r\n 2\t\r\nab",
		"ffffffffffffffff\r\n"} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, b []byte, step uint8) {
		decode := func(step int) (string, string, error) {
			var out bytes.Buffer
			var got codes
			d := NewDechunker(&out)
			d.Report = got.sink
			err := writeInPieces(d, string(b), step)
			if cerr := d.Close(); err == nil {
				err = cerr
			}
			var not *NotChunkedError
			if errors.As(err, &not) && (out.Len() > 0 || !bytes.HasPrefix(b, not.Prefix)) {
				t.Fatalf("not chunked, but passed on %q, prefix %q", out.Bytes(), not.Prefix)
			}
			return out.String(), got.String(), err
		}
		whole, faults, err := decode(len(b) + 1)
		parts, partFaults, partErr := decode(int(step%16) + 1)
		if whole != parts || faults != partFaults || (err == nil) != (partErr == nil) || len(whole) > len(b) {
			t.Fatalf("at once %q (%s, %v), in pieces %q (%s, %v)", whole, faults, err, parts, partFaults, partErr)
		}
	})
}

func BenchmarkDechunker(b *testing.B) {
	body := []byte(strings.Repeat("1000\r\n"+strings.Repeat("x", 0x1000)+"\r\n", 64))
	d := NewDechunker(io.Discard)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Write(body); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkHead() []byte {
	return []byte("HTTP/1.1 200 OK\r\nDate: Wed, 30 Apr 2008 20:48:25 GMT\r\nServer: Apache/2.0.54 (Ubuntu)\r\n" +
		"Last-Modified: Mon, 16 Jun 2003 22:28:51 GMT\r\nETag: \"47c3-1d3-11ba2c0\"\r\nAccept-Ranges: bytes\r\n" +
		"Content-Length: 8192\r\nConnection: close\r\nContent-Type: text/html; charset=UTF-8\r\n\r\n")
}

func BenchmarkParseHead(b *testing.B) {
	head := benchmarkHead()
	b.SetBytes(int64(len(head)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := ParseHead(head, Response, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSplitter writes one message of 64 KiB in four chunks; BenchmarkSplitterRunning only
// chunks of a body.
func BenchmarkSplitter(b *testing.B) {
	message := append(benchmarkHead(), make([]byte, 64<<10)...)
	s := NewSplitter(Response, func(*Head) io.Writer { return io.Discard })
	b.SetBytes(int64(len(message)))
	b.ReportAllocs()
	for b.Loop() {
		s.Reset(Response)
		for i := 0; i < len(message); i += 17000 {
			if _, err := s.Write(message[i:min(i+17000, len(message))]); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSplitterRunning(b *testing.B) {
	s := NewSplitter(Response, func(*Head) io.Writer { return io.Discard })
	chunk := append(benchmarkHead(), make([]byte, 64<<10)...)
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Write(chunk); err != nil {
			b.Fatal(err)
		}
	}
}

func TestNoAllocationOnceRunning(t *testing.T) {
	s := NewSplitter(Response, func(h *Head) io.Writer { return NewPayload(h, io.Discard) })
	if _, err := io.WriteString(s, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	chunk := []byte("4\r\nWiki\r\n5;x\r\npedia\r\n")
	if n := testing.AllocsPerRun(100, func() {
		if _, err := s.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a chunk", n)
	}
}
