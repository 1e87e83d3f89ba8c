package pack

import (
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
	"quire/model"
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
		len(c.Physical) != 1 || len(c.Identifiers) != 1 || len(c.Related) != 3 || c.Related[2].Type != "host" ||
		len(c.Languages) != 1 || len(c.Access) != 1 ||
		len(c.Notes) != 2 || c.Notes[1].Type != "dc:issn" || len(c.RecordInfo[0].Origins) != len(d.Fields)+1 {
		t.Errorf("%+v", c)
	}
}
