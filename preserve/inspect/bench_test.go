package inspect

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"math/rand"
	"os"
	"testing"

	"github.com/andybalholm/brotli"

	"quire/format/warc"
)

// BenchmarkInspect measures the pass with all digests over a container in memory: QUIRE_BENCH_WARC,
// or a generated one.
func BenchmarkInspect(b *testing.B) {
	var file []byte
	if p := os.Getenv("QUIRE_BENCH_WARC"); p != "" {
		var err error
		if file, err = os.ReadFile(p); err != nil {
			b.Fatal(err)
		}
	} else {
		file = crawl(b, 2000, "")
	}
	benchmarkPass(b, file)
}

// BenchmarkCodings measures the pass over bodies with a content coding, which adds decoding and a
// second digest.
func BenchmarkCodings(b *testing.B) {
	for _, coding := range []string{"", "gzip", "br"} {
		b.Run("as "+coding, func(b *testing.B) { benchmarkPass(b, crawl(b, 2000, coding)) })
	}
}

func benchmarkPass(b *testing.B, file []byte) {
	b.Helper()
	c := inspectBytes(b, file, Options{})
	b.SetBytes(c.InflatedBytes)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if _, err := Reader(context.Background(), bytes.NewReader(file), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func codedAs(b *testing.B, coding string, body []byte) []byte {
	b.Helper()
	switch coding {
	case "gzip":
		return zip(b, string(body))
	case "br":
		return []byte(written(b, string(body), func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }))
	}
	return body
}

// crawl returns a container of responses, with text that compresses like web pages.
func crawl(b *testing.B, records int, coding string) []byte {
	b.Helper()
	random := rand.New(rand.NewSource(1)) //nolint:gosec // the same file every time
	var out bytes.Buffer
	w, err := warc.NewWriter(&out, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		b.Fatal(err)
	}
	for i := range records {
		head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: " + coding + "\r\n\r\n"
		body := &bytes.Buffer{}
		for body.Len() < 500+random.Intn(30_000) {
			fmt.Fprintf(body, "<p class=%q>%x</p>\n", []string{"lead", "note", "plain"}[random.Intn(3)],
				random.Intn(1<<20))
		}
		body = bytes.NewBuffer(codedAs(b, coding, body.Bytes()))
		sum := sha1.Sum(body.Bytes())
		_, _, err := w.WriteBytes([]warc.NameValue{
			{Name: warc.FieldType, Value: warc.TypeResponse},
			{Name: warc.FieldRecordID, Value: fmt.Sprintf("<urn:x:%d>", i)},
			{Name: warc.FieldDate, Value: "2024-01-02T03:04:05Z"},
			{Name: warc.FieldTargetURI, Value: fmt.Sprintf("http://example.org/%d", i)},
			{Name: warc.FieldContentType, Value: "application/http;msgtype=response"},
			{Name: warc.FieldPayloadDigest, Value: warc.FormatDigest("sha1", sum[:])},
		}, append([]byte(head), body.Bytes()...))
		if err != nil {
			b.Fatal(err)
		}
	}
	return out.Bytes()
}
