package zone

import (
	"strings"
	"testing"
	"time"
)

var local = time.Date(2018, 2, 2, 15, 27, 21, 0, time.UTC)

// pair returns a UTC time whose difference from local is d.
func pair(d time.Duration) time.Time { return local.Add(-d) }

// of returns evidence with those differences, each at another second.
func of(kind string, weight int, apart ...time.Duration) *Evidence {
	e := &Evidence{Kind: kind, Weight: weight}
	for i, d := range apart {
		at := local.Add(time.Duration(i) * time.Second)
		e.Add(at, at.Add(-d))
	}
	return e
}

const half = 30 * time.Minute

func TestWeigh(t *testing.T) {
	for _, c := range []struct {
		name   string
		all    []*Evidence
		ahead  time.Duration
		leeway time.Duration
		why    string
		doubt  string
	}{
		{"nothing", nil, 0, 0, "", ""},
		{"one strong source", []*Evidence{of("headers", Enough, 9*time.Hour)}, 9 * time.Hour, 0, "headers", ""},
		{"most pairs of one source", []*Evidence{of("headers", Enough, 5*time.Hour+half, 5*time.Hour+half,
			9*time.Hour, 7*time.Minute, 20*time.Hour)}, 5*time.Hour + half, 0, "headers", ""},
		{"half of the pairs against half", []*Evidence{of("headers", Enough, 5*time.Hour, 9*time.Hour)}, 0, 0, "", ""},
		{"a weak source alone covers all zones", []*Evidence{of("log", 2, 9*time.Hour)}, 9 * time.Hour, 21 * time.Hour,
			"log", "this alone is weak evidence: log: +09:00"},
		{"two weak sources that agree", []*Evidence{of("log", 2, 9*time.Hour), of("file", 1, 9*time.Hour)},
			9 * time.Hour, 0, "log, and file", ""},
		{"three files", []*Evidence{of("files", 1, time.Hour, time.Hour, time.Hour)}, time.Hour, 0, "files", ""},
		{"two files", []*Evidence{of("files", 1, time.Hour, time.Hour)}, time.Hour, 13 * time.Hour, "files",
			"this alone is weak evidence: files: +01:00"},
		{"a touched log against files", []*Evidence{of("log", 2, -3*time.Hour), of("files", 1, 0, 0, 0)}, 0,
			3 * time.Hour, "files", "the sources disagree: files: +00:00; log: -03:00"},
		{"a touched log against two files", []*Evidence{of("log", 2, 3*time.Hour), of("files", 1, 0, 0)}, 0,
			14 * time.Hour, "files", "the sources disagree: files: +00:00; log: +03:00"},
		{"one file is no dispute", []*Evidence{of("headers", Enough, time.Hour), of("files", 1, 9*time.Hour)},
			time.Hour, 0, "headers", ""},
		{"no zone is a quarter behind UTC", []*Evidence{of("headers", Enough, -15*time.Minute)}, 0, 0, "", ""},
		{"Nepal", []*Evidence{of("headers", Enough, 5*time.Hour+3*quarter)}, 5*time.Hour + 3*quarter, 0, "headers", ""},
	} {
		z := Weigh(c.all...)
		if z.Ahead != c.ahead || z.Leeway != c.leeway || z.Why != c.why || z.Doubt != c.doubt ||
			z.Disagree != strings.Contains(c.doubt, "disagree") || z.Known() != (c.why != "" && c.doubt == "") {
			t.Errorf("%s: %+v", c.name, z)
		}
	}
}

// TestPairs checks the seconds that the two times of a pair may be apart, and that one UTC time
// counts once.
func TestPairs(t *testing.T) {
	e := Evidence{Weight: 1, Before: 2 * time.Second, After: 10 * time.Second}
	for _, late := range []time.Duration{-3 * time.Second, 11 * time.Second, time.Minute} {
		if e.Add(local, pair(time.Hour).Add(late)); e.all != 0 {
			t.Errorf("%v late counts", late)
		}
	}
	for _, late := range []time.Duration{-2 * time.Second, 10 * time.Second} {
		e.Add(local, pair(time.Hour).Add(late))
		e.Add(local, pair(time.Hour).Add(late))
	}
	if o, weight, ok := e.majority(); o.ahead != time.Hour || weight != 2 || !ok {
		t.Errorf("%v, weight %d", o, weight)
	}
	if e.Add(time.Time{}, local); e.all != 2 {
		t.Error("no time is a pair")
	}
}

func TestUndated(t *testing.T) {
	first := time.Date(1, 1, 1, 23, 59, 0, 0, time.UTC)
	for _, c := range []struct {
		utc, want string
	}{
		{"2003-04-03T13:59:00Z", "2003-04-03T13:59:00Z"}, {"2003-04-04T03:59:05Z", "2003-04-04T03:59:00Z"},
		{"2003-04-03T11:59:00Z", ""}, // twelve hours ahead on that day, or behind on the day before
		{"2003-04-03T13:52:00Z", ""},
	} {
		utc, err := time.Parse(time.RFC3339, c.utc)
		if err != nil {
			t.Fatal(err)
		}
		e := Evidence{Kind: "file", Weight: Enough, Undated: true}
		e.Add(first, utc)
		if z := Weigh(&e); z.Known() != (c.want != "") || z.Known() && z.UTC(first).Format(time.RFC3339) != c.want {
			t.Errorf("%s: %+v, %v", c.utc, z, z.UTC(first))
		}
	}
}

func TestExists(t *testing.T) {
	in := func(year int) time.Time { return time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		ahead time.Duration
		at    time.Time
		want  bool
	}{
		{0, in(2020), true}, {-12 * time.Hour, in(2020), true}, {14 * time.Hour, in(2020), true},
		{-13 * time.Hour, in(2020), false}, {15 * time.Hour, in(2020), false}, {-quarter, in(2020), false},
		{5*time.Hour + half, in(2020), true}, {-4*time.Hour - half, in(2010), true}, // Venezuela, 2007 to 2016
		{-4*time.Hour - half, in(2020), false}, {8*time.Hour + half, in(2017), true}, // North Korea, 2015 to 2018
		{8*time.Hour + half, in(2020), false}, {12*time.Hour + 3*quarter, in(2020), true},
		{13*time.Hour + 3*quarter, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), true}, // Chatham in summer
	} {
		if got := Exists(c.ahead, c.at); got != c.want {
			t.Errorf("%s in %v: %v", Format(c.ahead), c.at, got)
		}
	}
}

func TestBetween(t *testing.T) {
	if z := Between(local, local.Add(10*time.Hour+3*time.Second), "file"); z.Ahead != -10*time.Hour || z.Why != "file" {
		t.Errorf("%v by %q", z.Ahead, z.Why)
	}
	if z := Between(local, local.Add(7*time.Minute), "file"); z.Why != "" {
		t.Errorf("copied seven minutes later, it says %v", z.Ahead)
	}
}
