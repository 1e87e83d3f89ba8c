package register

import (
	"fmt"
	"runtime"
	"testing"
)

// BenchmarkAppend appends one leaf to registers of several sizes, with all writes to disk.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{1_000, 1_000_000} {
		o := options(b)
		w := mustCreate(b, o)
		mustAppend(b, w, 0, size)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for n := range b.N {
				if _, err := w.AppendLeaves(background, leaf(n)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint(size, "/open"), func(b *testing.B) {
			for range b.N {
				if _, err := Open(background, o); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint(size, "/catch-up"), func(b *testing.B) {
			mustCatchUp(b, w, o.Copies[0])
			b.ResetTimer()
			for n := range b.N {
				b.StopTimer()
				mustAppend(b, w, n, n+1)
				b.StartTimer()
				mustCatchUp(b, w, o.Copies[0])
			}
		})
		b.Run(fmt.Sprint(size, "/proof"), func(b *testing.B) {
			reader, err := OpenReader(o.Folder)
			if err != nil {
				b.Fatal(err)
			}
			for n := range b.N {
				if _, err := reader.Proof(int64(n*7919) % reader.Head.Size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBatch appends a million leaves at once.
func BenchmarkBatch(b *testing.B) {
	for range b.N {
		mustAppend(b, mustCreate(b, options(b)), 0, 1_000_000)
	}
}

// BenchmarkVerify reads a register of a million leaves in full.
func BenchmarkVerify(b *testing.B) {
	o := options(b)
	w := mustCreate(b, o)
	mustAppend(b, w, 0, 1_000_000)
	runtime.GC()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		mustBeSound(b, w, o.Folder, 1_000_001)
	}
}
