package oclc

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
)

// hostile are values that some serialization cannot carry unchanged, or that some reader would
// change.
var hostile = []string{
	"", "a", "caf\xe9", "\x00", "a\x00b", "\x1b[31mred", "line\none", "line\r\ntwo", "cr\rhere", "tab\there", " a ",
	"\u00a0a", "a # b # c",
	"# a", "a: b", "- a", "no", "null", "1e3", "2015-07-08", "=?utf-8?Q?caf=C3=A9?=", "]]>", "<a>&amp;</a>", "\ufeffa",
	"\ufffe", "\uffff",
	"\ufffd", "\xed\xa0\x80", "\u0085", "\u2028x\u2029", "\x7f", "\"", "\\", `\u0000`, "'", "{}", "*a", "&a",
	"!!binary a", "%41", "\u202eabc",
	"統計", "𝄞", "\U0001fffe", "title: x\r\nurl: y", "\xff\xfe", "title-bytes: YQ==", strings.Repeat("long ", 40000),
}

func roundTrip(t *testing.T, f Format, r Record) {
	t.Helper()
	var doc bytes.Buffer
	if err := Write(&doc, f, r); err != nil {
		t.Fatal(err)
	}
	written := doc.String()
	got, err := Read(&doc, f)
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Fatalf("%s: read %.300q, %v; want %.300q\n%.600s", f, got, err, r, written)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, f := range Formats {
		t.Run(string(f), func(t *testing.T) {
			var all Record
			for i, v := range hostile {
				s := Statement{Element: Elements[i%len(Elements)], Value: v, Lang: []string{"", "no", "zh-Hant"}[i%3],
					Kind: []string{"", "seed"}[i%2]}
				roundTrip(t, f, Record{s})
				all = append(all, s, s)
			}
			roundTrip(t, f, all)
			roundTrip(t, f, nil)
		})
	}
}

// TestRoundTripOfAnything checks random bytes, many times. It reports the seed, so that a failure
// can be reproduced.
func TestRoundTripOfAnything(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	pieces := append([]string{"\r", "\n", "\x00", "\xe9", ":", " ", "-bytes", "\"", "\\u", "<", ">"},
		hostile[:len(hostile)-1]...)
	for range 2000 {
		r := make(Record, 1+rnd.IntN(4))
		for i := range r {
			var v strings.Builder
			for range rnd.IntN(6) {
				v.WriteString(pieces[rnd.IntN(len(pieces))])
			}
			r[i] = Statement{Element: Elements[rnd.IntN(len(Elements))], Value: v.String()}
		}
		for _, f := range Formats {
			roundTrip(t, f, r)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		r    Record
		want string
	}{
		{"an element of another standard", Record{{Element: "publisher"}}, "not one of the elements"},
		{"no element", Record{{}}, "not one of the elements"},
		{"a language that would end the line", Record{{Element: Title, Lang: "fr\r\nurl: x"}}, "not a language tag"},
		{"a kind with a space", Record{{Element: URL, Kind: "a b"}}, "not a kind"},
	} {
		for _, f := range Formats {
			var out bytes.Buffer
			if err := Write(&out, f, c.r); err == nil || !strings.Contains(err.Error(), c.want) || out.Len() > 0 {
				t.Errorf("%s as %s: %v, %d bytes written", c.name, f, err, out.Len())
			}
		}
	}
	if err := Write(&bytes.Buffer{}, "toml", nil); err == nil {
		t.Error("wrote toml")
	}
}

func TestReadRefuses(t *testing.T) {
	const start = `{"standard":"urn:x-quire:oclc-web-archiving:1","statements":[`
	const yamlStart = "standard: urn:x-quire:oclc-web-archiving:1\nstatements:\n- "
	for _, c := range []struct {
		name string
		f    Format
		doc  string
		want string
	}{
		{"another standard", JSON, `{"standard":"dc","statements":[]}`, "want"},
		{"a field that is not known", JSON, start + `{"element":"title","value":"a","x":1}]}`, "unknown field"},
		{"an element that is not known", JSON, start + `{"element":"publisher","value":"a"}]}`, "not one of"},
		{"an edited value", JSON, start + `{"element":"title","value":"b","bytes":"6Q=="}]}`, "was edited"},
		{"broken base64", JSON, start + `{"element":"title","value":"b","bytes":"?"}]}`, "illegal base64"},
		{"two documents", JSON, start + `]}{}`, "data after the description"},
		{"an edited value", YAML, yamlStart + "{element: title, value: b, bytes: 6Q==}\n", "was edited"},
		{"two documents", YAML, yamlStart + "{element: title, value: b}\n---\na: b\n", "data after the description"},
		{"a bomb of aliases", YAML, "standard: x\nstatements: &a [*a,*a]\n", "oclc"},
		{"no field", Fields, "title: a\r\nb\r\n", "line 2"},
		{"a qualifier of nothing", Fields, "title-lang: fr\r\n", "not one of"},
		{"a qualifier of another element", Fields, "title: a\r\nurl-lang: fr\r\n", "not one of"},
		{"two languages", Fields, "title: a\r\ntitle-lang: fr\r\ntitle-lang: nl\r\n", "not one of"},
		{"an edited value", Fields, "title: b\r\ntitle-bytes: 6Q==\r\n", "was edited"},
		{"another document", XML, `<record/>`, "want record"},
		{"an element of another namespace", XML,
			`<record xmlns="urn:x-quire:oclc-web-archiving:1"><title xmlns="x"/></record>`, "unknown element"},
	} {
		t.Run(string(c.f)+" "+c.name, func(t *testing.T) {
			if r, err := Read(strings.NewReader(c.doc), c.f); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, %v; want an error with %q", r, err, c.want)
			}
		})
	}
	if _, err := Read(strings.NewReader(strings.Repeat("title: a\n", 2<<20)), Fields); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	r := Record{{Title, "caf\xe9\r\n", "fr", ""}, {URL, "http://a/", "", "seed"}, {Note, " ", "", ""}}
	for i, format := range Formats {
		var doc strings.Builder
		if err := Write(&doc, format, r); err != nil {
			f.Fatal(err)
		}
		f.Add(i, doc.String())
	}
	f.Fuzz(func(t *testing.T, i int, doc string) {
		r, err := Read(strings.NewReader(doc), Formats[uint(i)%uint(len(Formats))])
		if err != nil || len(r) == 0 {
			return
		}
		for _, format := range Formats {
			roundTrip(t, format, r)
		}
	})
}

func ExampleWrite() {
	r := Record{
		{Element: Title, Value: "Statistiques", Lang: "fr"},
		{Element: URL, Value: "http://example.be/caf\xe9", Kind: "seed"},
	}
	if err := Write(os.Stdout, YAML, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// standard: "urn:x-quire:oclc-web-archiving:1"
	// statements:
	//   - element: "title"
	//     lang: "fr"
	//     value: "Statistiques"
	//   - element: "url"
	//     kind: "seed"
	//     value: "http://example.be/caf�"
	//     bytes: "aHR0cDovL2V4YW1wbGUuYmUvY2Fm6Q=="
}
