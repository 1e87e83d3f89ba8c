package reconcile

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// BenchmarkReconcile reconciles a generated crawl: lines, records and index entries of
// QUIRE_RECONCILE_LINES fetches. One line in a hundred is a duplicate without a record, and one in
// a thousand has lost its record.
func BenchmarkReconcile(b *testing.B) {
	lines := 20_000
	if n, err := strconv.Atoi(os.Getenv("QUIRE_RECONCILE_LINES")); err == nil {
		lines = n
	}
	dir := b.TempDir()
	makeCrawl(b, dir, lines)
	b.ResetTimer()
	for range b.N {
		peak := watchHeap()
		result, err := Source(context.Background(), Options{}, dir)
		heap := peak()
		if err != nil {
			b.Fatal(err)
		}
		h := result.Harvests[0]
		if h.Witnesses.Log.Lines != int64(lines) || h.LostCaptures+h.Totals.Unexplained == 0 ||
			h.Totals.Explained < int64(lines/100) {
			b.Fatal(textOf(h))
		}
		b.ReportMetric(float64(heap)/(1<<20), "MiB-heap")
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(lines), "µs/line")
	}
}

// watchHeap samples the heap, and returns a function that returns the peak.
func watchHeap() func() uint64 {
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		var m runtime.MemStats
		var peak uint64
		for {
			select {
			case <-done:
				most <- peak
				return
			case <-time.After(50 * time.Millisecond):
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapInuse)
			}
		}
	}()
	return func() uint64 { close(done); return <-most }
}

// makeCrawl writes the log, index and containers of a crawl, without keeping it in memory.
func makeCrawl(b *testing.B, dir string, lines int) {
	b.Helper()
	for _, sub := range []string{"logs", "arcs"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			b.Fatal(err)
		}
	}
	create := func(name string) (*bufio.Writer, func()) {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			b.Fatal(err)
		}
		w := bufio.NewWriter(f)
		return w, func() {
			if err := w.Flush(); err != nil {
				b.Fatal(err)
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	put := func(w *bufio.Writer, format string, args ...any) {
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			b.Fatal(err)
		}
	}
	log, closeLog := create("logs/crawl.log")
	index, closeIndex := create("crawl.cdx")
	put(index, "%s\n", " CDX N b a m s k r M S V g")
	container, closeContainer := create("arcs/" + first)
	job := &job{containers: map[string][]string{}}
	job.record(first, "")
	offset := len(job.containers[first][0])
	put(container, "%s", job.containers[first][0])
	begin := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range lines {
		c := capture{url: fmt.Sprintf("http://www%d.example.org/folder/%d/page?id=%d", i%5000, i%97, i),
			at: begin.Add(time.Duration(i) * 37 * time.Millisecond).Format("20060102150405.000"), status: 200,
			body: fmt.Sprint("body ", i)}
		c.at = c.at[:14] + c.at[15:]
		job.lines = job.lines[:0]
		if i%100 == 0 {
			job.line(c, `duplicate:"x.arc,1"`)
		} else {
			job.line(c)
		}
		put(log, "%s\n", job.lines[0])
		if i%100 == 0 || i%1000 == 7 {
			continue
		}
		record := c.arc()
		put(index, "- %s %s text/html 200 %s - - %d %d %s\n", c.at[:14], c.url, c.digest(), len(record), offset, first)
		put(container, "%s", record)
		offset += len(record)
	}
	closeLog()
	closeIndex()
	closeContainer()
}
