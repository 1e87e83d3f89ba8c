package pages_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/address"
	"quire/access/pages"
	"quire/access/pictures"
	"quire/access/search"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestImages: the grid shows each image with its alt text, and links to the capture and to its page; what archived
// pages say is text.
func TestImages(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 640, 480))); err != nil {
		t.Fatal(err)
	}
	const at, date = "http://museum.example/", "2014-03-14T09:26:53Z"
	r.Ingest(holdingstest.Package{ID: "museum", Rights: "access: open", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("1", at, date, "text/html",
			`<img src=tug.png alt="The <b>tug</b>"> <p>x<img src=b.png>`) +
		holdingstest.Response("2", at+"tug.png", date, "image/png", b.String())}})
	h := r.Open(holdings.Options{})
	index, err := pictures.Open(context.Background(), filepath.Join(h.Dir(), pictures.DirName), h, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = index.Close() })
	if err := index.Update(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := room(t, h, pages.Options{Pictures: index, Thumbnails: true,
		Search: answers{&search.Result{Level: search.Pages}}})
	page := s.page("/search?type=image&q=tug&size=medium&colour=grey&since=2014-3&until=2014", http.StatusOK)
	images := all(page, "img")
	if len(images) != 1 {
		t.Fatalf("%d images: %s", len(images), text(page))
	}
	ui := address.UI("")
	if alt, _ := attr(images[0], "alt"); alt != "The <b>tug</b>" {
		t.Errorf("alt %s", alt)
	}
	if src, _ := attr(images[0], "src"); src != ui.Thumbnail(address.All, "20140314092653", at+"tug.png") {
		t.Errorf("src %s", src)
	}
	links := map[string]bool{}
	for _, a := range all(page, "a") {
		href, _ := attr(a, "href")
		links[href] = true
	}
	for _, want := range []string{ui.Banner(address.All, "20140314092653", at+"tug.png"),
		ui.Banner(address.All, "20140314092653", at), "/search?q=tug"} {
		if !links[want] {
			t.Errorf("no link to %s", want)
		}
	}
	if got := text(page); !strings.Contains(got, "1 image found") || !strings.Contains(got, "640 × 480 pixels") {
		t.Error(got)
	}
	for _, query := range []string{"size=small", "colour=red", "since=2015", "until=2013", "q=quay"} {
		if images := all(s.page("/search?type=image&"+query, http.StatusOK), "img"); len(images) > 0 {
			t.Errorf("%s finds %d images", query, len(images))
		}
	}
	tab := false
	for _, a := range all(s.page("/search?q=tug", http.StatusOK), "a") {
		href, _ := attr(a, "href")
		tab = tab || href == "/search?q=tug&type=image"
	}
	if !tab {
		t.Error("the search does not lead to the images")
	}
}
