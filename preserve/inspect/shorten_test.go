package inspect

import (
	"strings"
	"testing"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"aé日", 3, "aé…"},
		{"aé日", 4, "aé…"}, // 日 has three bytes, but only one fits
		{"a\U0001F4DCb", 4, "a…"},
		{"a\U0001F4DCb", 5, "a\U0001F4DC…"},
		{"a\xff\xffbc", 3, "a\xff\xff…"}, // invalid bytes are kept
		{strings.Repeat("\x80", 9), 6, strings.Repeat("\x80", 6) + "…"}, // and do not remove the bytes before them
		{"\U0001F4DC", 2, "…"},
	} {
		if got := Shorten(c.s, c.n); got != c.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
	}
}
