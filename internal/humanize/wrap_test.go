package humanize

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	digest := strings.Repeat("d", 30)
	for _, test := range []struct{ line, want string }{
		{"  short", "  short"},
		{"  one two three four five", "  one two three\n    four five"},
		{"  one  two   three four", "  one  two   three\n    four"},
		{"  words " + digest + " more", "  words " + digest + "\n    more"},
		{"  " + digest, "  " + digest},
		{"  ĂĂĂĂ ĂĂĂĂ ĂĂĂĂĂĂĂ", "  ĂĂĂĂ ĂĂĂĂ ĂĂĂĂĂĂĂ"},
		{"", ""},
	} {
		if got := Wrap(test.line, 4, 19); got != test.want {
			t.Errorf("%q became\n%s\nwant\n%s", test.line, got, test.want)
		}
	}
	if line := strings.Repeat("word ", 50); Wrap(line, 4, 0) != line {
		t.Error("a line was broken for no screen at all")
	}
}
