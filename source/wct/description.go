package wct

import (
	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
)

// describe adds the curators' descriptions from the METS: Dublin Core at the time of submission,
// and the target at the time of the harvest.
func (d *document) describe(f *facts.Facts) {
	target := d.one("dmdSec", "Target")
	dc := d.one("dmdSec", "dc")
	about := f.About
	f.Set(&about.Title, "title", text(dc, "title"), d.at("dc:title"))
	f.Set(&about.Title, "title", text(target, "Name"), d.at("wct:Target/Name"))
	f.Set(&about.Collection, "collection", text(target, "Name"), d.at("wct:Target/Name"))
	f.Set(&about.Note, "note", text(dc, "description"), d.at("dc:description"))
	f.Set(&about.Note, "note", text(target, "Description"), d.at("wct:Target/Description"))
	for _, n := range dc.All() {
		d.field(f, "dc:"+n.Name, n.Value(), "dc:"+n.Name)
	}
	for _, name := range []string{"ReferenceNumber", "Name", "Description"} {
		d.field(f, "wct:"+name, text(target, name), "wct:Target/"+name)
	}
	for _, n := range d.all("dmdSec", "Group") {
		if n.Parent.Name == "Groups" {
			about.Description.Groups = append(about.Description.Groups,
				model.Group{Reference: text(n, "ReferenceNumber"), Name: text(n, "Name"),
					Description: text(n, "Description"), Type: text(n, "Type"),
					Ownership: text(n, "OwnershipInformation"),
					Source:    d.at("wct:Group")})
		}
	}
	d.tellSeeds(f, target)
	d.selected(f)
	d.annotate(f)
}

// field adds a value of the description, if not empty.
func (d *document) field(f *facts.Facts, name, value, place string) {
	addField(f, name, value, d.at(place))
}

func addField(f *facts.Facts, name, value, source string) {
	if value != "" {
		f.About.Description.Fields = append(f.About.Description.Fields,
			model.DescriptiveField{Field: model.Field{Name: name, Value: value}, Source: source})
	}
}

// tellSeeds adds the seeds. Version 3 writes only the primary seeds; seeds.txt and the database
// have the other seeds.
func (d *document) tellSeeds(f *facts.Facts, target *xmltree.Node) {
	for _, n := range child(target, "Seeds").All() {
		url := text(n, "SeedURL")
		if url == "" {
			continue
		}
		f.AddSeed(url)
		f.Note("seeds", text(n, "SeedType")+" "+url, d.at("wct:Seed"))
	}
}

// selection are the elements of the target in the provenance section, with their names in the
// versions.
var selection = [][]string{
	{"ObjectType"}, {"GroupType"}, {"GroupOwnershipInformation"}, {"ProfileNote"}, {"HarvestType"}, {"SelectionDate"},
	{"SelectionType"},
	{"SelectionNote", "SeclectionNote"}, {"EvaluationNote"},
}

// selected adds the reason and the method of selecting the target.
func (d *document) selected(f *facts.Facts) {
	target := d.one("digiprovMD", "Target")
	for _, names := range selection {
		d.field(f, "wct:"+names[0], text(target, names...), "wct:Target/"+names[0])
	}
}

// annotate adds the notes on the instance and the target.
func (d *document) annotate(f *facts.Facts) {
	for _, section := range []struct {
		section, of, what string
	}{{"techMD", "TargetInstance", "target instance"}, {"digiprovMD", "Target", "target"}} {
		for _, n := range child(d.one(section.section, section.of), "Annotations").All() {
			a := model.Annotation{Of: section.what, Date: text(n, "Date"), Who: text(n, "Username", "User"),
				Text:   text(n, "Note"),
				Source: d.at("wct:" + section.of + "/Annotations")}
			if a.Text != "" || a.Who != "" {
				f.About.Description.Annotations = append(f.About.Description.Annotations, a)
			}
		}
	}
}

// derive adds the chain of harvest results: the submitted one, and its predecessors in quality
// review.
func (d *document) derive(f *facts.Facts) {
	instance := d.one("digiprovMD", "TargetInstance")
	for n := child(instance, "HarvestResult"); n != nil; n = child(child(n, "DerivedFrom"), "HarvestResult") {
		v := model.Version{Creator: text(n, "Creator"), Date: text(n, "CreationDate"), Note: text(n, "ProvenanceNote"),
			Source: d.at("wct:HarvestResult")}
		for _, c := range child(n, "ModificationNotes").All() {
			if note := c.Value(); note != "" {
				v.Changes = append(v.Changes, note)
			}
		}
		f.About.Description.Versions = append(f.About.Description.Versions, v)
	}
	d.field(f, "wct:ModificationType", text(instance, "ModificationType"), "wct:TargetInstance/ModificationType")
	d.field(f, "wct:ModificationNote", text(instance, "ModificationNote", "ModiicationNote"),
		"wct:TargetInstance/ModificationNote")
	owner := child(instance, "Owner")
	f.Set(&f.About.Operator, "operator", text(owner, "UID"), d.at("wct:Owner/UID"))
	f.Set(&f.About.Organization, "organization", text(owner, "Agency"), d.at("wct:Owner/Agency"))
}
