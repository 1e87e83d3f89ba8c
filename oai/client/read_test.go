package client

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"quire/model"
)

// answer returns an Answer with a text, and its findings.
func answer(t *testing.T, text string) (*Answer, *[]model.Finding) {
	t.Helper()
	told := &[]model.Finding{}
	a := &Answer{tell: func(f model.Finding) { *told = append(*told, f) }}
	a.body.Dir = t.TempDir()
	if _, err := io.WriteString(&a.body, text); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a, told
}

const (
	head = `<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<responseDate>2026-11-22T10:00:00Z</responseDate><request verb="ListRecords" metadataPrefix="oai_dc">` +
		`http://a.example/oai</request>
<ListRecords>`
	foot = `<resumptionToken cursor="0" completeListSize="12">next</resumptionToken></ListRecords></OAI-PMH>`
)

func record(id, metadata string) string {
	return `<record><header><identifier>` + id +
		`</identifier><datestamp>2026-11-22T09:00:00Z</datestamp></header><metadata>` + metadata +
		`</metadata></record>`
}

const good = `<dc xmlns="urn:dc">x</dc>`

// Records are returned one by one. A broken one is refused, with its bytes; its neighbours are
// unaffected.
func TestOneBadRecord(t *testing.T) {
	for _, c := range []struct{ name, bad string }{
		{"control character", record("b", "<dc>\x03</dc>")},
		{"reference to one", record("b", "<dc>&#3;</dc>")},
		{"invalid UTF-8", record("b", "<dc>\xff\xfe</dc>")},
		{"unknown entity", record("b", "<dc>&eacute;</dc>")},
		{"tag not closed", record("b", "<dc><title></dc>")},
		{"tag never closed", record("b", "<dc><title>")},
		{"bare ampersand", record("b", "<dc>a & b</dc>")},
		{"bare less-than", record("b", "<dc>a < b</dc>")},
		{"open quote", record("b", `<dc a="x>y</dc>`)},
		{"open CDATA", record("b", `<dc><![CDATA[x</dc>`)},
		{"open comment", record("b", `<dc><!-- x</dc>`)},
		{"cut within",
			`<record><header><identifier>b</identifier><datestamp>2026-11-22T09:00:00Z</datestamp></header><metadata>` +
				`<dc>`},
		{"too many ends", record("b", `</dc></x>`)},
		{"no identifier", strings.Replace(record("b", good), "<identifier>b</identifier>",
			"<!-- <identifier>b</identifier> -->", 1)},
		{"two roots", record("b", good+good)},
		{"too deep", record("b", strings.Repeat("<a>", 300)+strings.Repeat("</a>", 300))},
	} {
		text := head + record("a", good) + c.bad + record("c", good) + "<!-- left out -->" + record("d", good) + foot
		a, told := answer(t, text)
		var got []string
		r, err := a.Read(Visitor{Record: func(r *Record) error {
			if r.Refused == "" {
				got = append(got, r.Identifier)
				return nil
			}
			raw, err := io.ReadAll(r.Raw())
			if string(raw) != c.bad {
				t.Errorf("%s: raw is %q", c.name, raw)
			}
			got = append(got, "!"+r.Identifier)
			return err
		}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := "a !b c d"
		if c.name == "no identifier" {
			want = "a ! c d"
		}
		if strings.Join(got, " ") != want || r.Units != 4 || r.Refused != 1 || r.Token == nil ||
			r.Token.Value != "next" || r.Token.CompleteListSize.String() != "12" {
			t.Errorf("%s: %v, %+v", c.name, got, r)
		}
		if len(*told) != 1 || (*told)[0].Code != CodeRecord {
			t.Errorf("%s: told %v", c.name, *told)
		}
	}
}

// Irregular text around records does not affect them, and is reported.
func TestOddAnswers(t *testing.T) {
	whole := head + record("a", good) + foot
	for _, c := range []struct{ name, text, code string }{
		{"whole", whole, ""},
		{"prefix", strings.NewReplacer("</", "</oai:", "<", "<oai:", `xmlns="http`,
			`xmlns:oai="http`).Replace(strings.TrimPrefix(whole, `<?xml version="1.0" encoding="UTF-8"?>`)), ""},
		{"notice before", "<br />\n<b>Notice</b>: undefined index\n" + whole, ""},
		{"text before", "Warning: x\n" + whole, CodeEnvelope},
		{"notice behind", whole + "<br>Fatal error", CodeEnvelope},
		{"https namespace", strings.Replace(whole, "http://www.openarchives.org/OAI/2.0/",
			"https://www.openarchives.org/OAI/2.0/", 1), CodeNamespace},
		{"no namespace", strings.Replace(whole, ` xmlns="http://www.openarchives.org/OAI/2.0/"`, "", 1), CodeNamespace},
		{"prolog within", strings.Replace(whole, "<metadata>", `<metadata><?xml version="1.0" encoding="UTF-8"?>`, 1),
			CodeProlog},
		{"milliseconds", strings.Replace(whole, "09:00:00Z", "09:00:00.123Z", 1), CodeDate},
		{"no zone", strings.Replace(whole, "09:00:00Z", "09:00:00", 1), CodeDate},
		{"no date", strings.Replace(whole, "2026-11-22T09:00:00Z", "", 1), CodeDate},
		{"response date", strings.Replace(whole, "10:00:00Z", "10:00:00.5Z", 1), CodeDate},
		{"no response date", strings.Replace(whole, "<responseDate>2026-11-22T10:00:00Z</responseDate>", "", 1),
			CodeEnvelope},
		{"unknown element", strings.Replace(whole, "<ListRecords>", "<took>3</took><ListRecords>", 1), CodeEnvelope},
		{"cursor", strings.Replace(whole, `cursor="0"`, `cursor="none"`, 1), CodeToken},
	} {
		a, told := answer(t, c.text)
		n := 0
		_, err := a.Read(Visitor{Record: func(r *Record) error {
			n++
			m, err := io.ReadAll(r.Metadata())
			if !strings.Contains(string(m), "urn:dc") || r.Refused != "" || r.Identifier != "a" {
				t.Errorf("%s: %q %q", c.name, m, r.Refused)
			}
			return err
		}})
		if err != nil || n != 1 {
			t.Errorf("%s: %d records, %v", c.name, n, err)
		}
		codes := ""
		for _, f := range *told {
			codes += f.Code
		}
		if codes != c.code {
			t.Errorf("%s: told %v", c.name, *told)
		}
	}
}

// A document that is not an answer is distinguished from an incomplete answer.
func TestNoAnswer(t *testing.T) {
	whole := head + record("a", good) + record("b", good) + foot
	for _, c := range []struct {
		text string
		want error
	}{
		{"", ErrNotOAI}, {"busy", ErrNotOAI}, {"<html><head><title>502 Bad Gateway</title></head></html>", ErrNotOAI},
		{"<rss/>", ErrNotOAI}, {"<OAI-PMH", ErrNotOAI},
		{whole[:len(whole)-1], ErrCut}, {whole[:len(whole)-40], ErrCut}, {whole[:len(head)+30], ErrCut}, {head, ErrCut},
	} {
		a, _ := answer(t, c.text)
		if _, err := a.Read(Visitor{}); !errors.Is(err, c.want) {
			t.Errorf("%.50q: %v", c.text, err)
		}
	}
}

// A page instead of an answer is quoted by its title, in any charset. In lower case, each byte that
// is not UTF-8 would become three.
func TestNoAnswerInLatin1(t *testing.T) {
	a, _ := answer(t, "<html>"+strings.Repeat("\xe9", 40)+"<TITLE> Gesperrt </TITLE>")
	if _, err := a.Read(Visitor{}); !errors.Is(err, ErrNotOAI) ||
		!strings.Contains(err.Error(), `a page titled "Gesperrt"`) {
		t.Error(err)
	}
}

// Metadata are a complete document: they contain the declarations of the elements around them.
func TestMetadataStandAlone(t *testing.T) {
	text := strings.Replace(head, "<OAI-PMH ", `<OAI-PMH xmlns:x="urn:a&amp;b" `, 1) +
		record("a", `<x:y xsi:z="1"/>`) + record("b", `<y/>`) + record("c", `<x:y xmlns:x = 'urn:c' xmlns=""/>`) + foot
	want := []string{
		`<x:y xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
			`xmlns:x="urn:a&amp;b" xsi:z="1"/>`,
		`<y xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
			`xmlns:x="urn:a&amp;b"/>`,
		`<x:y xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:x = 'urn:c' xmlns=""/>`,
	}
	a, _ := answer(t, text)
	if _, err := a.Read(Visitor{Record: func(r *Record) error {
		m, err := io.ReadAll(r.Metadata())
		got := string(m)
		for _, d := range []string{` xmlns="http://www.openarchives.org/OAI/2.0/"`,
			` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`, ` xmlns:x="urn:a&amp;b"`} {
			if n := strings.Count(got, d); n != strings.Count(want[0], d) {
				t.Errorf("%s", got)
			}
		}
		want = want[1:]
		return err
	}}); err != nil {
		t.Fatal(err)
	}
}

// MARC also has an element named record.
func TestNestedRecord(t *testing.T) {
	marc := `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>x</leader></record>`
	oai := `<record><header><identifier>inner</identifier></header></record>`
	a, told := answer(t, head+record("a", marc)+record("b", "<list>"+oai+oai+"</list>")+record("c", marc)+foot)
	var got []string
	r, err := a.Read(Visitor{Record: func(r *Record) error { got = append(got, r.Identifier); return nil }})
	if err != nil || fmt.Sprint(got) != "[a b c]" || len(*told) > 0 || r.Units != 3 {
		t.Errorf("%v, %v, %v", got, err, *told)
	}
}
