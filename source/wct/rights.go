package wct

import (
	"strings"

	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
)

// permit adds the permission for the harvest, and its readers.
func (d *document) permit(f *facts.Facts) {
	for _, n := range d.all("rightsMD", "Permission") {
		f.About.Rights.Permissions = append(f.About.Rights.Permissions, d.permission(n))
	}
	target, instance := d.one("digiprovMD", "Target"), d.one("digiprovMD", "TargetInstance")
	if a := d.access("target", target, "DisplayTarget", "TargetDisplayNote"); a != (model.Access{}) {
		f.About.Rights.Access = append(f.About.Rights.Access, a)
	}
	if a := d.access("target instance", instance, "DisplayTargetInstance",
		"TargetInstanceDisplayNote"); a != (model.Access{}) {
		f.About.Rights.Access = append(f.About.Rights.Access, a)
	}
}

// permission reads one permission. Its State is "Granted", even if the database differs, because
// WCT writes only granted permissions.
func (d *document) permission(n *xmltree.Node) model.Permission {
	basis, agent := child(n, "HarvestAuthorisation", "HarvestAuthorization"),
		child(n, "AuthorisingAgent", "AuthorizingAgent")
	p := model.Permission{
		State: text(n, "State"), Start: text(n, "StartDate"), End: text(n, "EndDate"),
		Basis: text(basis, "Name"), BasisNote: text(basis, "Description"), Order: text(basis, "OrderNumber"),
		Published:    text(basis, "IsPublished"),
		AccessStatus: text(n, "AccessStatus"), OpenAccessDate: text(n, "OpenAccessDate"),
		Special:   text(n, "SpecialRequirements"),
		Copyright: text(n, "CopyrightStatement"), CopyrightURL: text(n, "CopyrightURL"),
		FileReference: text(n, "FileReference"),
		Agent:         text(agent, "Name"), Contact: text(agent, "Contact"), Source: d.at("wct:Permission"),
	}
	p.Patterns = values(child(n, "Patterns", "Paterns"))
	p.Seeds = values(child(n, "SeedsURLs", "SeedURLs"))
	for _, e := range child(n, "Exclusions").All() {
		p.Exclusions = append(p.Exclusions,
			model.Exclusion{Pattern: text(e, "URL", "Pattern"), Reason: text(e, "Reason")})
	}
	return p
}

func values(n *xmltree.Node) []string {
	var all []string
	for _, c := range n.All() {
		if v := c.Value(); v != "" {
			all = append(all, v)
		}
	}
	return all
}

// access reads the access rule of the target or of the instance, which has no zone of its own.
// Versions before 1.4 wrote neither.
func (d *document) access(of string, n *xmltree.Node, displayed, note string) model.Access {
	a := model.Access{Displayed: text(n, displayed), Note: text(n, note)}
	if of == "target" {
		a.Zone, a.Written = zoneOf(text(n, "AccessZone"), text(n, "AccessZoneText"))
	}
	if a != (model.Access{}) {
		a.Of, a.Source = of, d.at("wct:"+n.Name)
	}
	return a
}

// zones are the zones of WCT, by number.
var zones = map[string]model.Zone{"0": model.Open, "1": model.Onsite, "2": model.Restricted}

// zoneOf returns the zone by its number or, without one, by its name.
func zoneOf(number, name string) (zone model.Zone, written string) {
	written = strings.TrimSpace(number + " " + name)
	if z, ok := zones[number]; ok {
		return z, written
	}
	if number == "" {
		switch strings.ToLower(name) {
		case "public":
			return model.Open, written
		case "onsite":
			return model.Onsite, written
		case "restricted":
			return model.Restricted, written
		}
	}
	return "", written
}
