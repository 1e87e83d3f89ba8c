package sha1pair

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"math/rand/v2"
	"testing"
)

// TestWrite checks that any sequence of writes to both hashes, and to one, has the digests of
// crypto/sha1.
func TestWrite(t *testing.T) {
	if _, _, ok := new(Pair).align(sha1.New(), nil); !ok {
		t.Error("crypto/sha1 has a state of another form: both digests are never computed at once")
	}
	r := rand.New(rand.NewPCG(1, 1))
	var w Pair
	for round := range 2000 {
		a, b := sha1.New(), sha1.New()
		var wantA, wantB []byte
		for range 1 + r.IntN(5) {
			p := make([]byte, r.IntN(5000))
			for i := range p {
				p[i] = byte(r.Uint32())
			}
			switch r.IntN(4) {
			case 0:
				a.Write(p)
				wantA = append(wantA, p...)
			case 1:
				b.Write(p)
				wantB = append(wantB, p...)
			default:
				w.Write(a, b, p)
				wantA, wantB = append(wantA, p...), append(wantB, p...)
			}
		}
		sumA, sumB := sha1.Sum(wantA), sha1.Sum(wantB)
		if !bytes.Equal(a.Sum(nil), sumA[:]) || !bytes.Equal(b.Sum(nil), sumB[:]) {
			t.Fatalf("round %d: %x and %x of %d and %d bytes, want %x and %x", round, a.Sum(nil), b.Sum(nil),
				len(wantA), len(wantB), sumA, sumB)
		}
	}
}

// TestOtherHashes checks that other hashes are written one after the other.
func TestOtherHashes(t *testing.T) {
	p := bytes.Repeat([]byte("ships "), 1000)
	a, b := sha1.New(), sha256.New()
	new(Pair).Write(a, b, p)
	wantA, wantB := sha1.Sum(p), sha256.Sum256(p)
	if !bytes.Equal(a.Sum(nil), wantA[:]) || !bytes.Equal(b.Sum(nil), wantB[:]) {
		t.Errorf("got %x and %x", a.Sum(nil), b.Sum(nil))
	}
}

func BenchmarkWrite(b *testing.B) {
	p := make([]byte, 12<<10)
	x, y := sha1.New(), sha1.New()
	var w Pair
	b.Run("pair", func(b *testing.B) {
		b.SetBytes(int64(2 * len(p)))
		for b.Loop() {
			w.Write(x, y, p)
		}
	})
	b.Run("each", func(b *testing.B) {
		b.SetBytes(int64(2 * len(p)))
		for b.Loop() {
			write(x, y, p, p)
		}
	})
}
