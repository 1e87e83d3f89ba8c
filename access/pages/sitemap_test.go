package pages

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"

	"quire/access/address"
)

// TestSitemapParts: more addresses than a file may have are in parts, each of them once.
func TestSitemapParts(t *testing.T) {
	t.Parallel()
	s := &site{Options: Options{Public: "https://archive.example", Sitemap: true}}
	open := make([]listed, 2*mostInSitemap+1)
	for i := range open {
		open[i].id = fmt.Sprintf("p%06d", i)
	}
	get := func(kind address.Kind, n int) (urls, parts []string, err error) {
		q := &request{Request: httptest.NewRequest("GET", "/", nil), place: address.Place{
			Request: address.Request{Kind: kind}, Number: n}}
		a, err := s.sitemapOf(q, open)
		if err != nil {
			return nil, nil, err
		}
		w := httptest.NewRecorder()
		a.stream(w)
		var m struct {
			URLs  []string `xml:"url>loc"`
			Parts []string `xml:"sitemap>loc"`
		}
		err = xml.Unmarshal(w.Body.Bytes(), &m)
		return m.URLs, m.Parts, err
	}
	_, parts, err := get(sitemap, 0)
	if want := []string{"https://archive.example/sitemap-1.xml", "https://archive.example/sitemap-2.xml",
		"https://archive.example/sitemap-3.xml"}; err != nil || !slices.Equal(parts, want) {
		t.Errorf("%q, %v", parts, err)
	}
	all := 0
	for n := range 3 {
		urls, _, err := get(sitemapPart, n+1)
		if all += len(urls); err != nil || len(urls) > 50_000 {
			t.Errorf("part %d: %d addresses, %v", n+1, len(urls), err)
		}
	}
	if all != len(open)+1 {
		t.Errorf("%d addresses, want %d", all, len(open)+1)
	}
	if _, _, err := get(sitemapPart, 4); !errors.Is(err, errNotFound) {
		t.Errorf("part 4: %v", err)
	}
}
