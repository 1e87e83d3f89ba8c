package describe

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"quire/metadata/oclc"
)

// grid is a sheet with two languages, several values, empty cells, a line break and an empty row.
var grid = [][]string{
	{"ID", "Level", "Title [fr]", "Title [nl]", "Subject", "URL (seed)", "Language", "Note"},
	{"all", "collection", "Statistique", "Statistiek", "", "", "fr # nl", ""},
	{},
	{"", "", "Accueil", "", "a # b#c #  # d", "http://example.be/", "", "two\nlines"},
	{"", "page", "", "Cijfers", "", "http://example.be/nl", "nl", ""},
}

func st(e oclc.Element, value, lang, kind string) oclc.Statement {
	return oclc.Statement{Element: e, Value: value, Lang: lang, Kind: kind}
}

func wantGrid() []Description {
	return []Description{
		{"all", Collection, oclc.Record{st(oclc.Title, "Statistique", "fr", ""), st(oclc.Title, "Statistiek", "nl", ""),
			st(oclc.Language, "fr", "", ""), st(oclc.Language, "nl", "", "")}, 2},
		{madeID(Description{Level: Site}, "http://example.be/"), Site,
			oclc.Record{st(oclc.Title, "Accueil", "fr", ""), st(oclc.Subject, "a", "", ""),
				st(oclc.Subject, "b#c", "", ""),
				st(oclc.Subject, "d", "", ""), st(oclc.URL, "http://example.be/", "", "seed"),
				st(oclc.Note, "two\nlines", "", "")}, 4},
		{madeID(Description{Level: Page}, "http://example.be/nl"), Page,
			oclc.Record{st(oclc.Title, "Cijfers", "nl", ""), st(oclc.URL, "http://example.be/nl", "", "seed"),
				st(oclc.Language, "nl", "", "")}, 5},
	}
}

func toXLSX(t testing.TB, grid [][]string) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for r, cells := range grid {
		for c, v := range cells {
			at, err := excelize.CoordinatesToCellName(c+1, r+1)
			if err == nil && v != "" {
				err = f.SetCellStr("Sheet1", at, v)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const odsStart = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ` +
	`xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ` +
	`xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>`

// toODS writes a sheet in the way of LibreOffice. Repeated empty cells and rows are written as
// counts, lines as paragraphs, and spaces as elements.
func toODS(t testing.TB, body string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.Create("content.xml")
	if err == nil {
		_, err = w.Write([]byte(odsStart + body + `</office:spreadsheet></office:body></office:document-content>`))
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func odsBody(grid [][]string) string {
	var b strings.Builder
	b.WriteString(`<table:table table:name="One"><table:table-column/><table:table-header-rows>`)
	for i, cells := range grid {
		b.WriteString(`<table:table-row>`)
		for _, v := range cells {
			b.WriteString(`<table:table-cell>`)
			for line := range strings.SplitSeq(v, "\n") {
				if v != "" {
					fmt.Fprintf(&b, `<text:p>%s</text:p>`, strings.ReplaceAll(line, " # ", `<text:s/># <text:span/>`))
				}
			}
			b.WriteString(`</table:table-cell>`)
		}
		b.WriteString(`<table:table-cell table:number-columns-repeated="16384"/></table:table-row>`)
		if i == 0 {
			b.WriteString(`</table:table-header-rows>`)
		}
	}
	b.WriteString(`<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>` +
		`</table:table><table:table table:name="Two"/>`)
	return b.String()
}

func toCSV(grid [][]string, comma string) string {
	var b strings.Builder
	for _, cells := range grid {
		for i, v := range cells {
			if i > 0 {
				b.WriteString(comma)
			}
			b.WriteString(`"` + strings.ReplaceAll(v, `"`, `""`) + `"`)
		}
		b.WriteString("\r\n")
	}
	return b.String()
}

func open(t testing.TB, name string, content []byte, o SheetOptions) (*Sheet, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return OpenSheet(path, o)
}

func TestOpenSheet(t *testing.T) {
	utf16le := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(toCSV(grid, "\t"))) {
		utf16le = append(utf16le, byte(u), byte(u>>8))
	}
	for _, c := range []struct {
		name    string
		content []byte
	}{
		{"a.xlsx", toXLSX(t, grid)},
		{"a.ods", toODS(t, odsBody(grid))},
		{"a.csv", []byte(toCSV(grid, ","))},
		{"semicolons.csv", []byte(toCSV(grid, ";"))},
		{"mark.csv", []byte("\xef\xbb\xbf" + toCSV(grid, ","))},
		{"macintosh.csv", []byte(strings.ReplaceAll(toCSV(grid, ";"), "\r\n", "\r"))},
		{"a.tsv", []byte(toCSV(grid, "\t"))},
		{"unicode.tsv", utf16le},
		{"unnamed", toXLSX(t, grid)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := open(t, c.name, c.content, SheetOptions{})
			if err != nil || s.Total > 0 {
				t.Fatal(err, s)
			}
			want := wantGrid()
			if !reflect.DeepEqual(s.Rows, want) {
				t.Errorf("got  %+v\nwant %+v", s.Rows, want)
			}
		})
	}
}

// Dates are read as ISO 8601, in any cell format of the sheet.
func TestDates(t *testing.T) {
	ods := toODS(t,
		`<table:table><table:table-row><table:table-cell><text:p>Date</text:p></table:table-cell>`+
			`<table:table-cell><text:p>URL</text:p></table:table-cell></table:table-row><table:table-row>
		<table:table-cell office:value-type="date" office:date-value="2015-07-08"><office:annotation><text:p>`+
			`a comment</text:p></office:annotation><text:p>08/07/15</text:p></table:table-cell>
		<table:table-cell><text:p>http://a/</text:p></table:table-cell></table:table-row></table:table>`)
	f := excelize.NewFile()
	style, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	for _, err := range []error{err, f.SetCellValue("Sheet1", "A1", "Date"), f.SetCellValue("Sheet1", "B1", "URL"),
		f.SetCellValue("Sheet1", "A2", 42193),
		f.SetCellStyle("Sheet1", "A2", "A2", style), f.SetCellValue("Sheet1", "B2", "http://a/")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	xlsx, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a.ods": ods, "a.xlsx": xlsx.Bytes()} {
		s, err := open(t, name, content, SheetOptions{})
		if err != nil || s.Total > 0 || len(s.Rows) != 1 || s.Rows[0].Record.Values(oclc.Date)[0] != "2015-07-08" {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ name, csv, want string }{
		{"a column that is not known", "Titel,URL\na,http://a/\n", "row 1, column Titel: the column is unknown"},
		{"a bad URL", "Title,URL\na,example.be\n", `row 2, column URL: "example.be" is no URL`},
		{"a URL with a space", "Title,URL\na,http://a/b c\n", `is no URL`},
		{"a script", "Title,URL\na,javascript:alert(1)\n", `is no URL`},
		{"the second URL of a cell", "Title,URL\na,http://a/ # nope\n", `"nope" is no URL`},
		{"no URL", "Title,URL\na,\n", "row 2: the row has no URL"},
		{"an unknown language", "URL,Language\nhttp://a/,xx\n",
			`row 2, column Language: "xx" is no code of a language`},
		{"a language in words", "URL,Language\nhttp://a/,Français\n", `is no code of a language`},
		{"a duplicate row", "URL,Title\nhttp://a/,x\nhttp://b/,x\nhttp://a/,y\n",
			"row 4: the row describes the same as row 2"},
		{"a duplicate row, written otherwise", "URL,Title\nhttp://a,x\nHTTP://A:80/#top,y\n",
			"row 3: the row describes the same as row 2"},
		{"a duplicate id", "ID,URL\na,http://a/\nA,http://b/\n", "row 3: the row has the id of row 2"},
		{"an id that is a path", "ID,URL\n../a,http://a/\n", "cannot be an id"},
		{"an unknown level", "Level,URL\nfonds,http://a/\n", `"fonds" is no level`},
		{"a value beside the sheet", "URL\nhttp://a/,x\n", "row 2, column B: the column of this value has no name"},
		{"Latin-1", "URL,Title\nhttp://a/,caf\xe9\n", "row 2, column Title: the value is not in UTF-8"},
		{"a control character", "URL,Title\nhttp://a/,a\x07\n", "control character"},
		{"an error of the program", "URL,Title\nhttp://a/,#REF!\n", "shows an error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := open(t, "a.csv", []byte(c.csv), SheetOptions{})
			if err != nil || s.Total != 1 || !strings.Contains(s.Problems[0].String(), c.want) {
				t.Errorf("%v, %v; want %q", s, err, c.want)
			}
		})
	}
}

// A program that wrote formulas without their values makes cells that look empty; these are
// reported. Empty results of formulas are values.
func TestFormulasWithoutValues(t *testing.T) {
	const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` +
		`<row r="1"><c r="A1" t="inlineStr"><is><t>Title</t></is></c><c r="B1" t="inlineStr"><is><t>URL</t></is></c>` +
		`<c r="C1"><f>"Note"</f><v></v></c></row>` +
		`<row r="3"><c r="A3"><f>"Titel "&amp;"x"</f><v/></c><c r="B3" t="inlineStr"><is><t>http://a/</t></is></c><c ` +
		`r="D3"><f>1</f></c></row>` +
		`<row r="4"><c r="A4" t="str"><f>"b"</f><v>b</v></c><c r="B4" t="str"><f>"http://b/"</f><v>http://b/</v></c>` +
		`<c r="D4" t="str"><f>""</f><v></v></c></row>` +
		`</sheetData></worksheet>`
	s, err := open(t, "a.xlsx", withSheet(t, sheet), SheetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Problem{{1, "C", notComputed}, {3, "Title", notComputed}, {3, "D", notComputed}}
	if !slices.Equal(s.Problems, want) || s.Total != len(want) {
		t.Errorf("%v", s.Problems)
	}
	if len(s.Rows) != 2 || s.Rows[1].Record.Values(oclc.Title)[0] != "b" {
		t.Errorf("%+v", s.Rows)
	}
}

// withSheet makes a workbook with a foreign worksheet.
func withSheet(t *testing.T, sheet string) []byte {
	t.Helper()
	made := toXLSX(t, grid)
	from, err := zip.NewReader(bytes.NewReader(made), int64(len(made)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, f := range from.File {
		if f.Name != "xl/worksheets/sheet1.xml" {
			err = errors.Join(err, to.Copy(f))
			continue
		}
		w, failed := to.Create(f.Name)
		if failed != nil {
			t.Fatal(failed)
		}
		_, failed = io.WriteString(w, sheet)
		err = errors.Join(err, failed)
	}
	if err := errors.Join(err, to.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestMapping(t *testing.T) {
	m, err := ReadMapping(strings.NewReader(`
separator: "|"
columns:
  Titre: {element: title, lang: fr}
  "URL  van de site": {element: url, kind: seed}
  Intern: {element: ignore}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := open(t, "a.csv", []byte("TITRE,url van de Site,Intern,Subject\nAccueil,http://a/,x,a|b # c\n"),
		SheetOptions{Mapping: m})
	want := oclc.Record{st(oclc.Title, "Accueil", "fr", ""), st(oclc.URL, "http://a/", "", "seed"),
		st(oclc.Subject, "a", "", ""), st(oclc.Subject, "b # c", "", "")}
	if err != nil || s.Total > 0 || !reflect.DeepEqual(s.Rows[0].Record, want) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []string{"columns: {A: {element: publisher}}", "columns: {A: {element: title, lang: 'a b'}}",
		"column: {}", "{", "- a"} {
		if _, err := ReadMapping(strings.NewReader(bad)); err == nil {
			t.Errorf("read %q", bad)
		}
	}
}

// Hostile sheets end in an error, in limited time and memory.
func TestHostileSheets(t *testing.T) {
	row := `<table:table-row table:number-rows-repeated="%d"><table:table-cell table:number-columns-repeated="%d">` +
		`<text:p>%s</text:p></table:table-cell></table:table-row>`
	table := func(rows, columns int, text string) []byte {
		return toODS(t, `<table:table>`+fmt.Sprintf(row, rows, columns, text)+`</table:table>`)
	}
	var bomb bytes.Buffer
	z := zip.NewWriter(&bomb)
	w, err := z.Create("content.xml")
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range maxUnpacked>>20 + 1 {
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"a.ods", table(1<<30, 1, "a"), "more than 100000 rows"},
		{"a.ods", table(1, 1<<30, "a"), "more than 256 columns"},
		{"a.ods", table(100000, 200, strings.Repeat("a", 1000)), "MiB of text"},
		{"a.ods", toODS(t, ""), "no sheet"},
		{"a.ods", toODS(t, "<table:table><table:table-row>"), "reading the workbook"},
		{"a.ods", bomb.Bytes(), "unpacks to more than"},
		{"a.xlsx", []byte("PK\x03\x04"), "reading the workbook"},
		{"a.xls", []byte("\xd0\xcf\x11\xe0"), "old format"},
		{"a.csv", nil, "no header"},
		{"a.csv", []byte("a,\"b\n"), "reading CSV"},
		{"a.csv", []byte(strings.Repeat("a,", 300) + "b"), "more than 256 columns"},
		{"a.csv", []byte("URL\n" + strings.Repeat("x\n", MaxSheetRows+1)), "more than 100000 rows"},
	} {
		if s, err := open(t, c.name, c.content, SheetOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want an error with %q (%d rows)", err, c.want, len(s.Rows))
		}
	}
	s, err := open(t, "a.csv", []byte("URL\n"+strings.Repeat("x\n", 5000)), SheetOptions{})
	if err != nil || len(s.Problems) != MaxProblems || s.Total < 5000 {
		t.Errorf("%d problems listed of %d, %v", len(s.Problems), s.Total, err)
	}
}

func TestKnownLanguage(t *testing.T) {
	for s, want := range map[string]string{"fr": "fre", "fra": "fre", "fre": "fre", "nl-BE": "dut", "zh-Hant": "chi",
		"mul": "mul", "gsw": "", "tlh": ""} {
		if code, ok := libraryCode(s); !KnownLanguage(s) || code != want || ok != (want != "") {
			t.Errorf("%s is %q, %v; want %q", s, code, ok, want)
		}
	}
	for _, s := range []string{"", "xx", "x", "Français", "fr_BE_!", "english"} {
		if KnownLanguage(s) {
			t.Errorf("%q is known", s)
		}
	}
}

func FuzzSheet(f *testing.F) {
	f.Add([]byte(toCSV(grid, ",")), false)
	f.Add([]byte(odsBody(grid)), true)
	f.Fuzz(func(t *testing.T, content []byte, ods bool) {
		r := newRows(SheetOptions{})
		b := &bounds{add: r.add}
		var err error
		if ods {
			err = readODS(strings.NewReader(odsStart+string(content)), "", b.row)
		} else {
			err = readText(bytes.NewReader(content), false, b.row)
		}
		if err != nil || r.Total > 0 {
			return
		}
		for _, d := range r.Rows {
			if err := d.Record.Check(); err != nil || !isID(d.ID) {
				t.Errorf("%+v: %v", d, err)
			}
		}
	})
}
