package office

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"quire/format/compound/compoundtest"
)

var le = binary.LittleEndian

func utf16LE(s string) (b []byte) {
	for _, u := range utf16.Encode([]rune(s)) {
		b = le.AppendUint16(b, u)
	}
	return b
}

// summary is a document's metadata: title, author and creation time.
func summary() []byte {
	b := le.AppendUint32(bytes.Repeat([]byte{0}, 44), 48)
	var values, list []byte
	add := func(id uint32, value []byte) {
		list = le.AppendUint32(le.AppendUint32(list, id), uint32(8+4*8+len(values)))
		values = append(values, value...)
	}
	text := func(s string) []byte {
		return append(le.AppendUint32(le.AppendUint32(nil, typeNarrow), uint32(len(s)+1)), s+"\x00"...)
	}
	add(propertyPage, le.AppendUint32(le.AppendUint32(nil, 2), 1251))
	add(propertyTitle, text("\xcf\xf0\xe8\xe2\xe5\xf2"))
	add(propertyAuthor, text("A. Writer"))
	add(propertyCreated, le.AppendUint64(le.AppendUint32(nil, typeTime), (1420167845+11_644_473_600)*10_000_000))
	return append(b, append(le.AppendUint32(le.AppendUint32(nil, uint32(8+len(list)+len(values))), 4),
		append(list, values...)...)...)
}

// wordFile returns a document of two pieces: the first with one byte per character, the second with
// two.
func wordFile(flags uint16) []byte {
	first, second := "A page\r\x13 HYPERLINK x \x14a link\x15 caf\xe9\x07", utf16LE("東京\x1fタワー\x1e1\r")
	text := bytes.Repeat([]byte{0}, 0x800)
	text = append(append(text, first...), second...)
	le.PutUint16(text, 0xa5ec)
	le.PutUint16(text[wordVersion:], 0xc1)
	le.PutUint16(text[wordFlags:], flags)
	n := uint32(len(first))
	pieces := le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, 0), n), n+uint32(len(second)/2))
	for _, place := range []uint32{0x800<<1 | 0x40000000, 0x800 + n} {
		pieces = append(le.AppendUint32(append(pieces, 0, 0), place), 0, 0)
	}
	table := append([]byte{9, 9, 1, 2, 0, 7, 7, 2}, le.AppendUint32(nil, uint32(len(pieces)))...)
	table = append(table, pieces...)
	le.PutUint32(text[wordClx:], 2)
	le.PutUint32(text[wordClx+4:], uint32(len(table)-2))
	name := "0Table"
	if flags&wordTable1 != 0 {
		name = "1Table"
	}
	return compoundtest.Make(compoundtest.Stream{Name: "WordDocument", Content: text},
		compoundtest.Stream{Name: name, Content: table},
		compoundtest.Stream{Name: "\x05SummaryInformation", Content: summary()})
}

func record(kind uint16, parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return append(le.AppendUint16(le.AppendUint16(nil, kind), uint16(len(b))), b...)
}

// excelFile returns a workbook with texts over two records: the second text is split, and its
// second half has one byte per character.
func excelFile() []byte {
	b := record(xlsBegin, []byte{0, 6})
	b = append(b, record(xlsSheet, make([]byte, 6), []byte{4, 0}, []byte("Sums"))...)
	b = append(b, record(xlsStrings, make([]byte, 8), []byte{4, 0, 0}, []byte("Name"), []byte{6, 0, 9, 1, 0},
		utf16LE("東京 "))...)
	b = append(b, record(xlsContinue, []byte{0}, []byte("tug"), make([]byte, 4), []byte{3, 0, 4, 0, 0, 0, 0},
		[]byte("end"))...)
	return compoundtest.Make(compoundtest.Stream{Name: "Workbook", Content: b})
}

func atom(version, kind uint16, content []byte) []byte {
	return append(le.AppendUint32(le.AppendUint16(le.AppendUint16(nil, version), kind), uint32(len(content))),
		content...)
}

func powerPointFile() []byte {
	master := atom(15, pptMaster, atom(0, pptBytes, []byte("Click to edit")))
	slide := atom(15, 0x03ee, append(atom(0, pptBytes, []byte("The ships\rof the museum")),
		atom(0, pptChars, utf16LE("東京"))...))
	return compoundtest.Make(compoundtest.Stream{Name: "PowerPoint Document",
		Content: append(append(master, slide...), slide...)})
}

func TestReadBinary(t *testing.T) {
	old := bytes.Repeat([]byte{0}, 600)
	le.PutUint16(old[wordVersion:], 0x65)
	le.PutUint32(old[wordTextFrom:], 600)
	le.PutUint32(old[wordTextTo:], 610)
	old = append(old, "Old caf\xe9\r\r"...)
	for _, c := range []struct {
		name         string
		b            []byte
		format, want string
	}{
		{"Word", wordFile(0), "Word 97", "A page|a link café|東京タワー-1"},
		{"Word, with the other table", wordFile(wordTable1), "Word 97", "A page|a link café|東京タワー-1"},
		{"Word 6", compoundtest.Make(compoundtest.Stream{Name: "WordDocument", Content: old}), "Word 6", "Old café"},
		{"Excel", excelFile(), "Excel 97", "Sums|Name|東京 tug|end"},
		{"Excel 5", compoundtest.Make(compoundtest.Stream{Name: "Book",
			Content: append(append(record(xlsBegin, []byte{0, 5}),
				record(xlsSheet, make([]byte, 6), []byte{3}, []byte("One"))...),
				record(xlsLabel, make([]byte, 6), []byte{4, 0}, []byte("caf\xe9"))...)}), "Excel 5", "One|café"},
		{"PowerPoint", powerPointFile(), "PowerPoint 97", "The ships|of the museum|東京"},
	} {
		f, err := read(c.b, 1<<16)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(f.Paragraphs, "|"); got != c.want || f.Format != c.format || len(f.Warnings) > 0 {
			t.Errorf("%s: %s: %q, not %q (%v)", c.name, f.Format, got, c.want, f.Warnings)
		}
	}
	if f, err := read(wordFile(0), 100); err != nil || f.Title != "Привет" || f.Author != "A. Writer" ||
		f.Created != "2015-01-02T03:04:05Z" {
		t.Errorf("%+v (%v)", f, err)
	}
	if f, err := read(wordFile(wordEncrypted), 100); err != nil || len(f.Warnings) != 1 || len(f.Paragraphs) > 0 {
		t.Errorf("encrypted: %+v (%v)", f, err)
	}
	if f, err := read(wordFile(0), 10); err != nil || !f.Cut || len(strings.Join(f.Paragraphs, "")) > 10 {
		t.Errorf("cut: %+v (%v)", f, err)
	}
	if _, err := read(compoundtest.Make(compoundtest.Stream{Name: "Other"}), 100); !errors.Is(err, ErrUnknown) {
		t.Errorf("another compound file: %v", err)
	}
	if _, err := read(wordFile(0)[:600], 100); !errors.Is(err, ErrDamaged) {
		t.Errorf("torn: %v", err)
	}
}

func TestEPUB(t *testing.T) {
	b := pack(t, "mimetype", "application/epub+zip", "META-INF/container.xml",
		`<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
		"OPS/book.opf", `<package><metadata>`+core+
			`</metadata><manifest><item id="a" href="one%20.xhtml"/><item id="b" href="t/two.html"/><item `+
			`id="c" href="s.css"/></manifest>
		<spine><itemref idref="b"/><itemref idref="c"/><itemref idref="a"/><itemref idref="none"/></spine></package>`,
		"OPS/one .xhtml",
		`<html><head><title>No text</title></head><body><h1>Chapter two</h1><p>It&nbsp;went on.</p></body></html>`,
		"OPS/t/two.html",
		`<html><body><h1>Chapter one</h1><p>The <i>year</i> began.<script>x</script></p></body></html>`, "OPS/s.css",
		"x")
	f, err := read(b, 1<<16)
	if err != nil || f.Format != "EPUB" || f.Title != "The ships" ||
		strings.Join(f.Paragraphs, "|") != "Chapter one|The year began.|Chapter two|It went on." {
		t.Errorf("%+v (%v)", f, err)
	}
}

// FuzzBinary fuzzes the streams and the file.
func FuzzBinary(f *testing.F) {
	f.Add(uint8(0), wordFile(0))
	f.Add(uint8(0), excelFile())
	f.Add(uint8(0), powerPointFile())
	f.Add(uint8(1), summary())
	f.Add(uint8(2), record(xlsStrings, make([]byte, 8), []byte{4, 0, 0}, []byte("Name")))
	f.Add(uint8(3), atom(15, pptMaster, nil))
	f.Fuzz(func(t *testing.T, where uint8, b []byte) {
		if len(b) > 1<<18 {
			return
		}
		switch where {
		case 1:
			b = compoundtest.Make(compoundtest.Stream{Name: "WordDocument", Content: b},
				compoundtest.Stream{Name: "0Table", Content: b}, compoundtest.Stream{Name: "1Table", Content: b},
				compoundtest.Stream{Name: "\x05SummaryInformation", Content: b})
		case 2:
			b = compoundtest.Make(compoundtest.Stream{Name: "Workbook", Content: b})
		case 3:
			b = compoundtest.Make(compoundtest.Stream{Name: "PowerPoint Document", Content: b})
		}
		if facts, err := read(b, 1000); err == nil && len(strings.Join(facts.Paragraphs, "")) > 1000 {
			t.Errorf("%d bytes", len(strings.Join(facts.Paragraphs, "")))
		}
	})
}
