package pack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// capture returns a response with a page, as a WARC record.
func capture(uri, title string) string {
	return record("response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>"+title+"</title>",
		"WARC-Target-URI: "+uri, "Content-Type: application/http")
}

// heritrixOrder is an order.xml that names the job and the file of seeds.
const heritrixOrder = `<?xml version="1.0" encoding="UTF-8"?>
<crawl-order xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="heritrix_settings.xsd">
 <meta><name>job-17</name><description>A test</description><operator>Ada</operator><date>20240102000000</date></meta>
 <controller><string name="settings-directory">settings</string></controller>
</crawl-order>`

func TestTitle(t *testing.T) {
	plain := record("warcinfo", "software: Boat/2.0\r\n")
	seeds := func(urls string) map[string]string {
		return map[string]string{"order.xml": heritrixOrder, "seeds.txt": urls}
	}
	for name, c := range map[string]struct {
		files         map[string]string // in addition to the WARC
		warc          string
		given         string
		title, source string // source is a part of the note on it
	}{
		"given": {nil, plain + capture("http://a.example/", "Boats"), "Museum", "Museum", "given to quire pack"},
		"front page, seed": {
			seeds("http://a.example/start\n"), plain + capture("http://a.example/", "Boats") +
				capture("https://www.a.example/start", "Start &amp;\n  boats"), "",
			"Start & boats", "the page at the seed, https://www.a.example/start in containers/x.warc",
		},
		"front page, root of the seed's host": {
			seeds("http://a.example/start\n"), plain + capture("http://b.example/", "Other") +
				capture("http://a.example/", "Boats"), "", "Boats", "the front page of the seed's host",
		},
		"front page, no seeds": {
			nil, plain + capture("http://a.example/x", "X") + capture("http://a.example/", "Boats") +
				capture("http://b.example/", "Other"), "", "Boats", "no seeds are recorded",
		},
		"front page without title": {
			seeds("http://a.example/\n"), plain + capture("http://a.example/", " "), "", "a.example", "host of the seed",
		},
		"front page before the collection": {nil, warcinfo + capture("http://a.example/", "Boats"), "", "Boats", "front page"},
		"collection":                       {nil, good, "", "the harbour", "isPartOf"},
		"several seeds": {
			seeds("http://a.example/\nhttp://b.example/\nhttp://c.example/\n"),
			plain + capture("http://a.example/", "Boats"), "", "job-17", "order.xml",
		},
		"hosts": {nil, plain + capture("http://a.example/x", "X") + capture("http://www.b.example/x", "X"), "",
			"a.example and 1 other host", "hosts of the captured pages"},
		"one host": {nil, plain + capture("http://www.a.example/x", "X"), "", "a.example", "hosts of the " +
			"captured pages"},
		"no capture": {nil, plain, "", "crawl", "the name of the folder crawl"},
		"long": {nil, plain + capture("http://a.example/", strings.Repeat("boat ", 200)), "",
			strings.Repeat("boat ", 60)[:maxTitle] + "…", "front page"},
		"hostile": {nil, plain + capture("http://a.example/", "a\x00b\xff\x1b[31m"), "", "", "front page"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, profile := range []Profile{Compact, Full} {
				o := options(t)
				o.Title, o.Profile = c.given, profile
				files := map[string]string{"x.warc": c.warc}
				for n, content := range c.files {
					files[n] = content
				}
				r := mustPack(t, o, crawlOf(t, files))
				if c.title != "" && r.Title != c.title {
					t.Errorf("%s: title %q, want %q", profile, r.Title, c.title)
				}
				if m := read(t, o.Out, "mets.xml"); !strings.Contains(m, "title: ") || !strings.Contains(m, c.source) {
					t.Errorf("%s: no note names the source %q", profile, c.source)
				}
			}
		})
	}
}

// A container packed alone never uses its file name as the title.
func TestTitleIsNoFileName(t *testing.T) {
	file := filepath.Join(t.TempDir(), "IAH-20080430204825-00000-blackbook.warc")
	if err := os.WriteFile(file, []byte(record("warcinfo", "software: Boat/2.0\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := mustPack(t, options(t), file); strings.Contains(r.Title, "IAH") || r.Title == "" {
		t.Errorf("title %q", r.Title)
	}
}
