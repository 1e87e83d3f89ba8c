package humanize

import "testing"

func TestSizesForPeople(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 9999: "9,999 bytes", 10_000: "10.0 kB", 1_500_000: "1.5 MB",
		3_000_000_000_000_000: "3.0 PB",
	} {
		if got := Size(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}

func TestNumbersForPeople(t *testing.T) {
	for n, want := range map[int64]string{0: "0 copies", 1: "1 copy", -1: "-1 copies", 999: "999 copies",
		1234567: "1,234,567 copies", -1000: "-1,000 copies"} {
		if got := Number(n, "copy", "copies"); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}
