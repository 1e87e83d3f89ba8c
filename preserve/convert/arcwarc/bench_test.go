package arcwarc

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"quire/format/gzipmember"
	"quire/format/inflate"
)

// crawl returns an ARC of pages that compress like text, one gzip member a record.
func crawl(b *testing.B) []byte {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 4000)
	for i := range words {
		words[i] = fmt.Sprintf("%x", random.Uint64()>>(16+random.IntN(40)))
	}
	members := []string{head}
	for i := range 1000 {
		var page strings.Builder
		page.WriteString("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n")
		for range 2000 {
			page.WriteString(words[random.IntN(len(words))])
			page.WriteByte(' ')
		}
		members = append(members, fmt.Sprintf("http://a.org/%d 192.0.2.1 20251101100001 text/html %d\n%s\n", i,
			page.Len(), page.String()))
	}
	return gzipped(b, members...)
}

func BenchmarkConvert(b *testing.B) {
	file := crawl(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(inflated(b, file))))
	for b.Loop() {
		if _, err := Convert(b.Context(), bytes.NewReader(file), io.Discard, options); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFloor measures the unavoidable work: inflating the ARC and deflating the same bytes,
// member by member.
func BenchmarkFloor(b *testing.B) {
	file := crawl(b)
	b.SetBytes(int64(len(inflated(b, file))))
	for b.Loop() {
		in := inflate.NewReader(bytes.NewReader(file), inflate.Options{})
		out, err := gzipmember.NewWriter(io.Discard, gzipmember.DefaultLevel)
		if err != nil {
			b.Fatal(err)
		}
		for member, open := int64(0), false; ; {
			at, err := in.Position()
			if open && (err != nil || at.Member != member) {
				if _, _, err := out.End(); err != nil {
					b.Fatal(err)
				}
				open = false
			}
			if err != nil {
				break
			}
			if !open {
				if err := out.Begin(); err != nil {
					b.Fatal(err)
				}
				member, open = at.Member, true
			}
			chunk, err := in.Chunk(1 << 20)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := out.Write(chunk); err != nil {
				b.Fatal(err)
			}
		}
	}
}
