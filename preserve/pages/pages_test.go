package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/japanese"

	"quire/internal/prove"
)

// read reads a page in pieces of a given size, and returns its declarations and links.
func read(t testing.TB, page string, piece int, o Options) (*Declared, []Link) {
	t.Helper()
	var links []Link
	o.Link = func(l Link) error {
		l.Href = append([]byte(nil), l.Href...)
		links = append(links, l)
		return nil
	}
	p := New(o)
	for rest := page; rest != ""; {
		n := min(piece, len(rest))
		if _, err := p.Write([]byte(rest[:n])); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	d, err := p.Close()
	if err != nil {
		t.Fatal(err)
	}
	return d, links
}

func inUTF16(s string, big bool, mark bool) string {
	if mark {
		s = "\ufeff" + s
	}
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// TestTitles tests HTML, 3.1.5 (document.title); 13.2.3.2 (encoding); 13.2.5.72 (references, in
// text).
func TestTitles(t *testing.T) {
	jis, err := japanese.ISO2022JP.NewEncoder().String("<meta charset=iso-2022-jp><title>\u65e5\u672c</title>")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, page, contentType string
		want, charset           string
	}{
		{"none is declared", "<title>\u00fc &amp; &uuml;</title>", "", "\u00fc & \u00fc", "/"},
		{"white space", "<title>\n a \t\nb </title>", "", "a b", "/"},
		{"references in text", "<title>?a=1&copy=2 &amp;lt; &notit; &#x80;</title>", "",
			"?a=1\u00a9=2 &lt; \u00aci" + "t; \u20ac", "/"},
		{"HTTP header", "<title>\xfc</title>", "text/html; charset=ISO-8859-1", "\u00fc", "windows-1252/HTTP header"},
		{"the header before the meta", "<meta charset=utf-8><title>\xfc</title>", "text/html;charset=\"latin1\"",
			"\u00fc", "windows-1252/HTTP header"},
		{"the mark before the header", "\xef\xbb\xbf<title>\u00fc</title>", "text/html; charset=latin1", "\u00fc",
			"utf-8/byte order mark"},
		{"an unknown one in the header", "<meta charset=koi8-r><title>\xc6</title>", "text/html; charset=none",
			"\u0444", "koi8-r/meta"},
		{"meta http-equiv",
			"<title>\x93x\x94</title><meta http-equiv=Content-Type content='text/html; charset=windows-1252'>", "",
			"\u201cx\u201d", "windows-1252/meta"},
		{"meta far behind", "<title>\xfc</title>" + strings.Repeat("<p>", prescan) + "<meta charset=latin1>", "",
			"\u00fc", "windows-1252/meta"},
		{"UTF-16 in a meta is UTF-8", "<meta charset=utf-16><title>\u00fc</title>", "", "\u00fc", "utf-8/meta"},
		{"references are decoded once, after the charset",
			"<meta charset=latin1><title>&eacute;\xe9&amp;eacute;</title>", "", "\u00e9\u00e9&eacute;",
			"windows-1252/meta"},
		{"undecodable text is unchanged", "<title>\xfc&amp;</title>", "", "\xfc&amp;", "/"},
		{"nor that", "<meta charset=shift_jis><title>\x81&amp;</title>", "", "\x81&amp;", "shift_jis/meta"},
		{"ISO-2022-JP", jis, "", "\u65e5\u672c", "iso-2022-jp/meta"},
		{"UTF-16 with a mark", inUTF16("<title>\u00fc\U0001F600</title>", false, true), "", "\u00fc\U0001F600",
			"utf-16le/byte order mark"},
		{"UTF-16 by the header", inUTF16("<title>\u00fc</title>", true, false), "text/html; charset=utf-16be", "\u00fc",
			"utf-16be/HTTP header"},
		{"XHTML", "<?xml version='1.0' encoding=\"iso-8859-1\"?><html><head><title>\xfc &lt; <![CDATA[&lt;]]></title>",
			"application/xhtml+xml", "\u00fc < &lt;", "windows-1252/XML declaration"},
		{"an XML declaration in HTML comes last",
			"<?xml version='1.0' encoding='latin1'?><meta charset=utf-8><title>\u00fc</title>", "text/html", "\u00fc",
			"utf-8/meta"},
	} {
		for _, piece := range []int{1, 7, 1 << 20} {
			d, _ := read(t, c.page, piece, Options{ContentType: c.contentType})
			if d.Title == nil || d.Title.Text != c.want || d.Charset.Name+"/"+d.Charset.Source != c.charset {
				t.Errorf("%s, in pieces of %d: %+v in %+v, want %+q in %s", c.name, piece, d.Title, d.Charset, c.want,
					c.charset)
			}
		}
	}
	if d, _ := read(t, "<svg><title>x</title></svg>", 9, Options{}); d.Title != nil {
		t.Errorf("a title of SVG is %q", d.Title.Text)
	}
}

func TestDeclared(t *testing.T) {
	d, _ := read(t, `<html lang="nl-BE" xml:lang="nl"><meta http-equiv="Content-Language" content="nl, fr">
		<title>Eerst</title><title>Nog een</title><base href=" /x?a&amp;b "><base href=/y>
		<meta name="DC.Subject" scheme=LCSH lang=en content="Web &amp; archives"><meta property="og:title" `+
		`name="twitter:title" content="Titel">
		<meta itemprop=name content=""><meta name=none><noscript><meta name=hidden content=x></noscript>`, 11,
		Options{Language: "nl,de"})
	got, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"charset":{"name":"","source":"","label":""},"title":{"text":"Eerst"},` +
		`"languages":[{"value":{"text":"nl-BE"},"source":"html lang"}` +
		`,{"value":{"text":"nl"},"source":"html xml:lang"},{"value":{"text":"nl"},"source":"meta content-language"},` +
		`{"value":{"text":"fr"},"source":"meta content-language"},` +
		`{"value":{"text":"nl"},"source":"HTTP header"},{"value":{"text":"de"},"source":"HTTP header"}],` +
		`"base":{"text":" /x?a\u0026b "},"meta":[` +
		`{"attribute":"http-equiv","name":"Content-Language","content":{"text":"nl, fr"}},` +
		`{"attribute":"name","name":"DC.Subject","scheme":"LCSH","lang":"en","content":{"text":"Web \u0026 ` +
		`archives"}},` +
		`{"attribute":"name","name":"twitter:title","content":{"text":"Titel"}},{"attribute":"property",` +
		`"name":"og:title","content":{"text":"Titel"}},` +
		`{"attribute":"itemprop","name":"name","content":{"text":""}}],"links":0,"left_out":{"titles":1,` +
		`"languages":0,"meta":0,"values":0,"links":0,"tags":0}}`
	if string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestBounds checks that excessive declarations of a hostile page are counted, not stored.
func TestBounds(t *testing.T) {
	prove.Serial(t)
	d, _ := read(t, "<title>"+strings.Repeat("\u00fc", 500_000)+"</title>", 1<<16, Options{})
	if len(d.Title.Text) != MaxValue || d.Title.Length != 1_000_000 || d.LeftOut.Values != 1 {
		t.Errorf("a title of 1 MB: %d of %d bytes, %+v", len(d.Title.Text), d.Title.Length, d.LeftOut)
	}
	d, _ = read(t, "<title>x"+strings.Repeat("\u00fc", 500_000), 1<<16, Options{})
	if len(d.Title.Text) != MaxValue-1 { // no half character
		t.Errorf("a title is cut to %d bytes", len(d.Title.Text))
	}
	d, _ = read(t, strings.Repeat("<meta name=a content=b>", MaxMeta+7)+
		strings.Repeat("<html lang=de>", MaxLanguages+3), 999, Options{})
	if len(d.Meta) != MaxMeta || d.LeftOut.Meta != 7 || len(d.Languages) != MaxLanguages || d.LeftOut.Languages != 3 {
		t.Errorf("%d meta, %d languages, %+v", len(d.Meta), len(d.Languages), d.LeftOut)
	}
	d, _ = read(t, strings.Repeat("<meta name=a content='"+strings.Repeat("y", MaxValue)+"'>", 20), 1<<16, Options{})
	total := 0
	for _, m := range d.Meta {
		total += len(m.Content.Text) + len(m.Name)
	}
	if total > MaxValues || d.LeftOut.Meta == 0 || d.LeftOut.String() == "" {
		t.Errorf("%d bytes of meta, %+v", total, d.LeftOut)
	}
	d, links := read(t, strings.Repeat("<a href=x>", 1_000_000), 1<<16, Options{})
	if len(links) != MaxLinks || d.Links != 1_000_000 || d.LeftOut.Links != 1_000_000-MaxLinks {
		t.Errorf("%d links of %d, %+v", len(links), d.Links, d.LeftOut)
	}
	d, links = read(t, "<a href=x>"+strings.Repeat("<a href=\"y ", 3_000_000), 1<<16, Options{})
	if len(links) > 1 || d.LeftOut.Tags == 0 {
		t.Errorf("endless tags: %d links, %+v", len(links), d.LeftOut)
	}
	d, links = read(t, "<a href='"+strings.Repeat("y", 300<<10)+"'>x</a>", 1<<16, Options{})
	if len(links) != 1 || !links[0].Cut {
		t.Errorf("a URL of 300 kB: %d links, %+v", len(links), d.LeftOut)
	}
}

// TestLinks tests the links and their positions, in each encoding of the page.
func TestLinks(t *testing.T) {
	page := "<!DOCTYPE html><html><head><meta http-equiv=refresh content='5; url=next.html'></head><body>" +
		"\u00fc\u20ac\U0001F600" +
		`<a title="a>b" href="one.html">1</a><A HREF='#two' href=no>2</A><area href=three><a name=none><a href="">` +
		`</a>` +
		`<iframe src="four"><a href=five></iframe><img src=x><form action=y></form><noscript><a href=six></noscript>` +
		`<!-- <a href=no> --><!--[if IE]><a href=no><![endif]--><script>"<a href=no>"</script><a href="seven" ` +
		`ping=no></a  >`
	want := []string{"refresh next.html <meta http-equiv=refresh content='5; url=next.html'>",
		`hyperlink one.html <a title="a>b" href="one.html">`,
		"hyperlink #two <A HREF='#two' href=no>", "hyperlink three <area href=three>", `hyperlink  <a href="">`,
		`frame four <iframe src="four">`,
		"hyperlink five <a href=five>", "hyperlink six <a href=six>", `hyperlink seven <a href="seven" ping=no>`}
	for name, stored := range map[string]string{"UTF-8": page, "UTF-16LE": inUTF16(page, false, true),
		"UTF-16BE": inUTF16(page, true, true)} {
		for _, piece := range []int{1, 3, 1000, 1 << 20} {
			d, links := read(t, stored, piece, Options{})
			var got []string
			for _, l := range links {
				tag := stored[l.Begin : l.End+1]
				if name != "UTF-8" {
					tag = strings.ReplaceAll(tag, "\x00", "")
				}
				got = append(got, fmt.Sprintf("%s %s %s", l.Kind, l.Href, tag))
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") || d.Links != int64(len(want)) {
				t.Errorf("%s in pieces of %d:\n%s\nwant\n%s", name, piece, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
		}
	}
}

// TestResolve tests HTML, 4.2.3 (base), and the URL Standard for the rest.
func TestResolve(t *testing.T) {
	for _, c := range []struct{ page, at, href, want string }{
		{"", "http://h/a/b?c", "d#e", "http://h/a/d e"},
		{"", "http://h/a/b?c", " ../?x=1&amp;y&lt ", "http://h/?x=1&y%3C "},
		{"", "no URL", "d", ""},
		{"", "no URL", "http://h", "http://h/ "},
		{"", "http://h/", "http://[", ""},
		{"<base target=x><base href=//o/p/>", "https://h/a", "q", "https://o/p/q "},
		{"<base href='javascript:x'>", "https://h/a", "q", "https://h/q "},
		{"<meta charset=latin1>", "http://h/", "\xfc?\xfc&euro;&#1078;", "http://h/%C3%BC?%FC%80%26%231078%3B "},
		{"<meta charset=utf-8>", "http://h/", "\xfc", "http://h/%FC "},
		{"", "http://h/", "mailto:a@b", "mailto:a@b "},
	} {
		d, _ := read(t, c.page, 99, Options{})
		got := ""
		if target, ok := d.Resolver(c.at).Resolve([]byte(c.href)); ok {
			got = target.URL + " " + target.Fragment
		}
		if got != c.want {
			t.Errorf("%q at %s in %q: %q, want %q", c.href, c.at, c.page, got, c.want)
		}
	}
}

func TestErrorsOfTheListenerEndTheReading(t *testing.T) {
	full := errors.New("the disk is full")
	p := New(Options{Link: func(Link) error { return full }})
	var err error
	for i := 0; i < 100_000 && err == nil; i++ {
		_, err = p.Write([]byte("<a href=x>"))
	}
	if !errors.Is(err, full) {
		t.Error(err)
	}
	if _, err := p.Close(); !errors.Is(err, full) {
		t.Error(err)
	}
	p.Reset(Options{})
	if _, err := p.Write([]byte("<title>x")); err != nil {
		t.Error(err)
	}
	if d, err := p.Close(); err != nil || d.Title.Text != "x" || d.Links != 0 {
		t.Errorf("after Reset: %+v, %v", d, err)
	}
	p.Reset(Options{Link: func(Link) error { t.Error("told after Stop"); return nil }})
	_, _ = p.Write([]byte("<a href=x>"))
	p.Stop()
}

// FuzzPage checks that reported positions are positions of tags. The division of a page into pieces
// must not change the result. In UTF-16 the page has the same links.
func FuzzPage(f *testing.F) {
	f.Add("<title>x&amp;</title><a href='y'>", "text/html; charset=latin1", 3)
	f.Add("\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00x\x00>\x00", "", 1)
	f.Add("\xfe\xff\x00<\xd8\x00\xdc", "", 2)
	f.Add("<?xml encoding='gbk'?><base href=//x><meta charset=iso-2022-jp><iframe src=a>\x1b$B<\x1b(B",
		"application/xhtml+xml", 5)
	f.Fuzz(func(t *testing.T, page, contentType string, piece int) {
		whole, links := read(t, page, len(page)+1, Options{ContentType: contentType})
		parts, again := read(t, page, 1+max(piece, 0)%50, Options{ContentType: contentType})
		a, _ := json.Marshal(whole)
		b, _ := json.Marshal(parts)
		if string(a) != string(b) || fmt.Sprint(links) != fmt.Sprint(again) {
			t.Fatalf("%s %v\n%s %v", a, links, b, again)
		}
		resolver := whole.Resolver("http://example.org/a/b?c")
		_, wide := whole.Charset.wide()
		last := int64(-1)
		for _, l := range links {
			end := l.End
			if wide {
				end--
			}
			if l.Begin < last || l.End < l.Begin || l.End >= int64(len(page)) ||
				!strings.Contains(page[l.Begin:l.Begin+2], "<") || !strings.Contains(page[end:l.End+1], ">") {
				t.Fatalf("a link at %d to %d of %q", l.Begin, l.End, page)
			}
			last = l.Begin
			resolver.Resolve(l.Href)
		}
		if whole.Charset.Source == "" && strings.ToValidUTF8(page, "") == page && !strings.HasPrefix(page, "\ufeff") {
			_, twice := read(t, inUTF16(page, false, true), 4096, Options{ContentType: contentType})
			if len(twice) != len(links) {
				t.Fatalf("in UTF-16 %d links, else %d: %q", len(twice), len(links), page)
			}
		}
	})
}
