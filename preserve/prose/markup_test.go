package prose

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quire/internal/testsamples"
)

// tokensOf returns the texts and tags of a page.
func tokensOf(page []byte) (all []string) {
	var buffer, text []byte
	for m := (&markup{page: page}); ; {
		switch m.next() {
		case endOfPage:
			return all
		case someText:
			text, buffer = m.text(buffer)
			all = append(all, "text "+string(text))
		case startTag:
			all = append(all, fmt.Sprintf("start %d %s", m.name, m.token))
		case endTag:
			all = append(all, fmt.Sprintf("end %d %s", m.name, m.token))
		}
	}
}

// theirsOf returns the same by the tokenizer of x/net/html.
func theirsOf(page []byte) (all []string) {
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		raw := string(z.Raw())
		switch kind {
		case html.ErrorToken:
			return all
		case html.TextToken:
			all = append(all, "text "+string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			all = append(all, fmt.Sprintf("start %d %s", elementOf(name), raw))
		case html.EndTagToken:
			name, _ := z.TagName()
			all = append(all, fmt.Sprintf("end %d %s", elementOf(name), raw))
		}
	}
}

func compareTokens(t *testing.T, page []byte) {
	t.Helper()
	before := bytes.Clone(page)
	got, want := tokensOf(page), theirsOf(page)
	if !slices.Equal(got, want) {
		t.Errorf("%q: %q, and by x/net/html %q", page, got, want)
	}
	if !bytes.Equal(before, page) {
		t.Errorf("%q was changed", before)
	}
}

// hard are parts of pages in which tokenizers differ.
var hard = []string{
	"<", "</", "<!", "<!-", "<!--", "-->", "--!>", "--!-", "-", "--", "!", ">", "/", "/>", "=", `"`, "'", "?",
	"<?", "<a", "<a>", "</a>", "</>", "</ a>", "</3>", "<3", "<p class=x", "<p/class>", `<p a="b>c">`,
	"<p a='", "<p =a==b>", "<p a=/>", "<svg/>", "<svg a=/>", "<svg a/ a=/>", "<svg>", "</svg>", "<math x/>",
	"<script>", "</script>", "</script ", "</SCRIPT>", "<script", "<ScRiPt ", "</scrip", "</script", "<title>",
	"</title>", "</title", "<textarea>", "</textarea/", "<style>", "</style>", "<plaintext>", "<noscript>",
	"</noscript>", "<xmp>", "</xmp>", "<iframe>", "</iframe>", "<noembed>", "<noframes>", "<DIV\tid=1>",
	"<blockquotes>", "<h\x001>", "\x00", "\r", "\r\n", "\n", " ", "\t", "\f", "a", "text", "é", "\xff", "&",
	"&amp;", "&amp", "&lt", "&lt;", "&nbsp;", "&nbspx", "&notin;", "&notit;", "&#39;", "&#39", "&#x80;",
	"&#0;", "&#xZ", "&#99999999999;", "&unknown;", "&a=", "&NotEqualTilde;", "&quot;x", "&#8217;",
	"<!DOCTYPE html>", "<!doc", "<![CDATA[", "]]>",
}

func TestMarkupIsReadAsByTheOtherTokenizer(t *testing.T) {
	for _, a := range hard {
		for _, b := range hard {
			compareTokens(t, []byte(a+b))
			compareTokens(t, []byte("<p>"+a+b+" more<b>text</b>"))
			compareTokens(t, []byte("<script><!--"+a+b+"x</script>y"))
		}
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the cases are to be the same each time
	for range 50_000 {
		var page []byte
		for range 1 + random.IntN(20) {
			page = append(page, hard[random.IntN(len(hard))]...)
		}
		if compareTokens(t, page); t.Failed() {
			return
		}
	}
}

func TestMarkupOfSamples(t *testing.T) {
	n := 0
	err := filepath.WalkDir(testsamples.Path(t, "samples"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(strings.ToLower(path), ".htm") {
			return err
		}
		page, err := os.ReadFile(path) //nolint:gosec // a sample
		if err != nil {
			return err
		}
		n++
		if got, want := tokensOf(page), theirsOf(page); !slices.Equal(got, want) {
			t.Errorf("%s is read otherwise", path)
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
}

func FuzzMarkup(f *testing.F) {
	for _, one := range hard {
		f.Add([]byte(one))
	}
	f.Fuzz(compareTokens)
}
