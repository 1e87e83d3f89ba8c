package mirror

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"testing"

	"quire/model"
	"quire/source"
)

// many is a mirror of any number of pages, each with a link to the next, and one large file.
type many struct {
	fake
	pages int
	large int64
}

func newMany(pages int, large int64) *many {
	m := &many{pages: pages, large: large}
	m.style = source.StyleHTTrack
	for i := range pages {
		m.about.Files = append(m.about.Files, model.SourceFile{Path: pagePath(i), Size: 1000, Role: model.RoleContent})
	}
	m.about.Files = append(m.about.Files,
		model.SourceFile{Path: "www.example.org/large.bin", Size: large, Role: model.RoleContent})
	return m
}

func pagePath(i int) string { return fmt.Sprintf("www.example.org/folder%d/page%d.html", i/1000, i) }

func (m *many) Resources(context.Context, func(model.Finding)) iter.Seq2[*source.Resource, error] {
	return func(yield func(*source.Resource, error) bool) {
		for i := range m.pages {
			text := fmt.Sprintf("<html><a href=\"page%d.html\">next</a>%s", i+1, strings.Repeat("x", 900))
			r := &source.Resource{
				URL: "http://" + strings.TrimSuffix(pagePath(i), ".html"), Time: then, Status: 200, MIME: "text/html",
				File: pagePath(i), Saved: pagePath(i), Body: body(text),
				Sent: -1, Rewritten: true, Why: []string{"URL: made"}, Facts: []model.Field{{Name: "etag", Value: "x"}},
			}
			if !yield(r, nil) {
				return
			}
		}
		large := func() (io.ReadCloser, error) { return io.NopCloser(io.LimitReader(zeros{}, m.large)), nil }
		yield(&source.Resource{URL: "http://www.example.org/large.bin", Time: then, Status: 200,
			File: "www.example.org/large.bin", Body: large, Sent: m.large, Grade: source.OriginalFile}, nil)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// A conversion uses a little memory for each name, and none for the content of files. The benchmark
// reports the peak resident memory of the whole process.
func BenchmarkManyFiles(b *testing.B) {
	m := newMany(100_000, 256<<20)
	o := Options{Name: "m", Software: "Quire/test", Date: options.Date, TempDir: b.TempDir()}
	for b.Loop() {
		if _, err := Convert(context.Background(), m, io.Discard, o); err != nil {
			b.Fatal(err)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(status)) {
		var kib float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f", &kib); n == 1 {
			b.ReportMetric(kib/1024, "MiB-peak")
		}
	}
}
