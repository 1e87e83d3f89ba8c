//go:build interop

package roundtrip

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files is the number of files of the website.
const files = 5000

// website is a folder with files of many kinds, and their content.
type website struct {
	dir    string
	random *rand.Rand
	bytes  map[string][]byte // by the path below the root, as on the disk
}

// odd are names that differ in a URL, and some that may confuse a server.
var odd = []string{
	"a b.html", "it's \"quoted\".html", "50% off.html", "%41.txt", "%.txt", "caf\u00e9.html", "cafe\u0301.html",
	"\u65e5\u672c\u8a9e.html", "latin-\xe9.html",
	"a+b.txt", "a&b=c.txt", "a#b.txt", "a?b.txt", "a;b,c.txt", "[x].txt", "{y}.txt", "a\\b.txt", "~tilde.txt",
	"a:b.txt", "@at.txt", "$(x).txt", "`x`.txt",
	"UPPER.HTML", "upper.html", "no extension", "two.dots.html.txt", "<tag>.html", "a|b.txt", "trailing.",
	" leading.txt", "tab\there.txt", "emoji-\U0001F4DA.html",
	"empty.html", "empty.txt", "empty", "empty.png", "deep/er/and/deep er/\u00fc.html", "x/index.html",
	"y z/index.html", ".well-known/security.txt", "index.html",
}

func newWebsite(t *testing.T) *website {
	t.Helper()
	w := &website{dir: t.TempDir(), random: rand.New(rand.NewPCG(1, 2)), bytes: map[string][]byte{}}
	if err := os.Chmod(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range odd {
		content := []byte("<title>" + name + "</title>")
		if strings.HasPrefix(name, "empty") {
			content = nil
		}
		w.put(t, name, content)
	}
	w.put(t, "large.bin", w.noise(20<<20))
	for i := 0; len(w.bytes) < files; i++ {
		k := kinds[i%len(kinds)]
		w.put(t, fmt.Sprintf("%s/%02d/%d.%s", k.name, i%37, i, k.name), k.make(w, i))
	}
	return w
}

func (w *website) put(t *testing.T, name string, content []byte) {
	t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	w.bytes[name] = content
}

func (w *website) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
		t.Fatal(err)
	}
	delete(w.bytes, name)
}

func (w *website) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.random.Uint32())
	}
	return b
}

// kinds are the parts of a website in realistic proportions.
var kinds = []struct {
	name string
	make func(w *website, i int) []byte
}{
	{"html", htmlPage}, {"png", picture}, {"css", styles}, {"html", htmlPage}, {"js", script}, {"svg", drawing},
	{"png", picture}, {"pdf", document},
	{"txt", oddText}, {"gz", packed}, {"html", htmlPage}, {"xml", feed}, {"woff2", font},
}

func htmlPage(w *website, i int) []byte {
	b := bytes.Buffer{}
	fmt.Fprintf(&b, "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Page %d</title></head><body>", i)
	for range w.random.IntN(200) {
		fmt.Fprintf(&b, "<p>Boat %d was built in %d &amp; sank.</p>\n", w.random.IntN(1000), 1700+w.random.IntN(300))
	}
	fmt.Fprintf(&b, `<a href="/html/00/%d.html">next</a></body></html>`, i+1)
	return b.Bytes()
}

func styles(_ *website, i int) []byte {
	return fmt.Appendf(nil, "body { color: #%06x }\n.a::after { content: \"]]>&<\\0\" }\n", i)
}

func script(_ *website, i int) []byte {
	return fmt.Appendf(nil, "export const n = %d; // ]]> </script>\n", i)
}

func drawing(_ *website, i int) []byte {
	return fmt.Appendf(nil,
		`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="%d"/></svg>`, i)
}

func picture(w *website, _ int) []byte {
	p := image.NewRGBA(image.Rect(0, 0, 8+w.random.IntN(40), 8+w.random.IntN(40)))
	for range 40 {
		p.Set(w.random.IntN(40), w.random.IntN(40), color.RGBA{uint8(w.random.Uint32()), 9, 200, 255})
	}
	b := bytes.Buffer{}
	_ = png.Encode(&b, p) // into memory
	return b.Bytes()
}

func document(w *website, i int) []byte {
	return append(fmt.Appendf(nil, "%%PDF-1.4\n%%\xe2\xe3\xcf\xd3\n1 0 obj<</Title(Report %d)>>endobj\nstream\n", i),
		append(w.noise(w.random.IntN(8000)), "\nendstream\n%%EOF\n"...)...)
}

// oddText returns text that is not UTF-8: Latin 1, UTF-16 or an unknown encoding, with control
// characters.
func oddText(w *website, i int) []byte {
	switch i % 4 {
	case 0:
		return fmt.Appendf(nil, "caf\xe9 %d \x80\x9f", i)
	case 1:
		return fmt.Appendf(nil, "\xff\xfea\x00%c\x00", 'a'+rune(i%26))
	case 2:
		return fmt.Appendf(nil, "\x00\x01\x02\x0b\ufffe\uffff %d \x7f\r\r\n", i)
	}
	return w.noise(100)
}

func packed(_ *website, i int) []byte {
	b := bytes.Buffer{}
	z := gzip.NewWriter(&b)
	_, _ = fmt.Fprintf(z, "packed %d", i) // into memory
	_ = z.Close()
	return b.Bytes()
}

func feed(_ *website, i int) []byte {
	return fmt.Appendf(nil, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss><title>\xe9t\xe9 %d</title></rss>", i)
}

func font(w *website, _ int) []byte { return append([]byte("wOF2"), w.noise(w.random.IntN(3000))...) }
