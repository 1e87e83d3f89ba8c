package pack

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/source/detect"
)

// said lists every value of a description.
func said(d *model.Description) []string {
	var all []string
	for _, f := range d.Fields {
		all = append(all, f.Value, f.Source)
	}
	for _, g := range d.Groups {
		all = append(all, g.Reference, g.Name, g.Description, g.Type, g.Ownership, g.Source)
	}
	for _, a := range d.Annotations {
		all = append(all, a.Of, a.Date, a.Who, a.Text, a.Source)
	}
	for _, v := range d.Versions {
		all = append(append(all, v.Number, v.Creator, v.Date, v.Note, v.State, v.Source), v.Changes...)
	}
	for _, s := range d.States {
		all = append(all, s.Name, s.Start, s.End, s.Who, s.Source)
	}
	return all
}

// The METS has every value that quire identify-source shows of a description.
func TestDescriptionsAreTold(t *testing.T) {
	rosetta := "samples/WebCuratorTool_webcurator/webcurator-submit-to-rosetta/"
	cases := map[string][]string{"pandas": {crawlOf(t, pandasDescribed())}}
	for _, n := range []string{"METS-11141123.xml", "METS-5144582.xml", "METS-622593.xml", "METS-6520833.xml",
		"METS-7962628.xml"} {
		cases[n] = []string{testsamples.Path(t, rosetta+n), testsamples.Path(t, rosetta+"WctFiles")}
	}
	for name, sources := range cases {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			mustPack(t, o, sources...)
			mets := read(t, o.Out, "mets.xml")
			s, err := detect.Options{}.Open(t.Context(), sources...)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			values := 0
			for h, err := range s.Harvests(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				for _, value := range said(&h.About().Description) {
					values++
					text, _ := xmlstream.AppendText(nil, value)
					attr, _ := xmlstream.AppendAttr(nil, value)
					if !strings.Contains(mets, string(text)) && !strings.Contains(mets, string(attr)) {
						t.Errorf("the METS does not have %q", value)
					}
				}
			}
			if values == 0 {
				t.Error("nothing is described")
			}
			for _, want := range []string{`TYPE="harvest"`, `ADMID="RGT-restricted-`, "DMD-work-1"} {
				if !strings.Contains(mets, want) {
					t.Errorf("the METS has no entry for %s", want)
				}
			}
			valid(t, o.Out, "mets-all.xsd")
		})
	}
}

// pandasDescribed returns a gather with groups and states.
func pandasDescribed() map[string]string {
	files := map[string]string{}
	for k, v := range pandas {
		files[k] = v
	}
	files["pandas.sql"] += `
insert into col (col_id, name, display_comment) values (40, 'Resources & more', 'CD');
insert into title_col (collection_id, title_id) values (40, 100);
insert into state (state_id, state_name) values (10, 'gathered');
insert into state_history (state_history_id, instance_id, state_id, individual_id, start_date, end_date) ` +
		`values (1, 7, 10, 2, '2003-04-03 01:00:21', '2003-04-05 09:00:00');
`
	return files
}

// Every field of Dublin Core has a target, and none is lost.
func TestFromDC(t *testing.T) {
	d := &model.Description{Groups: []model.Group{{Reference: "R", Name: "N", Description: "D", Type: "T",
		Ownership: "O", Source: "S"}}}
	for _, name := range []string{"title", "title", "creator", "contributor", "subject", "description", "publisher",
		"date", "type", "format", "identifier", "source", "relation", "language", "rights", "coverage", "issn"} {
		d.Fields = append(d.Fields, model.DescriptiveField{Field: model.Field{Name: "dc:" + name, Value: name},
			Source: "x"})
	}
	c := curated(d)
	if len(c.Titles) != 2 || c.Titles[1].Type != "alternative" || len(c.Names) != 2 || len(c.Subjects) != 1 ||
		len(c.Abstracts) != 1 || len(c.Origins) != 2 || len(c.Genres) != 1 ||
		len(c.Physical) != 1 || len(c.Identifiers) != 1 || len(c.Related) != 2 || c.Related[1].Type != "host" ||
		len(c.Languages) != 1 || len(c.Access) != 1 ||
		len(c.Notes) != 2 || c.Notes[1].Type != "dc:issn" || len(c.RecordInfo[0].Origins) != len(d.Fields)+1 {
		t.Errorf("%+v", c)
	}
}

// ofWCT returns a source of the Web Curator Tool whose METS has this Dublin Core, and the seeds and
// the description of its target.
func ofWCT(t *testing.T, dublinCore, target string) string {
	t.Helper()
	mets := `<mets:mets xmlns:mets="http://www.loc.gov/METS/"><mets:dmdSec ID="d"><mets:mdWrap MDTYPE="DC">` +
		`<mets:xmlData>` +
		`<dc:dc xmlns:dc="http://purl.org/dc/elements/1.1/">` + dublinCore + `</dc:dc>` +
		`</mets:xmlData></mets:mdWrap></mets:dmdSec>` +
		`<mets:dmdSec ID="e"><mets:mdWrap MDTYPE="OTHER"><mets:xmlData>` +
		`<wct:wct xmlns:wct="http://dia-nz.github.io/webcurator/schemata/webcuratortool-1.0.dtd">` +
		`<wct:Target>` + target +
		`</wct:Target></wct:wct></mets:xmlData></mets:mdWrap></mets:dmdSec></mets:mets>`
	// As a crawler's profile describes itself.
	info := "description: Default Profile\r\n"
	warcinfo := fmt.Sprintf("WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x:i>\r\nWARC-Date: "+
		"2020-01-01T00:00:00Z\r\nContent-Type: application/warc-fields\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		len(info), info)
	return crawlOf(t, map[string]string{"METS-7.xml": mets,
		"a.warc": warcinfo + answer("1", "http://x.example/", "200")})
}

// section returns a section of a METS, from its ID to its end, without the blanks between elements.
func section(mets, id string) string {
	_, after, found := strings.Cut(mets, `<mets:dmdSec ID="`+id+`"`)
	if !found {
		return ""
	}
	inside, _, _ := strings.Cut(after, "</mets:dmdSec>")
	return regexp.MustCompile(`>\s+<`).ReplaceAllString(inside, "><")
}

// TestDublinCoreBesideMODS: the Dublin Core of the source is in a section of its own; the MODS has
// all of it but dc:source. The target's description and the seeds describe the website, and the
// crawler's profile does not.
func TestDublinCoreBesideMODS(t *testing.T) {
	source := ofWCT(t, `<dc:title>T</dc:title><dc:creator></dc:creator><dc:source>http://s.example/</dc:source>`+
		`<dc:coverage>NZ</dc:coverage><dc:identifier>1</dc:identifier><dc:identifier>2</dc:identifier>`,
		`<wct:Description>About the site</wct:Description><wct:Seeds><wct:Seed>`+
			`<wct:SeedURL>http://x.example/</wct:SeedURL>`+
			`</wct:Seed><wct:Seed><wct:SeedURL>http://me:secret@x.example/</wct:SeedURL></wct:Seed><wct:Seed>`+
			`<wct:SeedURL>http://x.example/100%</wct:SeedURL></wct:Seed></wct:Seeds>`)
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		o.SchemaVersion = version
		mustPack(t, o, source)
		m := readMETS(t, o.Out)
		valid(t, o.Out, map[SchemaVersion]string{Current: "mets-all.xsd", Legacy: "mets-all-legacy.xsd"}[version])
		check(t, o.Out, aip.Options{})
		website, harvest, dublin := section(m, aip.WebsiteDmdID), section(m, aip.HarvestDmdID(1)),
			section(m, aip.HarvestDCID(1))
		for _, c := range []struct{ name, in, want string }{
			{"website", website, "<mods:typeOfResource>text</mods:typeOfResource>"},
			{"website", website, "<mods:abstract>About the site</mods:abstract>"},
			{"website", website, `<mods:location>` +
				`<mods:url displayLabel="seed">http://x.example/</mods:url></mods:location>`},
			{"website", website,
				`<mods:identifier type="uri" displayLabel="seed">http://x.example/100%</mods:identifier>`},
			{"website", website, "description: wct:Target/Description in METS-7.xml"},
			{"harvest", harvest, "<mods:abstract>About the site</mods:abstract>"},
			{"harvest", harvest, "<mods:title>T</mods:title>"},
			{"Dublin Core", dublin, `MDTYPE="DC"`},
			{"Dublin Core", dublin, "<dc:title>T</dc:title><dc:source>http://s.example/</dc:source>" +
				"<dc:coverage>NZ</dc:coverage><dc:identifier>1</dc:identifier><dc:identifier>2</dc:identifier>"},
			{"structMap", m, `DMDID="DMD-harvest-1 DMD-dc-1"`},
		} {
			if !strings.Contains(c.in, c.want) {
				t.Errorf("%s: no %s in\n%s", c.name, c.want, c.in)
			}
		}
		if strings.Contains(website, "Default Profile") || strings.Contains(website, "secret") {
			t.Errorf("the website is described by\n%s", website)
		}
		if strings.Contains(harvest, "s.example") {
			t.Errorf("dc:source is in MODS:\n%s", harvest)
		}
	}
}

// TestNoDublinCore: empty elements make no section.
func TestNoDublinCore(t *testing.T) {
	o := options(t)
	mustPack(t, o, ofWCT(t, `<dc:title></dc:title><dc:source/>`, "<wct:Name>N</wct:Name>"))
	if m := readMETS(t, o.Out); strings.Contains(m, aip.HarvestDCID(1)) {
		t.Error("a section for no Dublin Core")
	}
}

// TestRepeatedFields: a value that a second document repeats is described once, with both places.
func TestRepeatedFields(t *testing.T) {
	d := &model.Description{}
	for _, source := range []string{"METS", "METS", "database"} {
		d.Fields = append(d.Fields, model.DescriptiveField{Field: model.Field{Name: "dc:subject", Value: "S"},
			Source: source})
	}
	c := curated(d)
	if len(c.Subjects) != 2 || len(c.RecordInfo[0].Origins) != 3 || len(dublinCore(d)) != 2 {
		t.Errorf("%+v", c)
	}
}

// TestManySeeds: the description of the website has a bounded number of seeds, and the number of the
// others.
func TestManySeeds(t *testing.T) {
	var seeds strings.Builder
	for i := range maxAddresses + 5 {
		fmt.Fprintf(&seeds, "<wct:Seed><wct:SeedURL>http://x.example/%d</wct:SeedURL></wct:Seed>", i)
	}
	o := options(t)
	mustPack(t, o, ofWCT(t, "", "<wct:Seeds>"+seeds.String()+"</wct:Seeds>"))
	website := section(readMETS(t, o.Out), aip.WebsiteDmdID)
	if n := strings.Count(website, "<mods:url "); n != maxAddresses ||
		!strings.Contains(website, `<mods:note type="seeds">and 5 more;`) {
		t.Errorf("%d seeds in\n%s", n, website)
	}
}
