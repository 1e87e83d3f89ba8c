package points_test

import (
	"context"
	"io"
	"os"
	"strconv"
	"testing"

	"quire/holdings/points"
	"quire/repository/stored"
)

// benchmarkRecord is a record of 64 MiB, or of QUIRE_BENCH_MIB.
func benchmarkRecord(b *testing.B) *kept {
	b.Helper()
	mib := 64
	if text := os.Getenv("QUIRE_BENCH_MIB"); text != "" {
		var err error
		if mib, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	body := film(mib << 20)
	return container(b, zipped(b, record(body), 6), body)
}

// BenchmarkEnter reads the last 64 KiB of a body: with points of entry, and by reading all that is before.
func BenchmarkEnter(b *testing.B) {
	const n = 64 << 10
	k := benchmarkRecord(b)
	if err := k.write(b); err != nil {
		b.Fatal(err)
	}
	at := k.rec.Place.Body - n
	info, err := os.Stat(k.path + ".points")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("entered", func(b *testing.B) {
		for b.Loop() {
			if got, err := k.read(b, at, n); err != nil || len(got) != n {
				b.Fatal(len(got), err)
			}
		}
		b.ReportMetric(100*float64(info.Size())/float64(k.rec.Place.Body), "%-of-body")
	})
	b.Run("from-the-beginning", func(b *testing.B) {
		for b.Loop() {
			f, err := os.Open(k.path)
			if err != nil {
				b.Fatal(err)
			}
			r, err := stored.Opened(context.Background(), f, k.rec.Place)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.CopyN(io.Discard, r, at); err != nil {
				b.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || len(got) != n {
				b.Fatal(len(got), err)
			}
			_ = r.Close() // only read
		}
	})
}

// BenchmarkMake is the pass over a record: with and without points. Both compute the digest of the body.
func BenchmarkMake(b *testing.B) {
	k := benchmarkRecord(b)
	f, err := os.Open(k.path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	b.Run("points", func(b *testing.B) {
		b.SetBytes(k.rec.Place.Body)
		for b.Loop() {
			err := points.Write(k.path+".points", func() string { return "" }, func(m *points.Maker) error {
				return m.Make(context.Background(), f, &k.rec)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("reading-alone", func(b *testing.B) {
		b.SetBytes(k.rec.Place.Body)
		for b.Loop() {
			f, err := os.Open(k.path)
			if err != nil {
				b.Fatal(err)
			}
			r, err := stored.Opened(context.Background(), f, k.rec.Place)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, r); err != nil {
				b.Fatal(err)
			}
			_ = r.Close() // only read
		}
	})
}
