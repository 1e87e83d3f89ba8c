package identify_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"quire/preserve/identify"
)

// BenchmarkDistinct measures a new payload.
func BenchmarkDistinct(b *testing.B) {
	paragraph := "<p>Ships lie in the harbour, and their masts are like a wood in winter.</p>\n"
	html := []byte("<!DOCTYPE html>\n<html><body>\n" + strings.Repeat(paragraph, 300) + "</body></html>\n")
	for _, c := range []struct {
		name, mime string
		data       []byte
	}{
		{"PNG", "image/png", append(png(), make([]byte, 16<<10)...)},
		{"HTML-23kB", "text/html", html},
		{"text-23kB", "text/plain", []byte(strings.Repeat("Ships lie in the harbour. ", 900))},
		{"PDF-1MB", "application/pdf", pdf(1 << 20)},
		{"DOCX", "", docx(b, 1000)},
		{"nothing-1MB", "", bytes.Repeat([]byte{0xFE, 0x01, 0x80, 0x02}, 256<<10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			id := newIdentifier(b, identify.Options{Remember: 2})
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			p := payload("", c.mime, nil)
			for i := 0; b.Loop(); i++ {
				p.Head = c.data
				binary.LittleEndian.PutUint64(p.Head[len(p.Head)/2:], uint64(i)|0x2020202020202020)
				p.Size = int64(len(c.data))
				id.Identify(p)
			}
		})
	}
}

// BenchmarkSeen measures a repeated payload: its digest.
func BenchmarkSeen(b *testing.B) {
	data := append(png(), make([]byte, 16<<10)...)
	id := newIdentifier(b, identify.Options{})
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		id.Submit(payload("http://a.example/x.png", "image/png", data)).Wait()
	}
}
