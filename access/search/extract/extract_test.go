package extract

import (
	"bytes"
	"strings"
	"testing"
)

func from(url, mime, body string) *Text {
	return From(Content{URL: url, MIME: mime, In: strings.NewReader(body), Size: int64(len(body))})
}

func TestFrom(t *testing.T) {
	const prose = "The ships of the museum are at the quay, and they can be visited by all who are in the city."
	for _, c := range []struct{ name, url, mime, body, want string }{
		{"a page", "http://a.example/", "text/html",
			"<title>The ships</title><meta name=description content='What we have'><nav>Home</nav><p>" + prose,
			"page|The ships|What we have|en|" + prose},
		{"a page in windows-1251", "http://a.example/", "text/html; charset=windows-1251",
			"<title>\xcf\xf0\xe8\xe2\xe5\xf2</title>", "page|Привет|||"},
		{"a page in Shift_JIS, by meta", "http://a.example/", "text/html",
			"<meta charset=shift_jis><title>\x93\x8c\x8b\x9e</title>", "page|東京|||"},
		{"a page in UTF-16", "http://a.example/", "text/html", "\xff\xfe<\x00p\x00>\x00c\x00a\x00f\x00\xe9\x00",
			"page||||café"},
		{"a page in UTF-16 by its head", "http://a.example/", "text/html; charset=UTF-16BE",
			"\x00<\x00p\x00>\x00c\x00a\x00f\x00\xe9", "page||||café"},
		{"text in UTF-16 by its head", "http://a.example/a.txt", "text/plain; charset=UTF-16LE",
			"c\x00a\x00f\x00\xe9\x00", "text||||café"},
		{"a page with a NUL", "http://a.example/", "text/html", "<html><title>Ships</title>\x00<p>quay",
			"page|Ships|||quay"},
		{"a page that declares nothing", "http://a.example/", "text/html", "<p lang=fr>caf\xe9", "page||||café"},
		{"a page by its bytes", "http://a.example/x", "application/octet-stream",
			"<!DOCTYPE html><html lang=de><title>Schiffe</title>", "page|Schiffe||de|"},
		{"no page", "http://a.example/x", "text/html", "\x00\x01\x02", "other||||"},
		{"plain text", "http://a.example/a.txt", "text/plain", prose, "text|||en|" + prose},
		{"a PDF that is damaged", "http://a.example/a.pdf", "application/pdf", "%PDF-1.4 and no more", "pdf||||"},
		{"a ZIP", "http://a.example/a.zip", "application/zip", "PK\x03\x04rest", "other||||"},
		{"a GIF", "http://a.example/a.gif", "text/html", "GIF89a....", "image||||"},
		{"nothing", "http://a.example/a.pdf", "", "", "pdf||||"},
	} {
		got := from(c.url, c.mime, c.body)
		if s := strings.Join([]string{got.Type, got.Title, got.Description, got.Language, got.Body}, "|"); s != c.want {
			t.Errorf("%s: %s, not %s (%s)", c.name, s, c.want, got.Note)
		}
	}
	if got := From(Content{MIME: "text/html", Language: "cy-GB, en", In: strings.NewReader("<p>x"),
		Size: 4}).Language; got != "cy" {
		t.Errorf("the language that was sent: %q", got)
	}
	if got := from("http://a.example/", "text/plain", strings.Repeat("wört ", MaxBody)); !got.Cut ||
		len(got.Body) > MaxBody {
		t.Errorf("%d bytes, cut %v", len(got.Body), got.Cut)
	}
}

func TestTypeOf(t *testing.T) {
	for _, c := range []struct{ mime, url, want string }{
		{"text/html; charset=x", "", "page"}, {"TEXT/HTML", "", "page"}, {"text/css", "", ""}, {"font/woff2", "", ""},
		{"application/json", "", ""}, {"application/problem+json", "", ""},
		{"", "http://a.example/x.PDF?y#z", "pdf"}, {"application/octet-stream", "http://a.example/x.docx", "document"},
		{"image/svg+xml", "", "image"},
		{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "", "spreadsheet"},
		{"application/vnd.ms-powerpoint", "", "presentation"},
		{"", "http://a.example/", "other"}, {"text/calendar", "", "text"}, {"", "http://a.example/app.js", ""},
	} {
		if got := TypeOf(c.mime, c.url); got != c.want {
			t.Errorf("%s %s: %q, not %q", c.mime, c.url, got, c.want)
		}
	}
}

// jpeg returns a picture with an IFD of one text: ImageDescription.
func jpeg(description string) []byte {
	for len(description) < 5 {
		description += " "
	}
	tiff := []byte("II*\x00\x08\x00\x00\x00\x01\x00\x0e\x01\x02\x00")
	tiff = append(tiff, byte(len(description)), 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0)
	tiff = append(tiff, description...)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	return append(append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(segment) + 2)}, segment...), 0xff, 0xd9)
}

func TestImage(t *testing.T) {
	b := jpeg("A steam tug\x00")
	got := From(Content{URL: "http://a.example/tug.jpg", MIME: "image/jpeg", In: bytes.NewReader(b),
		Size: int64(len(b))})
	if got.Type != "image" || got.Description != "A steam tug" {
		t.Errorf("%+v", got)
	}
}

func FuzzFrom(f *testing.F) {
	f.Add("http://a.example/", "text/html", "<title>x</title><p>y")
	f.Add("http://a.example/a.pdf", "application/pdf",
		"%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 1 0 R>> endobj trailer <</Root 1 0 R>>")
	f.Add("http://a.example/a.jpg", "image/jpeg", string(jpeg("description\x00")))
	f.Add("http://a.example/a.doc", "", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	f.Fuzz(func(t *testing.T, url, mime, body string) {
		got := from(url, mime, body)
		if strings.HasPrefix(got.Note, "reading failed") {
			t.Error(got.Note)
		}
	})
}
