package mets

import (
	"net/url"
	"strings"
	"testing"
)

func TestHref(t *testing.T) {
	cases := []struct{ path, href string }{
		{"data/crawl.warc.gz", "data/crawl.warc.gz"},
		{"a b/ü.txt", "a%20b/%C3%BC.txt"},
		{"100%/x?y#z", "100%25/x%3Fy%23z"},
		{"http:/a", "http%3A/a"},
		{"/etc/passwd", "%2Fetc/passwd"},
		{"//host/x", "%2F/host/x"},
		{"caf\xe9\x00\n", "caf%E9%00%0A"},
		{"", ""},
	}
	for _, c := range cases {
		if got := Href(c.path); got != c.href {
			t.Errorf("Href(%q) = %q; want %q", c.path, got, c.href)
		}
		if back, err := Path(c.href); err != nil || back != c.path {
			t.Errorf("Path(%q) = %q, %v; want %q", c.href, back, err, c.path)
		}
	}
	if got, err := Path("ü~'(x)+%c3%bc"); err != nil || got != "ü~'(x)+ü" {
		t.Errorf("unencoded by other tools: %q, %v", got, err)
	}
}

func TestPathRefuses(t *testing.T) {
	for _, href := range []string{"/abs", "//host/x", "http://host/x", "urn:x", "a?b", "a#b", "%", "a%4", "%zz"} {
		if path, err := Path(href); err == nil {
			t.Errorf("Path(%q) = %q; want an error", href, path)
		}
	}
}

func FuzzHref(f *testing.F) {
	for _, s := range []string{"data/a.warc", "/x", "a:b", "caf\xe9", "%41", "../x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		href := Href(path)
		back, err := Path(href)
		if err != nil || back != path {
			t.Fatalf("%q became %q became %q, %v", path, href, back, err)
		}
		u, err := url.Parse(href)
		if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(u.EscapedPath(), "/") || u.RawQuery != "" ||
			u.Fragment != "" {
			t.Errorf("%q is no relative path for others: %+v, %v", href, u, err)
		}
		if p, err := Path(path); err == nil && !strings.Contains(path, "%") && p != path {
			t.Errorf("Path(%q) = %q", path, p)
		}
	})
}
