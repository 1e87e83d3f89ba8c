package provider_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/provider/providertest"
)

// sink reads an answer like a server.
type sink struct {
	header http.Header
	body   []byte
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}
func (s *sink) Write(b []byte) (int, error) {
	s.body = append(s.body, b...)
	return len(b), nil
}

// BenchmarkMillion harvests 1,000,000 records from the first page to the last, by keyset from a
// sorted index. It reports the time of a page at the beginning, in the middle and at the end.
func BenchmarkMillion(b *testing.B) {
	const all = 1_000_000
	records := providertest.New()
	for i := range all {
		records.Put(providertest.Synthetic(all).At(i))
	}
	for _, verb := range []string{"ListRecords", "ListIdentifiers"} {
		b.Run(verb, func(b *testing.B) {
			p := providertest.Provider(b, records, provider.Options{Headers: 100})
			b.ReportAllocs()
			for b.Loop() {
				pages := walk(b, p, verb)
				if len(pages) != all/100 {
					b.Fatalf("%d pages", len(pages))
				}
				const some = 500
				// the first page is slower, because it counts all records
				for name, at := range map[string]int{"first": 1, "middle": len(pages) / 2, "last": len(pages) - some} {
					slices.Sort(pages[at : at+some])
					// the median, because other processes use the machine too
					b.ReportMetric(float64(pages[at+some/2].Microseconds()), name+"-µs/page")
				}
			}
		})
	}
}

// walk reads a list and returns the time of each page.
func walk(b *testing.B, p http.Handler, verb string) (pages []time.Duration) {
	w := &sink{header: http.Header{}}
	for query := "verb=" + verb + "&metadataPrefix=oai_dc"; ; {
		w.body = w.body[:0]
		r := httptest.NewRequest(http.MethodGet, "/oai?"+query, nil)
		began := time.Now()
		p.ServeHTTP(w, r)
		pages = append(pages, time.Since(began))
		tail := string(w.body[max(0, len(w.body)-1000):])
		_, rest, ok := strings.Cut(tail, "<resumptionToken")
		if !ok {
			b.Fatalf("page %d has no token: %s", len(pages), tail)
		}
		_, rest, _ = strings.Cut(rest, ">")
		tok, _, _ := strings.Cut(rest, "<")
		if tok == "" {
			return pages
		}
		query = next(verb, tok)
	}
}

// BenchmarkLarge requests a page of one record of 64 MiB, which uses a temporary file.
func BenchmarkLarge(b *testing.B) {
	records := providertest.New()
	records.Put(protocol.Header{Identifier: "urn:x:1", Datestamp: noon})
	records.Render = large(64 << 20)
	p := providertest.Provider(b, records, provider.Options{})
	b.SetBytes(64 << 20)
	b.ReportAllocs()
	for b.Loop() {
		p.ServeHTTP(discard{}, httptest.NewRequest(http.MethodGet, "/oai?verb=ListRecords&metadataPrefix=oai_dc", nil))
	}
}

type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) WriteHeader(int)             {}
func (discard) Write(b []byte) (int, error) { return len(b), nil }
