package crate

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"quire/metadata/xmlstream"
	"quire/oai/plugin"
	"quire/oai/plugin/builtin"
	"quire/oai/protocol"
	"quire/oai/resource"
)

// website returns resources like the resources of a website: about 25 kB on average, half of them
// pages and styles, half pictures and similar files.
func website(n int) []*resource.Resource {
	random := rand.New(rand.NewPCG(6, 6))
	list := make([]*resource.Resource, n)
	for i := range list {
		size := int(random.ExpFloat64() * 25_000)
		mimeType, head := "text/html", fmt.Sprintf("<!DOCTYPE html><html><head><title>Page %d</title></head><body>", i)
		switch i % 6 {
		case 1:
			mimeType, head = "text/css", "body { margin: 0 } "
		case 2:
			mimeType, head = "image/svg+xml", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">`
		case 3:
			mimeType, head = "image/png",
				"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde"
		case 4:
			mimeType, head = "image/jpeg", "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
		case 5:
			mimeType, head = "application/pdf", "%PDF-1.4\n"
		}
		var b strings.Builder
		b.WriteString(head)
		for b.Len() < size {
			if i%6 < 3 {
				fmt.Fprintf(&b, "<p>Some words about nothing, number %d.</p>\n", random.Uint32())
			} else {
				b.WriteByte(byte(random.Uint32()))
			}
		}
		list[i] = page(fmt.Sprintf("https://a.example/%d", i), mimeType, b.String())
	}
	return list
}

// BenchmarkWriteCRATE writes CRATEs like a provider; crates/s is the rate for one harvester on one
// processor.
func BenchmarkWriteCRATE(b *testing.B) {
	list := website(600)
	all := collection{}
	total := int64(0)
	for _, r := range list {
		all[r.Identifier] = r
		total += r.Size
	}
	for _, labels := range [][]string{nil, {"md5", "sha256"}, {"pronom"}, {"md5", "sha256", "pronom"}} {
		b.Run(fmt.Sprintf("tools=%s", strings.Join(labels, "+")), func(b *testing.B) {
			d := &Disseminator{}
			if labels != nil {
				o := plugin.Options{Builtin: builtin.New}
				for _, l := range labels {
					o.Configs = append(o.Configs, plugin.Config{Label: l, Builtin: l, MIME: []string{"*/*"}})
				}
				runner, err := plugin.New(o)
				if err != nil {
					b.Fatal(err)
				}
				d.Tools = runner
			}
			backend := d.Backend(all)
			n := 0
			b.SetBytes(total / int64(len(list)))
			b.ReportAllocs()
			for b.Loop() {
				if err := backend.Write(b.Context(), protocol.Header{Identifier: list[n%len(list)].Identifier},
					"oai_crate", io.Discard); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "crates/s")
		})
	}
}

// BenchmarkReadCRATE reads CRATEs from one long document, as in an answer.
func BenchmarkReadCRATE(b *testing.B) {
	list := website(600)
	all := collection{}
	total := int64(0)
	for _, r := range list {
		all[r.Identifier] = r
		total += r.Size
	}
	var doc bytes.Buffer
	doc.WriteString("<list>")
	backend := (&Disseminator{}).Backend(all)
	for _, r := range list {
		if err := backend.Write(b.Context(), protocol.Header{Identifier: r.Identifier}, "oai_crate", &doc); err != nil {
			b.Fatal(err)
		}
	}
	doc.WriteString("</list>")
	b.SetBytes(total)
	b.ReportAllocs()
	for b.Loop() {
		x := xmlstream.NewReader(bytes.NewReader(doc.Bytes()), xmlstream.Limits{})
		if _, err := x.Root(); err != nil {
			b.Fatal(err)
		}
		err := x.Each(func(xmlstream.Element) error {
			d, err := Read(x, ReadOptions{Bytes: func(*Document, *Resource) (io.Writer, error) {
				return io.Discard, nil
			}})
			if err == nil && (len(d.Problems) > 0 || d.Resources[0].Problem != "") {
				b.Fatal(d.Problems, d.Resources[0].Problem)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(list))*float64(b.N)/b.Elapsed().Seconds(), "crates/s")
}
