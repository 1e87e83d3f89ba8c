package dc

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"quire/metadata/xmlstream"
)

func read(doc string) (Record, error) {
	r := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{Token: 1 << 16, Entity: 1 << 20})
	if _, err := r.Root(); err != nil {
		return nil, err
	}
	rec, err := Read(r)
	if err == nil {
		err = r.Finish()
	}
	return rec, err
}

func write(rec Record) (string, error) {
	var out strings.Builder
	x := xmlstream.NewWriter(&out, xmlstream.Options{})
	if err := Write(x, rec); err != nil {
		return "", err
	}
	err := x.Close()
	return out.String(), err
}

func TestRoundTrip(t *testing.T) {
	var rec Record
	for _, e := range elements {
		rec = append(rec, Statement{e, "value of " + string(e), "en"},
			Statement{Element: e, Value: "\x00caf\xe9 ]]>\r\n"})
	}
	doc, err := write(rec)
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(doc)
	if err != nil || !reflect.DeepEqual(got, rec) {
		t.Errorf("read %q, %v; want %q", got, err, rec)
	}
	if v := got.Values(Title); len(v) != 2 || v[0] != "value of title" {
		t.Errorf("titles %q", v)
	}
}

func TestWriteRefuses(t *testing.T) {
	x := xmlstream.NewWriter(io.Discard, xmlstream.Options{})
	if err := Write(x, Record{{Element: "audience", Value: "x"}}); err == nil ||
		!strings.Contains(err.Error(), "audience") {
		t.Errorf("error %v; audience is a term of dcterms, not one of the fifteen", err)
	}
}

func TestReadRefuses(t *testing.T) {
	cases := []struct{ name, doc, want string }{
		{"another document", `<dc/>`, "want oai_dc:dc"},
		{"a sixteenth element",
			`<dc xmlns="http://www.openarchives.org/OAI/2.0/oai_dc/"><audience ` +
				`xmlns="http://purl.org/dc/elements/1.1/"/></dc>`,
			"unknown element"},
		{"qualified Dublin Core",
			`<dc xmlns="http://www.openarchives.org/OAI/2.0/oai_dc/"><title xmlns="http://purl.org/dc/terms/"/></dc>`,
			"unknown element"},
		{"titles without end",
			`<dc xmlns="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
				strings.Repeat(`<dc:title>some text</dc:title>`, 50000) + `</dc>`, "exceeds a limit"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read(c.doc); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`<o:dc xmlns:o="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns="http://purl.org/dc/elements/1.1/">` +
		`<title xml:lang="en">a</title><date/></o:dc>`)
	f.Fuzz(func(t *testing.T, doc string) {
		rec, err := read(doc)
		if err != nil {
			return
		}
		written, err := write(rec)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := read(written); err != nil || !reflect.DeepEqual(again, rec) {
			t.Errorf("read %q, %v; want %q", again, err, rec)
		}
	})
}

func ExampleWrite() {
	x := xmlstream.NewWriter(os.Stdout, xmlstream.Options{Indent: true, Fragment: true})
	err := Write(x, Record{
		{Element: Title, Value: "Hello World, a primer"},
		{Element: Date, Value: "2015-07-08"},
	})
	if err != nil || x.Close() != nil {
		fmt.Println(err)
	}
	// Output:
	// <oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
	//   <dc:title>Hello World, a primer</dc:title>
	//   <dc:date>2015-07-08</dc:date>
	// </oai_dc:dc>
}
