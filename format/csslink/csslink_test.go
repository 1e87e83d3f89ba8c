package csslink

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"quire/format/fault"
)

// scan returns the links of a style sheet as "kind value", and checks that each is at its stated
// place.
func scan(t testing.TB, css string) []string {
	t.Helper()
	s := NewScanner(strings.NewReader(css))
	found := []string{}
	last := int64(0)
	for {
		l, err := s.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if l.Start < last || l.End < l.Start || l.End > int64(len(css)) || s.Offset() > l.Start && !l.Cut {
			t.Fatalf("%q: a link from %d to %d, settled %d, behind one that ends at %d", css, l.Start, l.End,
				s.Offset(), last)
		}
		if whole := css[l.Start:l.End]; whole != string(l.Raw) && !(l.Cut && strings.HasPrefix(whole, string(l.Raw))) {
			t.Fatalf("%q: the link is %q, but its place has %q", css, l.Raw, whole)
		}
		last = l.End
		found = append(found, l.Kind.String()+" "+string(l.Value))
	}
}

func TestWhatIsALink(t *testing.T) {
	for _, tt := range []struct{ name, css, want string }{
		{"unquoted", `a{background:url(a.png)}`, "url a.png"},
		{"white space around it", "a{background:url( \t\r\n a.png \f )}", "url a.png"},
		{"in double quotes", `a{background:url("a (1).png")}`, "url a (1).png"},
		{"in single quotes", `a{background:url( 'a "b".png' )}`, `url a "b".png`},
		{"any case", `a{background:URL(a.png)}`, "url a.png"},
		{"a name written with escapes", `a{background:\75\72 l(a.png)}`, "url a.png"},
		{"escapes in the URL", `a{background:url(a\28 1\29\.png)}`, "url a(1).png"},
		{"an escape that a CRLF ends", "a{background:url(\"\\61\r\nb\")}", "url ab"},
		{"escapes of code points beyond ASCII", `a{background:url("\e9\000e9x")}`, "url ééx"},
		{"an escaped surrogate is U+FFFD", `a{background:url("\d800")}`, "url \uFFFD"},
		{"bytes that are no UTF-8", "a{background:url(\xe9.png)}", "url \xe9.png"},
		{"a line goes on in a string", "a{background:url(\"a\\\r\nb\\\nc\")}", "url abc"},
		{"several", `a{background:url(1),url("2")}b{cursor:url(3),auto}`, "url 1|url 2|url 3"},
		{"empty", `a{background:url()}b{background:url("")}`, "url |url "},
		{"no parenthesis at the end", `a{background:url(a.png`, "url a.png"},
		{"no quote at the end", `a{background:url("a.png`, "url a.png"},
		{"modifiers behind the string are none", `a{background:url("1" format("2"))}`, "url 1"},
		{"src() takes a string only", `a{background:src("1")}b{background:src(2)}`, "url 1"},
		{"NUL and bytes beyond ASCII are parts of names", "a{b:\x00url(1) \xe9url(2)}", ""},

		{"a quote in it", `a{background:url(a"b)}b{background:url(c)}`, "url c"},
		{"white space in it", `a{background:url(a b)}b{background:url(c)}`, "url c"},
		{"a parenthesis in it", `a{background:url(a(b)}b{background:url(c)}`, "url c"},
		{"a control character in it", "a{background:url(a\x01b)}b{background:url(c)}", "url c"},
		{"a bad one goes on to the next parenthesis that is not escaped",
			`a{background:url(a b\)url(c)}b{background:url(d)}`, "url d"},
		{"a line end in a string", "a{background:url(\"a\n.png\")}", ""},
		{"a backslash before a line end", "a{background:url(a\\\nb)} b{background:url(c)}", "url c"},

		{"other functions", `a{b:myurl(1) -url(2) url-prefix(3) attr("4") var(--url)}`, ""},
		{"a unit is no function", `a{b:10url(1) .5url(2) -1url(3) +1url(4) 1.5url(5)}`, ""},
		{"nor is a hash or an at-keyword", `#url(1){} @url(2);`, ""},
		{"a class is", `.url(1){}`, "url 1"}, // a function token, though without meaning there
		{"in a comment", `/* url(1) */a{b:url(2)}/* url(3) **/ /*/ url(4) */`, "url 2"},
		{"in a string", `a::before{content:"url(1)"} b{background:url(2)}`, "url 2"},
		{"behind the end of an HTML comment", "<!-- a{b:url(1)} -->url(2)", "url 1|url 2"},

		{"imports", `@import "1";@import '2' screen;@IMPORT url(3);@import url("4") layer(x) supports(a:b);`,
			"import 1|import 2|import 3|import 4"},
		{"with comments between", `@import/**/"1"/**/;@import /* "x" */ url(2);`, "import 1|import 2"},
		{"only the first", `@import "1" "2";a{b:"3"}`, "import 1"},
		{"with escapes", `@\69mport "1";`, "import 1"},
		{"without an end", `@import "1`, "import 1"},
		{"no import", `@importx "1";@media "2";@charset "3";`, ""},
		{"namespaces and documents are not fetched",
			`@namespace svg url(1);@namespace "2";@-moz-document url(3),url-prefix("4"){a{b:url(5)}}`, "url 5"},

		{"image sets", `a{b:image-set("1" 1x,"2" 2x type("image/png"),url(3) 3x)}c{d:"4"}`, "image 1|image 2|url 3"},
		{"their older name", `a{b:-webkit-image-set("1" 1x)}`, "image 1"},
		{"image()", `a{b:image(rtl "1",red)}`, "image 1"},
		{"one that is not closed", `a{b:image-set("1" 1x}c{d:"2"}`, "image 1"},
		{"AlphaImageLoader",
			`a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader( sizingMethod = 'scale' , src = '1' )}`,
			"filter 1"},
		{"src elsewhere", `a{src='1';b:f(src='2')}`, ""},
		{"behaviors", `a{behavior:url(#default#VML) url(1.htc)}`, "url #default#VML|url 1.htc"},
		{"the controls around a URL and line ends in it do not belong to it", "a{b:url(\" a\\9 b\\a c \")}", "url abc"},
	} {
		if got := strings.Join(scan(t, tt.css), "|"); got != tt.want {
			t.Errorf("%s: %s\n gives %q\n not   %q", tt.name, tt.css, got, tt.want)
		}
	}
}

func TestDeepFunctionsAreCounted(t *testing.T) {
	deep := strings.Repeat("f(", 5000)
	css := "a{b:image-set(" + deep + `"no"` + strings.Repeat(")", 5000) + ` "yes" 1x)}`
	if got := scan(t, css); len(got) != 1 || got[0] != "image yes" {
		t.Errorf("%q", got)
	}
}

func TestALongURLIsCut(t *testing.T) {
	long := "data:," + strings.Repeat("x", 2*MaxValue)
	var faults []fault.Fault
	s := NewScanner(strings.NewReader("a{b:url(" + long + ") url(c)}"))
	s.Report = func(f fault.Fault) { faults = append(faults, f) }
	l, err := s.Next()
	if err != nil || !l.Cut || l.Start != 8 || l.End != int64(8+len(long)) || string(l.Raw) != long[:MaxValue] {
		t.Errorf("from %d to %d, %d bytes, cut %v, %v", l.Start, l.End, len(l.Raw), l.Cut, err)
	}
	if l, err := s.Next(); err != nil || string(l.Raw) != "c" || l.Cut {
		t.Errorf("%q, %v", l.Raw, err)
	}
	if len(faults) != 1 || faults[0].Code != URLTooLong || faults[0].Offset != 8 {
		t.Error(faults)
	}
}

func TestFaults(t *testing.T) {
	var faults []fault.Fault
	s := NewScanner(strings.NewReader("a{b:url(c d)}"))
	s.Report = func(f fault.Fault) { faults = append(faults, f) }
	if _, err := s.Next(); !errors.Is(err, io.EOF) || len(faults) != 1 || faults[0].Code != BadURL ||
		faults[0].Offset != 8 {
		t.Error(err, faults)
	}
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		s.Reset(strings.NewReader(mark+"a{b:url(c)}"), 0)
		if _, err := s.Next(); !errors.Is(err, ErrUTF16) {
			t.Errorf("%x: %v", mark, err)
		}
		if _, err := s.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%x, again: %v", mark, err)
		}
	}
	s.Reset(strings.NewReader("\xef\xbb\xbfa{b:url(c)}"), 0)
	if l, err := s.Next(); err != nil || string(l.Value) != "c" {
		t.Error("with a byte order mark of UTF-8:", err)
	}
	gone := errors.New("gone")
	s.Reset(io.MultiReader(strings.NewReader("a{b:url(c)}"), iotest.ErrReader(gone)), 0)
	if _, err := s.Next(); err != nil {
		t.Error(err)
	}
	if _, err := s.Next(); !errors.Is(err, gone) {
		t.Error(err)
	}
}

func TestOffsetsGoOnFromWhatIsGiven(t *testing.T) {
	s := NewScanner(strings.NewReader(""))
	s.Reset(strings.NewReader("url(c)"), 100)
	if l, err := s.Next(); err != nil || l.Start != 104 || l.End != 105 {
		t.Error(l, err)
	}
}

func TestAppend(t *testing.T) {
	const url = "http://h/a b(c)'d'\"e\"\\f\ng<h>é"
	for _, css := range []string{"a{b:url(x)}", "a{b:url('x')}", `a{b:url("x")}`, `@import "x";`} {
		s := NewScanner(strings.NewReader(css))
		l, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		written := css[:l.Start] + string(l.Append(nil, url)) + css[l.End:]
		s = NewScanner(strings.NewReader(written))
		if l, err = s.Next(); err != nil || string(l.Value) != strings.ReplaceAll(url, "\n", "") {
			t.Errorf("%s is read as %q, %v", written, l.Value, err)
		}
		if strings.Contains(written, "<") {
			t.Errorf("%s could end a style element", written)
		}
	}
}

func ExampleScanner() {
	css := `@import "print.css"; body { background: url( 'paper.png' ) }`
	s := NewScanner(strings.NewReader(css))
	for {
		link, err := s.Next()
		if err != nil {
			break
		}
		fmt.Println(link.Kind, link.Start, css[link.Start:link.End])
	}
	// Output:
	// import 9 print.css
	// url 46 paper.png
}

func FuzzScanner(f *testing.F) {
	for _, s := range []string{`@import "a" b;url(c)`, "url(\\29 a\\)b)", "image-set('a' 1x", "/*", "-->", "url(a b",
		"\\", "url(\\", "'\\\n", "AlphaImageLoader(src='a'"} {
		f.Add([]byte(s), "http://x/'\")\\ \x00<")
	}
	f.Fuzz(func(t *testing.T, css []byte, url string) {
		if bytes.HasPrefix(css, []byte("\xff\xfe")) || bytes.HasPrefix(css, []byte("\xfe\xff")) {
			return
		}
		whole := scan(t, string(css))
		s := NewScanner(iotest.OneByteReader(bytes.NewReader(css)))
		for i := 0; ; i++ {
			l, err := s.Next()
			if err != nil {
				if i != len(whole) {
					t.Fatalf("%d links, and %d byte by byte", len(whole), i)
				}
				return
			}
			if got := l.Kind.String() + " " + string(l.Value); got != whole[i] {
				t.Fatalf("%q, and %q byte by byte", whole[i], got)
			}
			putBack(t, css, l, url)
		}
	})
}

// putBack replaces a link by another URL and checks that it is read there.
func putBack(t *testing.T, css []byte, l *Link, url string) {
	if l.Cut || l.End == int64(len(css)) || strings.ContainsRune(url, 0) {
		return // at the end of the file an incomplete escape is possible; NUL is U+FFFD
	}
	at := l.Start
	written := string(css[:l.Start]) + string(l.Append(nil, url)) + string(css[l.End:])
	again := NewScanner(strings.NewReader(written))
	for {
		n, err := again.Next()
		if err != nil {
			t.Fatalf("%q is not found in %q", url, written)
		}
		if n.Start == at {
			if want := string(strip([]byte(url))); string(n.Value) != want {
				t.Fatalf("%q is read as %q in %q", want, n.Value, written)
			}
			return
		}
	}
}

func BenchmarkScanner(b *testing.B) {
	css := []byte(strings.Repeat("body.page > div#main a:hover { color: #fff; margin: 0 1.5em; font-family: \"Open "+
		"Sans\", sans-serif }\n", 50) +
		"a { background: url(../img/bullet.png) no-repeat }\n")
	css = bytes.Repeat(css, 200)
	b.SetBytes(int64(len(css)))
	b.ReportAllocs()
	s := NewScanner(nothing{})
	for b.Loop() {
		s.Reset(bytes.NewReader(css), 0)
		for {
			if _, err := s.Next(); err != nil {
				break
			}
		}
	}
}
