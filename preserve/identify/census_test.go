package identify_test

import (
	"fmt"
	"slices"
	"testing"

	"quire/model"
	"quire/preserve/identify"
)

func TestAgrees(t *testing.T) {
	bytes := func(mime string) identify.Result {
		return identify.Result{PUID: "fmt/1", MIME: mime, Basis: "extension match x; byte match at 0, 4"}
	}
	zipped := identify.Result{PUID: "fmt/412",
		MIME:  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		Basis: "container name word/document.xml"}
	text := identify.Result{PUID: "x-fmt/111", MIME: "text/plain", Basis: "text match ASCII"}
	hint := identify.Result{PUID: "x-fmt/224", MIME: "text/css", Basis: "extension match css; text match ASCII"}
	for _, c := range []struct {
		r        identify.Result
		declared string
		want     bool
	}{
		{bytes("image/png"), "image/png", true},
		{bytes("image/png"), "Image/PNG; q=1", true},
		{bytes("image/png"), "image/jpeg", false},
		{bytes("image/png"), "text/html", false},
		{bytes("image/png"), "", true},
		{bytes("image/png"), "application/octet-stream", true},
		{bytes(""), "image/jpeg", true},
		{bytes("image/jpeg"), "image/jpg", true},
		{bytes("audio/mp4, video/mp4"), "video/mp4", true},
		{bytes("application/xml, text/xml"), "application/rss+xml", true},
		{bytes("text/html"), "application/xhtml+xml", true},
		{bytes("application/xml, text/xml"), "application/xhtml+xml; charset=utf-8", true},
		{bytes("application/xml, text/xml"), "text/html", false},
		{bytes("application/xhtml+xml"), "text/xml", true},
		{bytes("image/svg+xml"), "application/xhtml+xml", false},
		{bytes("application/zip"), "application/epub+zip", true},
		{bytes("application/gzip"), "application/x-gzip", true},
		{identify.Result{Warning: "no match"}, "image/png", true},
		{zipped, "application/zip", true},
		{zipped, "application/x-zip-compressed", true},
		{zipped, "image/png", false},
		{text, "text/html", true},
		{text, "application/json", true},
		{text, "image/svg+xml", true},
		{text, "image/png", false},
		{text, "application/pdf", false},
		{text, "font/woff2", false},
		{hint, "text/plain", true},
		{hint, "video/mp4", false},
	} {
		if got := c.r.Agrees(c.declared); got != c.want {
			t.Errorf("%q (%s) declared as %q: %t, want %t", c.r.MIME, c.r.Basis, c.declared, got, c.want)
		}
	}
}

// TestCensus checks that every payload is counted, each is identified once, and results come in the
// order of the payloads.
func TestCensus(t *testing.T) {
	var told []string
	c := identify.NewCensus(newIdentifier(t, identify.Options{}), func(v identify.Verdict) {
		if v.Agrees(v.Declared) {
			return
		}
		told = append(told, fmt.Sprintf("%v: %s, declared %s", v.Payload, v.PUID, v.Declared))
	})
	var want []string
	const each = 1500 // more than are processed at once
	for i := range each {
		mime := "image/png"
		if i%500 == 0 {
			mime = "image/jpeg"
			want = append(want, fmt.Sprintf("%d: fmt/11, declared image/jpeg", i))
		}
		c.Add(payload("x.png", mime, png()), 5, i)
		c.Add(payload("", "", pdf(400)), int64(len(pdf(400))), nil)
		if i%3 == 0 {
			c.Add(payload("", "", nil), 0, nil)
		}
	}
	got := c.Formats()
	wantFormats := []model.Format{
		{PUID: "fmt/11", Name: "Portable Network Graphics", Version: "1.0", MIME: "image/png", Count: each,
			Bytes: each * 5},
		{PUID: "fmt/18", Name: "Acrobat PDF 1.4 - Portable Document Format", Version: "1.4", MIME: "application/pdf",
			Count: each, Bytes: each * int64(len(pdf(400)))},
		{PUID: "", Name: identify.Unidentified, Count: each / 3},
	}
	if !slices.Equal(got, wantFormats) {
		t.Errorf("got  %+v\nwant %+v", got, wantFormats)
	}
	if !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
	if again := c.Formats(); !slices.Equal(again, got) {
		t.Errorf("asked again: %+v", again)
	}
}
