package mirror

import (
	"strings"
	"testing"

	"quire/source"
)

// TestIdentified identifies files without a declared type by their content, and text by its name as
// well: a script may contain HTML, or begin with a comment of HTML.
func TestIdentified(t *testing.T) {
	utf16 := strings.NewReplacer("", "\x00").Replace("<html><title>x")
	for _, c := range []struct{ content, name, mime, from string }{
		{"<html>", "a.test/page", "text/html", "its content"},
		{"\n<!-- Mirrored from a.test/ -->\n<P>old", "a.test/q97dd.html", "text/html", "its content"},
		{"Willkommen", "a.test/x.HTM", "text/html", "its name"},
		{"plain", "a.test/readme", "", ""},
		{"\xff\xfe" + utf16, "a.test/x.asp", "text/html", "its content"},
		{"<!-- hide\ndocument.write('<html>')", "a.test/x.js", "text/javascript", "its name"},
		{"a{b:c}", "a.test/x.css", "text/css", "its name"},
		{"<html>not a style", "a.test/x.css", "text/css", "its name"},
		{"\x89PNG\r\n\x1a\n", "a.test/x.gif", "image/png", "its content"},
		{"GIF89a", "a.test/x", "image/gif", "its content"},
		{"%PDF-1.4", "a.test/x.php", "application/pdf", "its content"},
		{"\x00\x01\x02", "a.test/x.doc", "application/msword", "its name"},
		{"PK\x03\x04", "a.test/x.docx", binaryTypes[".docx"], "its name"},
		{"PK\x03\x04", "a.test/x.zip", "application/zip", "its content"},
		{"\x00\x01\x02", "a.test/x", "", ""},
		{"<?xml version='1.0'?><svg/>", "a.test/x", "image/svg+xml", "its content"},
		{"<?xml version='1.0'?><rss/>", "a.test/x", "text/xml", "its content"},
	} {
		if mime, from := identified([]byte(c.content), c.name); mime != c.mime || from != c.from {
			t.Errorf("%q, %s: %q by %q", c.content, c.name, mime, from)
		}
	}
}

// TestIdentifiedTypeIsEvidence checks that the identified type is in the records, and that the facts
// do not state it as declared.
func TestIdentifiedTypeIsEvidence(t *testing.T) {
	for _, declared := range []string{"", "text/plain"} {
		r := converted(t, mirrorOf(source.Resource{URL: "http://a.test/x", Time: then, TimeFrom: "log", Status: 200,
			MIME: declared, Body: body("<html>x"), Sent: 7, Grade: source.OriginalFile}), options)
		want, identified := "text/html", true
		if declared != "" {
			want, identified = declared, false
		}
		facts := r.records[2].block
		if got := r.records[1].fields["Content-Type"]; got != want ||
			strings.Contains(facts, "content-type-identified: text/html\r\n") != identified ||
			strings.Contains(facts, "\r\ncontent-type: ") == identified ||
			strings.Contains(facts, "evidence: media type: identified as text/html by its content; no source has the "+
				"declared one") != identified {
			t.Errorf("declared %q: %q\n%s", declared, got, facts)
		}
	}
}
