package captures

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/repotest"
)

// TestJoined: the segments of a record are joined within one harvest. The line of the whole comes back from the index.
func TestJoined(t *testing.T) {
	t.Parallel()
	r := repotest.New(t)
	const body = "<p>one two"
	whole := repotest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", body,
		"Content-Encoding: identity")
	parts := repotest.Segments(whole, strings.Index(whole, "two")-strings.Index(whole, "HTTP/1.1"))
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{"a.warc": parts[0], "b.warc": parts[1]}})
	for _, c := range []struct {
		harvests map[string]int
		want     string
	}{
		{nil, "10 false  2"},
		{map[string]int{"containers/a.warc": 1, "containers/b.warc": 1}, "10 false  2"},
		{map[string]int{"containers/a.warc": 1, "containers/b.warc": 2}, "7 true segment 2 is missing 1"},
		{map[string]int{"containers/a.warc": 1}, "7 true segment 2 is missing 1"},
	} {
		x := open(t, filepath.Join(t.TempDir(), DirName))
		read := x.Stored(r.Store, nil, func(err error) { t.Error(err) })
		of := Container{Package: "p", Path: aContainer, Harvest: 1, Harvests: c.harvests}
		var lines []*Line
		must(t, read(t.Context(), &of, func(l *Line) error { lines = append(lines, l); return nil }))
		if len(lines) != 1 || of.Segments != 1 || of.Version != segmented {
			t.Fatalf("%d lines, %+v", len(lines), of)
		}
		l := lines[0]
		got := fmt.Sprintf("%d %t %s %d", l.Length, l.Truncated, l.TruncatedBy, len(l.Record.Segments))
		if got != c.want {
			t.Errorf("harvests %v: %s, want %s", c.harvests, got, c.want)
		}
		line, _, err := encodeLine(7, l)
		must(t, err)
		back, _, err := decodeLine(line, map[int64]*Container{7: {Package: "p", Path: aContainer, Version: segmented}})
		must(t, err)
		back.Record.Package, back.Record.Container, back.Package, back.Harvest = "", "", "", 0
		if a, b := fmt.Sprintf("%+v", *back), fmt.Sprintf("%+v", l.Capture); a != b {
			t.Errorf("the line comes back as\n%s\nand not\n%s", a, b)
		}
	}
}

// inTwo returns the segments of a record.
func inTwo(id, body string) []string {
	whole := repotest.Response(id, "http://a.example/", "2015-01-02T03:04:05Z", "text/html", body)
	return repotest.Segments(whole, len(whole)-len("two\r\n\r\n")-strings.Index(whole, "HTTP/1.1"))
}

// joinedIn returns the joined lines of a container in short form, read with limits; 0 is the usual limit. It returns
// the errors, too.
func joinedIn(t *testing.T, name, content string, most int, shared int64) (lines []string, c Container, errs []error) {
	t.Helper()
	s := repotest.New(t)
	s.Ingest(repotest.Package{ID: "p", Containers: map[string]string{name: content}})
	x := open(t, filepath.Join(t.TempDir(), DirName))
	r := x.reading(s.Store, nil, func(err error) { errs = append(errs, err) })
	if most > 0 {
		r.mostParts = most
	}
	if shared > 0 {
		r.mostShared = shared
	}
	c = Container{Package: "p", Path: "containers/" + name}
	must(t, r.read(t.Context(), &c, func(l *Line) error {
		lines = append(lines, fmt.Sprintf("%d %t %s %d", l.Length, l.Truncated, l.TruncatedBy, len(l.Record.Segments)))
		return nil
	}))
	return lines, c, errs
}

// TestJoinedTruncated: a capture is truncated if the crawler cut any of its segments.
func TestJoinedTruncated(t *testing.T) {
	t.Parallel()
	p := inTwo("1", "<p>one two")
	p[1] = strings.Replace(p[1], "Content-Length", "WARC-Truncated: length\r\nContent-Length", 1)
	if got, _, _ := joinedIn(t, "a.warc", p[0]+p[1], 0, 0); len(got) != 1 || got[0] != "10 true length 2" {
		t.Errorf("%q", got)
	}
}

// TestJoinedFirsts: first segments are counted also if there is no memory for more parts.
func TestJoinedFirsts(t *testing.T) {
	t.Parallel()
	p := inTwo("1", "<p>one two")
	all := p[1]
	for i := range 30 { // parts that fill the memory
		all += inTwo(fmt.Sprint("other-", i), "<p>one two")[1]
	}
	got, _, _ := joinedIn(t, "a.warc", all+strings.Repeat(p[0], mostFirsts+1), 15_000, 0)
	if len(got) != mostFirsts+1 || got[0] != "7 true 17 first segments have this id 1" {
		t.Errorf("%d lines, %q", len(got), got)
	}
}

// TestJoinedTooMany: parts for which there is no memory are counted in the reason.
func TestJoinedTooMany(t *testing.T) {
	t.Parallel()
	p := inTwo("1", "<p>one two")
	others := inTwo("2", "<p>one two")[1] + inTwo("3", "<p>one two")[1]
	got, _, errs := joinedIn(t, "a.warc", p[0]+others+p[1]+inTwo("4", "<p>one two")[1], 1000, 0)
	const want = "7 true segment 2 is missing, or is one of the 2 segments of the package " +
		"that are too many to be joined 1"
	if len(got) != 1 || got[0] != want {
		t.Errorf("%q", got)
	}
	if fmt.Sprint(errs) != "[package p has too many segments: 2 are not joined]" {
		t.Error(errs)
	}
}

// TestJoinedShared: segments that share their member are found from the beginning of the file. This has a limit.
func TestJoinedShared(t *testing.T) {
	t.Parallel()
	p := inTwo("1", "<p>one two")
	packed := string(repotest.Gzip(t, p[0]+p[1]))
	const late = "[7 true segment 2 shares its gzip member, and finding it takes too long 1] 0"
	for most, want := range map[int64]string{
		0:                                "[10 false  2] 0",
		int64(len(p[0]) + 3):             late,
		int64(len(p[0]) + len(p[0]) + 3): "[10 false  2] 0",
		1:                                "[] 1",
	} {
		lines, c, errs := joinedIn(t, "a.warc.gz", packed, 0, most)
		if got := fmt.Sprint(lines, " ", c.Left[LeftSegment]); got != want || len(errs) > 0 {
			t.Errorf("up to %d bytes: %s, and not %s, %v", most, got, want, errs)
		}
	}
	apart, _, _ := joinedIn(t, "a.warc.gz", string(repotest.Gzip(t, p[0]))+string(repotest.Gzip(t, p[1])), 0, 1)
	if fmt.Sprint(apart) != "[10 false  2]" {
		t.Errorf("in members of their own: %q", apart)
	}
}

// TestReadOnce: a container with parts that cannot be joined is read once.
func TestReadOnce(t *testing.T) {
	t.Parallel()
	page := repotest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one two")
	second := strings.Replace(page, "Content-Length", "WARC-Segment-Number: 2\r\nContent-Length", 1)
	nameless := strings.Replace(inTwo("1", "<p>one two")[0], "WARC-Record-ID: <urn:x:1>\r\n", "", 1)
	for name, content := range map[string]string{
		"second.warc": second, "nameless.warc": nameless,
		"head.warc":      strings.Join(repotest.Segments(page, 20), ""), // the head goes on in the second segment
		"shared.warc.gz": string(repotest.Gzip(t, second+page)),
	} {
		s := repotest.New(t)
		s.Ingest(repotest.Package{ID: "p", Containers: map[string]string{name: content}})
		x := open(t, filepath.Join(t.TempDir(), DirName))
		runs, inflated := 0, int64(0)
		read := x.Stored(s.Store, func(n int64) { inflated += n }, func(err error) { t.Error(err) })
		c := Container{Package: "p", Path: "containers/" + name, SHA512: strings.Repeat("0", 128), Version: Readers}
		for range 2 {
			must(t, x.Add(t.Context(), "p", []Container{c}, func(ctx context.Context, c *Container,
				line func(*Line) error) error {
				runs++
				c.SHA512 = "" // of the stored file
				defer func() { c.SHA512 = strings.Repeat("0", 128) }()
				return read(ctx, c, line)
			}))
		}
		if left := x.current.manifest.Containers[0].Left[LeftSegment]; runs != 1 || left != 1 {
			t.Errorf("%s is read %d times, and %d are left out", name, runs, left)
		}
		inflated = 0
		again := Container{Package: "p", Path: c.Path, Version: Readers}
		must(t, read(t.Context(), &again, func(*Line) error { return nil }))
		if name == "shared.warc.gz" && inflated > 0 {
			t.Errorf("%s: its lines are not used again", name)
		}
	}
}
