package heritrix

import (
	"quire/source/internal/sourcetest"
	"strings"
	"testing"
)

// BenchmarkFetches reads a log of ten thousand lines, after the pass that finds its clock offset.
func BenchmarkFetches(b *testing.B) {
	line := "2012-12-19T19:18:35.402Z   301          0 http://www.netarkivet.dk/ - - text/html #048 " +
		"20121219191834967+430 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://www.netarkivet.dk/ content-size:269,3t\n"
	log := strings.Repeat(line, 10_000)
	h := sourcetest.Only(b, Reader{}, folder(b, map[string]string{"crawl.log": log}))
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range h.Fetches(b.Context(), nil) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
