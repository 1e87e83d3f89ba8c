package pages_test

import (
	"net/http"
	"testing"

	"quire/access/address"
	"quire/access/pages"
	"quire/holdings"
)

// TestThumbnails: title, captures, neighbours in the banner, hits and cards have thumbnails where the reader may see
// the capture, and only there.
func TestThumbnails(t *testing.T) {
	t.Parallel()
	repository := museum(t)
	h := repository.Open(holdings.Options{})
	s := room(t, h, pages.Options{Thumbnails: true})
	ui := address.UI("")
	const at = "http://museum.example/"
	newest := ui.Thumbnail("museum", "20160229120000", at)
	sources := func(target string) map[string]bool {
		found := map[string]bool{}
		for _, i := range all(s.page(target, http.StatusOK), "img") {
			src, _ := attr(i, "src")
			if alt, ok := attr(i, "alt"); !ok || alt != "" {
				t.Errorf("%s: %s has the alt text %q beside its title", target, src, alt)
			}
			found[src] = true
		}
		return found
	}
	for target, want := range map[string]string{"/": "/site/museum?thumbnail", "/site/": "/site/museum?thumbnail",
		"/site/museum": newest, ui.Versions("museum", at): newest,
		ui.Banner("museum", "20160229120000", at): newest} {
		if found := sources(target); !found[want] || found["/site/closed?thumbnail"] {
			t.Errorf("%s shows %v, not %s", target, found, want)
		}
	}
	if w := s.read("/site/museum?thumbnail"); w.Code != http.StatusFound || w.Header().Get("Location") != newest {
		t.Errorf("%d to %s", w.Code, w.Header().Get("Location"))
	}
	if found := sources("/site/closed"); len(found) > 0 {
		t.Errorf("a closed title shows %v", found)
	}
	for target, want := range map[string]int{"/site/closed?thumbnail": http.StatusFound,
		"/site/never?thumbnail": http.StatusNotFound} {
		if w := s.read(target); w.Code != want || w.Code == http.StatusFound &&
			w.Header().Get("Location") != "/static/sheet.svg" {
			t.Errorf("%s: %d to %s", target, w.Code, w.Header().Get("Location"))
		}
	}
	plain := room(t, h, pages.Options{})
	if images := all(plain.page("/site/museum", http.StatusOK), "img"); len(images) > 0 {
		t.Error("thumbnails though there are none")
	}
}
