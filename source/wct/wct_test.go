package wct

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/internal/sourcetest"
)

// folder writes files and opens them as a source of that name.
func folder(t testing.TB, name string, files map[string]string) *archivefs.Tree {
	t.Helper()
	dir := sourcetest.Write(t, name, files)
	return sourcetest.Open(t, dir)
}

// all reads the harvests of a source, by number.
func all(t testing.TB, tr *archivefs.Tree) map[string]source.Harvest {
	t.Helper()
	claims, err := Reader{}.Find(t.Context(), tr)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]source.Harvest{}
	for _, c := range claims {
		h, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Why) == 0 {
			t.Errorf("%s is claimed without a reason", c.Root)
		}
		var files []string
		for _, f := range h.About().Files {
			files = append(files, f.Path)
			if f.Role == "" {
				t.Errorf("%s has no role", f.Path)
			}
		}
		slices.Sort(files)
		if !slices.Equal(files, c.Files) {
			t.Errorf("claimed are %q, read are %q", c.Files, files)
		}
		found[h.About().ID] = h
	}
	return found
}

// only reads the one harvest of a source.
func only(t testing.TB, tr *archivefs.Tree) *model.Harvest {
	t.Helper()
	found := all(t, tr)
	if len(found) != 1 {
		t.Fatalf("%d harvests: %v", len(found), slices.Sorted(maps.Keys(found)))
	}
	for _, h := range found {
		return h.About()
	}
	return nil
}

func codes(findings []model.Finding) string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Code)
	}
	return strings.Join(all, " ")
}

func evidence(a *model.Harvest, fact string) []string {
	var all []string
	for _, e := range a.Evidence {
		if e.Fact == fact {
			all = append(all, e.Value+" | "+e.Source)
		}
	}
	return all
}

func fileOf(a *model.Harvest, p string) *model.SourceFile {
	for i := range a.Files {
		if a.Files[i].Path == p {
			return &a.Files[i]
		}
	}
	return nil
}

func field(a *model.Harvest, name string) string {
	var all []string
	for _, f := range a.Description.Fields {
		if f.Name == name {
			all = append(all, f.Value)
		}
	}
	return strings.Join(all, " | ")
}

// The minimal lines of logs and a minimal container for the readers.
const (
	logLine = "2021-07-02T08:57:14.845Z   200        56 https://a.example/ - - text/html #001 20210702085714625+46 " +
		"sha1:AAAA - -\n"
	container = "ab\n"
	cxml      = `<beans xmlns="http://www.springframework.org/schema/beans"><bean id="metadata" class="x"><property ` +
		`name="robotsPolicyName" value="obey"/></bean></beans>`
	stored = "IAH-20210702085713123-00000-1~host~8443.warc"
)

// sip returns a METS as version 3 writes it, with the misspellings of version 3 and with the
// caller's content.
func sip(space, target, crawl, permissions, digiprov, files string) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">
<mets:metsHdr CREATEDATE="2021-07-07T21:35:24"><mets:agent ROLE="CREATOR"><mets:name>f. lee</mets:name>`+
		`</mets:agent></mets:metsHdr>
<mets:dmdSec ID="DMD3459"><mets:mdWrap MDTYPE="DC"><mets:xmlData>
<dc:dc xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A title</dc:title><dc:creator></dc:creator>`+
		`<dc:identifier>x</dc:identifier><dc:identifier></dc:identifier><dc:identifier>978</dc:identifier></dc:dc>
<wct:wct xmlns:wct=%q>%s</wct:wct><mets:mdRef>order.xml</mets:mdRef></mets:xmlData></mets:mdWrap></mets:dmdSec>
<mets:amdSec ID="AMD3459"><mets:techMD ID="TMD3459"><mets:mdWrap><mets:xmlData><wct:wct xmlns:wct="%[1]s">`+
		`<wct:TargetInstance>%[3]s</wct:TargetInstance></wct:wct></mets:xmlData></mets:mdWrap></mets:techMD>
<mets:rightsMD ID="RMD3459"><mets:mdWrap><mets:xmlData><wct:wct xmlns:wct="%[1]s"><wct:Permissions>`+
		`%[4]s</wct:Permissions></wct:wct></mets:xmlData></mets:mdWrap></mets:rightsMD>
<mets:digiprovMD ID="DPMD3459"><mets:mdWrap><mets:xmlData><wct:wct xmlns:wct="%[1]s">%[5]s</wct:wct>`+
		`</mets:xmlData></mets:mdWrap></mets:digiprovMD></mets:amdSec>
<mets:fileSec><mets:fileGrp ID="FGRP001"><mets:fileGrp ID="FGRP003" USE="ARCHIVE">%[6]s</mets:fileGrp>`+
		`</mets:fileGrp></mets:fileSec>
<mets:structMap><mets:div><mets:fptr FILEID="FILE001"/></mets:div></mets:structMap></mets:mets>`, space, target, crawl,
		permissions, digiprov, files)
}

func listed(id, href, mime string, size int) string {
	return fmt.Sprintf(`<mets:file ID=%q MIMETYPE=%q SIZE="%d" CREATED="2021-07-02T21:00:00" `+
		`CHECKSUM="900150983CD24FB0D6963F7D28E17F72" CHECKSUMTYPE="MD5"><mets:FLocat LOCTYPE="URL" xlink:href=%q/>`+
		`</mets:file>`, id, mime, size, href)
}

const (
	space  = "http://dia-nz.github.io/webcurator/schemata/webcuratortool-1.0.dtd"
	target = `<wct:Target><wct:ReferenceNumber>77</wct:ReferenceNumber><wct:Name>N</wct:Name><wct:Description>` +
		`D</wct:Description><wct:Seeds><wct:Seed><wct:SeedURL>https://a.example/</wct:SeedURL><wct:SeedType>` +
		`Primary</wct:SeedType></wct:Seed></wct:Seeds></wct:Target>
<wct:Groups><wct:Group><wct:ReferenceNumber>G1</wct:ReferenceNumber><wct:Name>Elections</wct:Name>` +
		`<wct:Description>GD</wct:Description><wct:Type>Event</wct:Type><wct:OwnershipInformation>` +
		`O</wct:OwnershipInformation></wct:Group></wct:Groups>`
	crawl = `<wct:Crawl><wct:AppVersion>3.1.0</wct:AppVersion><wct:StartDate>2021-07-02 ` +
		`20:57:13.0</wct:StartDate><wct:StartDate>2021-07-02 20:57:13.0</wct:StartDate><wct:Duration>` +
		`60772</wct:Duration><wct:CaptureSystem>Heritrix 3.4.0</wct:CaptureSystem>
<wct:URLs><wct:Downloaded>517</wct:Downloaded><wct:Failed>2</wct:Failed></wct:URLs></wct:Crawl>
<wct:Annotations><wct:Annotation><wct:Date>2021-07-03</wct:Date><wct:Username>lql</wct:Username><wct:Note>` +
		`pruned</wct:Note></wct:Annotation></wct:Annotations>`
	permission = `<wct:Permission><wct:State>Granted</wct:State><wct:StartDate>2020-01-21</wct:StartDate>` +
		`<wct:EndDate>2022-03-31</wct:EndDate>
<wct:HarvestAuthorization><wct:Name>Law</wct:Name><wct:Description>LD</wct:Description><wct:OrderNumber>` +
		`ytr</wct:OrderNumber><wct:IsPublished>true</wct:IsPublished></wct:HarvestAuthorization>
<wct:AccessStatus>Open</wct:AccessStatus><wct:SpecialRequirements>S</wct:SpecialRequirements>` +
		`<wct:OpenAccessDate>2030-01-01</wct:OpenAccessDate><wct:CopyrightStatement>C</wct:CopyrightStatement>
<wct:CopyrightURL>U</wct:CopyrightURL><wct:FileReference>F</wct:FileReference><wct:AuthorisingAgent><wct:Name>` +
		`A</wct:Name><wct:Contact>B</wct:Contact></wct:AuthorisingAgent>
<wct:Paterns><wct:Pattern>http://*.org/</wct:Pattern><wct:Pattern>https://*.com/</wct:Pattern></wct:Paterns>` +
		`<wct:SeedsURLs><wct:SeedURL>https://a.example/</wct:SeedURL></wct:SeedsURLs></wct:Permission>`
	digiprov = `<wct:TargetInstance><wct:HarvestResult><wct:Creator>lql 0/2</wct:Creator><wct:CreationDate>` +
		`2021-07-04</wct:CreationDate><wct:ProvenanceNote>Pruned</wct:ProvenanceNote>
<wct:ModificationNotes><wct:ModificationNote>Pruned x</wct:ModificationNote><wct:ModificationNote>Pruned ` +
		`y</wct:ModificationNote></wct:ModificationNotes>
<wct:DerivedFrom><wct:HarvestResult><wct:Creator>lql 1/2</wct:Creator><wct:CreationDate>` +
		`2021-07-02</wct:CreationDate><wct:ProvenanceNote>Original Harvest</wct:ProvenanceNote>` +
		`</wct:HarvestResult></wct:DerivedFrom></wct:HarvestResult>
<wct:Owner><wct:UID>lql</wct:UID><wct:Agency>Boot</wct:Agency></wct:Owner><wct:ModificationType>` +
		`T</wct:ModificationType><wct:ModiicationNote>MN</wct:ModiicationNote><wct:HarvestServer>` +
		`Agent</wct:HarvestServer>
<wct:DisplayTargetInstance>false</wct:DisplayTargetInstance><wct:TargetInstanceDisplayNote>` +
		`TIN</wct:TargetInstanceDisplayNote></wct:TargetInstance>
<wct:Target><wct:ObjectType>Target</wct:ObjectType><wct:ProfileNote>PN</wct:ProfileNote><wct:HarvestType>` +
		`H</wct:HarvestType><wct:SelectionDate>2020-01-01</wct:SelectionDate><wct:SelectionType>ST</wct:SelectionType>
<wct:SeclectionNote>SN</wct:SeclectionNote><wct:EvaluationNote>EN</wct:EvaluationNote><wct:Annotations>` +
		`<wct:Annotation><wct:Date>2021-01-01</wct:Date><wct:User>u</wct:User><wct:Note>on target</wct:Note>` +
		`</wct:Annotation></wct:Annotations>
<wct:DisplayTarget>true</wct:DisplayTarget><wct:AccessZone>1</wct:AccessZone><wct:AccessZoneText>` +
		`Onsite</wct:AccessZoneText><wct:TargetDisplayNote>TDN</wct:TargetDisplayNote></wct:Target>`
)

func whole(files string) string { return sip(space, target, crawl, permission, digiprov, files) }

// archive returns the layout of the file archive: all files are in folders, and the METS is beside
// the folders.
func archive(files string) map[string]string {
	return map[string]string{
		"3459/METS-3459.xml": whole(files), "3459/arcs/" + stored: container,
		"3459/arcs/" + stored + ".cdx": " CDX N b a\n", "3459/logs/crawl.log": logLine,
		"3459/logs/heritrix_out.log":      "",
		"3459/reports/crawler-beans.cxml": cxml, "3459/reports/seeds.txt": "https://a.example/\nhttps://b.example/\n",
		"3459/reports/aqa-report(1).xml": "<aqa/>",
	}
}

func TestFileArchive(t *testing.T) {
	a := only(t, folder(t, "store",
		archive(listed("FILE001", "file://./arcs/"+stored, "text/plain", 3)+
			listed("FILE002", "file://./logs/crawl.log", "text/plain", len(logLine)))))
	p := a.Rights.Permissions[0]
	for _, c := range [][2]string{
		{a.ID, "3459"}, {a.Title, "A title"}, {a.Collection, "N"}, {a.Note, "D"}, {a.Operator, "lql"},
		{a.Organization, "Boot"}, {a.Software, "Heritrix 3.4.0"}, {a.Robots, "obey"}, {a.Host, "Agent"},
		{strings.Join(a.Seeds, " "), "https://a.example/ https://b.example/"}, // the METS has only the primary one
		{a.Start.Format(time.RFC3339Nano), "2021-07-02T08:57:14.625Z"}, {string(a.Documentation), "documented"},
		{field(a, "dc:title"), "A title"}, {field(a, "dc:identifier"), "x | 978"}, {field(a, "dc:creator"), ""},
		{field(a, "wct:ReferenceNumber"), "77"}, {field(a, "wct:ProfileNote"), "PN"},
		{field(a, "wct:SelectionNote"), "SN"}, {field(a, "wct:ModificationNote"), "MN"},
		{field(a, "wct:EvaluationNote"), "EN"}, {field(a, "wct:SelectionDate"), "2020-01-01"},
		{fmt.Sprintf("%+v", a.Description.Groups),
			"[{Reference:G1 Name:Elections Description:GD Type:Event Ownership:O Source:wct:Group in " +
				"3459/METS-3459.xml}]"},
		{fmt.Sprintf("%+v", a.Description.Versions[0]),
			"{Number: Creator:lql 0/2 Date:2021-07-04 Note:Pruned Changes:[Pruned x Pruned y] State: " +
				"Source:wct:HarvestResult in 3459/METS-3459.xml}"},
		{a.Description.Versions[1].Note, "Original Harvest"},
		{fmt.Sprintf("%+v", a.Description.Annotations[0]),
			"{Of:target instance Date:2021-07-03 Who:lql Text:pruned Source:wct:TargetInstance/Annotations in " +
				"3459/METS-3459.xml}"},
		{a.Description.Annotations[1].Of + a.Description.Annotations[1].Who, "targetu"},
		{fmt.Sprintf("%+v", p),
			"{State:Granted Basis:Law BasisNote:LD Order:ytr Published:true Start:2020-01-21 End:2022-03-31 " +
				"Requested: Decided: AccessStatus:Open OpenAccessDate:2030-01-01 Special:S Copyright:C " +
				"CopyrightURL:U FileReference:F Note: Agent:A Contact:B Patterns:[http://*.org/ https://*.com/] " +
				"Exclusions:[] Seeds:[https://a.example/] Source:wct:Permission in 3459/METS-3459.xml}"},
		{fmt.Sprintf("%+v", a.Rights.Access),
			"[{Of:target Zone:onsite Written:1 Onsite Displayed:true Note:TDN Reason: From: To: For: State: " +
				"Source:wct:Target in 3459/METS-3459.xml} {Of:target instance Zone: Written: Displayed:false " +
				"Note:TIN Reason: From: To: For: State: Source:wct:TargetInstance in 3459/METS-3459.xml}]"},
		{fmt.Sprintf("%+v", a.Expected[0]),
			"{Name:file://./arcs/" + stored + " Path:3459/arcs/" + stored +
				" Size:3 Digest:MD5:900150983cd24fb0d6963f7d28e17f72 Created:2021-07-02T21:00:00 MIME:text/plain " +
				"Group:ARCHIVE Source:file 1 of 3459/METS-3459.xml}"},
		{fmt.Sprintf("%+v", a.Counted),
			"[{Name:urls downloaded Value:517} {Name:urls failed Value:2} {Name:duration in ms Value:60772}]"},
	} {
		if c[0] != c[1] {
			t.Errorf("got  %s\nwant %s", c[0], c[1])
		}
	}
	// CDX, out log, configuration, seeds and quality report are present but not listed; the
	// container is declared as text.
	if got := codes(a.Findings); got != strings.Repeat("SOURCE-UNLISTED ", 5)+"SOURCE-MIMETYPE" {
		t.Errorf("findings %s", got)
	}
	if zone := evidence(a, "zone"); len(zone) != 1 ||
		!strings.HasPrefix(zone[0], "the server's clock is 12h0m0s ahead") {
		t.Errorf("zone %q", zone)
	}
}

func TestLayouts(t *testing.T) {
	flat := map[string]string{"METS-3459.xml": whole(listed("FILE001", "file://./"+stored, "application/octet-stream",
		3)), stored: container, "crawl.log": logLine, "order.xml": "<crawl-order/>"}
	for _, c := range []struct {
		name  string
		root  string
		files map[string]string
		want  string // number and files of each harvest
	}{
		{"file archive", "x", archive(listed("FILE001", "file://./arcs/"+stored, "", 3)), "3459:8"},
		{"flat, for OMS", "x", flat, "3459:4"},
		{"flat, in a folder of its own", "x", under("d", flat), "3459:4"},
		{"the store of version 3", "x",
			map[string]string{"42/1/" + stored: container, "42/1/" + stored + ".cdx": "", "42/logs/crawl.log": logLine,
				"42/reports/crawler-beans.cxml": cxml, "42/_resources/1.png": ""}, "42:5"},
		{"the source is the target instance", "42",
			map[string]string{"1/" + stored: container, "logs/crawl.log": logLine,
				"reports/order.xml": "<crawl-order/>"}, "42:3"},
		{"older, arcs", "x", map[string]string{"42/arcs/a.arc": container, "42/logs/crawl.log": logLine,
			"42/reports/order.xml": "<crawl-order/>"}, "42:3"},
		{"two target instances", "x", map[string]string{"42/1/a.arc": container, "42/logs/crawl.log": logLine,
			"43/1/a.arc": container, "43/logs/crawl.log": logLine}, "42:2 43:2"},
		{"years and months are none", "x", map[string]string{"2007/01/a.arc": container, "2007/02/b.arc": container},
			""},
		{"a job of Heritrix is none", "x",
			map[string]string{"job/logs/crawl.log": logLine, "job/order.xml": "<crawl-order/>",
				"job/arcs/a.arc": container}, ""},
		{"METS alone", "x", map[string]string{"METS-3459.xml": whole(listed("FILE001", "file://./a.arc", "", 3))},
			"3459:1"},
		{"METS of another harvest beside files", "x",
			map[string]string{"METS-3459.xml": whole(listed("F", "file://./a.arc", "", 3)),
				"METS-1.xml": strings.ReplaceAll(whole(listed("F", "file://./b.arc", "", 3)), "3459", "1"),
				"a.arc":      container, "crawl.log": logLine}, "1:1 3459:3"},
		{"not METS", "x", map[string]string{"METS-1.xml": "<x/>", "a.xml": "<mets xmlns='http://www.loc.gov/METS/'/>"},
			""},
		{"the British Library's", "x",
			map[string]string{"a.xml": sip("http://www.bl.uk/namespaces/wct", "", "", permission, "", "")}, "3459:1"},
	} {
		found := all(t, folder(t, c.root, c.files))
		var got []string
		for _, id := range slices.Sorted(maps.Keys(found)) {
			got = append(got, fmt.Sprintf("%s:%d", id, len(found[id].About().Files)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func under(dir string, files map[string]string) map[string]string {
	deep := map[string]string{}
	for p, c := range files {
		deep[dir+"/"+p] = c
	}
	return deep
}

func TestSeveralResults(t *testing.T) {
	a := only(t, folder(t, "42", map[string]string{"1/a.arc": container, "2/a.arc": container,
		"logs/crawl.log": logLine, "reports/order.xml": "<crawl-order/>"}))
	if got := codes(a.Findings); got != CodeVersions || len(a.Description.Versions) != 2 ||
		a.Description.Versions[1].Number != "2" {
		t.Errorf("%s, %v", got, a.Description.Versions)
	}
}

func TestFilesAsListed(t *testing.T) {
	for _, c := range []struct {
		name, files string
		want        string // codes
		paths       string // of the listed files
	}{
		{"missing container", listed("A", "file://./gone.arc", "", 1), "SOURCE-LISTED", "-"},
		{"wrong size", listed("A", "file://./a.arc", "", 4), "SOURCE-SIZE", "arcs/a.arc"},
		{"path before name", listed("A", "file://./x/same.log", "", 1), "", "x/same.log"},
		{"name alone, the size decides", listed("A", "file://./same.log", "", 2), "", "y/same.log"},
		{"name alone, nothing decides", listed("A", "file://./same.log", "", 9), "SOURCE-FILE-ID SOURCE-SIZE",
			"x/same.log"},
		{"one ID, two files", listed("FILE001", "file://./x/same.log", "", 1) +
			listed("FILE001", "file://./y/same.log", "", 2), "SOURCE-FILE-ID", "x/same.log y/same.log"},
		{"listed twice", listed("A", "file://./x/same.log", "", 1) + listed("B", "x/same.log", "", 1), "SOURCE-FILE-ID",
			"x/same.log x/same.log"},
		{"leads out", listed("A", "file://../../etc/passwd", "", 1) + listed("B", "file:///etc/hosts", "", 1),
			"SOURCE-LISTED SOURCE-LISTED", "- -"},
		{"Windows", listed("A", `file://.\x\same.log`, "", 1), "", "x/same.log"},
	} {
		a := only(t, folder(t, "3459",
			map[string]string{"METS-3459.xml": whole(c.files), "arcs/a.arc": container, "x/same.log": "1",
				"y/same.log": "22", "reports/order.xml": "<crawl-order/>", "logs/crawl.log": logLine}))
		var got, paths []string
		for _, f := range a.Findings {
			if f.Code != CodeUnlisted {
				got = append(got, f.Code)
			}
		}
		for _, e := range a.Expected {
			if e.Path == "" {
				e.Path = "-"
			}
			paths = append(paths, e.Path)
		}
		if strings.Join(got, " ") != c.want || strings.Join(paths, " ") != c.paths {
			t.Errorf("%s: got %q, %q", c.name, got, paths)
		}
	}
}
