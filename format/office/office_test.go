package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// pack returns a ZIP of parts, in the order of the arguments: name, content.
func pack(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(b []byte, most int) (*Facts, error) { return Read(bytes.NewReader(b), int64(len(b)), most) }

const core = `<cp:coreProperties xmlns:cp="x" xmlns:dc="y" xmlns:dcterms="z"><dc:title>The  ships</dc:title>` +
	`<dc:creator>A. Writer</dc:creator>` +
	`<cp:keywords>tug, steam</cp:keywords><dc:language>en-GB</dc:language><dcterms:created>` +
	`2015-01-02T03:04:05Z</dcterms:created></cp:coreProperties>`

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, kind, want string
		parts            []string
	}{
		{"docx", "document", "One line|and a tab here|A note|Top of page|Foot of page",
			[]string{"word/document.xml",
				`<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>One </w:t></w:r><w:r><w:t>line</w:t></w:r></w:p>` +
					`<w:p><w:r><w:t>and a</w:t><w:tab/><w:t>tab here</w:t></w:r><w:del><w:r><w:t>gone</w:t></w:r>` +
					`</w:del>` +
					`</w:p></w:body></w:document>`,
				"word/footnotes.xml", `<w:footnotes xmlns:w="x"><w:p><w:t>A note</w:t></w:p></w:footnotes>`,
				"word/header2.xml", `<w:hdr xmlns:w="x"><w:p><w:t>Top of page</w:t></w:p></w:hdr>`,
				"word/footer1.xml", `<w:ftr xmlns:w="x"><w:p><w:t>Foot of page</w:t></w:p></w:ftr>`,
				"docProps/core.xml", core}},
		{"xlsx", "spreadsheet", "Sums|Name|Ship|Inline|Tugs & co Page Bold|End",
			[]string{"xl/workbook.xml", `<workbook><sheets><sheet name="Sums"/></sheets></workbook>`,
				"xl/sharedStrings.xml",
				`<sst><si><t>Name</t></si><si><r><t>Sh</t></r><r><t>ip</t></r><rPh><t>phonetic</t></rPh></si></sst>`,
				"xl/worksheets/sheet1.xml",
				`<worksheet><c t="inlineStr"><is><t>Inline</t></is></c><c><v>42</v></c><headerFooter>` +
					`<oddHeader>&amp;LTugs &amp;&amp; co&amp;C&amp;P Page` +
					`&amp;R&amp;"Arial,Bold"&amp;12&amp;KFF0000Bold` +
					`</oddHeader>` +
					`<oddFooter>&amp;CEnd</oddFooter></headerFooter></worksheet>`,
				"docProps/core.xml", core}},
		{"pptx", "presentation", "First|Second|Tenth",
			[]string{"ppt/presentation.xml", "<p/>", "ppt/slides/slide10.xml", `<a:p><a:t>Tenth</a:t></a:p>`,
				"ppt/slides/slide2.xml", `<a:p><a:t>Second</a:t></a:p>`, "ppt/slides/slide1.xml",
				`<a:p><a:t>First</a:t></a:p>`, "docProps/core.xml", core}},
		{"odt", "document", "Head|One two|Top|Page",
			[]string{"mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
				`<o><text:h>Head</text:h><text:p>One<text:s/>two</text:p><text:tracked-changes><text:p>gone</text:p>` +
					`</text:tracked-changes></o>`, "styles.xml", `<o><style:style>no text</style:style><style:header>` +
					`<text:p>Top</text:p></style:header><style:footer-left><text:p>Page <text:page-number>7` +
					`</text:page-number></text:p></style:footer-left></o>`, "meta.xml", core}},
		{"ods", "spreadsheet", "Cell",
			[]string{"mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml",
				`<text:p>Cell</text:p>`, "meta.xml", core}},
	} {
		f, err := read(pack(t, c.parts...), 1<<16)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(f.Paragraphs, "|"); f.Kind != c.kind || got != c.want {
			t.Errorf("%s: a %s: %s, not %s (%v)", c.name, f.Kind, got, c.want, f.Warnings)
		}
		if f.Title != "The ships" || f.Author != "A. Writer" || f.Keywords != "tug, steam" || f.Language != "en-GB" ||
			f.Created != "2015-01-02T03:04:05Z" {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

func TestReadWhatIsNone(t *testing.T) {
	for name, b := range map[string][]byte{"nothing": nil, "text": []byte("a text that is long enough"),
		"a ZIP": pack(t, "a.txt", "x")} {
		if _, err := read(b, 100); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	whole := pack(t, "word/document.xml", "<w:p><w:t>x</w:t></w:p>")
	if _, err := read(whole[:len(whole)-10], 100); !errors.Is(err, ErrDamaged) {
		t.Errorf("torn: %v", err)
	}
	f, err := read(pack(t, "word/document.xml", "<w:p><w:t>before</w:t></w:p><w:p <<<"), 100)
	if err != nil || len(f.Paragraphs) != 1 || len(f.Warnings) != 1 {
		t.Errorf("broken XML: %+v (%v)", f, err)
	}
}

// TestBounds checks that a large content, and a long list of entries, are read up to a bound.
func TestBounds(t *testing.T) {
	r := &reader{facts: &Facts{}, room: 100}
	b, err := io.ReadAll(&part{in: strings.NewReader("much of it"), r: r, left: 4})
	if string(b) != "much" || !errors.Is(err, errMuch) {
		t.Errorf("a part: %q (%v)", b, err)
	}
	r.inflated = maxInflated
	if b, err := io.ReadAll(&part{in: strings.NewReader("much of it"), r: r, left: 4}); len(b) > 0 ||
		!errors.Is(err, errMuch) {
		t.Errorf("all parts: %q (%v)", b, err)
	}
	f, err := read(pack(t, "word/document.xml", strings.Repeat("<w:p><w:t>wört</w:t></w:p>", 100)), 42)
	if err != nil || !f.Cut || len(strings.Join(f.Paragraphs, "")) > 42 {
		t.Errorf("%+v (%v)", f, err)
	}
	var many []string
	for i := range 80 {
		many = append(many, fmt.Sprintf("%060000d", i), "")
	}
	if _, err := read(pack(t, many...), 100); !errors.Is(err, ErrDamaged) {
		t.Errorf("many entries: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(pack(f, "word/document.xml", "<w:p><w:t>x</w:t></w:p>", "docProps/core.xml", core))
	f.Add(pack(f, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", "<text:p>x</text:p>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if facts, err := read(b, 1000); err == nil && len(strings.Join(facts.Paragraphs, "")) > 1000 {
			t.Errorf("%d bytes", len(strings.Join(facts.Paragraphs, "")))
		}
	})
}

func ExampleRead() {
	b := pack(&testing.B{}, "word/document.xml", "<w:p><w:t>The year began</w:t></w:p>")
	facts, err := Read(bytes.NewReader(b), int64(len(b)), 1<<20)
	fmt.Println(facts.Kind, facts.Paragraphs, err)
	// Output: document [The year began] <nil>
}
