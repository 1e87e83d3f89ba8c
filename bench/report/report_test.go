package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
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
		t.Error("a text that is not a floor was accepted")
	}
}

func TestParseRecode(t *testing.T) {
	inflate, deflate, err := parseRecode("inflate 2.50 deflate 10.25\n")
	if inflate != 2.5 || deflate != 10.25 || err != nil {
		t.Errorf("%v, %v, %v", inflate, deflate, err)
	}
	if _, _, err := parseRecode("recode: no such file"); err == nil {
		t.Error("an error was read as times")
	}
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{
		"Active filters:\n   focus=x\nShowing nodes accounting for 2.11s, 58.45% of 3.61s total\n": 0.5845,
		"Showing nodes accounting for 690ms, 19.11% of 3.61s total\n":                              0.1911,
		"Type: cpu\n": 0, // no match
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
	r.Reading.Quire.usage = usage{CPU: 3, Wall: 2.5, RSS: 20 << 10}
	r.Reading.Peers = []peer{
		{Name: "`gzip -t`", Checks: "CRC-32", usage: usage{CPU: 1, Wall: 1, RSS: 2 << 10}},
		{Name: "`warcio check`", Version: "1.8.1", Checks: "digests", usage: usage{CPU: 6, Wall: 5, RSS: 2 << 10},
			Exit: 1},
		{Name: "`jwarc validate`", Absent: "there is no Java"},
	}
	r.Packages = []readerPackage{
		{Name: "ours", Read: usage{CPU: 2}, Digest: usage{CPU: 3, Wall: 2, RSS: 2 << 10}},
		{Name: "theirs", Version: "v1", Read: usage{CPU: 3}, Digest: usage{CPU: 6, Wall: 7, RSS: 4 << 10}},
		{Name: "another", Absent: "it is gone"},
	}
	r.Identifying = identifying{Payloads: 20, Distinct: 10, Inspect: usage{CPU: 3.5}, Kinds: []kindCost{{"PNG", 0.5}}}
	r.Hostile = []hostile{{What: "a bomb", Records: 2, Found: 2, Memory: 200e6, Time: 10, Outcome: "valid",
		usage: usage{Wall: 1, RSS: 1000}}}
	r.METS = []metsRow{{What: "to nowhere", usage: usage{CPU: 1}},
		{What: "to a file", usage: usage{CPU: 1}, Copy: usage{CPU: 0.5}}}
	r.Storing = storing{Floor: usage{CPU: 4, Wall: 10}, Sums: usage{CPU: 6, Wall: 2}, Ingest: usage{CPU: 6, Wall: 5},
		Audit: usage{CPU: 3, Wall: 2}}
	text, err := render(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"commit abc1234",
		"| **3.00 s** | **1.50** | 1 | **2.50 s** | 1 | **20 MiB** | 0 |",
		"| `gzip -t` | CRC-32 | 1.00 s | 0.50 | 0.33 |",
		"| `warcio check` 1.8.1 | digests | 6.00 s | 3.00 | 2.00 | 5.00 s | 2.00 | 2 MiB | 1 |",
		"| `jwarc validate` | not available here, because there is no Java |",
		"| wall-clock to processor time, on two cores | at most 0.65 | 0.83 | **missed** |",
		"| processor time of `warcio check`, the fastest that reads records | above 3.00 s | 6.00 s | met |",
		"| ours | 2.00 s | 1.00 | 3.00 s | 1.00 | 2.00 s | 2 MiB |",
		"| theirs v1 | 3.00 s | 1.50 | 6.00 s | 2.00 | 7.00 s | 4 MiB |",
		"| another | not available here, because it is gone |",
		"| `quire inspect --identify` | 3.50 s | 0.00 s | 0 MiB | **50.00 ms** |",
		"| processor time to the floor | at most 1.2 | 1.50 | **missed** |",
		"| processor time to `quire inspect` | at most 2 | 1.17 | met |",
		"| PNG | 0.50 ms |",
		"| a bomb | 0 MB | 0 MB | valid | 0.00 s | 1.00 s | **1 MB** | 200 MB, 10 s | met |",
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

func TestHostileGoal(t *testing.T) {
	for _, c := range []struct {
		name string
		h    hostile
		want string
	}{
		{"within", hostile{Records: 2, Found: 2, Memory: 100e6, usage: usage{Wall: 60, RSS: 97_000}}, "met"},
		{"memory", hostile{Records: 2, Found: 2, Memory: 100e6, usage: usage{Wall: 1, RSS: 98_000}}, "**missed**"},
		{"time", hostile{Records: 2, Found: 2, Memory: 100e6, Time: 10, usage: usage{Wall: 10.1}}, "**missed**"},
		{"not read to its end", hostile{Records: 2, Found: 1, Memory: 100e6}, "**missed**: 1 records of 2"},
	} {
		if got := c.h.Goal(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestParseHostile(t *testing.T) {
	var h hostile
	line := `{"outcome":"invalid","bytes":10,"inflated_bytes":20,"records":{"total":3,"by_type":{"response":3}}}`
	if err := h.parse([]byte(line + "\n")); err != nil || h.Outcome != "invalid" || h.Bytes != 10 || h.Inflated != 20 ||
		h.Found != 3 {
		t.Errorf("%+v, %v", h, err)
	}
	if err := h.parse([]byte("quire: no such file")); err == nil {
		t.Error("a text that is not JSON was accepted")
	}
}

func TestParseKinds(t *testing.T) {
	got,
		err := parseKinds("goos: linux\nBenchmarkDistinct/PDF-1MB-2 \t 22\t 9465847 ns/op\t 110.78 MB/s\n" +
		"BenchmarkSeen-2 \t 23049\t 9431 ns/op\nPASS\n")
	want := []kindCost{{"PDF, 1MB", 9.465847}, {"any, seen before", 0.009431}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestAPeerThatReadsNothingHasNoTime(t *testing.T) {
	if _, err := os.Stat("/usr/bin/time"); err != nil {
		t.Skip("GNU time is not installed")
	}
	p := peer{command: []string{"true"}}
	if p.measure(60); !strings.Contains(p.Absent, "cannot have read the file") {
		t.Errorf("%+v", p)
	}
}

func TestAPeerThatFailsHasAReasonAndIsNotAskedAgain(t *testing.T) {
	folder := t.TempDir()
	marks := filepath.Join(folder, "runs")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write("warcio", "#!/bin/sh\necho run >>"+marks+"\necho broken | tr a-z A-Z\nexit 7\n")
	write("warcio.version", "1.8.1\n")
	write("jwarc.absent", "there is no Java\n")
	absent := map[string]string{}
	for _, p := range findPeers(options{peers: folder, corpus: "x.warc.gz"})[2:] { // after the inflaters
		if p.Version != "" {
			if _, err := os.Stat("/usr/bin/time"); err != nil {
				t.Skip("GNU time is not installed")
			}
			p.measure(0)
			p.measure(0)
		}
		absent[p.Name] = p.Absent
	}
	for name, want := range map[string]string{
		"`warcio check`":                     "BROKEN",
		"`jwarc validate`":                   "there is no Java",
		"`fastwarc check --verify-payloads`": "bench/peers/install did not install it",
	} {
		if !strings.Contains(absent[name], want) {
			t.Errorf("%s: %q, want %q in it", name, absent[name], want)
		}
	}
	if runs, err := os.ReadFile(marks); err != nil || string(runs) != "run\n" {
		t.Errorf("it ran %q, %v", runs, err)
	}
}

func TestParseFullMETS(t *testing.T) {
	got,
		err := parseFullMETS("goos: linux\nBenchmarkFullMETS \t 1\t14912345678 ns/op\t 344.02 MB/s\t 5130 " +
		"B/bytestream\t 17.2 MB-held\t 99 B/op\nPASS\n")
	if want := (fullMETS{5_130_000_000, 344.02, 17.2}); err != nil || got != want || got.Goal() != "met" {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for _, out := range []string{"", "PASS\n", "BenchmarkFullMETS 1 x ns/op\n", "BenchmarkFullMETS 1 12 ns/op\n"} {
		if _, err := parseFullMETS(out); err == nil {
			t.Errorf("%q was read", out)
		}
	}
}
