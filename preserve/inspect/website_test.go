package inspect

import (
	"fmt"
	"strings"
	"testing"

	"quire/model"
)

// namesOf returns formats with their counts.
func namesOf(formats []model.Format) string {
	var all []string
	for _, f := range formats {
		all = append(all, fmt.Sprintf("%s %d", f.FullName(), f.Count))
	}
	return strings.Join(all, "; ")
}

// Only content of the website counts as such: no record about the container or the crawl.
func TestOnlyContentOfTheWebsiteCounts(t *testing.T) {
	css := "via: http://example.org/\r\nhopsFromSeed: E\r\n"
	of := "WARC-Target-URI: http://example.org/a.css"
	file := warcinfo +
		response("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"+png) +
		record("metadata", css, of, "Content-Type: application/warc-fields; charset=utf-8") +
		record("metadata", png, of, "Content-Type: image/png") + // a screenshot
		record("metadata", png, "WARC-Target-URI: urn:arc-undated:http://example.org/", "Content-Type: image/png",
			"ARC-Part: record") +
		record("metadata", "1 0 InternetArchive\n", "WARC-Target-URI: filedesc://a.arc", "Content-Type: text/plain",
			"ARC-Part: record") +
		record("resource", "a log, a log", "WARC-Target-URI: metadata://gnu.org/wget.log", "Content-Type: text/plain") +
		record("resource", "found, found", "WARC-Target-URI: urn:mirror-file:m/a.txt", "Content-Type: text/plain",
			"Mirror-Part: file") +
		record("conversion", "turned, turned", "WARC-Target-URI: http://example.org/a.txt", "Content-Type: Text/Plain",
			"Mirror-Part: payload") +
		record("conversion", png, "WARC-Target-URI: http://example.org/b.png", "Content-Type: image/png")
	c := inspectBytes(t, []byte(file), Options{Identify: identifier(t)})
	if got := namesOf(c.Formats); got != "Portable Network Graphics 1.0 3; Plain Text File 1" {
		t.Errorf("formats of the website: %s", got)
	}
	for _, s := range c.Types {
		want := map[string]string{
			"response": "Portable Network Graphics 1.0 1", "resource": "Plain Text File 2",
			"metadata":   "Portable Network Graphics 1.0 2; Plain Text File 1", // no style sheet
			"conversion": "Portable Network Graphics 1.0 1; Plain Text File 1",
		}[s.Type]
		if got := namesOf(s.Formats); got != want {
			t.Errorf("formats of %s: %s, want %s", s.Type, got, want)
		}
	}
	if got := counted(c.Years); got != "[{2024 2 59}]" {
		t.Errorf("years %s", got)
	}
	if got := counted(c.Hosts); got != "[{example.org 3 104}]" {
		t.Errorf("hosts %s", got)
	}
	if got := counted(c.MIMETypes); got != "[{image/png 2 90} {text/plain 1 14}]" {
		t.Errorf("media types %s", got)
	}
}

// The URL-record line of an ARC states a media type. It is the declared type if the HTTP head
// states none: in the ARC, and in the WARC that was converted from it.
func TestTypeInTheURLRecordLine(t *testing.T) {
	line := func(mime string) string {
		return "ARC-Record-Line: http://example.org/ 192.0.2.1 20240102030405 " + mime + " 99"
	}
	for name, x := range map[string]struct {
		head, mime, want, served string
	}{
		"no header":       {"HTTP/1.1 200 OK\r\n\r\n", "Image/JPEG", "image/jpeg", "Image/JPEG"},
		"no Content-Type": {"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", "image/jpeg", "image/jpeg", "image/jpeg"},
		"a Content-Type": {"HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\n", "image/jpeg", "image/gif",
			"image/gif"},
		"no type in either": {"HTTP/1.1 200 OK\r\n\r\n", "no-type", "", ""},
		"a broken type":     {"HTTP/1.1 200 OK\r\n\r\n", "unk", "", ""},
		"of several words":  {"HTTP/1.1 200 OK\r\n\r\n", "text/html; charset=x", "text/html", "text/html; charset=x"},
	} {
		block := x.head + "body"
		const fields = "1 0 x\nURL IP-address Archive-date Content-type Archive-length\n"
		arcFile := fmt.Sprintf("filedesc://a.arc 0.0.0.0 20240102030405 text/plain %d\n%s\n", len(fields), fields) +
			fmt.Sprintf("http://example.org/ 192.0.2.1 20240102030405 %s %d\n%s\n", x.mime, len(block), block)
		for form, file := range map[string]string{"ARC": arcFile,
			"WARC": warcinfo + record("response", block, target, asHTTP, "ARC-Part: record", line(x.mime))} {
			var got []model.Record
			c := inspectBytes(t, []byte(file), Options{Record: func(r model.Record) error {
				got = append(got,
					r)
				return nil
			}})
			if r := got[len(got)-1]; len(got) != 2 || r.DeclaredMIME != x.want || r.ServedType != x.served {
				t.Errorf("%s, %s: %q, served as %q; want %q, %q", form, name, r.DeclaredMIME, r.ServedType,
					x.want, x.served)
			}
			if n := len(c.MIMETypes); x.want == "" && n != 0 || x.want != "" &&
				(n != 1 || c.MIMETypes[0].Name != x.want) {
				t.Errorf("%s, %s: counted %v", form, name, c.MIMETypes)
			}
		}
	}
	headless := warcinfo + record("response", "no head", target, asHTTP, "ARC-Part: record", line("image/jpeg"))
	if c := inspectBytes(t, []byte(headless), Options{}); counted(c.MIMETypes) != "[{image/jpeg 1 7}]" {
		t.Errorf("a message without a head: %v", c.MIMETypes)
	}
	// A WARC of any other origin has no such line.
	c := inspectBytes(t, []byte(warcinfo+response("HTTP/1.1 200 OK\r\n\r\nx")), Options{})
	if len(c.MIMETypes) != 0 {
		t.Errorf("a response without Content-Type: %v", c.MIMETypes)
	}
}
