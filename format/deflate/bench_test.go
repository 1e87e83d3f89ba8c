package deflate

import (
	"bytes"
	stdflate "compress/flate"
	"io"
	"os"
	"testing"

	"github.com/klauspost/compress/flate"
)

// benchMembers returns deflate data for measuring. It is the first small members of the container
// in QUIRE_BENCH_WARC, with no optional header part except an extra field; otherwise generated
// pages.
func benchMembers(b *testing.B) (members [][]byte, inflated int64) {
	b.Helper()
	path := os.Getenv("QUIRE_BENCH_WARC")
	if path == "" {
		for i := range uint64(200) {
			members = append(members, compress(b, page(500+int(i)*200, i), 6))
			inflated += 500 + int64(i)*200
		}
		return members, inflated
	}
	file, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var d Decoder
	dst := make([]byte, 16<<20)
	for rest := file; len(rest) > 18 && inflated < 100<<20; {
		head := 10
		if rest[3] == 4 {
			head += 2 + int(rest[10]) + int(rest[11])<<8
		} else if rest[3] != 0 {
			b.Fatalf("a header with flags %x", rest[3])
		}
		n, used, err := d.Inflate(dst, rest[head:])
		if err != nil {
			b.Fatal(err)
		}
		if used <= 256<<10 {
			members = append(members, rest[head:head+used])
			inflated += int64(n)
		}
		rest = rest[head+used+8:]
	}
	return members, inflated
}

func BenchmarkInflate(b *testing.B) {
	members, inflated := benchMembers(b)
	b.Run("quire", func(b *testing.B) {
		var d Decoder
		dst := make([]byte, 16<<20)
		b.SetBytes(inflated)
		b.ReportAllocs()
		for b.Loop() {
			for _, m := range members {
				if _, _, err := d.Inflate(dst, m); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	for name, open := range map[string]func(io.Reader) io.ReadCloser{"klauspost": flate.NewReader,
		"std": stdflate.NewReader} {
		b.Run(name, func(b *testing.B) {
			in := bytes.NewReader(nil)
			r := open(in)
			buf := make([]byte, 128<<10)
			b.SetBytes(inflated)
			b.ReportAllocs()
			for b.Loop() {
				for _, m := range members {
					in.Reset(m)
					if err := r.(stdflate.Resetter).Reset(in, nil); err != nil {
						b.Fatal(err)
					}
					if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, r, buf); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
