package site

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestReadSitemap(t *testing.T) {
	long := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
		strings.Repeat("<url><loc>http://a.example/</loc></url>", maxSitemapEntries+1) + "</urlset>"
	for _, test := range []struct {
		name, doc string
		n         int
		bad       bool
	}{
		{"one",
			`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/?a&amp;b</loc>` +
				`</url></urlset>`, 1, false},
		{"no namespace", `<urlset><url><loc>http://a.example/</loc></url></urlset>`, 1, false},
		{"Google's",
			`<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>http://a.example/</loc></url>` +
				`</urlset>`, 1, false},
		{"other elements",
			`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="urn:x"><x:a/><url><x:b><x:c/></x:b>` +
				`<loc>http://a.example/</loc><priority>1</priority></url></urlset>`, 1, false},
		{"byte order mark", "\ufeff" + `<urlset><url><loc>http://a.example/</loc></url></urlset>`, 1, false},
		{"torn", `<urlset><url><loc>http://a.example/</loc></url><url>`, 1, true},
		{"page", `<!DOCTYPE html><html></html>`, 0, true},
		{"feed", `<rss><channel/></rss>`, 0, true},
		{"empty", ``, 0, true},
		{"too many", long, maxSitemapEntries, true},
		{"entities", `<!DOCTYPE a [<!ENTITY b "c">]><urlset><url><loc>&b;</loc></url></urlset>`, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := 0
			err := readSitemap(strings.NewReader(test.doc), func(sitemapEntry) error { n++; return nil })
			if n != test.n || (err != nil) != test.bad {
				t.Errorf("%d entries, %v", n, err)
			}
		})
	}
}

func zipped(r io.Reader) *bytes.Buffer {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = io.Copy(z, r)
	_ = z.Close()
	return &out
}

// A sitemap that inflates to a very large size is read only up to the limit.
func TestSitemapBomb(t *testing.T) {
	bomb := zipped(io.MultiReader(strings.NewReader("<urlset>"), io.LimitReader(&comments{}, 1<<20),
		strings.NewReader("</urlset>")))
	if err := readSitemapOf(bomb, 512<<10, func(sitemapEntry) error { return nil }); !errors.Is(err, errSitemapLong) {
		t.Errorf("%v", err)
	}
	n := 0
	if err := readSitemap(zipped(strings.NewReader("<urlset><url><loc>http://a.example/</loc></url></urlset>")),
		func(sitemapEntry) error { n++; return nil }); err != nil || n != 1 {
		t.Errorf("a packed one: %d, %v", n, err)
	}
}

// comments is endless XML.
type comments struct{ at int }

func (c *comments) Read(p []byte) (int, error) {
	const text = "<!-- -->\n"
	for i := range p {
		p[i] = text[c.at%len(text)]
		c.at++
	}
	return len(p), nil
}

func TestLastmod(t *testing.T) {
	for s, want := range map[string]string{"2026": "2026-01-01 00:00:00", "2026-11": "2026-11-01 00:00:00",
		"2026-11-22":             "2026-11-22 00:00:00",
		"2026-11-22T10:00+01:00": "2026-11-22 09:00:00", "2026-11-22T10:00:00.5Z": "2026-11-22 10:00:00.5",
		"yesterday": "", "": ""} {
		got, ok := lastmod(s)
		if ok != (want != "") || ok && got.Format("2006-01-02 15:04:05.9") != want {
			t.Errorf("%s: %v, %v", s, got, ok)
		}
	}
}

func FuzzSitemap(f *testing.F) {
	f.Add([]byte(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/</loc>` +
		`<lastmod>2026-11-22</lastmod></url></urlset>`))
	f.Add([]byte(`<sitemapindex><sitemap><loc>http://a.example/s.xml</loc></sitemap></sitemapindex>`))
	f.Add(zipped(strings.NewReader(`<urlset><url/></urlset>`)).Bytes())
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		n := 0
		err := readSitemap(bytes.NewReader(doc), func(e sitemapEntry) error {
			n++
			lastmod(e.lastmod)
			return nil
		})
		if n > maxSitemapEntries || n > len(doc) && !bytes.HasPrefix(doc, []byte("\x1f\x8b")) {
			t.Errorf("%d entries: %v", n, err)
		}
	})
}

func FuzzOneForm(f *testing.F) {
	for _, s := range []string{"http://a.example/a b", "/x?y#z", "//a.example/%", "..\\a%2f", "http://a.example/\x80"} {
		f.Add(s)
	}
	u, err := newURLs(&Options{Root: "http://a.example/"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, link string) {
		got, ok := u.of(link, nil)
		if !ok {
			return
		}
		if again, ok := u.of(got, nil); !ok || again != got {
			t.Errorf("%q is written %q, and that %q", link, got, again)
		}
		for _, c := range []byte(got) {
			if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
				t.Errorf("%q has %q", got, fmt.Sprintf("%c", c))
			}
		}
	})
}
