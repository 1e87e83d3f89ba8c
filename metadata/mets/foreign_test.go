package mets_test

import (
	"strings"
	"testing"

	"quire/metadata/mets"
)

// TestForeignAttributes checks the attributes that profiles add to the root, the header, notes and
// file groups.
func TestForeignAttributes(t *testing.T) {
	var b strings.Builder
	w := mets.NewWriter(&b, mets.Options{})
	w.Start(mets.Root{ObjID: "a", Namespaces: []mets.NamespaceDecl{{Prefix: "csip",
		URI: "https://DILCIS.eu/XML/METS/CSIPExtensionMETS"}},
		Foreign: []mets.Foreign{{Name: "csip:CONTENTINFORMATIONTYPE", Value: "OTHER"}}})
	w.Header(mets.Header{Foreign: []mets.Foreign{{Name: "csip:OAISPACKAGETYPE", Value: "DIP"}}, Agents: []mets.Agent{{
		Role: "CREATOR", Name: "n", Notes: []string{"1.0"},
		NotesForeign: []mets.Foreign{{Name: "csip:NOTETYPE", Value: "SOFTWARE VERSION"}}}}})
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: "Schemas",
		Foreign: []mets.Foreign{{Name: "csip:OTHERCONTENTINFORMATIONTYPE", Value: `a"b`}}})
	w.File(mets.File{ID: "F"})
	w.EndFileGrp()
	w.EndFileSec()
	w.StartStructMap(mets.StructMap{})
	w.StartDiv(mets.Div{})
	w.EndDiv()
	w.EndStructMap()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`OBJID="a" csip:CONTENTINFORMATIONTYPE="OTHER"`,
		`<mets:metsHdr csip:OAISPACKAGETYPE="DIP">`,
		`<mets:note csip:NOTETYPE="SOFTWARE VERSION">1.0</mets:note>`,
		`USE="Schemas" csip:OTHERCONTENTINFORMATIONTYPE="a&quot;b"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	if err := mets.Read(strings.NewReader(b.String()), mets.Handler{}); err != nil {
		t.Error(err)
	}
}
