package captures

import (
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
