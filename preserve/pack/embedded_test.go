package pack

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quire/preserve/aip"
)

// pagesOf returns each page and object of a METS, with the files of its pointer.
func (m *webMap) pagesOf() (all []string) {
	for i := range m.Maps {
		m.Maps[i].Div.each(func(d, _ *webDiv) {
			if d.Type != "web page" && d.Type != "associated object" || len(d.Pointer) == 0 {
				return
			}
			files := []string{d.Pointer[0].File}
			for _, a := range d.Pointer[0].Par {
				files = append(files, a.File)
			}
			all = append(all, fmt.Sprintf("%s %s: %s", d.Type, d.Label, strings.TrimSpace(strings.Join(files, " "))))
		}, nil)
	}
	return all
}

const asCSS, asGIF = "Content-Type: text/css\r\n", "Content-Type: image/gif\r\n"

// TestEmbeddedFiles: the files that a page loads are beside it; an iframe, robots.txt and the records
// of crawlers are no pages.
func TestEmbeddedFiles(t *testing.T) {
	crawl := crawlOf(t, map[string]string{"a.warc": warcinfo +
		captured("http://a.test/", early, "200", asHTML,
			`<title>Home</title><link rel=stylesheet href=s.css><img src=i.gif>`+
				`<img src="i.gif#again"><img src=/gone.gif>`+
				`<iframe src=share></iframe><iframe src=page></iframe>`+
				`<a href=page>Page <b>two</b>`+"\n"+`&amp; more</a>`+
				`<a href=page><img src=i.gif></a>`) +
		captured("http://a.test/s.css", early, "200", asCSS, "a{}") +
		captured("http://a.test/i.gif", early, "200", asGIF, "GIF89a\x01\x00\x01\x00\x00\x00\x00\x00;") +
		captured("http://a.test/share", early, "200", asHTML, "<title>Share</title>") +
		captured("http://a.test/page", early, "200", asHTML, "<title>Page</title>") +
		captured("http://a.test/robots.txt", early, "200", asHTML, "<html>no</html>") +
		record("resource", "<html>log</html>", "WARC-Target-URI: metadata://gnu.org/log", "Content-Type: text/html") +
		record("resource", "<html>view</html>", "WARC-Target-URI: urn:view:http://a.test/", "Content-Type: text/html")})
	want := []string{
		"web page http://a.test/: FILE-c1-b2 FILE-c1-b3 FILE-c1-b4",
		"associated object http://a.test/s.css: FILE-c1-b3",
		"associated object http://a.test/i.gif: FILE-c1-b4",
		"associated object http://a.test/share: FILE-c1-b5",
		"web page http://a.test/page: FILE-c1-b6",
		"associated object http://a.test/robots.txt: FILE-c1-b7",
	}
	for _, profile := range []Profile{Full, Linked} {
		o := options(t)
		o.Profile = profile
		mustPack(t, o, crawl)
		m := webMapOf(t, o.Out)
		if got := m.pagesOf(); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", profile, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		check(t, o.Out, aip.Options{})
		if profile != Linked {
			continue
		}
		var labels []string
		for i := range m.Maps {
			m.Maps[i].Div.each(func(d, _ *webDiv) {
				if strings.HasPrefix(d.Name, "L-") {
					labels = append(labels, d.Type+" "+d.Label+" "+d.URL)
				}
			}, nil)
		}
		if want := []string{"frame http://a.test/share ", "frame http://a.test/page ",
			"hyperlink Page two & more http://a.test/page",
			"hyperlink http://a.test/page "}; !slices.Equal(labels, want) {
			t.Errorf("%q, want %q", labels, want)
		}
	}
}
