package main

import (
	"math"
	"strings"
	"testing"
)

func TestParseTime(t *testing.T) {
	for _, c := range []struct {
		text string
		want usage
		ok   bool
	}{
		{"3.47 0.18 15.08 18132\n", usage{CPU: 3.65, Wall: 15.08, RSS: 18132}, true},
		{"Command exited with non-zero status 1\n0.03 0.01 0.13 39228\n", usage{}, false},
		{"", usage{}, false},
	} {
		got, err := parseTime(c.text)
		if (err == nil) != c.ok {
			t.Errorf("%q: %v", c.text, err)
		}
		if math.Abs(got.CPU-c.want.CPU) > 1e-9 || got.Wall != c.want.Wall || got.RSS != c.want.RSS {
			t.Errorf("%q: %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestParseFloor(t *testing.T) {
	got, err := parseFloor("inflate 0.83  sha1 0.53 (twice)  sha512 0.33\nfloor_cpu_s 2.22\n")
	if want := (floor{0.83, 0.53, 0.33, 2.22}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := parseFloor("libdeflate-gunzip: not found"); err == nil {
		t.Error("what is no floor was read as one")
	}
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{
		"Active filters:\n   focus=x\nShowing nodes accounting for 2.11s, 58.45% of 3.61s total\n": 0.5845,
		"Showing nodes accounting for 690ms, 19.11% of 3.61s total\n":                              0.1911,
		"Type: cpu\n": 0, // nothing matched
	} {
		if got, err := parseShare(text); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestBestKeepsTheLowestTimesAndTheHighestMemory(t *testing.T) {
	var u usage
	u.best(usage{CPU: 3, Wall: 9, RSS: 10})
	u.best(usage{CPU: 4, Wall: 5, RSS: 30})
	u.best(usage{CPU: 2, Wall: 7, RSS: 20})
	if want := (usage{CPU: 2, Wall: 5, RSS: 30}); u != want {
		t.Errorf("%+v, want %+v", u, want)
	}
}

func TestRender(t *testing.T) {
	r := &report{Rounds: 3, Cold: true}
	r.Machine.Commit = "abc1234"
	r.Reading.Floor.Total = 2
	r.Reading.Quire = reader{Name: "`quire inspect`", usage: usage{CPU: 3, Wall: 4, RSS: 20 << 10}}
	r.Reading.Others = []reader{{Name: "`gzip -t`", usage: usage{CPU: 5, Wall: 5, RSS: 2 << 10}}}
	r.Reading.Absent = []string{"`jwarc validate`"}
	r.METS = []metsRow{{What: "to nowhere", usage: usage{CPU: 1}}, {What: "to a file", usage: usage{CPU: 1}, Copy: usage{CPU: 0.5}}}
	r.Storing = storing{Floor: usage{CPU: 4, Wall: 10}, Sums: usage{CPU: 6, Wall: 2}, Ingest: usage{CPU: 6, Wall: 5}, Audit: usage{CPU: 3, Wall: 2}}
	text, err := render(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"commit abc1234",
		"| 3.00 s | **1.50** | 4.00 s | 1.33 | 20 MiB |",
		"| `gzip -t` |  | 5.00 s | 2.50 |",
		"`jwarc validate` could not be installed here and is left out.",
		"| to nowhere | 0 MB | 1.00 s | 0.00 s | **0 MiB** | met | – | – |",
		"| 0.50 s | 2.00 |",
		"The page cache was dropped before every line.",
		"| by hand, with proof | 10.00 s | 2.50 | 12.00 s | 1.20 |",
		"| `quire ingest` | 6.00 s | **1.50** | 5.00 s | **0.50** |",
		"| `quire audit` | 3.00 s | **0.50** |",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestGoal(t *testing.T) {
	for _, c := range []struct {
		name string
		u    usage
		want string
	}{
		{"within", usage{CPU: 4.9, Wall: 4.9, RSS: 8 << 10}, "met"},
		{"processor time", usage{CPU: 5.04, Wall: 4, RSS: 8 << 10}, "**missed**"},
		{"wall-clock time", usage{CPU: 4, Wall: 5.45, RSS: 8 << 10}, "**missed**"},
		{"memory", usage{CPU: 1, Wall: 1, RSS: 49 << 10}, "**missed**"},
	} {
		if got := (metsRow{usage: c.u}).Goal(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
