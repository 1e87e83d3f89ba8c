package wct

import (
	"strings"

	"quire/model"
	"quire/source/internal/facts"
)

// sections reads the METS sections in the database. WCT stores them there from the harvest on. They
// are used if there is no METS, because the instance was never archived.
func (r *record) sections(f *facts.Facts) {
	for _, row := range r.Where("sip_part_element", "spe_target_instance_oid", r.instance.Get("ti_oid")) {
		f.Note("SIP section", row.Get("spe_key"), r.at(row))
		if r.mets {
			continue
		}
		section := map[string]string{"targetSection": "dmdSec", "permissionSection": "rightsMD",
			"profileNoteSection": "digiprovMD"}[row.Get("spe_key")]
		if section == "" {
			continue
		}
		d := &document{path: r.at(row), ids: map[string]int{}}
		d.parse([]byte("<wct><" + section + ">" + wrapped(section, row.Get("spe_value")) + "</" + section + "></wct>"))
		f.About.Findings = append(f.About.Findings, d.findings...)
		if d.root == nil {
			continue
		}
		d.tellSection(f, section)
	}
}

// wrapped adds the enclosing element to the profile note.
func wrapped(section, value string) string {
	if section == "digiprovMD" {
		return "<Target>" + value + "</Target>"
	}
	return value
}

func (d *document) tellSection(f *facts.Facts, section string) {
	switch section {
	case "dmdSec":
		target := d.one("dmdSec", "Target")
		for _, name := range []string{"ReferenceNumber", "Name", "Description"} {
			d.field(f, "wct:"+name, text(target, name), "wct:Target/"+name)
		}
		d.tellSeeds(f, target)
	case "rightsMD":
		for _, n := range d.all("rightsMD", "Permission") {
			f.About.Rights.Permissions = append(f.About.Rights.Permissions, d.permission(n))
		}
	case "digiprovMD":
		d.field(f, "wct:ProfileNote", text(d.one("digiprovMD", "Target"), "ProfileNote"), "wct:Target/ProfileNote")
	}
}

// sameDescription drops values that the METS and the database share; the METS comes first.
func sameDescription(d *model.Description) {
	seen := map[model.Field]bool{}
	kept := d.Fields[:0]
	for _, f := range d.Fields {
		f.Value = strings.TrimSpace(f.Value)
		if !seen[f.Field] {
			seen[f.Field] = true
			kept = append(kept, f)
		}
	}
	d.Fields = kept
}
