package httpcoding

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"math/rand"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"quire/format/fault"
)

// encode applies the codings to content, one after the other. "raw" is the deflate of servers that
// omit the zlib header.
func encode(t testing.TB, content []byte, codings ...string) []byte {
	t.Helper()
	for _, coding := range codings {
		var out bytes.Buffer
		var w io.WriteCloser
		var err error
		switch coding {
		case "gzip", "x-gzip":
			w = gzip.NewWriter(&out)
		case "deflate":
			w = zlib.NewWriter(&out)
		case "raw":
			w, err = flate.NewWriter(&out, 6)
		case "br":
			w = brotli.NewWriterLevel(&out, 5)
		case "zstd":
			w, err = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
		default:
			t.Fatalf("no encoder for %s", coding)
		}
		if err == nil {
			_, err = w.Write(content)
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		content = out.Bytes()
	}
	return content
}

// declared returns the names that an HTTP header uses for the codings: raw deflate is also called
// deflate.
func declared(codings []string) []string {
	var names []string
	for _, c := range codings {
		if c == "raw" {
			c = "deflate"
		}
		names = append(names, c)
	}
	return names
}

// faultCodes collects the faults of a Decoder.
type faultCodes []string

func (c *faultCodes) sink(f fault.Fault) { *c = append(*c, string(f.Code)) }

func (c faultCodes) String() string { return strings.Join(c, " ") }

// decode writes body to d in pieces.
func decode(t testing.TB, d *Decoder, codings []string, body []byte, step int) (content []byte, faults string) {
	t.Helper()
	var out bytes.Buffer
	var got faultCodes
	d.Report = got.sink
	d.Reset(codings, &out)
	for rest := body; len(rest) > 0; {
		n := min(step, len(rest))
		if _, err := d.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if int64(out.Len()) != d.Size() {
		t.Errorf("%d bytes were passed on, Size says %d", out.Len(), d.Size())
	}
	return out.Bytes(), got.String()
}

// pull reads body through d.
func pull(t testing.TB, d *Decoder, codings []string, body []byte) (content []byte, faults string) {
	t.Helper()
	var got faultCodes
	d.Report = got.sink
	if r, ok := d.Pull(codings, bytes.NewReader(body)); ok {
		var err error
		if content, err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		for range 2 { // an end is final
			if n, err := r.Read(make([]byte, 9)); n != 0 || !errors.Is(err, io.EOF) {
				t.Fatalf("%d bytes behind the end, %v", n, err)
			}
		}
	}
	if err := d.Close(); err != nil || int64(len(content)) != d.Size() {
		t.Fatalf("%d bytes were read, Size says %d: %v", len(content), d.Size(), err)
	}
	return content, got.String()
}

var page = []byte("<!DOCTYPE html>\n<p>" + strings.Repeat("Ships lie in the harbour. ", 4000))

func TestCodings(t *testing.T) {
	random := make([]byte, 300_000)
	rand.New(rand.NewSource(1)).Read(random) //nolint:gosec // the same bytes every time
	d := NewDecoder()
	for _, codings := range [][]string{
		{"gzip"}, {"x-gzip"}, {"deflate"}, {"raw"}, {"br"}, {"zstd"},
		{"gzip", "gzip"}, {"br", "gzip"}, {"gzip", "br", "zstd", "raw"}, {},
	} {
		for _, content := range [][]byte{page, []byte("x"), {}, random} {
			body := encode(t, content, codings...)
			for _, step := range []int{1, 7, 4096, len(body) + 1} {
				if step == 1 && len(body) > 10_000 {
					continue
				}
				got, faults := decode(t, d, declared(codings), body, step)
				if !bytes.Equal(got, content) || faults != "" || d.Decoded() != (len(codings) > 0) {
					t.Errorf("%v, %d bytes in pieces of %d: %d bytes, faults %q, decoded %v", codings, len(content),
						step, len(got), faults, d.Decoded())
				}
			}
			got, faults := pull(t, d, declared(codings), body)
			if !bytes.Equal(got, content) || faults != "" || d.Decoded() != (len(codings) > 0) {
				t.Errorf("%v, %d bytes, read: %d bytes, faults %q, decoded %v", codings, len(content), len(got), faults,
					d.Decoded())
			}
		}
	}
}

// TestPullOfNothing checks that an empty body has no content and no faults: the response to a HEAD
// request names codings.
func TestPullOfNothing(t *testing.T) {
	for _, codings := range [][]string{{}, {"gzip"}, {"br", "zstd"}} {
		if got, faults := pull(t, NewDecoder(), codings, nil); len(got) != 0 || faults != "" {
			t.Errorf("%v: %q, %s", codings, got, faults)
		}
	}
}

func TestFaults(t *testing.T) {
	gz, br, zs := encode(t, page, "gzip"), encode(t, page, "br"), encode(t, page, "zstd")
	edited := func(b []byte, at int) []byte {
		b = bytes.Clone(b)
		if at < 0 {
			at += len(b)
		}
		b[at] ^= 0xff
		return b
	}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	d := NewDecoder()
	for _, c := range []struct {
		name    string
		codings []string
		body    []byte
		want    string // faults
		content []byte // nil if irrelevant
		decoded bool
	}{
		{"no body", []string{"gzip"}, nil, "", []byte{}, false},
		{"identity", []string{"identity"}, page, "", page, false},
		{"identity among others", []string{"identity", "gzip"}, gz, "", page, true},
		{"two members", []string{"gzip"}, join(gz, gz), "", join(page, page), true},
		{"two frames", []string{"zstd"}, join(zs, zs), "", join(page, page), true},
		{"a skippable frame first", []string{"zstd"}, join([]byte("\x53\x2a\x4d\x18\x02\x00\x00\x00ab"), zs), "", page,
			true},
		{"gzip, decoded already", []string{"gzip"}, page, "HTTP-NOT-CODED", page, false},
		{"br, decoded already", []string{"br"}, page, "HTTP-NOT-CODED", page, false},
		{"br, a picture", []string{"br"}, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), "HTTP-NOT-CODED", nil, false},
		{"deflate, decoded already", []string{"deflate"}, page, "HTTP-NOT-CODED", page, false},
		{"zstd, decoded already", []string{"zstd"}, page, "HTTP-NOT-CODED", page, false},
		{"a letter", []string{"gzip"}, []byte("x"), "HTTP-NOT-CODED", []byte("x"), false},
		{"named twice, coded once", []string{"gzip", "gzip"}, gz, "HTTP-NOT-CODED", page, true},
		{"inner one missing", []string{"br", "gzip"}, gz, "HTTP-NOT-CODED", page, true},
		{"unknown", []string{"compress"}, gz, "HTTP-CODING-UNKNOWN", []byte{}, false},
		{"unknown among others", []string{"gzip", "utf-8"}, gz, "HTTP-CODING-UNKNOWN", []byte{}, false},
		{"too many", []string{"gzip", "gzip", "gzip", "gzip", "gzip"}, gz, "HTTP-CODING-UNKNOWN", []byte{}, false},
		{"gzip, cut", []string{"gzip"}, gz[:len(gz)-1], "HTTP-CODING-TRUNCATED", page, false},
		{"gzip, cut in its header", []string{"gzip"}, gz[:5], "HTTP-CODING-TRUNCATED", []byte{}, false},
		{"gzip, the first byte", []string{"gzip"}, gz[:1], "HTTP-CODING-TRUNCATED", []byte{}, false},
		{"br, cut", []string{"br"}, br[:len(br)-1], "HTTP-CODING-TRUNCATED", nil, false},
		{"zstd, cut", []string{"zstd"}, zs[:len(zs)-1], "HTTP-CODING-TRUNCATED", nil, false},
		{"deflate, cut", []string{"deflate"}, encode(t, page, "deflate")[:100], "HTTP-CODING-TRUNCATED", nil, false},
		{"gzip, wrong checksum", []string{"gzip"}, edited(gz, -8), "HTTP-CODING-SYNTAX", page, false},
		{"gzip, wrong method", []string{"gzip"}, edited(gz, 2), "HTTP-CODING-SYNTAX", []byte{}, false},
		{"gzip, damaged", []string{"gzip"}, edited(gz, 60), "HTTP-CODING-SYNTAX", nil, false},
		{"zlib, wrong checksum", []string{"deflate"}, edited(encode(t, page, "deflate"), -1), "HTTP-CODING-SYNTAX",
			page, false},
		{"zlib, wants a dictionary", []string{"deflate"}, []byte{0x78, 0xbb, 1, 2, 3, 4, 5, 6}, "HTTP-CODING-SYNTAX",
			[]byte{}, false},
		{"br, noise", []string{"br"}, bytes.Repeat([]byte{0xfe, 0x03, 0x81}, 30), "HTTP-CODING-SYNTAX", nil, false},
		{"zstd, damaged", []string{"zstd"}, edited(zs, -2), "HTTP-CODING-SYNTAX", nil, false},
		{"the inner one is damaged", []string{"gzip", "br"}, encode(t, edited(gz, -8), "br"), "HTTP-CODING-SYNTAX",
			page, false},
		{"the outer one is cut", []string{"gzip", "br"}, encode(t, gz, "br")[:40], "HTTP-CODING-TRUNCATED", nil, false},
		{"gzip, more", []string{"gzip"}, join(gz, []byte("more")), "HTTP-AFTER-CODING", page, true},
		{"gzip, one byte more", []string{"gzip"}, join(gz, gzipMagic[:1]), "HTTP-AFTER-CODING", page, true},
		{"br, more", []string{"br"}, join(br, []byte("more")), "HTTP-AFTER-CODING", page, true},
		{"zstd, more", []string{"zstd"}, join(zs, []byte("more than four")), "HTTP-AFTER-CODING", page, true},
		{"deflate, more", []string{"deflate"}, join(encode(t, page, "deflate"), []byte("more")), "HTTP-AFTER-CODING",
			page, true},
		{"raw deflate, more", []string{"deflate"}, join(encode(t, page, "raw"), []byte("more")), "HTTP-AFTER-CODING",
			page, true},
	} {
		for _, step := range []int{1, 50, 1 << 20} {
			got, faults := decode(t, d, c.codings, c.body, step)
			if faults != c.want || c.content != nil && !bytes.Equal(got, c.content) || d.Decoded() != c.decoded {
				t.Errorf("%s, in pieces of %d: %d bytes, faults %q, decoded %v; want %d, %q", c.name, step, len(got),
					faults, d.Decoded(), len(c.content), c.want)
			}
		}
	}
}

// zeros codes this many zero bytes.
func zeros(t testing.TB, n int, coding string) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "br":
		w = brotli.NewWriterLevel(&out, 2)
	case "zstd":
		w, _ = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	}
	block := make([]byte, 1<<20)
	for ; n > 0; n -= len(block) {
		if _, err := w.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// counter counts bytes and discards them.
type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// TestBombs checks that a gigabyte of zeros is given up long before its end, in little memory, in
// any coding.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("makes gigabytes")
	}
	gz, br := zeros(t, 1<<30, "gzip"), zeros(t, 1<<30, "br")
	for _, c := range []struct {
		name    string
		codings []string
		body    []byte
	}{
		{"gzip", []string{"gzip"}, gz},
		{"br", []string{"br"}, br},
		{"zstd", []string{"zstd"}, zeros(t, 1<<30, "zstd")},
		{"gzip in gzip", []string{"gzip", "gzip"}, encode(t, gz, "gzip")},
		{"gzip in br", []string{"gzip", "br"}, encode(t, gz, "br")},
		{"br in zstd", []string{"br", "zstd"}, encode(t, br, "zstd")},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d := NewDecoder()
		var got faultCodes
		var out counter
		d.Report = got.sink
		d.Reset(c.codings, &out)
		for rest := c.body; len(rest) > 0; rest = rest[min(len(rest), 4096):] {
			if _, err := d.Write(rest[:min(len(rest), 4096)]); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		bound := max(FreeBytes, MaxRatio*int64(len(c.body))) + 2*bufferSize
		if got.String() != "HTTP-CODING-BOMB" || int64(out) > bound || d.Decoded() {
			t.Errorf("%s of %d bytes: %d bytes came out, faults %q", c.name, len(c.body), out, got)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 24<<20 {
			t.Errorf("%s took %d bytes of memory", c.name, taken)
		}
	}
}

func TestMaxExcess(t *testing.T) {
	d := NewDecoder()
	body := encode(t, page, "gzip")
	d.MaxExcess = int64(len(page))/2 - FairRatio*int64(len(body))
	got, faults := decode(t, d, []string{"gzip"}, body, 100)
	if faults != "HTTP-CODING-BOMB" || len(got) == len(page) {
		t.Errorf("%d bytes, faults %q", len(got), faults)
	}
	d.MaxExcess = 0
	if got, faults = decode(t, d, []string{"gzip"}, body, 100); faults != "" ||
		d.Excess() != int64(len(got))-FairRatio*int64(len(body)) {
		t.Errorf("%d bytes, faults %q, excess %d", len(got), faults, d.Excess())
	}
}

// TestWindowsOfBrotli checks that small bodies that demand the largest window do not allocate it
// each time, even after errors.
func TestWindowsOfBrotli(t *testing.T) {
	const window = 16 << 20
	// RFC 7932, 9.1 and 9.2: that window, and a meta-block of as many bytes. The first is
	// uncompressed and breaks off. The second is compressed and refers to bytes that do not exist.
	// The third is like the first, but all its bytes could be text.
	cut := "\xcf\xff\xff\xff\x00abc"
	wrong := "\xcf\xff\xff\x7f\x00\x20\x82\x42\x90\xf8\x01\xff\xff\xff\xff\xff\xff\xff\xff"
	text := "O~~\xfetext"
	d := NewDecoder()
	defer d.Stop()
	for _, c := range []struct{ name, body, fault string }{
		{"cut", cut, "HTTP-CODING-TRUNCATED"},
		{"wrong", wrong, "HTTP-CODING-SYNTAX"},
		{"text", text, "HTTP-NOT-CODED"},
		{"cut, after others", cut, "HTTP-CODING-TRUNCATED"},
	} {
		decode(t, d, []string{"br"}, []byte(c.body), 100)
		decode(t, d, []string{"br"}, []byte(c.body), 100)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const bodies = 20
		for range bodies {
			if _, faults := decode(t, d, []string{"br"}, []byte(c.body), 100); faults != c.fault {
				t.Fatalf("%s: faults %q", c.name, faults)
			}
		}
		runtime.ReadMemStats(&after)
		if taken := int64(after.TotalAlloc-before.TotalAlloc) / bodies; taken > window/10 {
			t.Errorf("%s: a body takes %d bytes of memory", c.name, taken)
		}
	}
	body := encode(t, page, "br")
	if got, faults := decode(t, d, []string{"br"}, body, 10); !bytes.Equal(got, page) || faults != "" {
		t.Errorf("%d bytes, faults %q, of a good body behind them", len(got), faults)
	}
}

// TestStop checks that an abandoned body leaves nothing running, and that the next body is decoded.
func TestStop(t *testing.T) {
	before := runtime.NumGoroutine()
	d := NewDecoder()
	body := encode(t, page, "br", "gzip")
	for i := range 100 {
		d.Report = func(f fault.Fault) { t.Errorf("fault %s", f.Code) }
		if d.Reset([]string{"br", "gzip"}, io.Discard); i%3 == 0 {
			continue // nothing was written
		}
		if _, err := d.Write(body[:len(body)/2]); err != nil {
			t.Fatal(err)
		}
	}
	if _, faults := decode(t, d, []string{"x"}, body, 10); faults != "HTTP-CODING-UNKNOWN" {
		t.Errorf("faults %q behind a body that was let go of", faults)
	}
	d.Stop()
	d.Stop()
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines are left", after-before)
	}
	if got, faults := decode(t, d, []string{"br", "gzip"}, body, 10); !bytes.Equal(got, page) || faults != "" {
		t.Errorf("%d bytes, faults %q", len(got), faults)
	}
}

var errFull = errors.New("no room")

type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestSinkErrorsStick(t *testing.T) {
	d := NewDecoder()
	d.Reset([]string{"gzip"}, &full{room: 10})
	body := encode(t, bytes.Repeat(page, 40), "gzip")
	_, err := d.Write(body)
	_, again := d.Write(body)
	if !errors.Is(err, errFull) || !errors.Is(again, errFull) || !errors.Is(d.Close(), errFull) {
		t.Errorf("%v, then %v", err, again)
	}
}

func TestReuseDoesNotAllocate(t *testing.T) {
	d := NewDecoder()
	codings := []string{"gzip"}
	body := encode(t, page[:2000], "gzip")
	n := testing.AllocsPerRun(50, func() {
		d.Reset(codings, io.Discard)
		d.Write(body) //nolint:errcheck // io.Discard takes everything
		d.Close()
	})
	if n > 20 {
		t.Errorf("%.0f allocations a body", n)
	}
}

func BenchmarkGzip(b *testing.B) { bench(b, "gzip") }
func BenchmarkBr(b *testing.B)   { bench(b, "br") }
func BenchmarkZstd(b *testing.B) { bench(b, "zstd") }

func bench(b *testing.B, coding string) {
	d := NewDecoder()
	body := encode(b, page[:20_000], coding)
	b.SetBytes(20_000)
	b.ReportAllocs()
	for b.Loop() {
		d.Reset([]string{coding}, io.Discard)
		d.Write(body) //nolint:errcheck // io.Discard takes everything
		d.Close()
	}
}
