package pdf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestNumbers: plain numbers have exactly the values that strconv gives them.
func TestNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the cases are to be the same each time
	const letters = "0123456789012345678901234567890123456789..-+e"
	plain := 0
	for range 200_000 {
		word := make([]byte, 1+random.IntN(17))
		for i := range word {
			word[i] = letters[random.IntN(len(letters))]
		}
		got, whole, ok := plainNumber(word)
		if !ok {
			continue
		}
		plain++
		want, err := strconv.ParseFloat(string(word), 64)
		_, errWhole := strconv.ParseInt(string(word), 10, 64)
		if err != nil || math.Float64bits(got) != math.Float64bits(want) || whole != (errWhole == nil) {
			t.Fatalf("%s: %v, whole %v; want %v, %v, %v", word, got, whole, want, err, errWhole)
		}
	}
	if plain < 10_000 {
		t.Error(plain)
	}
	for word, want := range map[string]string{
		"1 0 R": "pdf.ref {1 0}", "12 3 x": "int64 12", "1.5": "float64 1.5", "-x 0 R": "int64 0", "0x10": "int64 0",
		"1e3": "float64 1000", "9007199254740993": "int64 9007199254740993", "1e300": "int64 0", "--5": "int64 0",
		"1234567890123456 7 R": "pdf.ref {1234567890123456 7}", "-": "int64 0", "+7": "int64 7", ".": "int64 0",
	} {
		if o := (&lexer{b: []byte(word)}).number(); fmt.Sprintf("%T %v", o, o) != want {
			t.Errorf("%s: %T %v, want %s", word, o, o, want)
		}
	}
}
