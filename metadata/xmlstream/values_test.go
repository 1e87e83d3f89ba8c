package xmlstream

import (
	"strconv"
	"strings"
	"testing"
)

// Values that are kept stay as they are, whatever is built after them.
func TestValuesStay(t *testing.T) {
	var v values
	var got, want []string
	for i := range 5000 {
		text := strconv.Itoa(i*i) + strings.Repeat("x", i%80)
		want = append(want, text)
		got = append(got, v.string([]byte(text)))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("value %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// A short value costs no allocation of its own.
func TestValuesShareMemory(t *testing.T) {
	var v values
	n := 0
	var text []byte
	allocations := testing.AllocsPerRun(1000, func() {
		n++
		text = strconv.AppendInt(append(text[:0], "value-"...), int64(n), 10)
		_ = v.string(text)
	})
	if allocations >= 1 {
		t.Errorf("%v allocations for each value", allocations)
	}
}
