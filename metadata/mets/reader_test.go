package mets

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"quire/metadata/xmlstream"
)

// around returns a METS document with the given parts. Most tests of mistakes need only these
// parts.
func around(parts string) string {
	return `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">` + parts + `</mets>`
}

const smallest = `<structMap><div/></structMap>`

func TestReaderTellsProblems(t *testing.T) {
	group := func(files string) string {
		return around(`<fileSec><fileGrp>` + files + `</fileGrp></fileSec>` + smallest)
	}
	cases := []struct{ name, doc, want string }{
		{"nothing wrong", around(smallest), ""},
		{"no structMap", around(``), "needs a structMap"},
		{"sections out of order", around(smallest + `<fileSec><fileGrp/></fileSec>`), "fileSec comes too late"},
		{"two headers", around(`<metsHdr/><metsHdr/>` + smallest), "second metsHdr"},
		{"an unknown element", around(`<fileList/>` + smallest), "fileList does not belong in mets"},
		{"a stranger", around(`<x xmlns="urn:x"/>` + smallest), "does not belong in mets"},
		{"an unknown attribute", around(`<structMap KIND="x"><div/></structMap>`), "cannot have the attribute KIND"},
		{"an attribute of another namespace", around(`<structMap xlink:title="x"><div/></structMap>`), ""},
		{"a header date that is none", around(`<metsHdr CREATEDATE="yesterday"/>` + smallest), "no xs:dateTime"},
		{"an agent without role", around(`<metsHdr><agent><name/></agent></metsHdr>` + smallest),
			"needs the attribute ROLE"},
		{"an agent without name", around(`<metsHdr><agent ROLE="CREATOR"/></metsHdr>` + smallest), "needs a name"},
		{"an agent of an unlisted role", around(`<metsHdr><agent ROLE="BOSS"><name/></agent></metsHdr>` + smallest),
			"not one of CREATOR"},
		{"a section without ID", around(`<dmdSec/>` + smallest), "needs the attribute ID"},
		{"an empty wrap", around(`<dmdSec ID="A"><mdWrap MDTYPE="DC"><xmlData/></mdWrap></dmdSec>` + smallest),
			"xmlData is empty"},
		{"a wrap of no type", around(`<dmdSec ID="A"><mdWrap><xmlData><a/></xmlData></mdWrap></dmdSec>` + smallest),
			"needs the attribute MDTYPE"},
		{"two wraps", around(`<dmdSec ID="A"><mdWrap MDTYPE="DC"/><mdWrap MDTYPE="DC"/></dmdSec>` + smallest),
			"at most one mdRef and one mdWrap"},
		{"a file without ID", group(`<file/>`), "needs the attribute ID"},
		{"an ID that is none", group(`<file ID="1"/>`), "cannot be an ID"},
		{"an ID beyond ASCII", group(`<file ID="Übergröße"/>`), ""},
		{"a reference that is none", group(`<file ID="F" ADMID="A 2"/>`), "cannot be an ID"},
		{"a size that is none", group(`<file ID="F" SIZE="big"/>`), "not a whole number"},
		{"a place that is none", group(`<file ID="F"><file ID="G" BEGIN="-1"/></file>`), "not a byte offset"},
		{"a place in other units", group(`<file ID="F"><file ID="G" BEGIN="1" BETYPE="SMIL"/></file>`),
			"not one of BYTE"},
		{"a location of no type", group(`<file ID="F"><FLocat/></file>`), "needs the attribute LOCTYPE"},
		{"a transformation behind a file", group(`<file ID="F"><file ID="G"/><transformFile TRANSFORMORDER="1"
			TRANSFORMTYPE="decryption" TRANSFORMALGORITHM="x"/></file>`), "transformFile comes too late"},
		{"a transformation of order 0", group(`<file ID="F"><transformFile TRANSFORMORDER="0" TRANSFORMTYPE="decryption"
			TRANSFORMALGORITHM="x"/></file>`), "not a number from 1"},
		{"groups and files in one group", group(`<file ID="F"/><fileGrp/>`), "groups or files"},
		{"an empty file section", around(`<fileSec/>` + smallest), "needs a fileGrp"},
		{"two divisions", around(`<structMap><div/><div/></structMap>`), "second div"},
		{"no division", around(`<structMap/>`), "needs a div"},
		{"pointers out of order", around(`<structMap><div><div/><fptr/></div></structMap>`), "fptr comes too late"},
		{"an area of no file", around(`<structMap><div><fptr><area/></fptr></div></structMap>`),
			"needs the attribute FILEID"},
		{"two areas", around(`<structMap><div><fptr><area FILEID="F"/><area FILEID="F"/></fptr></div></structMap>`),
			"only one of area, par and seq"},
		{"a link with one end", around(smallest + `<structLink><smLink xlink:to="a"/></structLink>`), "xlink:from"},
		{"links of both kinds", around(smallest +
			`<structLink><smLinkGrp/><smLink xlink:to="a" xlink:from="b"/><smLinkGrp/></structLink>`), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var told []string
			err := Read(strings.NewReader(c.doc), Handler{Problem: func(p Problem) { told = append(told, p.String()) }})
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(told, "\n")
			if c.want == "" && all != "" || !strings.Contains(all, c.want) {
				t.Errorf("reported %q; want %q", all, c.want)
			}
			strict := Read(strings.NewReader(c.doc), Handler{})
			if (strict != nil) != (c.want != "") {
				t.Errorf("without a listener: %v", strict)
			}
		})
	}
}

func TestReaderRefuses(t *testing.T) {
	cases := []struct{ name, doc, want string }{
		{"another document", `<html/>`, "not METS 1"},
		{"METS 2", `<mets xmlns="http://www.loc.gov/METS/v2"/>`, "not METS 1"},
		{"a cut document", `<mets xmlns="http://www.loc.gov/METS/"><fileSec>`, "EOF"},
		{"text between elements", around(`text` + smallest), "text where only elements are allowed"},
		{"a document type", `<!DOCTYPE mets><mets/>`, "document type"},
		{"endless locations", around(`<fileSec><fileGrp><file ID="F">` +
			strings.Repeat(`<FLocat LOCTYPE="URL"/>`, maxParts+2) +
			`</file></fileGrp></fileSec>`), "exceeds a limit"},
		{"endless agents", around(`<metsHdr>` + strings.Repeat(`<agent ROLE="CREATOR"><name>x</name></agent>`, 3000) +
			`</metsHdr>`),
			"exceeds a limit"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := Handler{Problem: func(Problem) {}, Limits: xmlstream.Limits{Entity: 100000}}
			err := Read(strings.NewReader(c.doc), h)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

func TestReaderStopsForItsCaller(t *testing.T) {
	enough := errors.New("enough")
	files := 0
	doc := around(`<fileSec><fileGrp>` + strings.Repeat(`<file ID="F"/>`, 10) + `</fileGrp></fileSec>` + smallest)
	err := Read(strings.NewReader(doc), Handler{File: func(File, FilePlace) error {
		if files++; files == 3 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || files != 3 {
		t.Errorf("error %v after %d files; want %v after 3", err, files, enough)
	}
}

func TestReaderTellsIDs(t *testing.T) {
	doc := around(`<amdSec ID="A"><techMD ID="B" ADMID="C D"/></amdSec><structMap><div DMDID="E"><fptr FILEID="F"/>` +
		`</div></structMap>`)
	var ids, refs []string
	err := Read(strings.NewReader(doc), Handler{
		ID:    func(element, id string) { ids = append(ids, element+" "+id) },
		IDRef: func(attr, id string) { refs = append(refs, attr+" "+id) },
	})
	if err != nil || fmt.Sprint(ids) != "[amdSec A techMD B]" ||
		fmt.Sprint(refs) != "[ADMID C ADMID D DMDID E FILEID F]" {
		t.Errorf("IDs %v, references %v, error %v", ids, refs, err)
	}
}

func TestReaderHandsOnTheOther(t *testing.T) {
	doc := around(`<fileSec><fileGrp><file ID="F"><FContent><binData>AA==</binData></FContent><stream/></file>` +
		`</fileGrp></fileSec>` +
		`<structMap><div><fptr><par><seq/></par></fptr><fptr><seq/></fptr></div></structMap><structLink><smLinkGrp/>` +
		`</structLink><behaviorSec/>`)
	var told []string
	err := Read(strings.NewReader(doc), Handler{Other: func(e xmlstream.Element, _ *xmlstream.Reader) error {
		told = append(told, e.Local)
		return nil
	}})
	if err != nil || fmt.Sprint(told) != "[FContent stream seq seq smLinkGrp behaviorSec]" {
		t.Errorf("reported %v, error %v", told, err)
	}
}

// TestFilePlace checks that places list groups and files from the outermost.
func TestFilePlace(t *testing.T) {
	doc := around(`<fileSec><fileGrp USE="a"><fileGrp USE="b"><file ID="F"><file ID="G"><file ID="H"/></file>` +
		`</file><file ID="I"/>
		</fileGrp></fileGrp></fileSec>` + smallest)
	var got []string
	err := Read(strings.NewReader(doc), Handler{File: func(f File, at FilePlace) error {
		got = append(got, fmt.Sprint(f.ID, at.Groups[0].Use, at.Groups[1].Use, at.Files))
		return nil
	}})
	if want := "[Fab[] Gab[F] Hab[F G] Iab[]]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(around(smallest))
	f.Add(around(`<metsHdr><agent ROLE="CREATOR"><name>x</name></agent></metsHdr><dmdSec ID="A"><mdWrap ` +
		`MDTYPE="DC"><xmlData><a/></xmlData>
		</mdWrap></dmdSec><fileSec><fileGrp><file ID="F"><FLocat LOCTYPE="URL" xlink:href="a"/><file ID="G" ` +
		`BEGIN="0"/></file></fileGrp></fileSec>
		<structMap><div><fptr FILEID="F"><area FILEID="G"/></fptr><div/></div></structMap><structLink><smLink ` +
		`xlink:to="a" xlink:from="b"/></structLink>`))
	f.Fuzz(func(t *testing.T, doc string) {
		problems := 0
		open := 0
		err := Read(strings.NewReader(doc), Handler{
			Problem: func(Problem) { problems++ },
			Div:     func(Div, int) error { open++; return nil },
			EndDiv:  func() error { open--; return nil },
			Section: func(_ Section, r *xmlstream.Reader) error {
				if r == nil {
					return nil
				}
				return r.Skip()
			},
		})
		if err == nil && open != 0 {
			t.Errorf("%d divisions were not closed", open)
		}
		if strict := Read(strings.NewReader(doc), Handler{}); err == nil && (strict == nil) != (problems == 0) {
			t.Errorf("%d problems, but without a listener: %v", problems, strict)
		}
	})
}
