package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

// withContent returns a one-page document with these objects from number 5; number 4 is the
// content.
func withContent(content, resources string, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var places []int
	add := func(o string) {
		places = append(places, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(places), o)
	}
	add("<< /Type /Catalog /Pages 2 0 R >>")
	add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << " + resources + " >> >>")
	add(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
	for _, o := range objects {
		add(o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(places)+1)
	for _, p := range places {
		fmt.Fprintf(&b, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(places)+1, at)
	return b.Bytes()
}

func streamOf(dictionary, content string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dictionary, len(content), content)
}

const (
	helvetica = "/Font << /F 5 0 R >>"
	simple    = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
)

func TestReadText(t *testing.T) {
	toUnicode := "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <0041> <0002> " +
		"<00660069> endbfchar " +
		"1 beginbfrange <0010> <0012> <0430> endbfrange 1 beginbfrange <0020> <0021> [<4e2d> <6587>] endbfrange endcmap"
	composite := []string{
		"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R " +
			">>",
		"<< /Type /Font /Subtype /CIDFontType2 /DW 500 /W [1 [600 700] 16 18 400] >>", streamOf("", toUnicode),
	}
	for _, c := range []struct {
		name, content, resources string
		objects                  []string
		want                     string
	}{
		{"lines", "BT /F 12 Tf 50 700 Td (One line) Tj 0 -14 Td (and another) Tj ET", helvetica, []string{simple},
			"One line\nand another\n"},
		{"operators that begin a line", "BT /F 12 Tf 14 TL 50 700 Td (a) Tj T* (b) Tj (c) ' 1 2 (d) \" ET", helvetica,
			[]string{simple}, "a\nb\nc\nd\n"},
		{"kerning is no space, a gap is one", "BT /F 12 Tf 50 700 Td [(Ha) 20 (rbour) -300 (museum)] TJ ET", helvetica,
			[]string{simple}, "Harbour museum\n"},
		{"words placed one by one", "BT /F 10 Tf 1 0 0 1 50 700 Tm (steam) Tj 1 0 0 1 90 700 Tm (tug) Tj ET", helvetica,
			[]string{simple}, "steam tug\n"},
		{"a word over the line's end", "BT /F 12 Tf 50 700 Td (archi-) Tj 0 -14 Td (tecture) Tj ET", helvetica,
			[]string{simple}, "architecture\n"},
		{"turned", "BT /F 12 Tf 0 1 -1 0 300 100 Tm (upwards) Tj ET", helvetica, []string{simple}, "upwards\n"},
		{"WinAnsi", "BT /F 12 Tf (caf\\351 \\223x\\224) Tj ET", helvetica, []string{simple}, "café “x”\n"},
		{"a ligature", "BT /F 12 Tf (\\256n) Tj ET", helvetica,
			[]string{strings.Replace(simple, "/Encoding /WinAnsiEncoding", "", 1)}, "fin\n"},
		{"MacRoman", "BT /F 12 Tf (caf\\216) Tj ET", helvetica,
			[]string{strings.Replace(simple, "WinAnsi", "MacRoman", 1)}, "café\n"},
		{"differences", "BT /F 12 Tf (\\001\\002\\003\\004) Tj ET", helvetica,
			[]string{"<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding << /Differences [1 /fi /eacute /uni0416 " +
				"/afii10072] >> >>"}, "fiéЖж\n"},
		{"composite", "BT /F 12 Tf <00010002001000110012002000210099> Tj ET", helvetica, composite, "Afiабв中文\n"},
		{"UTF-16 codes", "BT /F 12 Tf <6771 4eac> Tj ET", helvetica,
			[]string{"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /UniJIS-UCS2-H /DescendantFonts [6 0 R] >>",
				"<< /Type /Font /Subtype /CIDFontType0 >>"}, "東京\n"},
		{"codes of an old encoding", "BT /F 12 Tf <938c8b9e> Tj ET", helvetica,
			[]string{"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>",
				"<< /Type /Font /Subtype /CIDFontType0 >>"}, "東京\n"},
		{"a form", "q /X Do Q BT /F 12 Tf 50 100 Td (outside) Tj ET", helvetica + " /XObject << /X 6 0 R >>",
			[]string{simple, streamOf("/Type /XObject /Subtype /Form /Resources << /Font << /F 5 0 R >> >>",
				"BT /F 12 Tf 50 700 Td (inside) Tj ET")}, "inside\noutside\n"},
		{"a form that draws itself", "/X Do", helvetica + " /XObject << /X 6 0 R >>",
			[]string{simple,
				streamOf("/Type /XObject /Subtype /Form /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >>",
					"BT /F 12 Tf (again) Tj ET /X Do /X Do")}, "*"},
		{"an image in the content", "BI /W 2 /H 1 ID (EI xx\nEI BT /F 12 Tf (behind) Tj ET", helvetica,
			[]string{simple}, "behind\n"},
		{"damaged", "BT /F 12 Tf (before) Tj << ] >> ) (after) Tj (never closed", helvetica, []string{simple},
			"beforeafter\n"},
	} {
		b := withContent(c.content, c.resources, c.objects...)
		got, err := ReadText(bytes.NewReader(b), int64(len(b)), 1<<16)
		if err != nil || c.want != "*" && got.Text != c.want {
			t.Errorf("%s: %q, not %q (%v)", c.name, got.Text, c.want, err)
		}
	}
}

func TestReadTextFilters(t *testing.T) {
	for _, c := range []struct{ name, filter, content string }{
		{"hexadecimal", "/ASCIIHexDecode", fmt.Sprintf("%X>", "BT /F 12 Tf (filtered) Tj ET")},
		{"run length", "/RunLengthDecode", "\x1bBT /F 12 Tf (filtered) Tj ET\x80"},
		{"two", "[/ASCIIHexDecode /FlateDecode]", fmt.Sprintf("%X>", deflated("BT /F 12 Tf (filtered) Tj ET"))},
	} {
		b := withContent("", helvetica, simple)
		b = bytes.Replace(b, []byte("<< /Length 0 >>\nstream\n"),
			[]byte(fmt.Sprintf("<< /Length %d /Filter %s >>\nstream\n%s", len(c.content), c.filter, c.content)), 1)
		// The table is wrong now: the reader searches for the objects.
		got, err := ReadText(bytes.NewReader(b), int64(len(b)), 1<<16)
		if err != nil || got.Text != "filtered\n" {
			t.Errorf("%s: %q (%v) %v", c.name, got.Text, err, got.Warnings)
		}
	}
	if got := unASCII85([]byte("87cURD]i,\"Ebo80~>")); string(got) != "Hello World!" {
		t.Errorf("%q", got)
	}
	// ISO 32000-2, 7.4.4.2
	if got := unLZW([]byte{0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01}, true,
		100); string(got) != "-----A---B" {
		t.Errorf("%q", got)
	}
}

// TestReadTextBounds checks that the text never exceeds the requested size, and that small hostile
// input costs little.
func TestReadTextBounds(t *testing.T) {
	b := withContent("BT /F 12 Tf "+strings.Repeat("(word after word ) Tj ", 1000)+"ET", helvetica, simple)
	got, err := ReadText(bytes.NewReader(b), int64(len(b)), 100)
	if err != nil || !got.Cut || len(got.Text) > 100 {
		t.Errorf("%d bytes, cut %v (%v)", len(got.Text), got.Cut, err)
	}
	forms := []string{simple}
	for i := range 12 { // each draws the next ten times
		content := strings.Repeat("/X Do ", 10)
		if i == 11 {
			content = "BT /F 12 Tf (x) Tj ET"
		}
		forms = append(forms,
			streamOf(fmt.Sprintf("/Type /XObject /Subtype /Form /Resources << /Font << /F 5 0 R >> /XObject << /X %d "+
				"0 R >> >>", 7+i), content))
	}
	b = withContent("/X Do", helvetica+" /XObject << /X 6 0 R >>", forms...)
	if _, err := ReadText(bytes.NewReader(b), int64(len(b)), 1000); err != nil {
		t.Error(err)
	}
	if _, err := ReadText(strings.NewReader("no PDF"), 6, 100); !errors.Is(err, ErrNotPDF) {
		t.Error(err)
	}
}

func TestReadTextOfSample(t *testing.T) {
	f, err := os.Open(testsamples.Path(t, "samples", "DSpace_DSpace", "example", "pdf3.pdf"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadText(f, info.Size(), 1000)
	if err != nil || got.Text != "PDF 3\n" {
		t.Errorf("%+v (%v)", got, err)
	}
}

func FuzzReadText(f *testing.F) {
	f.Add(withContent("BT /F 12 Tf 50 700 Td [(Ha) 20 (rbour)] TJ (x) ' ET q Q /X Do BI ID x EI", helvetica, simple))
	f.Add(withContent("BT /F 12 Tf <00010002> Tj ET", helvetica,
		"<< /Type /Font /Subtype /Type0 /Encoding 6 0 R /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>",
		streamOf("",
			"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <00> <ff> <0041> endbfrange 1 "+
				"begincidrange <00> <ff> 1 endcidrange"),
		"<< /W [1 [2 3] 4 5 6] >>"))
	f.Add(packed(renumbered()...))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ReadText(bytes.NewReader(b), int64(len(b)), 1<<12)
		if err == nil && len(got.Text) > 1<<12 {
			t.Errorf("%d bytes", len(got.Text))
		}
	})
}
