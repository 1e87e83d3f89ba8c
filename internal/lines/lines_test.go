package lines

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, in string
		most     int
		want     []string // number, offset, end, text, and ! if it was too long
	}{
		{"nothing", "", 0, nil},
		{"line ends of all systems", "a\nbc\r\n\nd", 0, []string{`1 0 2 "a"`, `2 2 6 "bc"`, `3 6 7 ""`, `4 7 8 "d"`}},
		{"too long, and read on", "abcdef\ngh\n", 4, []string{`1 0 7 "abcd"!`, `2 7 10 "gh"`}},
		{"longer than the buffer", strings.Repeat("x", 100<<10) + "\ny", 3,
			[]string{`1 0 102401 "xxx"!`, `2 102401 102402 "y"`}},
	} {
		l := NewReader(strings.NewReader(c.in))
		l.Max = c.most
		var got []string
		err := l.Next()
		for ; err == nil; err = l.Next() {
			long := ""
			if l.Long {
				long = "!"
			}
			got = append(got, fmt.Sprintf("%d %d %d %q%s", l.Number, l.Offset, l.End, l.Text, long))
		}
		if !errors.Is(err, io.EOF) || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}
