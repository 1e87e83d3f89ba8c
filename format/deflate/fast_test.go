package deflate

import (
	"bytes"
	"testing"
)

// TestDistances checks matches of each short distance, which the fast loop copies in different ways.
func TestDistances(t *testing.T) {
	text := page(64, 17)
	var d Decoder
	for distance := 1; distance <= 64; distance++ {
		for _, size := range []int{distance + 3, distance + 15, distance + 16, distance + 17, distance + 258, 2000} {
			want := bytes.Repeat(text[:distance], size/distance+1)[:size]
			src := append(compress(t, want, 9), make([]byte, 2*fastInput)...) // room for the fast loop
			dst := make([]byte, size+2*fastOutput)
			if n, _, err := d.Inflate(dst, src); err != nil || !bytes.Equal(dst[:n], want) {
				t.Fatalf("distance %d, %d bytes: %v, got %q, want %q", distance, size, err, dst[:n], want)
			}
		}
	}
}
