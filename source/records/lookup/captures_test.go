package lookup

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/source/records"
)

// capture parses "DAY URL STATUS [LOCATION]"; STATUS 0 is a resource, -1 a revisit.
func capture(t *testing.T, line string, offset int64) Capture {
	t.Helper()
	cells := append(strings.Fields(line), "")
	day, err := time.Parse("2006-01-02", cells[0])
	if err != nil {
		t.Fatal(err)
	}
	c := Capture{URI: cells[1], Date: day, ID: fmt.Sprintf("<urn:x:%d>", offset), Type: "response", Location: cells[3],
		Offset: offset}
	if _, err := fmt.Sscan(cells[2], &c.Status); err != nil {
		t.Fatal(err)
	}
	if c.Status < 0 {
		c.Type, c.Status = "revisit", 0
	}
	return c
}

func index(t *testing.T, lines ...string) *Index {
	t.Helper()
	x := New(t.TempDir())
	for i, line := range lines {
		if err := x.Add(capture(t, line, int64(i))); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func TestFind(t *testing.T) {
	day := func(s string) time.Time { d, _ := time.Parse("2006-01-02", s); return d }
	for _, c := range []struct {
		name  string
		want  Want
		lines []string
		found []int64 // offsets: places in lines
		why   string  // or the way, if found
		near  []string
	}{
		{"its URL", Want{URL: "http://a.org/"}, []string{"2020-01-01 http://a.org/ 200"}, []int64{0}, "its URL", nil},
		{"its URL, as a browser asks for it", Want{URL: "HTTP://A.org:80"}, []string{"2020-01-01 http://a.org/ 200"},
			[]int64{0}, "which the record writes http://a.org/", nil},
		{"a host in another script", Want{URL: "http://bücher.example/"},
			[]string{"2020-01-01 http://xn--bcher-kva.example/ 200"}, []int64{0}, "which the record writes", nil},
		{"a fragment is not asked for", Want{URL: "http://a.org/#top"}, []string{"2020-01-01 http://a.org/ 200"},
			[]int64{0}, "its URL", nil},
		{"https is another URL", Want{URL: "http://a.org/"}, []string{"2020-01-01 https://a.org/ 200"}, nil,
			"it was not captured", []string{"https://a.org/"}},
		{"www is another host", Want{URL: "http://a.org/"},
			[]string{"2020-01-01 http://a.org/x 200", "2020-01-01 http://www.a.org/ 200"}, nil, "it was not captured",
			[]string{"http://www.a.org/", "http://a.org/x"}},
		{"a slash makes another URL", Want{URL: "http://a.org/x"}, []string{"2020-01-01 http://a.org/x/ 200"}, nil,
			"it was not captured", []string{"http://a.org/x/"}},
		{"unless a redirect leads there", Want{URL: "http://a.org/"},
			[]string{"2020-01-01 http://a.org/ 301 https://www.a.org", "2020-01-01 https://www.a.org/ 302 /nl/",
				"2020-01-01 https://www.a.org/nl/ 200"},
			[]int64{2}, "a redirect (301) to https://www.a.org, a redirect (302) to /nl/", nil},
		{"which was captured", Want{URL: "http://a.org/"}, []string{"2020-01-01 http://a.org/ 301 https://b.org/"}, nil,
			"a redirect to https://b.org/, which was not captured", nil},
		{"a redirect to no URL", Want{URL: "http://a.org/"}, []string{"2020-01-01 http://a.org/ 301 http://["}, nil,
			"a redirect to no URL", nil},
		{"a redirect that says nothing", Want{URL: "http://a.org/"}, []string{"2020-01-01 http://a.org/ 301"}, nil,
			"the answer was 301", nil},
		{"round in a circle", Want{URL: "http://a.org/"},
			[]string{"2020-01-01 http://a.org/ 301 /b", "2020-01-01 http://a.org/b 301 /"}, nil,
			"lead back to where they began", nil},
		{"a cookie is set first", Want{URL: "http://a.org/"},
			[]string{"2020-01-01 http://a.org/ 302 http://a.org/", "2020-01-02 http://a.org/ 200"}, []int64{1},
			"its URL, a redirect (302)", nil},
		{"an error is no page", Want{URL: "http://a.org/"}, []string{"2020-01-01 http://a.org/ 404"}, nil,
			"the answer was 404", nil},
		{"an error behind a redirect", Want{URL: "http://a.org/"},
			[]string{"2020-01-01 http://a.org/ 301 /b", "2020-01-01 http://a.org/b 500"}, nil,
			"the answer was 500 of the redirect target: /b", nil},
		{"the first that is a page", Want{URL: "http://a.org/"},
			[]string{"2020-01-01 http://a.org/ 503", "2020-01-02 http://a.org/ 200", "2020-01-03 http://a.org/ 200"},
			[]int64{1}, "its URL", nil},
		{"the last", Want{URL: "http://a.org/", Which: Last},
			[]string{"2020-01-01 http://a.org/ 200", "2020-01-03 http://a.org/ 404", "2020-01-02 http://a.org/ 200"},
			[]int64{2}, "its URL", nil},
		{"all", Want{URL: "http://a.org/", Which: All},
			[]string{"2020-01-01 http://a.org/ 200", "2020-01-03 http://a.org/ 404", "2020-01-02 http://a.org/ 0"},
			[]int64{0, 2}, "its URL", nil},
		{"all that lead to one", Want{URL: "http://a.org/", Which: All},
			[]string{"2020-01-01 http://a.org/ 301 /b", "2020-01-02 http://a.org/ 301 /b",
				"2020-01-01 http://a.org/b 200"}, []int64{2}, "its URL", nil},
		{"each at its time", Want{URL: "http://a.org/", Which: All},
			[]string{"2020-01-01 http://a.org/ 301 /b", "2023-01-01 http://a.org/ 301 /b",
				"2020-01-01 http://a.org/b 301 /c", "2023-01-02 http://a.org/b 200", "2020-01-01 http://a.org/c 200"},
			[]int64{4, 3}, "its URL", nil},
		{"the nearest", Want{URL: "http://a.org/", Which: Nearest, From: day("2015-07-08"), To: day("2015-07-09")},
			[]string{"2014-01-01 http://a.org/ 200", "2015-07-10 http://a.org/ 200", "2015-07-01 http://a.org/ 200"},
			[]int64{1}, "its URL", nil},
		{"the nearest in a year", Want{URL: "http://a.org/", Which: Nearest, From: day("2015-01-01"),
			To: day("2016-01-01")}, []string{"2014-12-31 http://a.org/ 200", "2015-12-31 http://a.org/ 200",
			"2015-07-01 http://a.org/ 200"}, []int64{2}, "its URL", nil},
		{"a revisit", Want{URL: "http://a.org/"}, []string{"2020-01-01 http://a.org/ -1"}, []int64{0}, "a revisit",
			nil},
		{"nothing alike", Want{URL: "http://a.org/"}, []string{"2020-01-01 http://b.org/ 200"}, nil,
			"it was not captured", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := index(t, c.lines...).Find([]Want{c.want})
			if err != nil {
				t.Fatal(err)
			}
			f := found[0]
			var got []int64
			said := f.Why
			for _, chosen := range f.Chosen {
				got, said = append(got, chosen.Offset), chosen.How
			}
			if !slices.Equal(got, c.found) || !strings.Contains(said, c.why) || !slices.Equal(f.Near, c.near) {
				t.Errorf("%v, %q, near %q; want %v, %q, near %q", got, said, f.Near, c.found, c.why, c.near)
			}
		})
	}
}

// TestMany checks that captures stored on disk are read back unchanged.
func TestMany(t *testing.T) {
	x := New(t.TempDir())
	defer x.Close()
	long := strings.Repeat("x", 2000)
	for i := range 30_000 {
		if err := x.Add(Capture{URI: fmt.Sprintf("http://a.org/%d?%s", i%1000, long),
			Date: time.Unix(int64(30_000-i), 0).UTC(), ID: fmt.Sprint(i), Type: "response", Status: 200,
			Offset: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := x.Find([]Want{{URL: "http://a.org/7?" + long, Which: All},
		{URL: "http://a.org/7?" + long, Which: First}, {URL: "http://a.org/none"}})
	if err != nil || len(found[0].Chosen) != 30 || found[1].Chosen[0].ID != "29007" || len(found[2].Near) != maxNear {
		t.Error(found, err)
	}
}

func TestOf(t *testing.T) {
	const dated = "WARC-Date: 2020-01-02T03:04:05.678Z\r\nWARC-Record-ID: <urn:x:1>\r\n"
	record := func(kind, uri, block string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
			kind, uri, dated, len(block), block)
	}
	for _, c := range []struct {
		name, file string
		want       *Capture
	}{
		{"a response", record("response", "http://a/", "HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n"),
			&Capture{Status: 301, Location: "/b"}},
		{"without a head", record("response", "http://a/", "<html>"), &Capture{}},
		{"without anything", record("response", "http://a/", ""), &Capture{}},
		{"a resource that looks like one",
			record("resource", "http://a/", "HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n"), &Capture{}},
		{"a revisit", record("revisit", "http://a/", "HTTP/1.1 304 Not Modified\r\n\r\n"), &Capture{Status: 304}},
		{"in angle brackets", record("response", "<http://a/>", "HTTP/1.1 200 OK\r\n\r\n"), &Capture{Status: 200}},
		{"a request", record("request", "http://a/", "GET / HTTP/1.1\r\n\r\n"), nil},
		{"a conversion", record("conversion", "http://a/", "x"), nil},
		{"a look-up", record("response", "dns:a", "x"), nil},
		{"no URL", record("response", "", "x"), nil},
	} {
		r, err := records.NewReader(strings.NewReader(c.file), nil).Next()
		if err != nil {
			t.Fatal(c.name, err)
		}
		got, ok, err := Of(r, 3)
		if err != nil || ok != (c.want != nil) {
			t.Errorf("%s: %v, %v", c.name, ok, err)
			continue
		}
		if !ok {
			continue
		}
		w := *c.want
		w.URI, w.ID, w.Type, w.Container, w.Date = "http://a/", "<urn:x:1>", r.Type, 3,
			time.Date(2020, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
		if got != w || parse(got.value()) != w {
			t.Errorf("%s: %+v, and back %+v, want %+v", c.name, got, parse(got.value()), w)
		}
	}
}

// FuzzFind checks that following any redirects ends, and that a found capture exists.
func FuzzFind(f *testing.F) {
	f.Add("http://a/", "http://a/", "/", "http://a/", "b")
	f.Add("HTTP://[::1]:80", "http://[::1]/", "//b", "http://b/", "\\x")
	f.Add("gopher://a/1", "gopher://a/1", "javascript:x", "", "")
	f.Fuzz(func(t *testing.T, want, a, toB, b, toA string) {
		x := New(t.TempDir())
		defer x.Close()
		for i, c := range []Capture{{URI: a, Status: 301, Location: toB}, {URI: b, Status: 302, Location: toA},
			{URI: a, Status: 404}, {URI: b, Status: 200}} {
			c.Offset, c.Date = int64(i), time.Unix(int64(i), 0)
			if err := x.Add(c); err != nil {
				t.Fatal(err)
			}
		}
		found, err := x.Find([]Want{{URL: want, Which: All}})
		if err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		for _, c := range found[0].Chosen {
			if c.Offset != 3 {
				t.Errorf("%+v is no page", c)
			}
		}
	})
}
