package mets_test

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/containermd"
	"quire/metadata/dc"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

var (
	created = time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC)
	first   = time.Date(2015, 7, 8, 21, 55, 13, 0, time.UTC)
	last    = time.Date(2015, 7, 8, 22, 0, 0, 5e8, time.UTC)
)

// nasty are values as crawls contain them, with everything that XML cannot carry unchanged.
var nasty = []string{
	"control \x00\x01\x1b[31m", "caf\xe9 in ISO 8859-1", "]]> <b>&amp;\"'", "lines\r\nand\rreturns\tand tabs\n",
	// Longer than the writer escapes at once.
	"\uFFFE\uFFFF \xed\xa0\x80", "\U0001F4DC astral", "<?quire-bytes text AA==?>", strings.Repeat("a\x00é]]>\r", 1500),
}

// document has every part of METS that this package writes, so that one test checks all of it.
type document struct {
	Root     mets.Root
	Header   mets.Header
	Sections []mets.Section
	Record   mods.Record
	DC       dc.Record
	Object   premis.Object
	Entity   premis.Object
	Event    premis.Event
	Agent    premis.Agent
	Rights   premis.Rights
	Summary  containermd.ContainerMD
	Files    []mets.File
	Groups   []string
	Maps     []mets.StructMap
	Divs     []mets.Div
	Mptrs    []mets.Mptr
	Fptrs    []mets.Fptr
	Links    []mets.SmLink
}

func wrap(mdtype, other, version string) *mets.Wrap {
	return &mets.Wrap{Label: "wrapped", MetadataType: mets.MetadataType{MDType: mdtype, OtherMDType: other,
		MDTypeVersion: version}, FileCore: mets.FileCore{MIMEType: "text/xml"}}
}

// sample returns a document with odd strings wherever the schema allows a string.
func sample(odd string) document {
	d := document{
		Root: mets.Root{ID: "ROOT", ObjID: "ark:/99999/" + odd, Label: odd, Type: "Web archives",
			Profile: "urn:profile"},
		Header: mets.Header{
			ID: "HDR", AdmID: []string{"DP1"}, Created: created, Modified: last, RecordStatus: odd,
			Agents: []mets.Agent{
				{ID: "A1", Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: odd, Notes: []string{odd, "2"}},
				{Role: "OTHER", OtherRole: odd, Type: "ORGANIZATION", Name: "Example Library"},
			},
			AltRecordIDs: []mets.Identifier{{ID: "ALT", Type: odd, Value: odd}, {Value: "2"}},
			DocumentID:   mets.Identifier{Type: "local", Value: odd},
		},
		Sections: []mets.Section{
			{Kind: mets.DmdSec, ID: "DM1", GroupID: odd, AdmID: []string{"DP1", "RM1"}, Created: created, Status: odd,
				Wrap: wrap("MODS", "", "3.8")},
			{Kind: mets.DmdSec, ID: "DM2", Wrap: wrap("DC", "", "")},
			{Kind: mets.TechMD, AmdSec: "AMD", ID: "TM1", Wrap: wrap("PREMIS:OBJECT", "", "3.0")},
			{Kind: mets.TechMD, AmdSec: "AMD", ID: "TM2", Wrap: wrap("OTHER", "containerMD", "1.2")},
			{Kind: mets.TechMD, AmdSec: "AMD", ID: "TM3", Wrap: wrap("PREMIS:OBJECT", "", "3.0")},
			{Kind: mets.RightsMD, AmdSec: "AMD", ID: "RM1", Wrap: wrap("PREMIS:RIGHTS", "", "3.0")},
			{Kind: mets.SourceMD, AmdSec: "AMD", ID: "SM1", Ref: &mets.Ref{ID: "REF", Label: odd, XPtr: odd,
				Location:     mets.Location{LocType: "OTHER", OtherLocType: "x", Href: "logs/crawl.log", Title: odd},
				MetadataType: mets.MetadataType{MDType: "OTHER", OtherMDType: odd},
				FileCore: mets.FileCore{MIMEType: odd, Size: xmlstream.IntOf(0), Created: created, Checksum: "0",
					ChecksumType: "MD5"}}},
			{Kind: mets.DigiprovMD, AmdSec: "AMD", ID: "DP1", Wrap: wrap("PREMIS:EVENT", "", "3.0")},
			{Kind: mets.DigiprovMD, AmdSec: "AMD", ID: "DP2", Wrap: wrap("PREMIS:AGENT", "", "3.0")},
		},
		Record: sampleMODS(odd), DC: dc.Record{{Element: dc.Title, Value: odd, Lang: "en"},
			{Element: dc.Rights, Value: ""}},
		Object: sampleObject(odd), Entity: sampleEntity(odd), Event: sampleEvent(odd), Agent: sampleAgent(odd),
		Rights: sampleRights(odd), Summary: sampleContainerMD(odd),
	}
	d.addFiles(odd)
	d.addStructure(odd)
	return d
}

func (d *document) addFiles(odd string) {
	d.Files = []mets.File{
		{ID: "F1", Seq: xmlstream.IntOf(1), OwnerID: odd, AdmID: []string{"TM1", "TM2"}, DmdID: []string{"DM2"},
			GroupID: odd,
			Use:     odd,
			FileCore: mets.FileCore{MIMEType: "application/warc", Size: xmlstream.IntOf(2975), Created: created,
				Checksum: "c5", ChecksumType: "SHA-512"},
			Locations: []mets.FLocat{{ID: "L1", Use: odd, Location: mets.Location{LocType: "URL",
				Href: mets.Href("data/" + odd[:min(len(odd), 20)]), Title: odd}},
				{Location: mets.Location{LocType: "URN", Href: "urn:x"}}},
			Transforms: []mets.Transform{{ID: "T1", Order: 1, Type: "decompression", Algorithm: odd, Key: odd}}},
		{ID: "F1.1", Use: "record", Begin: xmlstream.IntOf(0), End: xmlstream.IntOf(445)},
		{ID: "F1.1.1", OwnerID: odd, Begin: xmlstream.IntOf(10)},
		{ID: "F1.2", Begin: xmlstream.IntOf(446), End: xmlstream.IntOf(906)},
		{ID: "F2", FileCore: mets.FileCore{Size: xmlstream.IntOf(0)}},
	}
	d.Groups = []string{"DigitalManifestation", "DigitalManifestation", "DigitalManifestation", "DigitalManifestation",
		"all/Logfile"}
}

func (d *document) addStructure(odd string) {
	d.Maps = []mets.StructMap{{ID: "S1", Type: "logical", Label: odd}, {Type: "physical"}}
	d.Divs = []mets.Div{
		{ID: "D1", Order: xmlstream.IntOf(-1), OrderLabel: odd, Label: odd, DmdID: []string{"DM1"},
			AdmID: []string{"DP1"},
			Type:  odd, ContentIDs: []string{"urn:a", "urn:b"}, XLinkLabel: "R1"},
		{ID: "D2", XLinkLabel: "R2"},
		{Label: "physical"},
	}
	d.Mptrs = []mets.Mptr{{ID: "M1", Location: mets.Location{LocType: "URL", Href: "../other/mets.xml"}}}
	d.Fptrs = []mets.Fptr{
		{ID: "P1", FileID: "F1"},
		{Area: &mets.Area{ID: "AR", FileID: "F1", Shape: "RECT", Coords: odd, Begin: "907", End: odd, BEType: "BYTE",
			Extent: "723", ExtType: "BYTE", AdmID: []string{"TM1"}}},
	}
	d.Links = []mets.SmLink{{ID: "SL", From: "R1", To: "R2", ArcRole: "urn:links", Title: odd}}
}

// write writes the document with all its parts in order.
func (d *document) write(out io.Writer, opt mets.Options) error {
	w := mets.NewWriter(out, opt)
	w.Start(d.Root)
	w.Header(d.Header)
	s := d.Sections
	w.Dmd(s[0], func(x *xmlstream.Writer) error { return mods.Write(x, d.Record) })
	w.Dmd(s[1], func(x *xmlstream.Writer) error { return dc.Write(x, d.DC) })
	w.StartAmdSec("AMD")
	w.Tech(s[2], func(x *xmlstream.Writer) error { return premis.WriteObject(x, d.Object) })
	w.Tech(s[3], func(x *xmlstream.Writer) error {
		return containermd.Write(x, d.Summary, containermd.Options{Version: containermd.Version12})
	})
	w.Tech(s[4], func(x *xmlstream.Writer) error { return premis.WriteObject(x, d.Entity) })
	w.Rights(s[5], func(x *xmlstream.Writer) error { return premis.WriteRights(x, d.Rights) })
	w.Source(s[6], nil)
	w.Digiprov(s[7], func(x *xmlstream.Writer) error { return premis.WriteEvent(x, d.Event) })
	w.Digiprov(s[8], func(x *xmlstream.Writer) error { return premis.WriteAgent(x, d.Agent) })
	w.EndAmdSec()
	d.writeFiles(w)
	d.writeStructure(w)
	return w.Close()
}

func (d *document) writeFiles(w *mets.Writer) {
	w.StartFileSec("FS")
	w.StartFileGrp(mets.FileGrp{ID: "G1", VersDate: created, AdmID: []string{"DP1"}, Use: "DigitalManifestation"})
	w.StartFile(d.Files[0])
	w.StartFile(d.Files[1])
	w.File(d.Files[2])
	w.EndFile()
	w.File(d.Files[3])
	w.EndFile()
	w.EndFileGrp()
	w.StartFileGrp(mets.FileGrp{Use: "all"})
	w.StartFileGrp(mets.FileGrp{Use: "Logfile"})
	w.File(d.Files[4])
	w.EndFileGrp()
	w.EndFileGrp()
	w.EndFileSec()
}

func (d *document) writeStructure(w *mets.Writer) {
	w.StartStructMap(d.Maps[0])
	w.StartDiv(d.Divs[0])
	w.Mptr(d.Mptrs[0])
	w.Fptr(d.Fptrs[0])
	w.Fptr(d.Fptrs[1])
	w.StartDiv(d.Divs[1])
	w.EndDiv()
	w.EndDiv()
	w.EndStructMap()
	w.StartStructMap(d.Maps[1])
	w.StartDiv(d.Divs[2])
	w.EndDiv()
	w.EndStructMap()
	w.StartStructLink("SLS")
	w.SmLink(d.Links[0])
	w.EndStructLink()
}

// read reads a document back into the same structure.
func read(in io.Reader) (document, error) {
	var d document
	err := mets.Read(in, mets.Handler{
		Root:    func(r mets.Root) error { d.Root = r; return nil },
		Header:  func(h mets.Header) error { d.Header = h; return nil },
		Section: d.readSection,
		File: func(f mets.File, at mets.FilePlace) error {
			var groups []string
			for _, g := range at.Groups {
				groups = append(groups, g.Use)
			}
			d.Files = append(d.Files, f)
			d.Groups = append(d.Groups, strings.Join(groups, "/"))
			return nil
		},
		StructMap: func(s mets.StructMap) error { d.Maps = append(d.Maps, s); return nil },
		Div:       func(v mets.Div, _ int) error { d.Divs = append(d.Divs, v); return nil },
		Mptr:      func(p mets.Mptr) error { d.Mptrs = append(d.Mptrs, p); return nil },
		Fptr:      func(p mets.Fptr) error { d.Fptrs = append(d.Fptrs, p); return nil },
		SmLink:    func(l mets.SmLink) error { d.Links = append(d.Links, l); return nil },
	})
	return d, err
}

func (d *document) readSection(s mets.Section, r *xmlstream.Reader) (err error) {
	d.Sections = append(d.Sections, s)
	switch s.ID {
	case "DM1":
		d.Record, err = mods.Read(r)
	case "DM2":
		d.DC, err = dc.Read(r)
	case "TM1":
		d.Object, err = premis.ReadObject(r, func(r *xmlstream.Reader) error {
			_, err := containermd.Read(r, containermd.ReadOptions{})
			return err
		})
	case "TM2":
		d.Summary, err = containermd.Read(r,
			containermd.ReadOptions{Metadata: func(_ containermd.MDSec, r *xmlstream.Reader) error {
				_, err := dc.Read(r)
				return err
			}})
	case "TM3":
		d.Entity, err = premis.ReadObject(r, nil)
	case "RM1":
		d.Rights, err = premis.ReadRights(r, nil)
	case "DP1":
		d.Event, err = premis.ReadEvent(r)
	case "DP2":
		d.Agent, err = premis.ReadAgent(r)
	}
	return err
}

// forget drops the parts that reading does not return: functions, and the requested namespaces.
func (d *document) forget() {
	d.Root.Namespaces = nil
	for i := range d.Object.Characteristics {
		d.Object.Characteristics[i].Extension = nil
	}
	if arc := d.Summary.Container.ARC; arc != nil {
		arc.Metadata.Payload = nil
	}
	for i := range d.Summary.Entries {
		for j := range d.Summary.Entries[i].Metadata {
			d.Summary.Entries[i].Metadata[j].Payload = nil
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for i, odd := range append([]string{"plain"}, nasty...) {
		for _, compact := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d compact=%v", i, compact), func(t *testing.T) {
				d := sample(odd)
				var out strings.Builder
				if err := d.write(&out, mets.Options{Compact: compact}); err != nil {
					t.Fatal(err)
				}
				got, err := read(strings.NewReader(out.String()))
				if err != nil {
					t.Fatal(err)
				}
				d.forget()
				compare(t, got, d)
			})
		}
	}
}

// compare reports the part that differs, so that a failure with a megabyte of text stays readable.
func compare(t *testing.T, got, want document) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		if read, written := dump(g.Field(i)), dump(w.Field(i)); read != written {
			t.Errorf("%s: read\n%.2000s\nwant\n%.2000s", g.Type().Field(i).Name, read, written)
		}
	}
}

// dump formats a value so that nil and empty lists look the same.
func dump(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return "&" + dump(v.Elem())
	case reflect.Slice:
		var b strings.Builder
		for i := range v.Len() {
			b.WriteString(dump(v.Index(i)) + ",")
		}
		return "[" + b.String() + "]"
	case reflect.Struct:
		if when, ok := v.Interface().(time.Time); ok {
			return when.UTC().Format(time.RFC3339Nano)
		}
		if n, ok := v.Interface().(xmlstream.Int); ok {
			return "int " + n.String()
		}
		var b strings.Builder
		for i := range v.NumField() {
			b.WriteString(v.Type().Field(i).Name + ":" + dump(v.Field(i)) + " ")
		}
		return "{" + b.String() + "}"
	}
	return fmt.Sprintf("%q", fmt.Sprint(v))
}

// TestLongText writes and reads a text of a megabyte, such as a crawl order in an event.
func TestLongText(t *testing.T) {
	long := strings.Repeat("a\x00é]]>\r", 1<<17)
	d := sample("plain")
	d.Root.Label, d.Event.Details, d.Files[0].OwnerID = long, []string{long, "short"}, long
	var out strings.Builder
	if err := d.write(&out, mets.Options{}); err != nil {
		t.Fatal(err)
	}
	got, err := read(strings.NewReader(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	d.forget()
	compare(t, got, d)
	schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"), []byte(out.String()))
}

func TestValid(t *testing.T) {
	driver := testsamples.Path(t, "schemas", "drivers", "mets-all.xsd")
	for i, odd := range append([]string{"plain"}, nasty...) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d := sample(odd)
			var out strings.Builder
			if err := d.write(&out, mets.Options{}); err != nil {
				t.Fatal(err)
			}
			schematest.Valid(t, driver, []byte(out.String()))
		})
	}
}
