package captures

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// benchLines returns the number of lines for BenchmarkLookup: QUIRE_BENCH_LINES=3000000 gives the
// figure in docs/reference/535_capture-index.md.
func benchLines() int {
	if n, err := strconv.Atoi(os.Getenv("QUIRE_BENCH_LINES")); err == nil {
		return n
	}
	return 100_000
}

func benchURL(n int) string {
	return fmt.Sprintf("http://host%d.example.org/folder/page-%d.html", n%5000, n)
}

// makeBench builds an index of lines in several packages. QUIRE_BENCH_DIR keeps it for the next
// run.
func makeBench(b *testing.B, lines int) *Index {
	b.Helper()
	dir := filepath.Join(b.TempDir(), DirName)
	if kept := os.Getenv("QUIRE_BENCH_DIR"); kept != "" {
		dir = filepath.Join(kept, strconv.Itoa(lines))
	}
	x, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = x.Close() })
	const packages = 30
	if all, err := x.Packages(b.Context()); err != nil || len(all) == packages {
		return x
	}
	began := time.Now()
	for p := range packages {
		err := x.Add(b.Context(), fmt.Sprintf("urn:uuid:0b9d3c8e-%04d", p),
			[]Container{{Path: "containers/a.warc.gz", SHA512: fmt.Sprint(p)}},
			func(_ context.Context, _ *Container, line func(*Line) error) error {
				for n := p; n < lines; n += packages {
					l := Line{Capture: Capture{URL: benchURL(n), Timestamp: fmt.Sprintf("20%02d0102030405", n%30),
						Type: "response", Status: 200, MIME: "text/html",
						Digest: fmt.Sprintf("sha1:%032d", n), Length: 12345,
						Record: Place{Order: int64(n), Offset: int64(n) * 10000, Stored: 4000,
							Inflated: int64(n) * 30000,
							Head:     300, Body: 12345, SHA256: fmt.Sprintf("%064d", n)},
						Digests: []string{fmt.Sprintf("sha1:%032d", n), fmt.Sprintf("sha256:%064d", n)}}}
					l.Key = keyOf(l.URL, nil)
					if err := line(&l); err != nil {
						return err
					}
				}
				return nil
			})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d lines in %d segments, made in %v", lines, len(x.current.segments), time.Since(began))
	return x
}

// processor returns the CPU time of this process.
func processor(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLookup measures the look-up of replay: the capture of a URL closest to a date. Run with
// -cpu 2. On a shared machine, the CPU time is more meaningful than the clock.
func BenchmarkLookup(b *testing.B) {
	lines := benchLines()
	x := makeBench(b, lines)
	for n := range min(lines, 150_000) { // as on a running server
		for _, err := range x.Captures(context.Background(),
			Query{URL: benchURL(n * 7919 % lines), Closest: "20150102030405"}) {
			if err != nil {
				b.Fatal(err)
			}
			break
		}
	}
	var failed atomic.Int64
	began := processor(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		r := rand.New(rand.NewPCG(1, rand.Uint64()))
		for pb.Next() {
			n := r.IntN(lines)
			found := false
			for c, err := range x.Captures(context.Background(), Query{URL: benchURL(n), Closest: "20150102030405"}) {
				found = err == nil && c.Record.Order == int64(n)
				break
			}
			if !found {
				failed.Add(1)
			}
		}
	})
	if failed.Load() > 0 {
		b.Errorf("%d were not found", failed.Load())
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lookups/s")
	b.ReportMetric(float64((processor(b)-began).Microseconds())/float64(b.N), "cpu-µs/op")
}

// BenchmarkCounts measures the timeline of a URL with a hundred thousand captures.
func BenchmarkCounts(b *testing.B) {
	dir := filepath.Join(b.TempDir(), DirName)
	x, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	err = x.Add(b.Context(), "p", []Container{{Path: "a.warc.gz", SHA512: "1"}},
		func(_ context.Context, _ *Container, line func(*Line) error) error {
			for n := range 100_000 {
				l := Line{Capture: Capture{URL: url, Key: keyOf(url, nil),
					Timestamp: start.Add(time.Duration(n) * time.Hour).Format("20060102150405"), Type: "response",
					Status: 200,
					MIME:   "text/html", Digest: helloSHA1,
					Record: Place{Order: int64(n), SHA256: fmt.Sprintf("%064d", n)}}}
				if err := line(&l); err != nil {
					return err
				}
			}
			return nil
		})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		all, err := x.Counts(context.Background(), Query{URL: url}, Year, func(c *Brief) bool {
			return c.Package == "p"
		})
		if err != nil || len(all) != 12 {
			b.Fatal(len(all), err)
		}
	}
}
