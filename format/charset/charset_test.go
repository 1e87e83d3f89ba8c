package charset

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSniff checks the order of the HTML Standard, 13.2.3.2.
func TestSniff(t *testing.T) {
	long := strings.Repeat(" ", prescanned)
	cases := []struct{ name, contentType, in, want, by string }{
		{"byte order mark first", "text/html; charset=koi8-r", "\xef\xbb\xbf<meta charset=big5>", "utf-8",
			"byte order mark"},
		{"UTF-16", "", "\xff\xfea\x00", "utf-16le", "byte order mark"},
		{"then the header", "text/html; charset=koi8-r", "<meta charset=big5>", "koi8-r", "HTTP header"},
		{"a label", "text/html; charset=latin1", "x", "windows-1252", "HTTP header"},
		{"a header that is not well-formed", "text/html; foo; charset=\"koi8-r\"", "x", "koi8-r", "HTTP header"},
		{"a header that says nothing", "text/html; charset=none", "<meta charset=big5>", "big5", "meta element"},
		{"then the document", "text/html", "<!DOCTYPE html><html lang=x><META CHARSET=' Big5 '>", "big5",
			"meta element"},
		{"pragma", "", "<meta content='text/html;charset = euc-jp' http-equiv=\"Content-Type\">", "euc-jp",
			"meta element"},
		{"without pragma", "", "<meta content='text/html;charset=euc-jp'>\xe4", "", ""},
		{"not in a comment", "", "<!-- <meta charset=big5> --><meta/charset=euc-jp>", "euc-jp", "meta element"},
		{"behind an empty comment", "", "<!--><meta charset=big5>", "big5", "meta element"},
		{"not in an attribute", "", "<a title='<meta charset=big5>'><meta charset=euc-jp>", "euc-jp", "meta element"},
		{"an unknown one is passed over", "",
			"<meta charset=foo content='text/html;charset=big5' http-equiv=content-type><meta charset=euc-jp>",
			"euc-jp", "meta element"},
		{"not UTF-16", "", "<meta charset=utf-16>", "utf-8", "meta element"},
		{"not far down", "", long + "<meta charset=big5>\xe4", "", ""},
		{"XML declaration", "", "<?xml version='1.0' encoding='koi8-r'?><p>", "koi8-r", "XML declaration"},
		{"a meta element is before it", "", "<?xml version='1.0' encoding='koi8-r'?><meta charset=big5>", "big5",
			"meta element"},
		{"XML", "application/xhtml+xml", "<?xml version='1.0' encoding='koi8-r'?><meta charset='big5'/>", "koi8-r",
			"XML declaration"},
		{"XML without a declaration", "application/xhtml+xml", "<meta charset='big5'/>", "utf-8", "being XML"},
		{"ASCII", "", "<p>x", "us-ascii", "content"},
		{"nothing", "", "<p>\xe4", "", ""},
	}
	for _, c := range cases {
		got, err := Sniff([]byte(c.in), c.contentType, strings.HasSuffix(c.contentType, "xml"))
		if got.Name != c.want || got.By != c.by || (c.want == "") != errors.Is(err, ErrUndeclared) {
			t.Errorf("%s: %q by %s, %v", c.name, got.Name, got.By, err)
		}
	}
}

func TestDecodeLossy(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"utf-8", "\xef\xbb\xbfa\xffb", "a\uFFFDb"}, {"", "a\xffb", "a\uFFFDb"}, {"windows-1252", "\x80", "€"},
		{"utf-16le", "\xff\xfea\x00\x00\xd8b", "a\uFFFD"},
		{"utf-16be", "\x00a", "a"}, {"shift_jis", "\x93\xfa\x93", "日\uFFFD"}, {"no such", "a\xff", "a\uFFFD"},
		{"iso-2022-kr", "x", "\uFFFD"},
	} {
		if got := string(DecodeLossy([]byte(c.in), c.name)); got != c.want {
			t.Errorf("%s %q: %q", c.name, c.in, got)
		}
	}
}

func TestMetaCharsets(t *testing.T) {
	tag := "<meta content='a; charset=big5' charset=big5 http-equiv='Content-Type'>"
	if got := fmt.Sprint(MetaCharsets([]byte(tag))); got != "[[26 30] [40 44]]" {
		t.Error(got)
	}
	if got := MetaCharsets([]byte("<p charset=big5>")); got != nil {
		t.Error(got)
	}
}

// FuzzSniff checks that text in any encoding found decodes or returns the reason; lossy decoding
// never fails.
func FuzzSniff(f *testing.F) {
	f.Add("text/html; charset=iso-2022-jp", []byte("\x1b$B<j\x1b(B<meta charset=x"))
	f.Add("", []byte("<?xml version='1.0' encoding='koi8-r'?><meta content='a;charset=big5' http-equiv=content-type>"))
	f.Add("", []byte("\xfe\xff\x00<\x00m"))
	f.Fuzz(func(t *testing.T, contentType string, b []byte) {
		found, err := Sniff(b, contentType, strings.Contains(contentType, "xml"))
		if err != nil {
			return
		}
		if text, err := Decode(b, found.Name); err == nil && !utf8.Valid(text) {
			t.Errorf("%q is not UTF-8", text)
		}
		if text := DecodeLossy(b, found.Name); !utf8.Valid(text) {
			t.Errorf("%q is not UTF-8", text)
		}
	})
}

func ExampleSniff() {
	found, err := Sniff([]byte("<title>Caf\xe9</title>"), "text/html; charset=latin1", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Name, found.By, string(DecodeLossy([]byte("Caf\xe9"), found.Name)))
	// Output: windows-1252 HTTP header Café
}
