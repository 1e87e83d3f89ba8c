package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quire/holdings/holdingstest"
)

// pageOf returns a page of about 7 kB with 60 links.
func pageOf(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><html><head><title>%d</title><link rel=stylesheet href=/style.css></head><body>\n",
		n)
	for i := range 60 {
		fmt.Fprintf(&b,
			"<p>Some text that nobody has to change, as there is no link in it. <a href=\"/page/%d.html\">Link %d</a>"+
				"</p>\n", i, i)
	}
	return b.String() + "</body></html>"
}

// BenchmarkPages replays pages of 7 kB of 100 URLs with ten captures each, one per request.
func BenchmarkPages(b *testing.B) {
	r := holdingstest.New(b)
	var warc strings.Builder
	for u := range 100 {
		for y := range 10 {
			warc.WriteString(holdingstest.Response(fmt.Sprint(u*10+y), fmt.Sprintf("http://a.example/%d", u),
				fmt.Sprintf("20%02d-01-02T03:04:05Z", 10+y), "text/html", pageOf(u*10+y)))
		}
	}
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open",
		Containers: map[string]string{"a.warc": warc.String()}})
	s, err := New(context.Background(), r.Store, Options{Dir: b.TempDir(), Root: "http://127.0.0.1:8000"})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Holdings().Ready(context.Background()); err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, mod := range []string{"mp_", "id_"} {
		target := func() string {
			n++
			return fmt.Sprintf("/all/20%02d0102030405%s/http://a.example/%d", 10+n%10, mod, n%100)
		}
		b.Run(mod+"/handler", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				q := httptest.NewRequest("GET", "http://127.0.0.1:8000/", nil)
				q.RequestURI = target()
				w := httptest.NewRecorder()
				s.ServeHTTP(w, q)
				if w.Code != 200 {
					b.Fatal(w.Code, w.Body.String())
				}
			}
		})
	}
	l := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		q.Host = "127.0.0.1:8000"
		s.ServeHTTP(w, q)
	}))
	defer l.Close()
	b.Run("loopback", func(b *testing.B) {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				a, err := client.Get(fmt.Sprintf("%s/all/20%02d0102030405mp_/http://a.example/%d", l.URL, 10+i%10,
					i%100))
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, a.Body)
				_ = a.Body.Close()
			}
		})
	})
}
