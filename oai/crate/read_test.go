package crate

import (
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
)

const didlHead = `<didl:DIDL xmlns:didl="urn:mpeg:mpeg21:2002:02-DIDL-NS" xmlns:dii="urn:mpeg:mpeg21:2002:01-DII-NS" ` +
	`xmlns:crate="urn:x-quire:crate:1" xmlns:http="urn:x-quire:http-header:1">`

// driverDIDL is a DIDL of Dutch repositories (DRIVER): items in an item, their kinds in
// descriptors, a description as a resource, files by reference. One component has two editions of
// one file.
const driverDIDL = `<didl:DIDL DIDLDocumentId="urn:nbn:nl:ui:1-2" ` +
	`xmlns:didl="urn:mpeg:mpeg21:2002:02-DIDL-NS" xmlns:dii="urn:mpeg:mpeg21:2002:01-DII-NS"
 xmlns:dip="urn:mpeg:mpeg21:2005:01-DIP-NS" xmlns:dcterms="http://purl.org/dc/terms/" ` +
	`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<didl:Item>
 <didl:Descriptor><didl:Statement mimeType="application/xml"><dii:Identifier> urn:nbn:nl:ui:1-2 ` +
	`</dii:Identifier></didl:Statement></didl:Descriptor>
 <didl:Descriptor><didl:Statement mimeType="application/xml"><dcterms:modified xsi:type="dcterms:W3CDTF">` +
	`2026-11-22</dcterms:modified></didl:Statement></didl:Descriptor>
 <didl:Component><didl:Resource mimeType="application/xml" ref="https://r.example/1"/></didl:Component>
 <didl:Item>
  <didl:Descriptor><didl:Statement mimeType="application/xml"><dip:ObjectType>` +
	`info:eu-repo/semantics/descriptiveMetadata</dip:ObjectType></didl:Statement></didl:Descriptor>
  <didl:Component><didl:Resource mimeType="application/xml"><mods xmlns="http://www.loc.gov/mods/v3">` +
	`<titleInfo><title>A &amp; B</title></titleInfo></mods></didl:Resource></didl:Component>
 </didl:Item>
 <didl:Item>
  <didl:Descriptor><didl:Statement mimeType="application/xml"><dii:Identifier>` +
	`urn:nbn:nl:ui:1-2-file</dii:Identifier></didl:Statement></didl:Descriptor>
  <didl:Component><didl:Resource mimeType="application/pdf" ref="https://r.example/1.pdf"/><didl:Resource ` +
	`mimeType="text/plain" ref="https://r.example/1.txt"/></didl:Component>
 </didl:Item>
</didl:Item></didl:DIDL>`

func TestReadOfOthers(t *testing.T) {
	d, got := read(t, driverDIDL)
	if want := `<default:mods xmlns:didl="urn:mpeg:mpeg21:2002:02-DIDL-NS" ` +
		`xmlns:dii="urn:mpeg:mpeg21:2002:01-DII-NS" xmlns:dip="urn:mpeg:mpeg21:2005:01-DIP-NS" ` +
		`xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
		`xmlns:default="http://www.loc.gov/mods/v3"><default:titleInfo><default:title>A &amp; B</default:title>` +
		`</default:titleInfo></default:mods>`; got != want {
		t.Errorf("resources\n%s\nwant\n%s", got, want)
	}
	if d.ID != "urn:nbn:nl:ui:1-2" || d.Identifier != "urn:nbn:nl:ui:1-2" || d.Head != nil || len(d.Problems) != 0 {
		t.Errorf("%s", show(d))
	}
	type brief struct {
		component             int
		identifier, mime, ref string
		value, xml            bool
	}
	var resources []brief
	for _, r := range d.Resources {
		resources = append(resources, brief{r.Component, r.Identifier, r.MIMEType, r.Ref, r.ByValue, r.XML})
		if r.Problem != "" {
			t.Error(r.Problem)
		}
	}
	want := []brief{{1, "", "application/xml", "https://r.example/1", false, false},
		{2, "", "application/xml", "", true, true},
		{3, "urn:nbn:nl:ui:1-2-file", "application/pdf", "https://r.example/1.pdf", false, false},
		{3, "urn:nbn:nl:ui:1-2-file", "text/plain", "https://r.example/1.txt", false, false}}
	if !reflect.DeepEqual(resources, want) {
		t.Errorf("%+v\nwant %+v", resources, want)
	}
	if len(d.Statements) != 2 || !strings.Contains(d.Statements[0].Content,
		`xmlns:dcterms="http://purl.org/dc/terms/"`) ||
		!strings.HasSuffix(d.Statements[0].Content, `xsi:type="dcterms:W3CDTF">2026-11-22</dcterms:modified>`) ||
		d.Statements[1].Place != "Item Item Descriptor" {
		t.Errorf("%+v", d.Statements)
	}
}

// The sample record is stored next to the schemas. It has a head and Dublin Core in statements, and
// bytes by value and by reference.
func TestReadOfTheSample(t *testing.T) {
	f, err := os.Open(testsamples.Path(t, "schemas", "samples", "oai-getrecord-didl.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x := xmlstream.NewReader(f, xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	var d *Document
	var got strings.Builder
	err = x.Each(func(e xmlstream.Element) error {
		if e.Local != "GetRecord" {
			return nil
		}
		return x.Each(func(xmlstream.Element) error {
			return x.Each(func(e xmlstream.Element) error {
				if e.Local != "metadata" {
					return nil
				}
				return x.Each(func(xmlstream.Element) (err error) {
					d, err = Read(x, ReadOptions{Bytes: func(*Document, *Resource) (io.Writer, error) {
						return &got, nil
					}})
					return err
				})
			})
		})
	})
	if err != nil || got.String() != "Hello World\n\n" {
		t.Fatalf("%q, %v", got.String(), err)
	}
	if len(d.Statements) != 3 ||
		d.Statements[2].Content != "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8" ||
		len(d.Resources) != 2 || d.Resources[0].Found.Size != 13 {
		t.Errorf("%s", show(d))
	}
}

func TestWhatIsWrongIsTold(t *testing.T) {
	const bytes = `<didl:Descriptor><didl:Statement mimeType="a"><crate:bytes size="5"><crate:digest ` +
		`algorithm="SHA-256">6a09</crate:digest></crate:bytes></didl:Statement></didl:Descriptor>`
	cases := []struct{ name, item, problem, resource string }{
		{"fewer bytes", `<didl:Component>` + bytes +
			`<didl:Resource mimeType="a" encoding="base64">Q1I=</didl:Resource></didl:Component>`, "",
			"2 bytes were found; 5 were stated"},
		{"another digest", `<didl:Component>` + bytes +
			`<didl:Resource mimeType="a" encoding="base64">Q1JBVEU=</didl:Resource></didl:Component>`, "",
			"6a09 was stated"},
		{"no Base64",
			`<didl:Component><didl:Resource mimeType="a" encoding="base64">Q!</didl:Resource></didl:Component>`, "",
			"not Base64"},
		{"another encoding",
			`<didl:Component><didl:Resource mimeType="a" encoding="uuencode">Q!</didl:Resource></didl:Component>`, "",
			`unknown encoding "uuencode"`},
		{"not the same bits",
			`<didl:Component><didl:Resource mimeType="a" encoding="base64">Q1I=</didl:Resource><didl:Resource ` +
				`mimeType="a" encoding="base64">Q1JB</didl:Resource></didl:Component>`, "", "its bits differ"},
		{"a status",
			`<didl:Descriptor><didl:Statement mimeType="a"><http:header status="ok"><http:field name="A"/><http:odd/>` +
				`</http:header></didl:Statement></didl:Descriptor>`, `status "ok"`, ""},
		{"an element in a head",
			`<didl:Descriptor><didl:Statement mimeType="a"><http:header><http:odd/></http:header></didl:Statement>` +
				`</didl:Descriptor>`, "<odd>", ""},
		{"a size",
			`<didl:Component><didl:Descriptor><didl:Statement mimeType="a"><crate:bytes size="-1"/></didl:Statement>` +
				`</didl:Descriptor><didl:Resource mimeType="a" ref="b"/></didl:Component>`, `size "-1"`, ""},
		{"output",
			`<didl:Descriptor><didl:Statement mimeType="a"><crate:plugin><crate:PluginLabel>x</crate:PluginLabel>` +
				`<crate:PluginContent encoding="base64">!</crate:PluginContent></crate:plugin></didl:Statement>` +
				`</didl:Descriptor>`, "PluginContent", ""},
		{"text beside", `<didl:Descriptor><didl:Statement mimeType="a">text<x/></didl:Statement></didl:Descriptor>`,
			"text beside", ""},
		{"not storable", `<didl:Descriptor><didl:Statement mimeType="a"><é/></didl:Statement></didl:Descriptor>`,
			"cannot be stored", ""},
		{"an encoded statement",
			`<didl:Descriptor><didl:Statement mimeType="a" encoding="base64">QQ==</didl:Statement></didl:Descriptor>`,
			"encoded", ""},
	}
	for _, c := range cases {
		d, _ := read(t, didlHead+"<didl:Item>"+c.item+"</didl:Item></didl:DIDL>")
		var wrong string
		for _, r := range d.Resources {
			wrong += r.Problem
		}
		if !strings.Contains(strings.Join(d.Problems, "\n"), c.problem) ||
			(c.problem == "") != (len(d.Problems) == 0) || !strings.Contains(wrong, c.resource) ||
			(c.resource == "") != (wrong == "") {
			t.Errorf("%s: problems %q, of resources %q", c.name, d.Problems, wrong)
		}
	}
}

// Text beside elements of a resource is escaped wherever it stands, so that the bytes stay
// well-formed XML. Text alone is unchanged.
func TestTextBesideElements(t *testing.T) {
	for content, want := range map[string]string{
		"1 &lt; 2 &amp; 3":                         "1 < 2 & 3",
		"a &lt;<x/>":                               "a &lt;<x xmlns",
		"<x/>b &lt; c &amp; d":                     "/>b &lt; c &amp; d",
		"a &amp;<x/>b &lt;<y/>c &gt; &lt;z&gt; \n": "/>c &gt; &lt;z&gt; \n",
		" <x/> \n ":                                "/>",
	} {
		_, got := read(t, didlHead+`<didl:Item><didl:Component><didl:Resource mimeType="a">`+content+
			"</didl:Resource></didl:Component></didl:Item></didl:DIDL>")
		if !strings.HasPrefix(got, want) && !strings.HasSuffix(got, want) {
			t.Errorf("%q became\n%q\nwant %q at one end", content, got, want)
		}
	}
}

// A truncated document causes an error at any length. A failing writer also causes an error.
func TestReadFails(t *testing.T) {
	doc := didlHead + `<didl:Item><didl:Component><didl:Resource mimeType="a" encoding="base64">Q1JBVEU=`
	full := errors.New("full")
	for _, c := range []struct {
		in   io.Reader
		out  io.Writer
		want error
	}{{strings.NewReader(doc), io.Discard, nil},
		{io.MultiReader(strings.NewReader(doc), iotest.ErrReader(full)), io.Discard, full},
		{strings.NewReader(doc), failing{full}, full}} {
		x := xmlstream.NewReader(c.in, xmlstream.Limits{})
		if _, err := x.Root(); err != nil {
			t.Fatal(err)
		}
		_, err := Read(x, ReadOptions{Bytes: func(*Document, *Resource) (io.Writer, error) { return c.out, nil }})
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%v; want %v", err, c.want)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// The stored part of a document is limited; its bytes are not.
func TestReadIsBounded(t *testing.T) {
	endless := func(s string) io.Reader {
		return io.MultiReader(strings.NewReader(didlHead+"<didl:Item>"), &again{s: s})
	}
	x := xmlstream.NewReader(endless(`<didl:Descriptor><didl:Statement mimeType="a">text</didl:Statement>`+
		`</didl:Descriptor>`), xmlstream.Limits{Entity: 1 << 20})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(x, ReadOptions{}); !errors.Is(err, xmlstream.ErrLimit) {
		t.Errorf("%v; want a limit", err)
	}
	long := io.MultiReader(strings.NewReader(didlHead+
		`<didl:Item><didl:Component><didl:Resource mimeType="a" encoding="base64">`),
		io.LimitReader(&again{s: "QUJD"}, 12<<20),
		strings.NewReader(`</didl:Resource></didl:Component></didl:Item></didl:DIDL>`))
	x = xmlstream.NewReader(long, xmlstream.Limits{Entity: 1 << 20, Token: 1 << 20})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	d, err := Read(x, ReadOptions{Bytes: func(*Document, *Resource) (io.Writer, error) { return io.Discard, nil }})
	if err != nil || d.Resources[0].Found.Size != 9<<20 {
		t.Errorf("%v, %s", err, show(d))
	}
}

// again repeats a text.
type again struct {
	s  string
	at int
}

func (a *again) Read(p []byte) (n int, err error) {
	for n < len(p) {
		c := copy(p[n:], a.s[a.at:])
		n, a.at = n+c, (a.at+c)%len(a.s)
	}
	return n, nil
}

// FuzzRead reads any input, and returns an error with its position or a document.
func FuzzRead(f *testing.F) {
	f.Add(driverDIDL)
	f.Add(didlHead +
		`<didl:Item><didl:Descriptor><didl:Statement mimeType="a"><crate:plugin><crate:PluginLabel>` +
		`x</crate:PluginLabel></crate:plugin></didl:Statement></didl:Descriptor></didl:Item></didl:DIDL>`)
	f.Add(didlHead +
		`<didl:Item><didl:Descriptor><didl:Component><didl:Resource mimeType="a">x<y/>z</didl:Resource>` +
		`</didl:Component></didl:Descriptor><didl:Choice/></didl:Item></didl:DIDL>`)
	f.Fuzz(func(t *testing.T, doc string) {
		x := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{Depth: 50, Token: 10_000})
		if _, err := x.Root(); err != nil {
			return
		}
		d, err := Read(x, ReadOptions{Bytes: func(*Document, *Resource) (io.Writer, error) { return io.Discard, nil }})
		var at *xmlstream.ReadError
		if err != nil && !errors.As(err, &at) {
			t.Fatalf("%v says no place", err)
		}
		if d == nil {
			t.Fatal("no document")
		}
	})
}

// A document with the same bytes ten thousand times is read in linear time, and the one different
// resource is found.
func TestManyResources(t *testing.T) {
	const n = 10_000
	one := `<didl:Resource mimeType="a/b" encoding="base64">AA==</didl:Resource>`
	text := `<didl:DIDL xmlns:didl="urn:mpeg:mpeg21:2002:02-DIDL-NS"><didl:Item><didl:Component>` +
		strings.Repeat(one, n) +
		strings.Replace(one, "AA", "AQ", 1) + `</didl:Component><didl:Component>` + one +
		`</didl:Component></didl:Item></didl:DIDL>`
	x := xmlstream.NewReader(strings.NewReader(text), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	d, err := Read(x, ReadOptions{Bytes: func(*Document, *Resource) (io.Writer, error) { return io.Discard, nil }})
	if err != nil || len(d.Resources) != n+2 {
		t.Fatal(len(d.Resources), err)
	}
	for i, r := range d.Resources {
		if (r.Problem != "") != (i == n) {
			t.Errorf("resource %d: %q", i, r.Problem)
		}
	}
}
