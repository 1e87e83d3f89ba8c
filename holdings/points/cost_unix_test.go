//go:build unix

package points_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"quire/preserve/inspect"
)

// BenchmarkMakeBesideIndexing reports the processor time of the points, in per cent of that of indexing the same
// container (the pass of quire pack). Its record is long, so nearly all of the container gets points.
func BenchmarkMakeBesideIndexing(b *testing.B) {
	k := benchmarkRecord(b)
	var making, indexing time.Duration
	b.SetBytes(k.rec.Place.Body)
	for b.Loop() {
		begun := processorTime(b)
		if err := k.write(b); err != nil {
			b.Fatal(err)
		}
		made := processorTime(b)
		c, err := inspect.File(context.Background(), k.path, inspect.Options{})
		if err != nil || c.Records.Total != 1 {
			b.Fatal(c, err)
		}
		making += made - begun
		indexing += processorTime(b) - made
	}
	b.ReportMetric(100*float64(making)/float64(indexing), "%-of-indexing")
}

// processorTime returns the time that processors have spent on this process.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
