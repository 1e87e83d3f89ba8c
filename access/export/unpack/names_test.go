package unpack

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quire/internal/portable"
	"quire/metadata/mets"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ url, mime, want string }{
		{"http://a.example/", "text/html", "a.example/index.html"},
		{"https://a.example:443", "text/html", "a.example/index.html"},
		{"http://a.example/news/", "text/html", "a.example/news/index.html"},
		{"http://a.example/news/x.html#top", "text/html", "a.example/news/x.html"},
		{"http://a.example/i/logo.png", "image/png", "a.example/i/logo.png"},
		{"http://a.example:8080/x.css", "text/css", "a.example_8080.HASH/x.css"},
		{"http://a.example/index.html", "text/html", "a.example/index-HASH.html"},
		{"http://a.example/news", "text/html", "a.example/news-HASH.html"},
		{"http://a.example/a.php", "text/html", "a.example/a.php-HASH.html"},
		{"http://a.example/a.html?b=1&c", "text/html", "a.example/a-HASH.html"},
		{"http://a.example/?b", "text/html", "a.example/_-HASH.html"},
		{"http://a.example/A.HTML", "text/html", "a.example/A.HTML-HASH.html"},
		{"http://a.example/v1.2/x.js", "text/javascript", "a.example/v1.2-HASH/x.js"},
		{"http://a.example/../x.js", "text/javascript", "a.example/_-HASH/x.js"},
		{"http://a.example//x.js", "text/javascript", "a.example/_-HASH/x.js"},
		{"http://contents/x.js", "text/javascript", "contents.HASH/x.js"},
		{"http://a.example/con.html", "text/html", "a.example/con-HASH.html"},
		{"http://con.example/x.js", "text/javascript", "_con.example.HASH/x.js"},
		{"http://a.example/aux.d/x.js", "text/javascript", "a.example/_aux.d-HASH/x.js"},
		{"http://a.example/NUL.tar.gz", "application/gzip", "a.example/_NUL.tar-HASH.gz"},
		{"http://a.example/caf\u00e9.png", "image/png", "a.example/caf_-HASH.png"},
		{"http://a.example/cafe\u0301.png", "image/png", "a.example/cafe_-HASH.png"},
		{"http://a.example/.htaccess", "", "a.example/htaccess-HASH.bin"},
		{"http://a.example/a\r\nb\x00\xff.png", "image/png", "a.example/a__b__-HASH.png"},
		{"urn:uuid:1", "", "urn_.HASH/uuid_1-HASH.bin"},
		{"http://a.example/x.exe", "application/octet-stream", "a.example/x.exe"},
		{"http://a.example/x.html", "application/octet-stream", "a.example/x.html-HASH.bin"},
	} {
		got := Name(c.url, c.mime)
		parts := strings.Split(c.want, "HASH")
		rest := got
		for i, p := range parts {
			if !strings.HasPrefix(rest, p) {
				t.Errorf("%s: %s, want %s", c.url, got, c.want)
				break
			}
			rest = rest[len(p):]
			if i < len(parts)-1 {
				rest = rest[min(digits, len(rest)):]
			}
		}
		if rest != "" {
			t.Errorf("%s: %s, want %s", c.url, got, c.want)
		}
	}
}

// TestNamesAreBoundedAndApart: long names stay within the limits, and distinct.
func TestNamesAreBoundedAndApart(t *testing.T) {
	seen := map[string]string{}
	try := func(url string) {
		n := Name(url, "text/html")
		if len(n) > maxName+20 {
			t.Errorf("%d bytes: %s", len(n), n)
		}
		if before, ok := seen[strings.ToLower(n)]; ok {
			t.Errorf("%.80q and %.80q are both %s", before, url, n)
		}
		seen[strings.ToLower(n)] = url
	}
	for i := 1; i < 300; i++ {
		try("http://a.example/" + strings.Repeat("long/", i))
		try("http://a.example/" + strings.Repeat("x", i))
		try(fmt.Sprintf("http://a.example/x?%d", i))
	}
	for _, u := range []string{"http://a.example/a", "http://a.example/a.html", "http://a.example/a.html/b",
		"http://a.example/a/b", "http://A.example/B",
		"http://a.example/b", "http://a.example/a.html?", "http://a.example/index.html", "http://a.example/a/",
		"http://a.example/a//", "http://a_example/"} {
		try(u)
	}
	// Two forms of one character, and cases, which some file systems treat as equal.
	for _, u := range []string{"http://a.example/caf\u00e9", "http://a.example/cafe\u0301", "http://a.example/CAFE",
		"http://a.example/cafe", "http://A.example/Cafe"} {
		try(u)
	}
	// A URL that looks like the name of another must not get that name.
	try("http://" + Name("http://a.example/b?c", "text/html"))
	try("http://" + Name("http://a.example/news", "text/html"))
}

// FuzzName: every name is valid and unchanged in any file system, ZIP and URL.
func FuzzName(f *testing.F) {
	f.Add("http://a.example/b/c.html?d#e", "text/html")
	f.Add("http://con.example/aux.d/NUL.tar.gz", "application/gzip")
	f.Add("http://[::1]:80/%2e%2e/\\..\\x", "")
	f.Fuzz(func(t *testing.T, url, mime string) {
		n := Name(url, mime)
		if portable.Name(n) != n || mets.Href(n) != n || slices.Contains(strings.Split(n, "/"), "..") ||
			strings.HasPrefix(n, "/") || len(n) > maxName+20 {
			t.Errorf("%q: %q", url, n)
		}
		if i := strings.IndexByte(n, '/'); i < 0 || !strings.Contains(n[:i], ".") {
			t.Errorf("%q: no host in %q", url, n)
		}
		for _, part := range strings.Split(n, "/") {
			if base, _, _ := strings.Cut(strings.ToLower(part),
				"."); slices.Contains([]string{"con", "prn", "aux", "nul", "com1", "lpt9"}, base) ||
				strings.HasSuffix(part, ".") {
				t.Errorf("%q: Windows has no file %q", url, n)
			}
		}
		if n != Name(url, mime) {
			t.Error("not the same twice")
		}
	})
}
