package xmlstream

import (
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	cases := []struct {
		in   string
		want time.Time
		bad  bool
	}{
		{"", time.Time{}, false},
		{"2015-07-08T21:55:13Z", time.Date(2015, 7, 8, 21, 55, 13, 0, time.UTC), false},
		{"2015-07-08T21:55:13.25+02:00", time.Date(2015, 7, 8, 19, 55, 13, 25e7, time.UTC), false},
		{"2015-07-08T21:55:13", time.Date(2015, 7, 8, 21, 55, 13, 0, time.UTC), false},
		{"20150708215513", time.Time{}, true},
		{"2015-07-08", time.Time{}, true},
	}
	for _, c := range cases {
		got, err := ParseTime(c.in)
		if !got.Equal(c.want) || (err != nil) != c.bad {
			t.Errorf("%q: %v, %v; want %v", c.in, got, err, c.want)
		}
		if !c.bad && c.in != "" {
			if again, err := ParseTime(FormatTime(got)); err != nil || !again.Equal(got) {
				t.Errorf("%q does not survive writing: %v, %v", c.in, again, err)
			}
		}
	}
}

func TestInt(t *testing.T) {
	if IntOf(0) == (Int{}) {
		t.Error("zero and absent are the same")
	}
	for _, s := range []string{"", "0", "-5", "9223372036854775807"} {
		i, err := ParseInt(s)
		if err != nil || i.String() != s {
			t.Errorf("%q: %q, %v", s, i, err)
		}
	}
	for _, s := range []string{"x", "1.5", "9223372036854775808"} {
		if _, err := ParseInt(s); err == nil {
			t.Errorf("%q is accepted", s)
		}
	}
}

func TestIsNCName(t *testing.T) {
	for _, s := range []string{"a", "_1", "F1.R2-x"} {
		if !IsNCName(s) {
			t.Errorf("%q is refused", s)
		}
	}
	for _, s := range []string{"", "1a", "-a", "a b", "a:b", "é"} {
		if IsNCName(s) {
			t.Errorf("%q is accepted", s)
		}
	}
}
