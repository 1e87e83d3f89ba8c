package deflate

import (
	"bufio"
	"bytes"
	stdflate "compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
)

// compress returns s as deflate data; level as in compress/flate.
func compress(t testing.TB, s []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := stdflate.NewWriter(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// page returns n bytes that compress about as well as HTML.
func page(n int, seed uint64) []byte {
	words := strings.Fields("<div class=\"item\"> </div> <p> </p> <a href=\"/docs/ the archive of a page quire " +
		"record harvest 2026 &amp; <li> </li> <span> </span> href class id= style script function return width height")
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString(words[min(r.IntN(len(words)), r.IntN(len(words)))])
		if r.IntN(4) == 0 {
			fmt.Fprintf(&b, "%x", r.IntN(1<<20))
		}
		b.WriteByte(" \n"[r.IntN(8)/7])
	}
	return b.Bytes()[:n]
}

// bitWriter writes deflate data by hand: numbers lowest bit first, codes highest bit first (RFC
// 1951, 3.1.1).
type bitWriter struct {
	b []byte
	n uint
}

func (w *bitWriter) bits(v, n uint) *bitWriter {
	for i := range n {
		if w.n%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[w.n/8] |= byte(v>>i&1) << (w.n % 8)
		w.n++
	}
	return w
}

func (w *bitWriter) code(v, n uint) *bitWriter {
	for i := range n {
		w.bits(v>>(n-1-i), 1)
	}
	return w
}

// dynamic begins a last block with dynamic codes. The arguments are the lengths of the literal and
// of the distance code. Each length is written directly, with a code-length code that gives 0 to 15
// four bits.
func dynamic(literals, dists []uint) *bitWriter {
	w := new(bitWriter).bits(1, 1).bits(2, 2)
	w.bits(uint(len(literals)-257), 5).bits(uint(len(dists)-1), 5).bits(15, 4)
	for _, symbol := range lengthOrder {
		if symbol < 16 {
			w.bits(4, 3)
		} else {
			w.bits(0, 3)
		}
	}
	for _, n := range append(literals, dists...) {
		w.code(n, 4)
	}
	return w
}

// set returns n lengths, all 0 except the given pairs of symbol and length.
func set(n int, pairs ...uint) []uint {
	s := make([]uint, n)
	for i := 0; i < len(pairs); i += 2 {
		s[pairs[i]] = pairs[i+1]
	}
	return s
}

type class string

const (
	good      class = "good"
	truncated class = "truncated"
	corrupt   class = "corrupt"
	short     class = "short"
)

func classOf(err error) class {
	var mine *CorruptError
	var std stdflate.CorruptInputError
	var klauspost flate.CorruptInputError
	switch {
	case err == nil:
		return good
	case errors.Is(err, ErrTruncated), errors.Is(err, io.ErrUnexpectedEOF):
		return truncated
	case errors.As(err, &mine), errors.As(err, &std), errors.As(err, &klauspost):
		return corrupt
	case errors.Is(err, ErrShortOutput):
		return short
	}
	return class("another error: " + err.Error())
}

// reference inflates src with another decoder, up to limit bytes.
func reference(open func(io.Reader) io.ReadCloser, src []byte, limit int) (out []byte, used int, is class) {
	in := bytes.NewReader(src)
	buffered := bufio.NewReader(in)
	out, err := io.ReadAll(io.LimitReader(open(buffered), int64(limit)+1))
	if len(out) > limit {
		return out[:limit], 0, short
	}
	return out, len(src) - in.Len() - buffered.Buffered(), classOf(err)
}

// same compares the decoder with compress/flate on src.
func same(t *testing.T, d *Decoder, src []byte) {
	t.Helper()
	const limit = 1 << 20
	want, used, is := reference(stdflate.NewReader, src, limit)
	dst := make([]byte, limit)
	n, gotUsed, err := d.Inflate(dst, src)
	got := classOf(err)
	if got == corrupt || got == truncated { // compress/flate does not return unflushed data before an error
		if got != is || !bytes.HasPrefix(dst[:n], want) {
			t.Fatalf("%s after %d bytes, want %s after %d", got, n, is, len(want))
		}
		return
	}
	if got != is || !bytes.Equal(dst[:n], want) {
		t.Fatalf("%s after %d bytes, want %s after %d", got, n, is, len(want))
	}
	if got == good && gotUsed != used {
		t.Fatalf("%d bytes of src used, want %d", gotUsed, used)
	}
	if got != good {
		return
	}
	exact := make([]byte, n)
	if m, _, err := d.Inflate(exact, src); m != n || err != nil || !bytes.Equal(exact, want) {
		t.Fatalf("into just enough room: %d bytes, %v", m, err)
	}
	if n > 0 {
		if m, _, err := d.Inflate(exact[:n-1], src); m != n-1 || !errors.Is(err, ErrShortOutput) {
			t.Fatalf("into too little room: %d bytes, %v", m, err)
		}
	}
}

// cases are deflate data by the clause they test.
func cases(t testing.TB) map[string][]byte {
	eob := func(w *bitWriter) []byte { return w.b }
	end := []uint{256, 1}
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(rand.N(256))
	}
	far := append(bytes.Clone(noise[:32768]), noise[:300]...)
	fixed := func() *bitWriter { return new(bitWriter).bits(1, 1).bits(1, 2) }
	return map[string][]byte{
		"nothing":                         {},
		"3.2.3 block type 3":              {7, 0, 0},
		"3.2.4 stored, empty":             {1, 0, 0, 0xff, 0xff},
		"3.2.4 stored":                    {1, 2, 0, 0xfd, 0xff, 'a', 'b', 'c'},
		"3.2.4 stored, two blocks":        {0, 1, 0, 0xfe, 0xff, 'a', 1, 1, 0, 0xfe, 0xff, 'b'},
		"3.2.4 LEN and NLEN disagree":     {1, 2, 0, 0xfd, 0xfe, 'a', 'b'},
		"3.2.4 stored, long":              compress(t, noise, 0),
		"3.2.6 fixed, empty":              {3, 0},
		"3.2.6 fixed":                     fixed().code(0x30+'a', 8).code(0, 7).b,
		"3.2.6 fixed, a run":              fixed().code(0x30+'a', 8).code(0xc5, 8).code(0, 5).code(0, 7).b,
		"3.2.6 symbol 286":                fixed().code(0xc6, 8).code(0, 7).b,
		"3.2.6 distance symbol 30":        fixed().code(0x30+'a', 8).code(1, 7).code(30, 5).code(0, 7).b,
		"3.2.6 distance before the start": fixed().code(0x30+'a', 8).code(1, 7).code(1, 5).code(0, 7).b,
		"3.2.7 only an end":               eob(dynamic(set(257, end...), set(1)).code(0, 1)),
		"3.2.7 the other bit of one code": eob(dynamic(set(257, end...), set(1)).code(1, 1)),
		"3.2.7 no literal code":           eob(dynamic(set(257), set(1)).bits(0, 9)),
		"3.2.7 one distance code": eob(dynamic(set(258, 'a', 2, 256, 2, 257, 1), set(1, 0, 1)).code(2,
			2).code(0, 1).code(0, 1).code(3, 2)),
		"3.2.7 the other distance": eob(dynamic(set(258, 'a', 2, 256, 2, 257, 1), set(1, 0, 1)).code(2,
			2).code(0, 1).code(1, 1).code(3, 2)),
		"3.2.7 no distance code, used": eob(dynamic(set(258, 'a', 2, 256, 2, 257, 1), set(1)).code(2, 2).code(0,
			1).code(0, 1).code(3, 2)),
		"3.2.7 literals oversubscribed":    eob(dynamic(set(257, 'a', 1, 'b', 1, 256, 1), set(1)).bits(0, 20)),
		"3.2.7 literals incomplete":        eob(dynamic(set(257, 'a', 2, 256, 1), set(1)).bits(0, 20)),
		"3.2.7 one literal code of 2 bits": eob(dynamic(set(257, 256, 2), set(1)).bits(0, 20)),
		"3.2.7 distances oversubscribed":   eob(dynamic(set(257, end...), set(3, 0, 1, 1, 1, 2, 1)).bits(0, 20)),
		"3.2.7 distances incomplete":       eob(dynamic(set(257, end...), set(3, 0, 1, 1, 2)).bits(0, 20)),
		"3.2.7 long codes":                 longCodes().b,
		"3.2.7 287 literals":               new(bitWriter).bits(5, 3).bits(30, 5).bits(0, 9).bits(0, 90).b,
		"3.2.7 31 distances":               new(bitWriter).bits(5, 3).bits(0, 5).bits(30, 5).bits(0, 90).b,
		"3.2.7 a repeat of nothing": new(bitWriter).bits(5, 3).bits(0, 14).bits(1, 3).bits(1, 3).bits(0,
			6).code(0, 1).bits(0, 40).b,
		"3.2.7 repeats past the end": new(bitWriter).bits(5, 3).bits(0, 14).bits(0, 6).bits(1, 3).bits(1,
			3).bits(0x7fffffff, 32).bits(0xffff, 16).b,
		"distance 32768":      compress(t, far, 9),
		"length 258":          compress(t, bytes.Repeat([]byte{'x'}, 10_000), 9),
		"period 3":            compress(t, bytes.Repeat([]byte("abc"), 1000), 9),
		"a page, fast":        compress(t, page(50_000, 1), 1),
		"a page, best":        compress(t, page(50_000, 2), 9),
		"a page, codes only":  compress(t, page(50_000, 3), stdflate.HuffmanOnly),
		"data behind the end": append(compress(t, page(1000, 4), 6), noise[:100]...),
	}
}

// longCodes returns a block with codes of 1 to 15 bits on both sides, and uses the longest.
func longCodes() *bitWriter {
	literals, dists := set(286), set(16)
	for i := range uint(15) {
		literals['a'+i] = i + 1
		dists[i] = i + 1
	}
	literals[256], dists[15] = 15, 15
	literals['o'], literals[258] = 0, 15 // 'a' to 'n' take 1 to 14 bits, the end and a length of 4 take 15
	w := dynamic(literals, dists)
	for i := range uint(14) {
		w.code(1<<(i+1)-2, i+1)
	}
	for range 30 {
		w.code(1<<15-1, 15).code(1<<4-2, 4) // length 4, distance 4
		w.code(1<<14-2, 14)
	}
	w.code(1<<15-1, 15).code(1<<14-2, 14).bits(3, 5) // length 4, distance 97+3
	return w.code(1<<15-2, 15)
}

func TestAsCompressFlate(t *testing.T) {
	var d Decoder
	for name, src := range cases(t) {
		t.Run(name, func(t *testing.T) { same(t, &d, src) })
	}
}

func TestWhatIsAccepted(t *testing.T) {
	all := cases(t)
	for _, c := range []struct {
		name string
		is   class
		out  string
	}{
		{"nothing", truncated, ""},
		{"3.2.3 block type 3", corrupt, ""},
		{"3.2.4 stored", good, "ab"},
		{"3.2.4 LEN and NLEN disagree", corrupt, ""},
		{"3.2.6 fixed", good, "a"},
		{"3.2.6 fixed, a run", good, strings.Repeat("a", 259)},
		{"3.2.6 symbol 286", corrupt, ""},
		{"3.2.6 distance symbol 30", corrupt, "a"},
		{"3.2.6 distance before the start", corrupt, "a"},
		{"3.2.7 only an end", good, ""},
		{"3.2.7 the other bit of one code", corrupt, ""},
		{"3.2.7 no literal code", corrupt, ""},
		{"3.2.7 one distance code", good, "aaaa"},
		{"3.2.7 the other distance", corrupt, "a"},
		{"3.2.7 no distance code, used", corrupt, "a"},
		{"3.2.7 literals oversubscribed", corrupt, ""},
		{"3.2.7 literals incomplete", corrupt, ""},
		{"3.2.7 one literal code of 2 bits", corrupt, ""},
		{"3.2.7 distances oversubscribed", corrupt, ""},
		{"3.2.7 distances incomplete", corrupt, ""},
		{"3.2.7 287 literals", corrupt, ""},
		{"3.2.7 31 distances", corrupt, ""},
		{"3.2.7 a repeat of nothing", corrupt, ""},
		{"3.2.7 repeats past the end", corrupt, ""},
		{"length 258", good, strings.Repeat("x", 10_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d Decoder
			dst := make([]byte, 20_000)
			n, _, err := d.Inflate(dst, all[c.name])
			if classOf(err) != c.is || string(dst[:n]) != c.out {
				t.Errorf("%v after %q, want %s after %q", err, dst[:min(n, 100)], c.is, c.out)
			}
		})
	}
}

func TestEveryTruncation(t *testing.T) {
	var d Decoder
	for _, src := range [][]byte{compress(t, page(3000, 5), 9), compress(t, page(500, 6), 0), longCodes().b} {
		for n := range src {
			same(t, &d, src[:n])
		}
	}
}

func TestEveryBitFlipped(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one call after the other: run it without -short")
	}
	var d Decoder
	for _, src := range [][]byte{compress(t, page(1500, 7), 9), longCodes().b} {
		for i := range 8 * len(src) {
			damaged := bytes.Clone(src)
			damaged[i/8] ^= 1 << (i % 8)
			same(t, &d, damaged)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	var d Decoder
	src, dst := compress(t, page(5000, 8), 6), make([]byte, 10_000)
	if n := testing.AllocsPerRun(10, func() {
		if _, _, err := d.Inflate(dst, src); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzInflate(f *testing.F) {
	for _, src := range cases(f) {
		if len(src) < 20_000 {
			f.Add(src)
		}
	}
	var d Decoder
	f.Fuzz(func(t *testing.T, src []byte) { same(t, &d, src) })
}
