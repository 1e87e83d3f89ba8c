package pages

import (
	"fmt"
	"testing"
)

// TestResolutions: a remembered target is the one that the page itself resolves, for links and pages
// of all kinds.
func TestResolutions(t *testing.T) {
	var known Resolutions
	bases := []string{"http://a.test/", "http://a.test/b/c", "http://a.test/b/d?q=/x", "https://a.test/b/c",
		"http://a.test/b/c?x#y", "http://a.test", "urn:a/b", "file:///c:/d/e", "not a url", "http://a.test/b/c/../e"}
	hrefs := []string{"", "x", "x?y", "?q", "#f", " #f", "\t?q", "\n x", "&#35;f", "&num;f", "/", "//b.test/x",
		"..", ".", "./x",
		"http:?q", "http:#f", "http:x", "http://b.test/x", "HTTP:/x", "https:?q", "a:b", "a/b:c", "x&amp;y",
		"&#x2f;x", "\\x",
		"c|/x", "x#f", "javascript:x", "%2e%2e/x", "\xe4", "x\x00", "_:x", "1:2", "x:/y", "x ", "x y",
		"\x1b$Bx", "//", "http://", "http://b.test", "http://b.test:80",
		"//b.test?q", "../../..",
		"file:///x", "x\x7f"}
	for _, href := range hrefs[:len(hrefs):len(hrefs)] { // with fragments of all kinds
		for _, fragment := range []string{"#f", "#a(b[])", "#a b", "#%", "#", "#a#b", " #f", "\t#f", "\f#f", "#f ",
			"#&amp;"} {
			hrefs = append(hrefs, href+fragment)
		}
	}
	for range 2 { // the second time everything is remembered
		for _, page := range bases {
			for _, charset := range []string{"utf-8", "windows-1252", "iso-2022-jp", "replacement"} {
				d := &Declared{Charset: Charset{Name: charset}}
				for _, href := range hrefs {
					want, ok := d.Resolver(page).Resolve([]byte(href))
					got, gotOK := d.Resolver(page).Remember(&known).Resolve([]byte(href))
					if got != want || ok != gotOK {
						t.Errorf("%q in %q: %+v %v, want %+v %v", href, page, got, gotOK, want, ok)
					}
				}
			}
		}
	}
	if len(known.known) == 0 {
		t.Error("nothing is remembered")
	}
	for i := range maxResolutions + 10 {
		(&Declared{}).Resolver("http://a.test/").Remember(&known).Resolve(fmt.Append(nil, "x", i))
	}
	if len(known.known) > maxResolutions {
		t.Errorf("%d targets are remembered", len(known.known))
	}
}
