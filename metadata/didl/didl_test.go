package didl_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/didl"
	"quire/metadata/xmlstream"
)

// A picture by value and by reference, with statements about it.
func Example() {
	x := xmlstream.NewWriter(os.Stdout, xmlstream.Options{Indent: true})
	w := didl.NewWriter(x)
	w.Start(didl.Document{ID: "urn:uuid:0f3c2a3e-58b1-4c4c-9a0e-0000000000d1"})
	w.StartItem("")
	w.Identifier("https://a.example/logo.png")
	w.StartComponent("")
	w.Statement(didl.Block{MIMEType: "text/plain"}, didl.Text("drawn by hand"))
	w.Resource(didl.Block{MIMEType: "image/png"}, didl.Base64(strings.NewReader("PNG")))
	w.Resource(didl.Block{MIMEType: "image/png", Ref: "https://a.example/logo.png"}, didl.Nothing)
	w.EndComponent()
	w.EndItem()
	if err := errors.Join(w.End(), x.Close()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <didl:DIDL xmlns:didl="urn:mpeg:mpeg21:2002:02-DIDL-NS" xmlns:dii="urn:mpeg:mpeg21:2002:01-DII-NS" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" DIDLDocumentId="urn:uuid:0f3c2a3e-58b1-4c4c-9a0e-0000000000d1" xsi:schemaLocation="urn:mpeg:mpeg21:2002:02-DIDL-NS http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/did/didl.xsd urn:mpeg:mpeg21:2002:01-DII-NS http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/dii/dii.xsd">
	//   <didl:Item>
	//     <didl:Descriptor>
	//       <didl:Statement mimeType="application/xml; charset=utf-8">
	//         <dii:Identifier>https://a.example/logo.png</dii:Identifier>
	//       </didl:Statement>
	//     </didl:Descriptor>
	//     <didl:Component>
	//       <didl:Descriptor>
	//         <didl:Statement mimeType="text/plain">drawn by hand</didl:Statement>
	//       </didl:Descriptor>
	//       <didl:Resource mimeType="image/png" encoding="base64">UE5H</didl:Resource>
	//       <didl:Resource mimeType="image/png" ref="https://a.example/logo.png"/>
	//     </didl:Component>
	//   </didl:Item>
	// </didl:DIDL>
}

// write writes a document.
func write(fill func(*didl.Writer)) (string, error) {
	var b bytes.Buffer
	x := xmlstream.NewWriter(&b, xmlstream.Options{Indent: true})
	fill(didl.NewWriter(x))
	err := x.Close()
	return b.String(), err
}

func full(w *didl.Writer) {
	w.Start(didl.Document{ID: "urn:x:1", Created: time.Date(2026, 11, 22, 22, 30, 0, 0, time.UTC)})
	w.StartItem("outer")
	w.Identifier("https://a.example/")
	w.StartItem("inner")
	w.StartComponent("c1")
	w.Resource(didl.Block{MIMEType: "text/html", ContentEncoding: []string{"gzip", "x"}},
		didl.Base64(strings.NewReader("\x00\x01")))
	w.EndComponent()
	w.EndItem()
	w.StartComponent("")
	w.Resource(didl.Block{MIMEType: "application/xml"}, didl.Element(func(x *xmlstream.Writer) error {
		x.Declare("dii", didl.DIINamespace)
		x.Element("dii:Type", "urn:x:type")
		return nil
	}))
	w.Resource(didl.Block{MIMEType: "text/plain"}, didl.Text("a < b"))
	w.EndComponent()
	w.EndItem()
	_ = w.End()
}

func TestDocumentsAreValid(t *testing.T) {
	doc, err := write(full)
	if err != nil {
		t.Fatal(err)
	}
	schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", "oai-all.xsd"), []byte(doc))
}

// told returns the events that Read reports for a document, one event per line.
func told(t *testing.T, doc string) []string {
	t.Helper()
	x := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	tell := func(format string, args ...any) error {
		lines = append(lines, fmt.Sprintf(format, args...))
		return nil
	}
	err := didl.Read(x, didl.Handler{
		Document: func(d didl.Document) error { return tell("document %s %d other", d.ID, len(d.Other)) },
		Info: func(x *xmlstream.Reader) error {
			created, ok, err := didl.ReadInfo(x)
			return errors.Join(err, tell("created %q %t", created, ok))
		},
		Begin: func(at didl.Place) error { return tell("begin %s", at) },
		Statement: func(b didl.Block, at didl.Place, _ *xmlstream.Reader) error {
			return tell("statement %s in %s about %s", b.MIMEType, at, at.About().Kind)
		},
		Resource: func(b didl.Block, at didl.Place, x *xmlstream.Reader) error {
			var out strings.Builder
			if b.IsBase64() {
				if _, err := x.CopyBase64(&out); err != nil {
					return err
				}
			}
			return tell("resource %s %q %q %q in %s described %t: %q", b.MIMEType, b.Ref, b.Encoding, b.ContentEncoding,
				at, at.Described(), out.String())
		},
		Other: func(at didl.Place, x *xmlstream.Reader) error { return tell("other %s in %s", x.Element().Local, at) },
	})
	if err == nil {
		err = x.Finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestReadTellsWhatWasWritten(t *testing.T) {
	doc, err := write(full)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"document urn:x:1 0 other", `created "2026-11-22T22:30:00Z" true`, "begin Item#outer",
		"begin Item#outer Descriptor",
		"statement application/xml; charset=utf-8 in Item#outer Descriptor about Item", "begin Item#outer Item#inner",
		"begin Item#outer Item#inner Component#c1",
		`resource text/html "" "base64" ["gzip" "x"] in Item#outer Item#inner Component#c1 described false: "\x00\x01"`,
		"begin Item#outer Component",
		`resource application/xml "" "" [] in Item#outer Component described false: ""`,
		`resource text/plain "" "" [] in Item#outer Component described false: ""`,
	}
	if got := told(t, doc); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestReadTellsTheRest checks that Read reports the different names of the first edition, and
// everything in DIDL besides items and components.
func TestReadTellsTheRest(t *testing.T) {
	const doc = `<DIDL xmlns="urn:mpeg:mpeg21:2002:01-DIDL-NS" xmlns:x="urn:x" x:a="1"><DIDLInfo><x:y/>` +
		`</DIDLInfo><Declarations><Item id="d"/></Declarations>
		<Container><Descriptor><Component><Resource mimeType="image/png" ref="thumb.png" x:size="1" odd="2"/>` +
		`</Component></Descriptor>
		<Item><Condition require="a"/><Choice/><x:foreign><y/></x:foreign><Annotation target="#d"/></Item>` +
		`</Container></DIDL>`
	want := []string{
		"document  1 other", `created "" false`, "begin Item#d", "begin Container", "begin Container Descriptor",
		"begin Container Descriptor Component",
		`resource image/png "thumb.png" "" [] in Container Descriptor Component described true: ""`,
		"begin Container Item", "other Condition in Container Item",
		"other Choice in Container Item", "other foreign in Container Item", "other Annotation in Container Item",
	}
	if got := told(t, doc); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReadRefuses(t *testing.T) {
	for doc, want := range map[string]string{
		"<a/>": "want a DIDL", `<DIDL xmlns="urn:mpeg:mpeg21:2002:03-DIDL-NS"/>`: "want a DIDL",
		`<DIDL xmlns="urn:mpeg:mpeg21:2002:02-DIDL-NS"><Item>text</Item></DIDL>`:          "only elements",
		`<DIDL xmlns="urn:mpeg:mpeg21:2002:02-DIDL-NS"><Item><Choice/></Item></DIDL>`:     "unknown element",
		`<DIDL xmlns="urn:mpeg:mpeg21:2002:02-DIDL-NS"><Item>`:                            "EOF",
		`<DIDL xmlns="urn:mpeg:mpeg21:2002:02-DIDL-NS"><Item><x xmlns=""/></Item></DIDL>`: "unknown element",
	} {
		x := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{})
		_, err := x.Root()
		if err == nil {
			err = didl.Read(x, didl.Handler{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", doc, err, want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	gone := errors.New("gone")
	inItem := func(f func(w *didl.Writer)) func(w *didl.Writer) {
		return func(w *didl.Writer) {
			w.Start(didl.Document{})
			w.StartItem("")
			f(w)
			w.EndItem()
			_ = w.End()
		}
	}
	inComponent := func(f func(w *didl.Writer)) func(w *didl.Writer) {
		return inItem(func(w *didl.Writer) {
			w.StartComponent("")
			f(w)
			w.EndComponent()
		})
	}
	png := didl.Block{MIMEType: "image/png"}
	for want, fill := range map[string]func(w *didl.Writer){
		"without an item":    func(w *didl.Writer) { w.Start(didl.Document{}); _ = w.End() },
		"already started":    func(w *didl.Writer) { w.Start(didl.Document{}); w.Start(didl.Document{}) },
		"no root element":    func(*didl.Writer) {},
		"inside nothing":     func(w *didl.Writer) { w.StartItem("") },
		"without a resource": inComponent(func(*didl.Writer) {}),
		"after its other children": inComponent(func(w *didl.Writer) {
			w.Resource(png, didl.Nothing)
			w.Statement(png, didl.Nothing)
		}),
		"is not a URI": inComponent(func(w *didl.Writer) {
			w.Resource(didl.Block{MIMEType: "a/b", Ref: "100%"}, didl.Nothing)
		}),
		"identifier":         inItem(func(w *didl.Writer) { w.Identifier("") }),
		"needs a media type": inComponent(func(w *didl.Writer) { w.Resource(didl.Block{}, didl.Nothing) }),
		"cannot be an ID":    inItem(func(w *didl.Writer) { w.StartItem("1"); w.EndItem() }),
		"content encodings": inComponent(func(w *didl.Writer) {
			w.Resource(didl.Block{MIMEType: "a/b", ContentEncoding: []string{"a b"}}, didl.Nothing)
		}),
		"resource inside Item": inItem(func(w *didl.Writer) { w.Resource(png, didl.Nothing) }),
		"component inside":     inComponent(func(w *didl.Writer) { w.StartComponent("") }),
		"inside Component":     inComponent(func(w *didl.Writer) { w.EndItem() }),
		"base64, not x": inComponent(func(w *didl.Writer) {
			w.Resource(didl.Block{MIMEType: "a/b", Encoding: "x"}, didl.Base64(strings.NewReader("")))
		}),
		"or a second one": func(w *didl.Writer) {
			w.Start(didl.Document{})
			w.StartItem("")
			w.EndItem()
			w.StartItem("")
		},
		"gone": inComponent(func(w *didl.Writer) {
			w.Resource(png, didl.Base64(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(gone))))
		}),
		"element failed": inItem(func(w *didl.Writer) {
			w.Statement(png, didl.Element(func(*xmlstream.Writer) error { return errors.New("element failed") }))
		}),
	} {
		if _, err := write(fill); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// FuzzRead checks that any input is read to its end or returns an error.
func FuzzRead(f *testing.F) {
	doc, err := write(full)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(doc)
	f.Add(`<DIDL xmlns="urn:mpeg:mpeg21:2002:02-DIDL-NS"><Item><Descriptor><Descriptor><Statement mimeType="a">` +
		`b</Statement></Descriptor></Descriptor></Item></DIDL>`)
	f.Fuzz(func(t *testing.T, doc string) {
		x := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{Depth: 50, Token: 10_000})
		if _, err := x.Root(); err != nil {
			return
		}
		depth := 0
		err := didl.Read(x, didl.Handler{
			Begin: func(at didl.Place) error { depth = len(at); return nil },
			Statement: func(_ didl.Block, _ didl.Place, x *xmlstream.Reader) error {
				_, err := x.CopyText(io.Discard)
				return err
			},
			Resource: func(_ didl.Block, _ didl.Place, x *xmlstream.Reader) error {
				_, _ = x.CopyBase64(io.Discard)
				return nil
			},
			Other: func(didl.Place, *xmlstream.Reader) error { return nil },
		})
		if depth > 50 {
			t.Fatalf("%d nested elements", depth)
		}
		var at *xmlstream.ReadError
		if err != nil && !errors.As(err, &at) {
			t.Fatalf("%v says no place", err)
		}
	})
}
