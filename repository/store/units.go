package store

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Span is a length of time in text: a number and d (days), w (weeks), h, m or s, as in "90d".
type Span time.Duration

const day = Span(24 * time.Hour)

// spanUnits are the units of a Span, the longest that is written first.
var spanUnits = []struct {
	name string
	size Span
}{{"d", day}, {"h", Span(time.Hour)}, {"m", Span(time.Minute)}, {"s", Span(time.Second)}, {"w", 7 * day}}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Span) UnmarshalText(text []byte) error {
	for _, u := range spanUnits {
		digits, ok := strings.CutSuffix(string(text), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n <= 0 || n > math.MaxInt64/int64(u.size) {
			break
		}
		*s = Span(n) * u.size
		return nil
	}
	return fmt.Errorf("%q is not a length of time: write a number and d, w, h, m or s, such as 90d", text)
}

// MarshalText implements encoding.TextMarshaler.
func (s Span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String returns the span in the longest unit that fits.
func (s Span) String() string {
	for _, u := range spanUnits {
		if s%u.size == 0 && u.name != "w" {
			return fmt.Sprint(int64(s/u.size), u.name)
		}
	}
	return time.Duration(s).String()
}

// Share is a part of a whole, above 0 and at most 1, in text as a percentage: "1%".
type Share float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Share) UnmarshalText(text []byte) error {
	digits, ok := strings.CutSuffix(string(text), "%")
	n, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !(n > 0 && n <= 100) {
		return fmt.Errorf("%q is not a share: write a percentage above 0, such as 1%%", text)
	}
	*s = Share(n / 100)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (s Share) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String returns the percentage.
func (s Share) String() string {
	return strconv.FormatFloat(math.Round(float64(s)*1e8)/1e6, 'f', -1, 64) + "%"
}

// Rate is a number of bytes in a second, in text as "50MB/s", with kB, MB or GB.
type Rate int64

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Rate) UnmarshalText(text []byte) error {
	for _, u := range []struct {
		name string
		size float64
	}{{"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}} {
		digits, ok := strings.CutSuffix(string(text), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(digits, 64)
		if err != nil || !(n*u.size >= 1 && n*u.size < math.MaxInt64/2) {
			break
		}
		*r = Rate(n * u.size)
		return nil
	}
	return fmt.Errorf("%q is not a rate: write a number and kB/s, MB/s or GB/s, such as 50MB/s", text)
}
