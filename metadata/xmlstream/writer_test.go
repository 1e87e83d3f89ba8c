package xmlstream

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

const declaration = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

func TestWriter(t *testing.T) {
	cases := []struct {
		name  string
		opt   Options
		write func(*Writer)
		want  string
	}{
		{"empty element", Options{}, func(w *Writer) {
			w.Start("a")
			w.End("a")
		}, declaration + `<a/>`},
		{"fragment", Options{Fragment: true}, func(w *Writer) { w.Element("a", "") }, `<a/>`},
		{"namespaces are declared where they are new", Options{Fragment: true}, func(w *Writer) {
			w.Declare("p", "urn:p")
			w.Start("p:a")
			w.Declare("p", "urn:p")
			w.Declare("q", "urn:q")
			w.Element("q:b", "x")
			w.Declare("q", "urn:q")
			w.Element("q:b", "y")
			w.End("p:a")
		}, `<p:a xmlns:p="urn:p"><q:b xmlns:q="urn:q">x</q:b><q:b xmlns:q="urn:q">y</q:b></p:a>`},
		{"a prefix may be bound anew inside", Options{Fragment: true}, func(w *Writer) {
			w.Declare("p", "urn:1")
			w.Start("p:a")
			w.Declare("p", "urn:2")
			w.Element("p:b", "")
			w.End("p:a")
		}, `<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"/></p:a>`},
		{"optional values", Options{Fragment: true}, func(w *Writer) {
			w.Start("a")
			w.AttrOpt("s", "")
			w.AttrIntOpt("i", Int{})
			w.AttrTimeOpt("t", time.Time{})
			w.AttrListOpt("l", nil)
			w.AttrIntOpt("zero", IntOf(0))
			w.AttrListOpt("ids", []string{"A", "B.1"})
			w.AttrTimeOpt("when", time.Date(2026, 1, 15, 11, 0, 0, 5e8, time.FixedZone("CET", 3600)))
			w.ElementOpt("e", "")
			w.ElementIntOpt("e", Int{})
			w.ElementIntOpt("n", IntOf(-7))
			w.End("a")
		}, `<a zero="0" ids="A B.1" when="2026-01-15T10:00:00.5Z"><n>-7</n></a>`},
		{"indented, but never inside text", Options{Fragment: true, Indent: true}, func(w *Writer) {
			w.Start("a")
			w.Element("b", "x")
			w.Start("c")
			w.Text("mixed ")
			w.Element("d", "y")
			w.End("c")
			w.End("a")
		}, "<a>\n  <b>x</b>\n  <c>mixed <d>y</d></c>\n</a>\n"},
		{"an attribute XML cannot carry", Options{Fragment: true}, func(w *Writer) {
			w.Start("a")
			w.Attr("x", "\x00")
			w.Attr("y", "fine")
			w.Attr("z", "\xff")
			w.End("a")
		}, "<a x=\"\uFFFD\" y=\"fine\" z=\"\uFFFD\"><?quire-bytes @x AA==?><?quire-bytes @z /w==?></a>"},
		{"a text XML cannot carry", Options{Fragment: true, Indent: true}, func(w *Writer) {
			w.Start("a")
			w.Text("x")
			w.Text("y\x01")
			w.End("a")
		}, "<a>xy\uFFFD<?quire-bytes text eQE=?></a>\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			w := NewWriter(&out, c.opt)
			c.write(w)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if out.String() != c.want {
				t.Errorf("\n%s\nwant\n%s", out.String(), c.want)
			}
		})
	}
}

func TestWriterRefuses(t *testing.T) {
	cases := []struct {
		name  string
		write func(*Writer)
		want  string
	}{
		{"nothing at all", func(*Writer) {}, "no root element"},
		{"an open element at the end", func(w *Writer) { w.Start("a") }, "ends inside a"},
		{"the end of another element", func(w *Writer) {
			w.Start("a")
			w.Start("b")
			w.End("a")
		}, "the element open is b"},
		{"an end too many", func(w *Writer) {
			w.Element("a", "")
			w.End("a")
		}, "no element is open"},
		{"a second root", func(w *Writer) {
			w.Element("a", "")
			w.Element("b", "")
		}, "second root element b"},
		{"text outside the root", func(w *Writer) { w.Text("x") }, "outside the root"},
		{"an attribute after text", func(w *Writer) {
			w.Start("a")
			w.Text("x")
			w.Attr("b", "")
		}, "after the content"},
		{"an attribute after a child", func(w *Writer) {
			w.Start("a")
			w.Element("b", "")
			w.Attr("c", "")
		}, "after the content"},
		{"an attribute twice", func(w *Writer) {
			w.Start("a")
			w.Attr("b", "1")
			w.Attr("b", "2")
		}, "occurs twice"},
		{"an attribute twice under two prefixes (Namespaces 6.3)", func(w *Writer) {
			w.Declare("p", "urn:same")
			w.Declare("q", "urn:same")
			w.Start("a")
			w.Attr("p:b", "1")
			w.Attr("q:b", "2")
		}, "occurs twice"},
		{"an undeclared prefix of an element", func(w *Writer) { w.Start("p:a") }, `prefix "p" is not declared`},
		{"an undeclared prefix of an attribute", func(w *Writer) {
			w.Start("a")
			w.Attr("p:b", "")
		}, `prefix "p" is not declared`},
		{"a prefix out of scope", func(w *Writer) {
			w.Start("a")
			w.Declare("p", "urn:p")
			w.Element("p:b", "")
			w.Element("p:b", "")
		}, `prefix "p" is not declared`},
		{"a declaration for no element", func(w *Writer) {
			w.Start("a")
			w.Declare("p", "urn:p")
			w.End("a")
		}, "was not written"},
		{"one prefix for two namespaces", func(w *Writer) {
			w.Declare("p", "urn:1")
			w.Declare("p", "urn:2")
			w.Start("p:a")
		}, "declared twice"},
		{"the prefix xmlns", func(w *Writer) { w.Declare("xmlns", "urn:x") }, "cannot be bound"},
		{"a declaration in disguise", func(w *Writer) {
			w.Start("a")
			w.Attr("xmlns:p", "urn:p")
		}, "not an attribute name"},
		{"a name that is none", func(w *Writer) { w.Start("a b") }, "not an element name"},
		{"a list item that is no ID", func(w *Writer) {
			w.Start("a")
			w.AttrListOpt("ids", []string{"two words"})
		}, "is not an ID"},
		{"a year xs:dateTime readers do not share", func(w *Writer) {
			w.Start("a")
			w.AttrTimeOpt("t", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
		}, "outside 1 to 9999"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := NewWriter(io.Discard, Options{})
			c.write(w)
			err := w.Close()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
			w.Start("later")
			if again := w.Close(); !errors.Is(again, err) {
				t.Errorf("the error did not stick: %v", again)
			}
		})
	}
}

// fullDisk is a writer that fails after a number of bytes.
type fullDisk struct{ room int }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	d.room -= len(p)
	if d.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriterKeepsWriteError(t *testing.T) {
	disk := &fullDisk{room: 3 * bufferSize}
	w := NewWriter(disk, Options{})
	w.Start("a")
	for i := range 100000 {
		w.Element("b", fmt.Sprint(i))
	}
	w.End("a")
	if !errors.Is(w.Err(), errFull) || !errors.Is(w.Close(), errFull) {
		t.Errorf("Err %v; want the error of the disk", w.Err())
	}
	after := disk.room
	w.Element("b", strings.Repeat("x", 2*bufferSize))
	if disk.room != after {
		t.Error("the writer went on writing after an error")
	}
}

func TestWriterAfterClose(t *testing.T) {
	w := NewWriter(io.Discard, Options{})
	w.Element("a", "")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.Element("b", "")
	if err := w.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v; want ErrClosed", err)
	}
}

func TestWriterAllocatesNothing(t *testing.T) {
	w := NewWriter(io.Discard, Options{})
	w.Declare("p", "urn:p")
	w.Start("p:root")
	per := testing.AllocsPerRun(1000, func() {
		w.Start("p:e")
		w.Attr("name", "a value with <markup> and é")
		w.AttrInt("size", 12345)
		w.Text("text & more")
		w.End("p:e")
	})
	if per != 0 {
		t.Errorf("%v allocations an element; want none", per)
	}
}

func ExampleWriter() {
	var out strings.Builder
	w := NewWriter(&out, Options{Indent: true, Fragment: true})
	w.Declare("dc", "http://purl.org/dc/elements/1.1/")
	w.Start("dc:title")
	w.Text("Fish & chips\x07")
	w.End("dc:title")
	fmt.Println(w.Close())
	fmt.Print(out.String())
	// Output:
	// <nil>
	// <dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">Fish &amp; chips�<?quire-bytes text RmlzaCAmIGNoaXBzBw==?></dc:title>
}

func BenchmarkWriter(b *testing.B) {
	w := NewWriter(io.Discard, Options{Indent: true})
	w.Declare("mets", "http://www.loc.gov/METS/")
	w.Start("mets:mets")
	b.ReportAllocs()
	for b.Loop() {
		w.Start("mets:file")
		w.Attr("ID", "F0001234")
		w.Attr("MIMETYPE", "application/warc")
		w.AttrInt("SIZE", 123456)
		w.Attr("OWNERID", "http://www.example.org/a/page.html?x=1&y=2")
		w.End("mets:file")
	}
}
