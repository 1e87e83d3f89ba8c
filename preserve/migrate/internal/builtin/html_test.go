package builtin

import (
	"bytes"
	"errors"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// encoded encodes text in the named encoding.
func encoded(t testing.TB, name, text string) []byte {
	t.Helper()
	e, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// In every encoding of the old web, a page has the same text before and after.
func TestEncodings(t *testing.T) {
	for name, text := range map[string]string{
		"iso-8859-1": "Käse – “gut”", "windows-1252": "100 € œuvre", "iso-8859-2": "Příliš žluťoučký",
		"iso-8859-15": "Šaty za 5 €", "windows-1250": "zażółć gęślą jaźń",
		"windows-1251": "Съешь ещё", "koi8-r": "Привет", "koi8-u": "їжак", "iso-8859-5": "Привет",
		"iso-8859-7": "Ξεσκεπάζω", "windows-1255": "עברית",
		"windows-1256": "العربية", "windows-874": "ภาษาไทย", "macintosh": "naïve √", "shift_jis": "日本語 ｶﾀｶﾅ ①",
		"euc-jp": "日本語", "iso-2022-jp": "日本語 a<b",
		"gb2312": "汉字", "gb18030": "汉字 \uFFFD 😀", "big5": "漢字", "euc-kr": "한국어", "ibm866": "Привет", "utf-16": "日本語",
	} {
		page := "<html><head><meta http-equiv=Content-Type content='text/html; charset=" + name + "'><title>" + text +
			"</title>"
		if name == "utf-16" {
			page = "\uFEFF" + page // its only way to declare the encoding
		}
		made, err := htmlToUTF8(Input{Content: encoded(t, name, page)})
		want := "<html><head><meta http-equiv=Content-Type content='text/html; charset=utf-8'><title>" + text +
			"</title>"
		if err != nil || string(made.Content) != want {
			t.Errorf("%s: %q, %v", name, made.Content, err)
		}
	}
}

// A rule sets the encoding of documents without a declaration.
func TestUndeclared(t *testing.T) {
	if got, err := sniff(Input{Content: []byte("<p>\xe4"), Undeclared: "windows-1252"}, false); err != nil ||
		got.Name != "windows-1252" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := sniff(Input{Content: []byte("<p>\xe4"), Undeclared: "none"}, false); !errors.Is(err, errUndeclared) {
		t.Errorf("%v, %v", got, err)
	}
}

// A document's declarations of its encoding are changed everywhere, and nothing else.
func TestDeclareUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"<META HTTP-EQUIV=content-type CONTENT=text/html;charset=x-sjis >": "<META HTTP-EQUIV=conte" +
			"nt-type CONTENT=text/html;charset=utf-8 >",
		"<meta charset=\"latin1\"\n/><p  A=B >": "<meta charset=\"utf-8" +
			"\"\n/><p  A=B >",
		"<meta charset=big5 http-equiv='Content-Type' content='a; charset=\"big5\"'>": "<meta charset=utf-8 " +
			"http-equiv='Content-Type' content='a; charset=\"utf-8\"'>",
		"<meta content='a; charset=big5' charset=big5 http-equiv='Content-Type'>": "<meta content='a; " +
			"charset=utf-8' charset=utf-8 http-equiv='Content-Type'>",
		"<meta name=description content='charset=big5'>": "<meta name=description" +
			" content='charset=big5'>",
		"<meta charset=nonsense>": "<meta charset=nonsense>",
		"<!-- <meta charset=big5> --><script>'<meta charset=big5>'</script>": "<!-- <meta " +
			"charset=big5> --><script>'<meta charset=big5>'</script>",
		"<?xml version=\"1.0\" encoding='iso-8859-1'?>\r\n<html>": "<?xml version=\"1.0\" " +
			"encoding='utf-8'?>\r\n<html>",
		"a\x00b\r\n&amp;<p <br>< </ <!x><?y>\r<meta charset=big5": "a\x00b\r\n&amp;<p <br>" +
			"< </ <!x><?y>\r<meta charset=big5",
		"<meta charset=big5><textarea><meta charset=big5>": "<meta charset=utf-8>" +
			"<textarea><meta charset=big5>",
	} {
		if got := string(declareUTF8([]byte(in))); got != want {
			t.Errorf("%q\n became %q\n want   %q", in, got, want)
		}
	}
}

func TestHTMLNotConverted(t *testing.T) {
	cases := []struct{ name, contentType, in, want string }{
		{"UTF-8", "text/html; charset=UTF-8", "<meta charset=utf-8>ä", "the bytestream already has the target format"},
		{"ASCII", "text/html", "<p>", "the bytestream already has the target format"},
		{"UTF-8 with a mark", "text/html", "\xef\xbb\xbfä", "the bytestream already has the target format"},
		{"undeclared", "text/html", "\xe4", errUndeclared.Error()},
		{"not in its declared encoding", "text/html; charset=utf-8", "abc \xe4 x",
			`it is utf-8 by its HTTP header, but the bytes after "abc " are not a valid character (errors: 1)`},
		{"a hole", "text/html; charset=windows-1253", "abc\xaa\xaa",
			`it is windows-1253 by its HTTP header, but the bytes after "abc" are not a valid character (errors: 2)`},
		{"a lead byte at the end", "text/html; charset=shift_jis", "\x93\xfa\x93",
			`it is shift_jis by its HTTP header, but the bytes after "日" are not a valid character (errors: 1)`},
		{"misused", "text/html; charset=iso-2022-kr", "x",
			"it is iso-2022-kr by its HTTP header, but that is not decoded, because it was misused to deceive " +
				"browsers"},
		{"half a character", "", "\xff\xfea",
			"it is utf-16le by its byte order mark, but it has an odd number of bytes"},
		{"half a pair", "", "\xfe\xff\x00a\xd8\x00",
			`it is utf-16be by its byte order mark, but the bytes after "\ufeffa" are not a valid character ` +
				`(errors: 1)`},
		{"XML", "application/xhtml+xml", "<?xml version='1.0' encoding='foo'?>",
			`its XML declaration names an encoding that is not known: "foo"`},
	}
	for _, c := range cases {
		if made, err := htmlToUTF8(Input{Content: []byte(c.in), ContentType: c.contentType}); err == nil ||
			err.Error() != c.want {
			t.Errorf("%s: %q, %v; want %s", c.name, made.Content, err, c.want)
		}
	}
}

func TestHTMLTold(t *testing.T) {
	made, err := htmlToUTF8(Input{Content: []byte("\xe4"), ContentType: "application/xhtml+xml; charset=ISO-8859-1"})
	if err != nil || made.ContentType != "application/xhtml+xml;charset=utf-8" || len(made.Notes) != 1 ||
		made.Notes[0] != `from windows-1252, as "ISO-8859-1" is read, by its HTTP header` {
		t.Errorf("%+v, %v", made, err)
	}
}

// The result is UTF-8 in all its declarations, and needs no second conversion.
func FuzzHTML(f *testing.F) {
	f.Add("text/html; charset=iso-8859-1", []byte("<meta charset=iso-8859-1>\xe4<!-- <meta> -->"))
	f.Add("application/xhtml+xml",
		[]byte("<?xml version='1.0' encoding='koi8-r'?><meta content='a;charset=big5' http-equiv=content-type>"))
	f.Add("", []byte("\xfe\xff\x00<\x00m"))
	f.Add("text/html; charset=iso-2022-jp", []byte("\x1b$B<j\x1b(B<meta charset=x"))
	f.Fuzz(func(t *testing.T, contentType string, b []byte) {
		made, err := htmlToUTF8(Input{Content: b, ContentType: contentType})
		if err != nil {
			return
		}
		if !utf8.Valid(made.Content) {
			t.Errorf("%q is not UTF-8", made.Content)
		}
		if again, err := htmlToUTF8(Input{Content: made.Content, ContentType: made.ContentType}); !errors.Is(err,
			ErrUnneeded) && !bytes.HasPrefix(made.Content, []byte("\xef\xbb\xbf")) {
			t.Errorf("%q became %q, and that %q, %v", b, made.Content, again.Content, err)
		}
	})
}
