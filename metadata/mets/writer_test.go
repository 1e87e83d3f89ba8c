package mets

import (
	"errors"
	"io"
	"strings"
	"testing"

	"quire/metadata/xmlstream"
)

// TestWriterRefuses checks one forbidden call per case, with the writer in some state.
func TestWriterRefuses(t *testing.T) {
	start := func(w *Writer) { w.Start(Root{}) }
	group := func(w *Writer) { start(w); w.StartFileSec(""); w.StartFileGrp(FileGrp{}) }
	div := func(w *Writer) { start(w); w.StartStructMap(StructMap{}); w.StartDiv(Div{}) }
	wrapped := Section{ID: "M", Wrap: &Wrap{MetadataType: MetadataType{MDType: "DC"}}}
	payload := func(x *xmlstream.Writer) error { x.Element("a", ""); return nil }
	location := Location{LocType: "URL", Href: "a"}

	cases := []struct {
		name   string
		before func(*Writer)
		do     func(*Writer)
		want   string
	}{
		{"anything before the root", nil, func(w *Writer) { w.Header(Header{}) }, "nothing is open"},
		{"the root twice", start, func(w *Writer) { w.Start(Root{}) }, "already started"},
		{"no structMap", start, func(*Writer) {}, "needs a structMap"},
		{"two headers", start, func(w *Writer) { w.Header(Header{}); w.Header(Header{}) }, "second metsHdr"},
		{"a header after descriptive metadata", start, func(w *Writer) {
			w.Dmd(wrapped, payload)
			w.Header(Header{})
		}, "too late"},
		{"descriptive after administrative metadata", start, func(w *Writer) {
			w.StartAmdSec("")
			w.EndAmdSec()
			w.Dmd(wrapped, payload)
		}, "dmdSec comes too late"},
		{"technical after digital provenance", start, func(w *Writer) {
			w.StartAmdSec("")
			w.Digiprov(wrapped, payload)
			w.Tech(wrapped, payload)
		}, "techMD comes too late"},
		{"technical metadata outside an amdSec", start, func(w *Writer) {
			w.Tech(wrapped, payload)
		}, "belongs in amdSec"},
		{"two file sections", start, func(w *Writer) {
			for range 2 {
				w.StartFileSec("")
				w.StartFileGrp(FileGrp{})
				w.EndFileGrp()
				w.EndFileSec()
			}
		}, "second fileSec"},
		{"a file section after the structure", start, func(w *Writer) {
			w.StartStructMap(StructMap{})
			w.StartDiv(Div{})
			w.EndDiv()
			w.EndStructMap()
			w.StartFileSec("")
		}, "fileSec comes too late"},
		{"an empty file section", start, func(w *Writer) { w.StartFileSec(""); w.EndFileSec() }, "needs a fileGrp"},
		{"a file outside a group", start, func(w *Writer) {
			w.StartFileSec("")
			w.File(File{ID: "F"})
		}, "belongs in fileGrp"},
		{"groups and files in one group", group, func(w *Writer) {
			w.File(File{ID: "F"})
			w.StartFileGrp(FileGrp{})
		}, "groups or files"},
		{"files and groups in one group", group, func(w *Writer) {
			w.StartFileGrp(FileGrp{})
			w.EndFileGrp()
			w.File(File{ID: "F"})
		}, "groups or files"},
		{"the end of an unopened element", group, func(w *Writer) { w.EndFile() }, "file ends, but fileGrp is open"},
		{"closing too early", group, func(*Writer) {}, "closed inside fileGrp"},
		{"a file without ID", group, func(w *Writer) { w.File(File{}) }, "cannot be an ID"},
		{"an ID that is none", group, func(w *Writer) { w.File(File{ID: "1 2"}) }, "cannot be an ID"},
		{"a reference that is none", group, func(w *Writer) {
			w.File(File{ID: "F", AdmID: []string{"1 2"}})
		}, "is not an ID"},
		{"a negative size", group, func(w *Writer) {
			w.File(File{ID: "F", FileCore: FileCore{Size: xmlstream.IntOf(-1)}})
		}, "negative"},
		{"an unknown digest", group, func(w *Writer) {
			w.File(File{ID: "F", FileCore: FileCore{ChecksumType: "BLAKE3"}})
		}, "CHECKSUMTYPE"},
		{"a place in no file", group, func(w *Writer) {
			w.File(File{ID: "F", Begin: xmlstream.IntOf(0)})
		}, "is not inside another file"},
		{"an end before its begin", group, func(w *Writer) {
			w.StartFile(File{ID: "F"})
			w.File(File{ID: "G", Begin: xmlstream.IntOf(5), End: xmlstream.IntOf(4)})
		}, "are not a range"},
		{"a location of no type", group, func(w *Writer) {
			w.File(File{ID: "F", Locations: []FLocat{{}}})
		}, "LOCTYPE is required"},
		{"a location that is no URI", group, func(w *Writer) {
			w.File(File{ID: "F", Locations: []FLocat{{Location: Location{LocType: "URL", Href: "100%.warc"}}}})
		}, "must be URIs"},
		{"an unknown transformation", group, func(w *Writer) {
			w.File(File{ID: "F", Transforms: []Transform{{Type: "translation", Algorithm: "x", Order: 1}}})
		}, "TRANSFORMTYPE"},
		{"a transformation without order", group, func(w *Writer) {
			w.File(File{ID: "F", Transforms: []Transform{{Type: "decryption", Algorithm: "x"}}})
		}, "order from 1"},
		{"two divisions in a structMap", start, func(w *Writer) {
			w.StartStructMap(StructMap{})
			w.StartDiv(Div{})
			w.EndDiv()
			w.StartDiv(Div{})
		}, "second div"},
		{"a structMap without division", start, func(w *Writer) {
			w.StartStructMap(StructMap{})
			w.EndStructMap()
		}, "needs a div"},
		{"a pointer after a division", div, func(w *Writer) {
			w.StartDiv(Div{})
			w.EndDiv()
			w.Fptr(Fptr{})
		}, "fptr comes too late"},
		{"a METS pointer after a file pointer", div, func(w *Writer) {
			w.Fptr(Fptr{})
			w.Mptr(Mptr{Location: location})
		}, "mptr comes too late"},
		{"an area of no file", div, func(w *Writer) { w.Fptr(Fptr{Area: &Area{}}) }, "FILEID"},
		{"a content ID with a space", div, func(w *Writer) { w.Fptr(Fptr{ContentIDs: []string{"a b"}}) }, "CONTENTIDS"},
		{"an empty structLink", div, func(w *Writer) {
			w.EndDiv()
			w.EndStructMap()
			w.StartStructLink("")
			w.EndStructLink()
		}, "needs a smLink"},
		{"a link with one end", div, func(w *Writer) {
			w.EndDiv()
			w.EndStructMap()
			w.StartStructLink("")
			w.SmLink(SmLink{From: "a"})
		}, "both ends"},
		{"metadata of no standard", start, func(w *Writer) {
			w.Dmd(Section{ID: "M", Wrap: &Wrap{}}, payload)
		}, "MDTYPE is required"},
		{"metadata of an unlisted standard", start, func(w *Writer) {
			w.Dmd(Section{ID: "M", Wrap: &Wrap{MetadataType: MetadataType{MDType: "containerMD"}}}, payload)
		}, "MDTYPE"},
		{"metadata that is not there", start, func(w *Writer) { w.Dmd(Section{ID: "M"}, nil) }, "neither wraps"},
		{"a wrap without content", start, func(w *Writer) { w.Dmd(wrapped, nil) }, "must be set together"},
		{"an agent of no role", start, func(w *Writer) {
			w.Header(Header{Agents: []Agent{{Name: "x"}}})
		}, "ROLE is required"},
		{"a payload that does not close its elements", start, func(w *Writer) {
			w.Dmd(wrapped, func(x *xmlstream.Writer) error { x.Start("a"); return nil })
		}, "the element open is a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := NewWriter(io.Discard, Options{})
			if c.before != nil {
				c.before(w)
			}
			c.do(w)
			err := w.Close()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v; want one with %q", err, c.want)
			}
			if !errors.Is(w.Close(), err) || !errors.Is(w.Err(), err) {
				t.Error("the error did not stick")
			}
		})
	}
}

func TestPayloadErrorIsKept(t *testing.T) {
	broken := errors.New("the description cannot be made")
	w := NewWriter(io.Discard, Options{})
	w.Start(Root{})
	w.Dmd(Section{ID: "M", Wrap: &Wrap{MetadataType: MetadataType{MDType: "DC"}}},
		func(*xmlstream.Writer) error { return broken })
	if err := w.Close(); !errors.Is(err, broken) {
		t.Errorf("error %v; want that of the payload", err)
	}
}

// TestWriterAllocatesNothing checks that writing one of a million files leaves no garbage.
func TestWriterAllocatesNothing(t *testing.T) {
	w := NewWriter(io.Discard, Options{})
	w.Start(Root{})
	w.StartFileSec("")
	w.StartFileGrp(FileGrp{})
	f := File{
		ID: "F1", AdmID: []string{"TM1", "EV1"}, OwnerID: "http://example.org/?a=b&c",
		FileCore: FileCore{MIMEType: "application/warc", Size: xmlstream.IntOf(1), Checksum: "c5",
			ChecksumType: "SHA-512"},
		Locations: []FLocat{{Location: Location{LocType: "URL", Href: "data/crawl.warc.gz"}}},
	}
	if per := testing.AllocsPerRun(200, func() { w.File(f) }); per != 0 || w.Err() != nil {
		t.Errorf("%v allocations a file, error %v; want none", per, w.Err())
	}
}

// TestPart checks that a part is complete, in order and with its namespaces, and not a document.
func TestPart(t *testing.T) {
	var out strings.Builder
	w := NewPart(&out, InFileGrp, nil, Options{})
	w.StartFile(File{ID: "FILE-c2"})
	w.File(File{ID: "FILE-c2-r1", FileCore: FileCore{Size: xmlstream.IntOf(3)}, Begin: xmlstream.IntOf(0),
		End: xmlstream.IntOf(2)})
	w.EndFile()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := `<mets:file xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
		`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ID="FILE-c2">` + "\n        " +
		`<mets:file ID="FILE-c2-r1" SIZE="3" BEGIN="0" END="2" BETYPE="BYTE"/>` + "\n      </mets:file>\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
	for name, write := range map[string]func(*Writer){
		"open":      func(w *Writer) { w.StartFile(File{ID: "a"}) },
		"misplaced": func(w *Writer) { w.StartDiv(Div{}) },
		"a root":    func(w *Writer) { w.Start(Root{}) },
		"nothing":   func(*Writer) {},
		"two":       func(w *Writer) { w.File(File{ID: "a"}); w.File(File{ID: "b"}) },
	} {
		w := NewPart(io.Discard, InFileGrp, nil, Options{})
		write(w)
		if err := w.Close(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
