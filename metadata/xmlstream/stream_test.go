package xmlstream

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// readers return a document at once, and byte by byte, so that everything crosses the end of a
// buffer.
func readers(doc string) map[string]io.Reader {
	return map[string]io.Reader{"whole": strings.NewReader(doc),
		"byte by byte": iotest.OneByteReader(strings.NewReader(doc))}
}

// copied reads the root's text as a stream.
func copied(src io.Reader, limits Limits) (string, error) {
	r := NewReader(src, limits)
	if _, err := r.Root(); err != nil {
		return "", err
	}
	var b strings.Builder
	n, err := r.CopyText(&b)
	if err == nil && n != int64(b.Len()) {
		return "", fmt.Errorf("%d bytes were counted; want %d", n, b.Len())
	}
	if err == nil {
		err = r.Finish()
	}
	return b.String(), err
}

func TestTextIsCopiedAsXMLMeansIt(t *testing.T) {
	cases := []struct{ name, doc, want string }{
		{"nothing", "<a></a>", ""},
		{"an empty element", "<a/>", ""},
		{"an empty element with space", `<a b="c" />`, ""},
		{"plain", "<a>text</a>", "text"},
		{"references", "<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#x00000000000043;</a>", `<>&"'ABC`},
		{"a carriage return that was meant", "<a>x&#13;&#10;y</a>", "x\r\ny"},
		{"line ends", "<a>1\r\n2\r3\n4\r\r\n</a>", "1\n2\n3\n4\n\n"},
		{"CDATA", "<a>x<![CDATA[<&]]>y<![CDATA[]]>&amp;</a>", "x<&y&"},
		{"comments and instructions", "<a>x<!-- <c> -->y<?z?>w</a>", "xyw"},
		{"beyond ASCII", "<a>é漢😀\u0085</a>", "é漢😀\u0085"},
		{"brackets", "<a>]] >]>]</a>", "]] >]>]"},
		{"an instruction first", "<a><?z?>x</a>", "x"},
		{"a slash in an attribute", `<a b="/">x</a>`, "x"},
	}
	for _, c := range cases {
		for how, src := range readers(c.doc) {
			if got, err := copied(src, Limits{}); got != c.want || err != nil {
				t.Errorf("%s, %s: %q, %v; want %q", c.name, how, got, err, c.want)
			}
		}
	}
}

func TestTextThatIsNoneIsRefused(t *testing.T) {
	cases := []struct{ name, doc, want string }{
		{"a child", "<a>x<b/></a>", "element <b> inside text"},
		{"brackets", "<a>x]]></a>", "]]>"},
		{"a control character", "<a>x\x01</a>", "0x01"},
		{"broken UTF-8", "<a>x\xff</a>", "UTF-8"},
		{"a sequence that is cut", "<a>\xe6\xbc</a>", "UTF-8"},
		{"no character", "<a>\uffff</a>", "UTF-8"},
		{"an ampersand alone", "<a>x & y</a>", "does not begin a reference"},
		{"an entity of its own", "<a>&x;</a>", "not a reference"},
		{"a reference to nothing", "<a>&#;</a>", "not a reference"},
		{"a reference to a forbidden character", "<a>&#0;</a>", "not a reference"},
		{"a reference to a surrogate", "<a>&#xD800;</a>", "not a reference"},
		{"a reference beyond Unicode", "<a>&#x110000;</a>", "not a reference"},
		{"the end of the document", "<a>x", "EOF"},
		{"bytes that XML could not carry", "<a>\uFFFD<?quire-bytes text AA==?></a>", "cannot be restored"},
	}
	for _, c := range cases {
		for how, src := range readers(c.doc) {
			_, err := copied(src, Limits{})
			var at *ReadError
			if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v; want a place and %q", c.name, how, err, c.want)
			}
		}
	}
}

// TestPlacesBehindStreams checks that the place of an error includes the bytes that bypassed the
// parser.
func TestPlacesBehindStreams(t *testing.T) {
	doc := "<a>\n<b>one\ntwo &amp;\n three</b> <c>x\ny</c><d>\n\n</d>\n<e>!!</e></a>"
	r := NewReader(strings.NewReader(doc), Limits{})
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	err := r.Each(func(e Element) error {
		if e.Local == "e" {
			line, column := r.Place()
			if line != 8 || column != 4 {
				t.Errorf("<e> is said to end at line %d, column %d; want 8, 4", line, column)
			}
			_, err := r.CopyBase64(io.Discard)
			return err
		}
		_, err := r.CopyText(io.Discard)
		return err
	})
	var at *ReadError
	if !errors.As(err, &at) || at.Line != 8 || at.Column != 4 || at.Offset != int64(strings.Index(doc, "!!")) ||
		at.Path != "/a/e" {
		t.Errorf("%v (%+v)", err, at)
	}
}

func TestBase64ComesBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 2, 3, 4, 100, encodeSize - 1, encodeSize, encodeSize + 1, rawSize + 1, 300_000} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(random.Uint32())
		}
		var doc bytes.Buffer
		w := NewWriter(&doc, Options{Indent: true})
		w.Start("a")
		if n, err := w.Base64(iotest.HalfReader(bytes.NewReader(want))); n != int64(size) || err != nil {
			t.Fatalf("%d, %v; want %d", n, err, size)
		}
		w.End("a")
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text := strings.TrimSuffix(strings.TrimPrefix(doc.String(), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>"),
			"</a>\n")
		if size > 0 && text != base64.StdEncoding.EncodeToString(want) {
			t.Fatalf("%d bytes are written as %.80s", size, text)
		}
		for how, src := range readers(doc.String()) {
			if got, err := decoded(src); !bytes.Equal(got, want) || err != nil {
				t.Errorf("%d bytes, %s: %d come back, %v", size, how, len(got), err)
			}
		}
	}
}

// decoded reads the root's text as Base64.
func decoded(src io.Reader) ([]byte, error) {
	r := NewReader(src, Limits{Token: 2000})
	if _, err := r.Root(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	n, err := r.CopyBase64(&b)
	if err == nil && n != int64(b.Len()) {
		return nil, fmt.Errorf("%d bytes were counted; want %d", n, b.Len())
	}
	if done := r.Finish(); err == nil {
		err = done
	}
	return b.Bytes(), err
}

func TestBase64WithWhiteSpace(t *testing.T) {
	for _, text := range []string{"Q1JBVEU=", " Q1JB\r\nVEU=\n", "Q 1\tJ B V E U =", "Q1&#13;\nJBVEU=",
		"Q1<!-- c -->JB<![CDATA[VEU=]]>", "Q1JBVEU&#61;"} {
		for how, src := range readers("<a>" + text + "</a>") {
			if got, err := decoded(src); string(got) != "CRATE" || err != nil {
				t.Errorf("%q, %s: %q, %v", text, how, got, err)
			}
		}
	}
}

// TestWhatIsNoBase64 checks that invalid Base64 is reported, and that reading can continue after
// the element.
func TestWhatIsNoBase64(t *testing.T) {
	for text, want := range map[string]string{
		"Q1JB!VEU=": "'!'", "Q": "within a group", "Q1": "within a group", "Q1J": "within a group", "QQ==A": "follows its end",
		"Q1JBVEU": "within a group", "=": "equals",
		"Q===": "equals", "QQ=": "within a group", "QQ===": "equals", "QR==": "bits", "QQI=Q1JB": "follows its end",
		"Q1JB-_==": "'-'", "Q1&lt;": "'<'",
		"Q1<![CDATA[&]]>": "'&'", "Qé==": "",
	} {
		for how, src := range readers("<a><b>" + text + "</b><c>well</c></a>") {
			r := NewReader(src, Limits{})
			if _, err := r.Root(); err != nil {
				t.Fatal(err)
			}
			var after string
			var told error
			err := r.Each(func(e Element) (err error) {
				if e.Local == "b" {
					_, told = r.CopyBase64(io.Discard)
					return nil
				}
				return r.TextTo(&after)
			})
			if err != nil || after != "well" {
				t.Errorf("%q, %s: %q follows, %v", text, how, after, err)
			}
			if !errors.Is(told, ErrBase64) || !strings.Contains(told.Error(), want) ||
				!strings.Contains(told.Error(), "line 1, column") {
				t.Errorf("%q, %s: %v; want %q with a place", text, how, told, want)
			}
		}
	}
}

func TestBase64OfWhatCannotBeRead(t *testing.T) {
	gone := errors.New("gone")
	w := NewWriter(io.Discard, Options{})
	w.Start("a")
	n, err := w.Base64(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(gone)))
	if n != 3 || !errors.Is(err, gone) || !errors.Is(w.Close(), gone) {
		t.Errorf("%d, %v", n, err)
	}
}

func TestStreamsTellFailedWrites(t *testing.T) {
	full := errors.New("full")
	for _, copy := range []func(*Reader, io.Writer) (int64, error){(*Reader).CopyText, (*Reader).CopyBase64} {
		r := NewReader(strings.NewReader("<a>Q1JB</a>"), Limits{})
		if _, err := r.Root(); err != nil {
			t.Fatal(err)
		}
		if _, err := copy(r, failing{full}); !errors.Is(err, full) || errors.Is(err, ErrBase64) {
			t.Errorf("%v; want %v", err, full)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestLongTextIsSkipped checks that text much longer than a token may be is streamed, also when it
// is skipped.
func TestLongTextIsSkipped(t *testing.T) {
	src := io.MultiReader(strings.NewReader("<a><b>"), io.LimitReader(letterA{}, 16<<20),
		strings.NewReader("</b><c>well</c></a>"))
	r := NewReader(src, Limits{Token: 100_000})
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	var after string
	err := r.Each(func(e Element) error {
		if e.Local == "b" {
			return nil
		}
		return r.TextTo(&after)
	})
	if err != nil || after != "well" {
		t.Errorf("%q, %v", after, err)
	}
}

// letterA is an endless text.
type letterA struct{}

func (letterA) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'A'
	}
	return len(p), nil
}

// FuzzCopyText compares the stream with the parser's result for the same text.
func FuzzCopyText(f *testing.F) {
	for _, s := range []string{"x", "&lt;&#13;\r\n\r", "<![CDATA[]]]]>", "]]>", "é\xff", "<!-- - --><?x y?>",
		"&#x10FFFF;&amp;amp;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc := "<a>" + text + "</a>"
		r := NewReader(strings.NewReader(doc), Limits{})
		if _, err := r.Root(); err != nil {
			return
		}
		want, parsed := r.Text()
		if parsed == nil {
			parsed = r.Finish()
		}
		for how, src := range readers(doc) {
			got, err := copied(src, Limits{})
			if err != nil && strings.Contains(err.Error(), "cannot be restored") || parsed != nil &&
				strings.Contains(parsed.Error(), "quire-bytes") {
				continue
			}
			if (err == nil) != (parsed == nil) || err == nil && got != want {
				t.Fatalf("%s: %q, %v; the parser has %q, %v", how, got, err, want, parsed)
			}
		}
	})
}

// FuzzCopyBase64 compares the decoder with the decoder of the standard library.
func FuzzCopyBase64(f *testing.F) {
	for _, s := range []string{"Q1JBVEU=", "Q1 JB\n", "QR==", "Q1JB=", "====", "QQ==QQ==", "Q\tQ\r=="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "<&\r") {
			return
		}
		want, wrong := base64.StdEncoding.Strict().DecodeString(strings.NewReplacer(" ", "", "\t", "", "\n",
			"").Replace(text))
		for how, src := range readers("<a>" + text + "</a>") {
			got, err := decoded(src)
			if (err == nil) != (wrong == nil) || err == nil && !bytes.Equal(got, want) {
				t.Fatalf("%s: %q, %v; want %q, %v", how, got, err, want, wrong)
			}
		}
	})
}

func BenchmarkCopyBase64(b *testing.B) {
	data := make([]byte, 16<<20)
	for i := range data {
		data[i] = byte(i * i)
	}
	for _, lines := range []bool{false, true} {
		text := base64.StdEncoding.EncodeToString(data)
		if lines {
			var t strings.Builder
			for i := 0; i < len(text); i += 76 {
				t.WriteString(text[i:min(len(text), i+76)] + "\n")
			}
			text = t.String()
		}
		doc := "<a>" + text + "</a>"
		b.Run(fmt.Sprintf("lines=%t", lines), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				r := NewReader(strings.NewReader(doc), Limits{})
				if _, err := r.Root(); err != nil {
					b.Fatal(err)
				}
				if n, err := r.CopyBase64(io.Discard); n != int64(len(data)) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}

func BenchmarkWriteBase64(b *testing.B) {
	data := make([]byte, 16<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		w := NewWriter(io.Discard, Options{})
		w.Start("a")
		if _, err := w.Base64(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
		w.End("a")
	}
}
