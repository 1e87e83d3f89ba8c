package deflate

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// inPieces inflates src in small pieces and with little room, a few bytes more each time the
// decoder needs them. Only the last Window bytes of output are kept.
func inPieces(t *testing.T, d *Decoder, src []byte, random *rand.Rand, limit int) (out []byte, used int, err error) {
	t.Helper()
	d.Start()
	sight := 0
	for {
		history := out[max(len(out)-Window, 0):]
		room := min(1+random.IntN([]int{3, 300, 70_000}[random.IntN(3)]), limit+1-len(out))
		dst := append(bytes.Clone(history), make([]byte, room)...)
		sight = min(max(sight, random.IntN([]int{3, 300, 70_000}[random.IntN(3)])), len(src)-used)
		n, took, err := d.Continue(dst, len(history), src[used:used+sight])
		out = append(out, dst[len(history):len(history)+n]...)
		used += took
		if len(out) > limit {
			return out[:limit], 0, ErrShortOutput
		}
		switch {
		case errors.Is(err, ErrShortOutput):
			if n != room {
				t.Fatalf("asks for room, and has filled %d of %d bytes", n, room)
			}
			sight -= took
		case errors.Is(err, ErrTruncated):
			if sight-took > MaxPause {
				t.Fatalf("asks for more with %d bytes left", sight-took)
			}
			if used+sight-took == len(src) {
				return out, used, err
			}
			sight += 1 - took
		default:
			return out, used, err
		}
	}
}

// samePieces compares the results of inflating in pieces and at once.
func samePieces(t *testing.T, d *Decoder, src []byte, random *rand.Rand) {
	t.Helper()
	const limit = 1 << 20
	whole := make([]byte, limit)
	n, wantUsed, wantErr := d.Inflate(whole, src)
	got, used, err := inPieces(t, d, src, random, limit)
	if !bytes.Equal(got, whole[:n]) || classOf(err) != classOf(wantErr) || err == nil && used != wantUsed {
		t.Fatalf("in pieces %d bytes, %d used, %v; whole %d bytes, %d used, %v, or other bytes", len(got), used, err, n,
			wantUsed, wantErr)
	}
}

func TestPiecesAreTheWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one call after the other: run it without -short")
	}
	random := rand.New(rand.NewPCG(1, 2))
	var d Decoder
	for name, src := range cases(t) {
		t.Run(name, func(t *testing.T) {
			for range 8 {
				samePieces(t, &d, src, random)
			}
		})
	}
	for level := range 10 {
		src := compress(t, page(200_000, uint64(level)), level)
		for range 4 {
			samePieces(t, &d, src, random)
			damaged := bytes.Clone(src)
			damaged[random.IntN(len(src))] ^= byte(1 + random.IntN(255))
			samePieces(t, &d, damaged, random)
			samePieces(t, &d, src[:random.IntN(len(src))], random)
		}
	}
}

func FuzzContinue(f *testing.F) {
	for _, src := range cases(f) {
		if len(src) < 10_000 {
			f.Add(src, uint64(1))
		}
	}
	var d Decoder
	f.Fuzz(func(t *testing.T, src []byte, seed uint64) {
		samePieces(t, &d, src, rand.New(rand.NewPCG(seed, 1)))
	})
}
