package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	want := &Facts{
		Version: "1.4", Header: "1.4", Pages: 1, PageSize: &Size{290, 831.89, 270}, Tagged: true, Language: "nl-BE",
		Title: "Quay (old) á", Author: "Jér",
		Producer: "hé", Created: "2026-11-22T10:15:00+01:00", Modified: "yesterday",
	}
	if f := read(t, classic(small...)); !reflect.DeepEqual(f, want) {
		t.Errorf("%+v", f)
	}
	want.Version, want.Header = "1.5", "1.5"
	if f := read(t, packed(renumbered()...)); !reflect.DeepEqual(f, want) {
		t.Errorf("in streams: %+v", f)
	}
}

func TestCatalogue(t *testing.T) {
	m := begin("1.4")
	m.object("<< /Type /Catalog /Version /2.0 /Pages 2 0 R /AcroForm << /Fields [] /XFA [] >> /Metadata 4 0 R >>")
	m.object(small[1])
	m.object(small[2])
	m.stream("/Type /Metadata /Subtype /XML",
		`<?xpacket?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" pdfaid:conformance="B"/>
<rdf:Description xmlns:u="http://www.aiim.org/pdfua/ns/id/"><u:part>1</u:part></rdf:Description></rdf:RDF></x:xmpmeta>`)
	m.object("<< /GTS_PDFXVersion (PDF/X-1:2001) >>")
	f := read(t, m.table("/Root 1 0 R /Info 5 0 R"))
	if f.Version != "2.0" || f.Header != "1.4" || f.Form != "XFA" ||
		fmt.Sprint(f.Claims) != "[PDF/A-2b PDF/UA-1 PDF/X-1:2001]" || f.XMP < 300 || f.Warnings != nil {
		t.Errorf("%+v", f)
	}
}

// TestUpdate checks that in an update, a second table that points to the first, the new values
// count.
func TestUpdate(t *testing.T) {
	b := classic(small...)
	first := bytes.LastIndex(b, []byte("xref\n0"))
	at := len(b)
	b = append(b, "4 0 obj\n<< /Title (New) >>\nendobj\n"...)
	table := len(b)
	b = fmt.Appendf(b,
		"xref\n4 1\n%010d 00000 n \ntrailer\n<< /Size 5 /Root 1 0 R /Info 4 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n",
		at, first, table)
	if f := read(t, b); f.Title != "New" || f.Pages != 1 || f.Rebuilt || f.Author != "" {
		t.Errorf("%+v", f)
	}
}

func TestLinearized(t *testing.T) {
	objects := append([]string{}, small...)
	build := func(length int) []byte {
		m := begin("1.4")
		m.object(objects[0])
		m.object(objects[1])
		m.object(objects[2])
		m.object(objects[3])
		all := m.table("/Root 1 0 R /Info 4 0 R")
		dictionary := fmt.Sprintf("5 0 obj\n<< /Linearized 1 /L %06d >>\nendobj\n", length)
		return bytes.Replace(all, []byte("\n%\xe2\xe3\xcf\xd3\n"), []byte("\n%\xe2\xe3\xcf\xd3\n"+dictionary), 1)
	}
	n := len(build(0))
	if f := read(t, build(n)); !f.Linearized || !f.Rebuilt { // the tables were not moved
		t.Errorf("%+v", f)
	}
	if f := read(t, build(n-1)); f.Linearized || !strings.Contains(strings.Join(f.Warnings, ""), "changed afterwards") {
		t.Errorf("%+v", f)
	}
}

// TestDamaged checks that damaged documents yield everything except the lost parts.
func TestDamaged(t *testing.T) {
	table, streams := classic(small...), packed(renumbered()...)
	for name, b := range map[string][]byte{
		"no startxref":        bytes.Replace(table, []byte("startxref"), []byte("startyref"), 1),
		"startxref elsewhere": bytes.Replace(table, []byte("startxref\n"), []byte("startxref\n1"), 1),
		"places moved":        bytes.Replace(table, []byte("%\xe2"), []byte("% something\n%\xe2"), 1),
		"no end":              table[:bytes.LastIndex(table, []byte("startxref"))],
		"table in circles": bytes.Replace(table, []byte("/Size 5"),
			fmt.Appendf(nil, "/Size 5 /Prev %d", bytes.LastIndex(table, []byte("xref\n0"))), 1),
		"streams without end":  streams[:bytes.LastIndex(streams, []byte("startxref"))],
		"streams, place moved": bytes.Replace(streams, []byte("%\xe2"), []byte("% something\n%\xe2"), 1),
	} {
		f := read(t, b)
		if !f.Rebuilt || f.Pages != 1 || f.Title != "Quay (old) á" || len(f.Warnings) == 0 &&
			!strings.Contains(name, "moved") {
			t.Errorf("%s: %+v", name, f)
		}
	}
	trailerless := table[:bytes.LastIndex(table, []byte("xref\n0"))]
	if f := read(t, trailerless); f.Pages != 1 || f.Title != "" {
		t.Errorf("no trailer: %+v", f)
	}
	if f := read(t, append([]byte("a mail before\n"), table...)); f.Rebuilt || f.Pages != 1 || len(f.Warnings) != 1 {
		t.Errorf("behind other bytes: %+v", f)
	}
}

func TestErrors(t *testing.T) {
	for s, want := range map[string]error{
		"": ErrNotPDF, "GIF89a": ErrNotPDF, "%PDF-1.4\n": ErrDamaged, "%PDF-": ErrDamaged,
		"%PDF-1.4 1 0 obj << /Type /Catalog >>":          ErrDamaged,
		"%PDF-1.4 trailer << /Root 1 0 R >> startxref 5": ErrDamaged,
	} {
		if f, err := Read(strings.NewReader(s), int64(len(s))); !errors.Is(err, want) {
			t.Errorf("%q: %+v, %v", s, f, err)
		}
	}
	failed := errors.New("the disk fails")
	if _, err := Read(failing{failed}, 5000); !errors.Is(err, failed) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off > 0 {
		return 0, f.err
	}
	return copy(p, "%PDF-1.4\n"+strings.Repeat(" ", len(p))), nil
}

func TestEncrypted(t *testing.T) {
	for name, packed := range encrypted {
		raw, err := base64.StdEncoding.DecodeString(packed)
		if err != nil {
			t.Fatal(err)
		}
		z, err := zlib.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		f := read(t, b)
		if f.Encryption == nil || !f.Encryption.Opens || f.Title != "Quay" ||
			f.Created != "2026-11-22T10:15:00+01:00" || f.Pages != 1 || f.Rebuilt {
			t.Errorf("%s: %+v, %+v", name, f, f.Encryption)
		}
		locked := bytes.Replace(b, []byte("/U <"), []byte("/U <ff"), 1)
		if f := read(t, locked); f.Encryption == nil || f.Encryption.Opens || f.Title != "" || f.Created != "" {
			t.Errorf("%s, with a password: %+v, %+v", name, f, f.Encryption)
		}
	}
}

func TestDates(t *testing.T) {
	for s, want := range map[string]string{
		"D:20261122101500Z": "2026-11-22T10:15:00Z", "D:20261122101500+01'00'": "2026-11-22T10:15:00+01:00",
		"D:20261122101500-0530": "2026-11-22T10:15:00-05:30",
		"D:20261122101500+01":   "2026-11-22T10:15:00+01:00", "20261122101500": "2026-11-22T10:15:00", "D:2026": "2026",
		"D:202611": "2026-11", "D:20261122": "2026-11-22",
		"D:20269922101500": "D:20269922101500", "": "", "Mon Nov 22": "Mon Nov 22",
		"D:191011122101500": "D:191011122101500", "D:20261122101500+99'99'": "D:20261122101500+99'99'",
	} {
		if got := date(s); got != want {
			t.Errorf("%q: %q", s, got)
		}
	}
}

func TestObjects(t *testing.T) {
	for s, want := range map[string]any{
		"(a\\\nb\\n\\)(c)\\7\\0533)": text("ab\n)(c)\x07+3"), "<4 14 2>": text("AB"), "/A#20B#zz": name("A B#zz"),
		"-1.5": -1.5, "+17": int64(17), "12 0 R": ref{12, 0}, "--": int64(0),
		"[1 2 0 R true null]": array{int64(1), ref{2, 0}, true, nil},
		"<</A/B/C[]/D>>":      dict{"A": name("B"), "C": array{}}, "% x\n3": int64(3), "(\\\r\nx\r\ny)": text("x\ny"),
	} {
		got, err := (&lexer{b: []byte(s + " ")}).object(0)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %#v, %v", s, got, err)
		}
	}
	for s, want := range map[string]error{
		strings.Repeat("[", 100): errDeep, strings.Repeat("<</A", 100): errDeep,
		"[" + strings.Repeat("1 ", maxCost): errDeep, "(": errShort, "<41": errShort, "[1": errShort, "]": errSyntax,
		"<< 1 >>": errSyntax,
	} {
		if got, err := (&lexer{b: []byte(s + " ")}).object(0); !errors.Is(err, want) {
			t.Errorf("%.20q: %#v, %v", s, got, err)
		}
	}
}

// TestHostile checks documents that would cost too much.
func TestHostile(t *testing.T) {
	bomb := strings.Repeat("\x00", maxStream+1)
	m := begin("1.5")
	m.stream("/Type /ObjStm /N 1000000 /First 10 /Filter /FlateDecode", deflated("10 0 "+bomb))
	if _, err := Read(bytes.NewReader(m.Bytes()), int64(m.Len())); !errors.Is(err, ErrDamaged) {
		t.Errorf("a bomb: %v", err)
	}
	kids := begin("1.4")
	kids.object("<< /Type /Catalog /Pages 2 0 R >>")
	kids.object("<< /Type /Pages /Kids [2 0 R] /Count -5 >>")
	if f := read(t, kids.table("/Root 1 0 R")); f.Pages != -1 || f.PageSize != nil || len(f.Warnings) != 1 {
		t.Errorf("pages in circles: %+v", f)
	}
	references := begin("1.4")
	references.object("2 0 R")
	references.object("1 0 R")
	if _, err := Read(bytes.NewReader(references.table("/Root 1 0 R /Prev 1 0 R")),
		int64(references.Len())); !errors.Is(err, ErrDamaged) {
		t.Errorf("references in circles: %v", err)
	}
	many := "%PDF-1.4\n" + strings.Repeat("trailer<</Root 9 0 R/Prev 9>>9 0 obj/ObjStm ", 50_000)
	if _, err := Read(strings.NewReader(many), int64(len(many))); !errors.Is(err, ErrDamaged) {
		t.Errorf("many trailers: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(classic(small...))
	f.Add(packed(renumbered()...))
	f.Add(classic(small...)[:500])
	for _, name := range []string{"rc128", "os256"} {
		raw, _ := base64.StdEncoding.DecodeString(encrypted[name])
		z, err := zlib.NewReader(bytes.NewReader(raw))
		if err != nil {
			f.Fatal(err)
		}
		b, _ := io.ReadAll(z)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		facts, err := Read(bytes.NewReader(b), int64(len(b)))
		if err != nil && !errors.Is(err, ErrNotPDF) && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		if err == nil && len(facts.Warnings) > maxWarnings {
			t.Errorf("%d warnings", len(facts.Warnings))
		}
	})
}

func ExampleRead() {
	document := classic(small...)
	facts, err := Read(bytes.NewReader(document), int64(len(document)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(facts.Version, facts.Pages, facts.Title)
	// Output: 1.4 1 Quay (old) á
}
