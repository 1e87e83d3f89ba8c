package mets_test

import (
	"fmt"
	"os"
	"strings"
	"time"

	"quire/metadata/dc"
	"quire/metadata/mets"
	"quire/metadata/xmlstream"
)

// A package of one file, described with Dublin Core.
func ExampleWriter() {
	w := mets.NewWriter(os.Stdout, mets.Options{})
	w.Start(mets.Root{ObjID: "ark:/99999/fk4hello", Namespaces: []mets.NamespaceDecl{
		{Prefix: "dc", URI: dc.Namespace},
		{Prefix: "oai_dc", URI: dc.OAINamespace, SchemaLocation: dc.SchemaLocation},
	}})
	w.Header(mets.Header{
		Created: time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC),
		Agents:  []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: "quire"}},
	})
	w.Dmd(mets.Section{ID: "DMD1", Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: "DC"}}},
		func(x *xmlstream.Writer) error {
			return dc.Write(x, dc.Record{{Element: dc.Title, Value: "Hello World"}})
		})
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: "DigitalManifestation"})
	w.File(mets.File{ID: "F1", FileCore: mets.FileCore{Size: xmlstream.IntOf(2975)}, Locations: []mets.FLocat{
		{Location: mets.Location{LocType: "URL", Href: mets.Href("data/hello world.warc.gz")}}}})
	w.EndFileGrp()
	w.EndFileSec()
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website", DmdID: []string{"DMD1"}})
	w.Fptr(mets.Fptr{FileID: "F1"})
	w.EndDiv()
	w.EndStructMap()
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xsi:schemaLocation="http://www.loc.gov/METS/ http://www.loc.gov/standards/mets/mets.xsd http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd" OBJID="ark:/99999/fk4hello">
	//   <mets:metsHdr CREATEDATE="2026-01-15T10:00:00Z">
	//     <mets:agent ROLE="CREATOR" TYPE="OTHER" OTHERTYPE="SOFTWARE">
	//       <mets:name>quire</mets:name>
	//     </mets:agent>
	//   </mets:metsHdr>
	//   <mets:dmdSec ID="DMD1">
	//     <mets:mdWrap MDTYPE="DC">
	//       <mets:xmlData>
	//         <oai_dc:dc>
	//           <dc:title>Hello World</dc:title>
	//         </oai_dc:dc>
	//       </mets:xmlData>
	//     </mets:mdWrap>
	//   </mets:dmdSec>
	//   <mets:fileSec>
	//     <mets:fileGrp USE="DigitalManifestation">
	//       <mets:file ID="F1" SIZE="2975">
	//         <mets:FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="data/hello%20world.warc.gz"/>
	//       </mets:file>
	//     </mets:fileGrp>
	//   </mets:fileSec>
	//   <mets:structMap TYPE="logical">
	//     <mets:div DMDID="DMD1" TYPE="website">
	//       <mets:fptr FILEID="F1"/>
	//     </mets:div>
	//   </mets:structMap>
	// </mets:mets>
}

// The files of a package, with the breaches of METS.
func ExampleRead() {
	doc := `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">
		<fileSec><fileGrp USE="DigitalManifestation"><file ID="F1" SIZE="2975">
			<FLocat LOCTYPE="URL" xlink:href="data/hello%20world.warc.gz"/></file></fileGrp></fileSec></mets>`
	err := mets.Read(strings.NewReader(doc), mets.Handler{
		File: func(f mets.File, at mets.FilePlace) error {
			path, err := mets.Path(f.Locations[0].Href)
			fmt.Println(at.Groups[0].Use, path, f.Size)
			return err
		},
		Problem: func(p mets.Problem) { fmt.Println(p.Message) },
	})
	fmt.Println(err)
	// Output:
	// DigitalManifestation data/hello world.warc.gz 2975
	// a METS document needs a structMap
	// <nil>
}
