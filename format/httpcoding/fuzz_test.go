package httpcoding

import (
	"bytes"
	"testing"
)

// FuzzDecoder checks that decoding any body ends within its bounds, and that the size of the pieces
// makes no difference.
func FuzzDecoder(f *testing.F) {
	names := []string{"gzip", "deflate", "br", "zstd", "identity", "compress"}
	for i, coding := range []string{"gzip", "raw", "br", "zstd", "deflate"} {
		f.Add(uint8(i), uint8(4), encode(f, page[:3000], coding), 10)
	}
	f.Add(uint8(0), uint8(2), encode(f, page[:3000], "gzip", "br"), 100)
	f.Add(uint8(2), uint8(2), []byte("<html>"), 1)
	f.Fuzz(func(t *testing.T, inner, outer uint8, body []byte, step int) {
		codings := []string{names[int(inner)%len(names)], names[int(outer)%len(names)]}
		d := NewDecoder()
		d.MaxExcess = 16 << 20
		got, faults := decode(t, d, codings, body, len(body)+1)
		if d.Size() > d.MaxExcess+FairRatio*int64(len(body))+2*bufferSize {
			t.Errorf("%d bytes came out", d.Size())
		}
		again, faultsAgain := decode(t, d, codings, body, 1+(step&0xffff))
		if faults != faultsAgain || !bytes.Equal(got, again) {
			t.Errorf("%v at once: %d bytes, faults %q; in pieces: %d bytes, faults %q", codings, len(got), faults,
				len(again), faultsAgain)
		}
		if bytes.Contains([]byte(faults), []byte(CodingBomb)) {
			return // a reading caller has its own bounds
		}
		pulled, told := pull(t, d, codings, body)
		if told != faults || !bytes.Equal(pulled, got) {
			t.Errorf("%v written: %d bytes, faults %q; read: %d bytes, faults %q", codings, len(got), faults,
				len(pulled), told)
		}
	})
}
