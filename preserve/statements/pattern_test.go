package statements

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, url string
		want         bool
	}{
		{"*", "dns:a.example", true},
		// A prefix.
		{"http://a.example/private/", "http://a.example/private/x", true},
		{"http://a.example/private/", "http://a.example/private", false},
		{"http://a.example/private", "http://a.example/private2", true},
		{"http://a.example", "http://a.example/", true},
		{"http://a.example", "http://a.example", true},
		{"http://a.example", "http://a.example?q", true},
		{"http://a.example", "http://a.example.evil/", false},
		{"http://a.example/", "http://www.a.example/", false},
		{"ftp://a.example/pub/", "ftp://a.example/pub/x", true},
		{"ftp://a.example/pub/", "http://a.example/pub/x", false},
		{"urn:x:", "urn:x:1", true},
		// Another spelling.
		{"http://a.example/private/", "HTTPS://A.EXAMPLE.:443/private/x", true},
		{"http://a.example/private/", "http://a.example:80/%70rivate/x#y", true},
		{"http://a.example/private/", "http://a.example/x/../private/x", true},
		{"http://a.example/private/", "http://a.example/x/%2e%2E/private/x", true},
		{"http://a.example/private/", "http://a.example/./private/..", false},
		{"http://a.example/private/", `http://a.example\private\x`, true},
		{"http://a.example/private/", "http://someone:secret@a.example/private/x", true},
		{"http://a.example/private/", "http://a.example/private%2fx", false}, // another path
		{"http://a.example:8080/", "http://a.example:8080/x", true},
		{"http://a.example/", "http://a.example:8080/x", false},
		{"https://a.example/%7euser/", "http://a.example/~user/x", true},
		// Anything.
		{"http://*.nz/*", "http://www.nzcee.co.nz/", true},
		{"http://*.nz/*", "http://evil.example/www.x.nz/", false},
		{"http://*.nz/*", "http://nz/", false},
		{"http*://*.nz/*", "https://x.nz/y", true},
		{"*.nz", "http://x.nz/y", true},
		{"*.nz", "http://evil.example/x.nz", false},
		{"http://a.example/*.pdf", "http://a.example/x/y.pdf", true},
		{"http://a.example/*.pdf", "http://a.example/x/y.pdf?z", false},
		{"*/*.pdf", "https://a.example:8080/x/y.pdf", true},
		{"*/*.pdf", "http://a.example/x/y.pdf.html", false},
		{"*/staff/*", "https://a.example/staff/x", true},
		{"http://a.example/*?lang=fr*", "http://a.example/x?lang=fr&y", true},
		{"a.example/private/*", "https://a.example/private/x", true},
		{"a.example:8080/*", "http://a.example:8080/x", true},
		// A host.
		{"a.example", "https://www.A.example:8080/x", true},
		{"a.example", "http://ba.example/", false},
		{"a.example.", "http://a.example/", true},
		{"", "http://a.example/", false},
	} {
		if got := match(c.pattern, c.url); got != c.want {
			t.Errorf("match(%q, %q) = %v", c.pattern, c.url, got)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("http://*.nz/*", "http://a.nz/")
	f.Add("a.example", "http://[::1]:80/%")
	f.Fuzz(func(t *testing.T, pattern, url string) {
		match(pattern, url)
		if !strings.ContainsAny(url, "*") && strings.HasPrefix(url, "http://") && !match(url, url) {
			t.Errorf("%q does not match itself", url)
		}
	})
}

func match(pattern, address string) bool {
	p, a := Compile(pattern), Split(address)
	return p.Match(&a)
}
