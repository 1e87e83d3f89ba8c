package site

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	"quire/oai/provider"
)

// BenchmarkPage reads a page of 100 headers at the beginning and at the end of a list, of all and
// of a set. QUIRE_RECORDS sets the number of resources; the default is 20,000.
func BenchmarkPage(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("QUIRE_RECORDS"))
	if err != nil {
		n = 20_000
	}
	s := &Site{opt: Options{Root: "http://a.example/", Next: http.NotFoundHandler()}, stop: func() {},
		turn: make(chan struct{}), ready: true, took: time.Hour, began: time.Now()}
	if err := s.prepare(); err != nil {
		b.Fatal(err)
	}
	if s.index, err = openIndex(b.Context(), b.TempDir()); err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	types := []string{"text/html", "image/png", "text/css", "application/pdf"}
	begun := time.Now()
	for at := 0; at < n; at += 5000 {
		var looks []look
		for i := at; i < min(n, at+5000); i++ {
			looks = append(looks, look{url: fmt.Sprintf("http://a.example/%02d/page-%d.html", i%50, i), state: live,
				mime: types[i%4], size: 1000,
				modified: time.Date(2020, 1, 1, 0, i, 0, 0, time.UTC)})
		}
		if err := s.index.apply(b.Context(), looks, true); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d records written in %v", n, time.Since(begun))
	for _, set := range []string{"", "mime:image:png", "year:2020"} {
		for _, place := range []struct {
			name  string
			after provider.Position
		}{{"first", provider.Position{Datestamp: time.Unix(0, 0), Identifier: "-"}},
			{"last", provider.Position{Datestamp: time.Date(2020, 1, 1, 0, n-500, 0, 0, time.UTC), Identifier: "-"}}} {
			b.Run(set+"/"+place.name, func(b *testing.B) {
				for b.Loop() {
					got := 0
					for _, err := range s.List(b.Context(), provider.Query{Set: set, After: place.after}) {
						if err != nil {
							b.Fatal(err)
						}
						if got++; got == 100 {
							break
						}
					}
				}
			})
		}
	}
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := s.Count(b.Context(), provider.Query{Set: "mime:image"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
