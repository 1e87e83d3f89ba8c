package crawllog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"quire/format/fault"
	"quire/internal/testsamples"
	"quire/model"
)

func at(s string) time.Time {
	t, err := time.Parse("2006-01-02T15:04:05.999Z", s)
	if err != nil {
		panic(err)
	}
	return t
}

// TestLines reads a line of each version of Heritrix.
func TestLines(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want model.Fetch
	}{
		"2004, eleven columns": {
			"2004-07-21T23:29:40.438Z   200        310 http://127.0.0.1:9999/a LLLL http://127.0.0.1:9999/ text/html " +
				"#000 20040721232940401+10 M77KNTBZH2IU6V2SIG5EEG45EJICNQNM le:SocketTimeoutException@HTTP",
			model.Fetch{URI: "http://127.0.0.1:9999/a", Logged: at("2004-07-21T23:29:40.438Z"),
				Time: at("2004-07-21T23:29:40.401Z"), Duration: 10 * time.Millisecond,
				Status: 200, Size: 310, MIME: "text/html", Digest: "M77KNTBZH2IU6V2SIG5EEG45EJICNQNM", Path: "LLLL",
				Via: "http://127.0.0.1:9999/", Notes: []string{"le:SocketTimeoutException@HTTP"}, Offset: -1},
		},
		"1.14, a duplicate": {
			`2012-12-19T19:18:35.402Z   200      12345 http://www.example.org/a.pdf L http://www.example.org/ ` +
				`application/pdf #048 20121219191834967+430 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ ` +
				`http://www.example.org/ duplicate:"1-2-3.arc,1495696,20120225195408123",content-size:12600,3t`,
			model.Fetch{URI: "http://www.example.org/a.pdf", Logged: at("2012-12-19T19:18:35.402Z"),
				Time: at("2012-12-19T19:18:34.967Z"), Duration: 430 * time.Millisecond,
				Status: 200, Size: 12345, MIME: "application/pdf", Digest: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
				Path: "L", Via: "http://www.example.org/", Seed: "http://www.example.org/",
				Notes:  []string{`duplicate:"1-2-3.arc,1495696,20120225195408123"`, "content-size:12600", "3t"},
				Offset: -1, Duplicate: &model.Place{Container: "1-2-3.arc", Offset: 1495696,
					Time: at("2012-02-25T19:54:08.123Z")}},
		},
		"3, with JSON": {
			`2018-11-26T14:27:48.282Z   404        233 http://example.org/robots.txt P http://example.org/ text/html ` +
				`#002 20181126142747555+280 sha1:YQG6 - ip:192.0.2.6,Runtime exceeded 5 ms {"contentSize":380,` +
				`"warcFilename":"BL-1.warc.gz","warcFileOffset":782,"scopeDecision":"ACCEPT by rule #14, x"}`,
			model.Fetch{URI: "http://example.org/robots.txt", Logged: at("2018-11-26T14:27:48.282Z"),
				Time: at("2018-11-26T14:27:47.555Z"), Duration: 280 * time.Millisecond,
				Status: 404, Size: 233, MIME: "text/html", Digest: "sha1:YQG6", Path: "P", Via: "http://example.org/",
				Notes: []string{"ip:192.0.2.6", "Runtime exceeded 5 ms", "contentSize:380",
					"scopeDecision:ACCEPT by rule #14, x"},
				Container: "BL-1.warc.gz", Offset: 782},
		},
		"not fetched": {
			"2011-06-23T17:12:08Z -9998          - http://example.org/secret LREP http://example.org/ unknown #014 - " +
				"- http://example.org/ -\r",
			model.Fetch{URI: "http://example.org/secret", Logged: at("2011-06-23T17:12:08Z"), Status: -9998, Size: -1,
				MIME: "unknown", Path: "LREP", Via: "http://example.org/",
				Seed: "http://example.org/", Miss: model.MissRobots, Offset: -1},
		},
		"fourteen digits, a seed that goes back to nothing": {
			"20251101100003 200 1 dns:x - - text/dns #003 20251101100003;5 - dns:x unwritten:identicalDigest",
			model.Fetch{URI: "dns:x", Logged: at("2025-11-01T10:00:03Z"), Time: at("2025-11-01T10:00:03Z"),
				Duration: 5 * time.Millisecond, Status: 200, Size: 1, MIME: "text/dns",
				Seed: "dns:x", Notes: []string{"unwritten:identicalDigest"}, Miss: model.MissUnwritten, Offset: -1},
		},
	} {
		c.want.Line = 1
		got, faults := read(t, c.line)
		if len(got) != 1 || len(faults) > 0 || !reflect.DeepEqual(got[0], c.want) {
			t.Errorf("%s: %+v, %v; want\n%+v", name, got, faults, c.want)
		}
	}
}

func read(t *testing.T, log string) (all []model.Fetch, faults []fault.Fault) {
	t.Helper()
	r := NewReader(strings.NewReader(log))
	r.Report = func(f fault.Fault) { faults = append(faults, f) }
	for f, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all, faults
}

// TestBadLines checks that an unreadable line is reported with its place, and the others are read.
func TestBadLines(t *testing.T) {
	const good = "2025-11-01T10:00:00.001Z 1 66 dns:x P http://x/ text/dns #001 20251101100000000+1 - - -\n"
	for _, c := range []struct{ bad, want string }{
		{"truncated line 2025-11", "ten columns"},
		{"2025-11-01T10:00:04.001Z 200 10 http://x/sp ace L http://x/ text/html #004 20251101100004000+1 sha1:C - -",
			"space in the URL"},
		{strings.Replace(good, "66", "xyz", 1), "no size"},
		{strings.Replace(good, "2025-11-01T10", "2025-13-01T10", 1), "no time"},
		{strings.Replace(good, " 1 ", " one ", 1), "no status"},
		{strings.Replace(good, "+1 ", "+x ", 1), "time of a fetch"},
		{strings.Repeat("x", maxLine+1), "longer than"},
	} {
		got, faults := read(t, good+strings.TrimSpace(c.bad)+"\n\n"+good)
		if len(got) != 2 || got[1].Line != 4 || len(faults) != 1 || faults[0].Offset != int64(len(good)) ||
			!strings.Contains(faults[0].Detail, c.want) {
			t.Errorf("%.80q: %d lines read, %v", c.bad, len(got), faults)
		}
	}
	bad := errors.New("disk gone")
	for _, err := range NewReader(iotest.ErrReader(bad)).All() {
		if !errors.Is(err, bad) {
			t.Errorf("the error of the file is %v", err)
		}
	}
}

func TestClock(t *testing.T) {
	day := time.Date(2006, 10, 29, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		off  time.Duration
		want time.Duration
	}{
		{"UTC", 0, 0}, {"UTC, slow to write", 12 * time.Minute, 0}, {"Copenhagen", time.Hour, time.Hour},
		{"Kathmandu", 5*time.Hour + 45*time.Minute, 5*time.Hour + 45*time.Minute},
		{"Wellington", 12 * time.Hour, 12 * time.Hour}, {"New York", -5 * time.Hour, -5 * time.Hour},
		{"neither", 37 * time.Minute, 0},
	} {
		var clock Clock
		for i := range 5 * maxSample {
			f := model.Fetch{Time: day.Add(time.Duration(i) * time.Second), Duration: time.Second}
			f.Logged = f.Time.Add(c.off + 2*time.Second)
			clock.Add(&f)
		}
		if got := clock.Offset(day.Add(23 * time.Hour)); got != c.want {
			t.Errorf("%s: off by %v, want %v", c.name, got, c.want)
		}
		if got := clock.Offset(day.AddDate(0, 0, 1)); got != 0 {
			t.Errorf("%s: of a day without lines, %v is known", c.name, got)
		}
	}
}

func TestEachCodeOfHeritrixIsExplained(t *testing.T) {
	for code := range codes {
		c, ok := Explain(code)
		if !ok || !strings.HasPrefix(c.Name, "S_") || c.Meaning == "" || (c.Miss == "") != (code > 0) {
			t.Errorf("%d is %+v", code, c)
		}
	}
	if _, ok := Explain(404); ok {
		t.Error("404 is not Heritrix's own")
	}
}

// TestSamples reads the logs of the samples. Unreadable are only the deliberately broken lines, and
// the header of the ARC record around one log.
func TestSamples(t *testing.T) {
	lines, bad := 0, map[string]int{}
	err := filepath.WalkDir(testsamples.Path(t, "samples"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(d.Name(), "crawl") || !strings.HasSuffix(d.Name(), ".log") ||
			strings.Contains(p, "py-wacz") {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		all, faults := read(t, string(b))
		lines += len(all)
		if len(faults) > 0 {
			bad[d.Name()] += len(faults)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"invalid-crawl.log": 2, "crawl-odd.log": 2, "crawl-680.log": 1}; lines < 3_500 ||
		!reflect.DeepEqual(bad, want) {
		t.Errorf("%d lines were read; bad ones: %v, want %v", lines, bad, want)
	}
}

func FuzzLine(f *testing.F) {
	f.Add(`2018-11-26T14:27:48.282Z   404        233 http://x/ P http://x/ text/html #002 20181126142747555+280 ` +
		`sha1:Y - duplicate:"a,1,20240101000000000" {"warcFileOffset":782}`)
	f.Add("2004-07-21T23:29:40.438Z 200 310 http://x/ - - text/html #000 - - -")
	f.Fuzz(func(t *testing.T, line string) {
		for f, err := range NewReader(strings.NewReader(line)).All() {
			if err != nil || f.URI == "" || f.Size < -1 || f.Offset < -1 || f.Line < 1 || f.Duration < 0 &&
				!strings.Contains(line, "-") {
				t.Errorf("%+v, %v", f, err)
			}
		}
	})
}
