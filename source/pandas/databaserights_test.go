package pandas

import "testing"

func TestBehind(t *testing.T) {
	for _, c := range []struct{ date, multiplier, period, want string }{
		{"2003-04-03 01:00:00.000000", "2", "year", "2005-04-03"},
		{"2003-04-03", "3", "month/s", "2003-07-03"},
		{"2003-04-03", "1", "Weeks", "2003-04-10"},
		{"2003-04-03", "10", "day(s)", "2003-04-13"},
		{"2003-04-03", "1", "fortnight", ""},
		{"2003-04-03", "-1", "day", ""},
		{"2003-04-03", "some", "day", ""},
		{"03-APR-03", "1", "day", ""},
		{"", "1", "day", ""},
	} {
		if got := addPeriod(c.date, c.multiplier, c.period); got != c.want {
			t.Errorf("%v: %s", c, got)
		}
	}
}
