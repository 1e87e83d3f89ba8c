package migrate

import (
	"bytes"
	"crypto/sha512"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/pack"
)

// A METS changed by another program is preserved, with its own prefixes and with elements unknown
// to Quire.
func TestForeignMETS(t *testing.T) {
	pkg := packed(t, pack.Options{}, false)
	b, err := os.ReadFile(filepath.Join(pkg, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	own := []string{
		"<!-- looked at by hand: </fileGrp> -->", "<?other keep?>",
		`<x:stamp xmlns:x="urn:x" n='1'>A &amp; <![CDATA[</structMap>]]></x:stamp>`,
		`<behaviorSec ID="BEH-1"/>`, `CREATEDATE='2026-01-01T00:00:00Z'`,
	}
	text := strings.NewReplacer("<mets:", "<", "</mets:", "</", "xmlns:mets=", "xmlns=").Replace(string(b))
	text = strings.Replace(text, "  <fileSec>", own[0]+"  <fileSec>", 1)
	text = strings.Replace(text, "<structMap", own[1]+"<structMap", 1)
	text = strings.Replace(text, "<dmdSec ID=\"DMD-website\"",
		`<dmdSec ID="DMD-x"><mdWrap MDTYPE="OTHER"><xmlData>`+own[2]+
			`</xmlData></mdWrap></dmdSec><dmdSec ID="DMD-website"`, 1)
	last := strings.LastIndex(text, "</structMap>\n") + len("</structMap>\n")
	text = text[:last] + own[3] + text[last:]
	i := strings.Index(text, "CREATEDATE=\"")
	text = text[:i] + own[4] + text[i+len(own[4]):]
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(pkg, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha512.Sum512([]byte(text))
	write(aip.METSName, []byte(text))
	write(aip.DigestName, aip.DigestLine(hex.EncodeToString(sum[:])))
	valid(t, pkg)
	_, out, err := run(t, pkg, "gif-to-png", Options{})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, out)
	now, err := os.ReadFile(filepath.Join(out, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	own[4] = `<metsHdr CREATEDATE="2026-01-01T00:00:00Z" LASTMODDATE="2026-11-22T10:20:30Z" RECORDSTATUS="UPDATED">`
	for _, s := range own {
		if strings.Count(string(now), s) != 1 {
			t.Errorf("%q is there %d times", s, strings.Count(string(now), s))
		}
	}
}

// A METS that cannot be extended is refused with the reason.
func TestOutlineRefused(t *testing.T) {
	const root = `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">`
	for in, want := range map[string]string{
		root + `<structMap><div/></structMap></mets>`: "the METS has no fileGrp of USE DigitalManifestation",
		root +
			`<fileSec><fileGrp USE="DigitalManifestation"><file ID="FILE-c1"><FLocat LOCTYPE="URL" ` +
			`xlink:href="a"/></file></fileGrp></fileSec><structMap><div/></structMap></mets>`: "the METS has " +
			"no structMap",
		root +
			`<fileSec><fileGrp USE="DigitalManifestation"><file ID="a"><FLocat LOCTYPE="URL" xlink:href="a"/>` +
			`</file></fileGrp></fileSec><structMap><div></div></structMap></mets>`: `the container "a" has ` +
			`not the ID that clause 2.6 gives it`,
		root +
			`<fileSec><fileGrp USE="DigitalManifestation"><file ID="FILE-c01"><FLocat LOCTYPE="URL" ` +
			`xlink:href="a"/></file></fileGrp></fileSec><structMap><div></div></structMap></mets>`: `the container "FILE-c01" has not the ID that clause 2.6 gives it`,
	} {
		known := newObjects(t.TempDir())
		if _, err := readOutline(strings.NewReader(in), known); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", in, err)
		}
		if err := known.sorter.Close(); err != nil {
			t.Error(err)
		}
	}
}

// For any readable METS, the result of the insertion can be read and keeps its content.
func FuzzSplice(f *testing.F) {
	f.Add(`<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="a"><metsHdr ` +
		`CREATEDATE="2001-01-01T00:00:00Z" ID='b&quot;'/>` +
		`<fileSec><fileGrp USE="DigitalManifestation"><file ID="FILE-c1"><FLocat LOCTYPE="URL" xlink:href="a"/>` +
		`</file></fileGrp></fileSec><structMap TYPE="physical"><div></div></structMap></mets>`)
	f.Add(`<?xml version="1.0"?><m:mets xmlns:m="http://www.loc.gov/METS/" ` +
		`xmlns:xlink="http://www.w3.org/1999/xlink"><m:metsHdr><m:agent ROLE="CREATOR"><m:name>x</m:name></m:agent>` +
		`</m:metsHdr>` +
		`<m:fileSec><m:fileGrp USE="Index"><m:file ID="FILE-i7"/></m:fileGrp><m:fileGrp USE="Logfile"/><m:fileGrp ` +
		`USE="DigitalManifestation"><m:file ID="FILE-c7"/></m:fileGrp></m:fileSec><m:structMap><m:div><m:div/>` +
		`</m:div></m:structMap><m:structMap><m:div></m:div></m:structMap></m:mets>`)
	f.Fuzz(func(t *testing.T, text string) {
		known := newObjects(t.TempDir())
		defer func() { _ = known.sorter.Close() }()
		o, err := readOutline(strings.NewReader(text), known)
		if err != nil {
			return
		}
		j := &job{outline: o, o: Options{Date: migrated, Agent: model.Agent{Name: "Quire", Version: "2"}},
			old: model.Package{ID: "a"}}
		edits := j.edits()
		for i := range edits { // a simple element instead of one that needs a package
			switch edits[i].from {
			case o.sections:
				edits[i].write = puts(`<amdSec xmlns="http://www.loc.gov/METS/" ID="AMD-new"/>`)
			case o.files, o.indexes:
				edits[i].write = puts(`<file xmlns="http://www.loc.gov/METS/" ID="FILE-new"/>`)
			case o.groups:
				edits[i].write = puts(`<fileGrp xmlns="http://www.loc.gov/METS/" USE="Index"><file ` +
					`ID="FILE-new-index"/></fileGrp>`)
			case o.header.from, o.agent:
			default:
				edits[i].write = puts(`<div xmlns="http://www.loc.gov/METS/" TYPE="new"/>`)
			}
		}
		var out bytes.Buffer
		if err := splice(&out, strings.NewReader(text), edits); err != nil {
			t.Fatal(err)
		}
		before, after := told(t, text), told(t, out.String())
		if after.files != before.files+2 || after.divs != before.divs+len(o.maps) || after.root != before.root {
			t.Errorf("%+v became %+v\n%s\n%s", before, after, text, out.String())
		}
		if o.header.to > 0 && after.header.RecordStatus != recordStatus {
			t.Errorf("the status is %q\n%s", after.header.RecordStatus, out.String())
		}
	})
}

func puts(s string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, s)
		return err
	}
}

// saying is the content of a METS in numbers.
type saying struct {
	root        string
	header      mets.Header
	files, divs int
}

func told(t *testing.T, text string) (s saying) {
	t.Helper()
	err := mets.Read(strings.NewReader(text), mets.Handler{
		Root:   func(r mets.Root) error { s.root = r.ObjID + r.Label; return nil },
		Header: func(h mets.Header) error { s.header = h; return nil },
		File:   func(mets.File, mets.FilePlace) error { s.files++; return nil },
		Div:    func(mets.Div, int) error { s.divs++; return nil },
		Other:  func(xmlstream.Element, *xmlstream.Reader) error { return nil },
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}
