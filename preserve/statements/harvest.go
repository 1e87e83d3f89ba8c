package statements

import (
	"strings"

	"quire/model"
)

// OfHarvest returns the curators' system's statements on the harvest with this number in the
// package.
func OfHarvest(about *model.Harvest, number int, words TermZones) []Statement {
	var all []Statement
	seen := map[string]bool{} // copyright, repeated in each permission
	for i := range about.Rights.Permissions {
		p := &about.Rights.Permissions[i]
		all = append(all, permission(p, number, words)...)
		if c, ok := copyrightOf(p, number); ok && !seen[c.key()] {
			seen[c.key()] = true
			all = append(all, c)
		}
	}
	for i := range about.Rights.Access {
		if s, ok := access(about.System, &about.Rights.Access[i], number, words); ok {
			all = append(all, s)
		}
	}
	return all
}

// permission returns a statement for a permission, and one for its exclusions.
func permission(p *model.Permission, number int, words TermZones) []Statement {
	s := Statement{Basis: License, Authority: p.Basis, Terms: p.AccessStatus, Agent: p.Agent, Source: p.Source,
		Personal: p.Contact != ""}
	s.Scope = Scope{Harvest: number, URLs: p.Patterns}
	for _, x := range p.Exclusions {
		s.Scope.Except = append(s.Scope.Except, notEmpty(x.Pattern)...)
	}
	s.Notes = notEmpty(p.BasisNote, p.Note, labelled("special requirements", p.Special))
	if p.FileReference != "" {
		s.Documents = []Document{{"file reference", p.FileReference}}
	}
	s.say("state", p.State)
	s.say("order number", p.Order)
	s.say("published", p.Published)
	s.say("requested", p.Requested)
	s.say("decided", p.Decided)
	s.say("contact", p.Contact)
	for _, seed := range p.Seeds {
		s.say("seed", seed)
	}
	s.From, s.To = s.day("start", p.Start), s.day("end", p.End)
	s.Grants = permitted(&s, p, words)
	return append([]Statement{s}, exclusions(p, number)...)
}

// The states of permissions in WCT and PANDAS that affect the decision.
const (
	granted  = "granted"
	approved = "approved"
	denied   = "denied"
	rejected = "rejected"
)

// permitted returns the grants of a permission. Its dates apply to harvesting. Access to the
// harvested content depends on the access status and the date of open access.
func permitted(s *Statement, p *model.Permission, words TermZones) []Grant {
	switch normalizeTerm(p.State) {
	case denied, rejected:
		return []Grant{{Act: Show, Zone: model.Restricted, Why: "the permission was refused: " + p.State}}
	case granted, approved:
	default:
		return nil // requested or unknown: neither granted nor refused
	}
	grants := []Grant{{Act: Harvest, From: s.From, To: s.To}}
	if p.AccessStatus == "" && p.OpenAccessDate == "" {
		return grants
	}
	zone, why := model.Restricted, "open from "+p.OpenAccessDate
	if p.AccessStatus != "" {
		zone, why = words.zone(p.AccessStatus)
	}
	if p.OpenAccessDate == "" {
		return append(grants, Grant{Act: Show, Zone: zone, Why: why})
	}
	if zone == model.Open {
		zone = model.Restricted
	}
	why = phrase(p.AccessStatus, "open from "+p.OpenAccessDate)
	open := s.day("open access date", p.OpenAccessDate)
	if open == "" {
		return append(grants, Grant{Act: Show, Zone: zone, Why: why + " (a date that Quire does not understand)"})
	}
	return append(grants, Grant{Act: Show, Zone: zone, To: open.add(-1), Why: why},
		Grant{Act: Show, Zone: model.Open, From: open, Why: why})
}

// exclusions returns the exclusions by a rights holder.
func exclusions(p *model.Permission, number int) []Statement {
	var all []Statement
	for _, x := range p.Exclusions {
		if x.Pattern == "" {
			continue
		}
		all = append(all, Statement{
			Basis: License, Authority: p.Basis, Agent: p.Agent, Source: p.Source,
			Scope:  Scope{Harvest: number, URLs: []string{x.Pattern}},
			Terms:  "not part of the permission",
			Grants: []Grant{{Act: Show, Zone: model.Restricted, Why: phrase("left out of the permission", x.Reason)}},
		})
	}
	return all
}

func copyrightOf(p *model.Permission, number int) (Statement, bool) {
	s := Statement{Basis: Copyright, Status: "unknown", Jurisdiction: "unknown", Notes: notEmpty(p.Copyright),
		Source: p.Source,
		Scope:  Scope{Harvest: number, URLs: p.Patterns}}
	if p.CopyrightURL != "" {
		s.Documents = []Document{{"URL", p.CopyrightURL}}
	}
	return s, p.Copyright != "" || p.CopyrightURL != ""
}

// key distinguishes statements of copyright.
func (s *Statement) key() string {
	parts := append(append([]string{}, s.Notes...), s.Scope.URLs...)
	for _, d := range s.Documents {
		parts = append(parts, d.Value)
	}
	return strings.Join(parts, "\x00")
}

// access returns a statement for an access rule of a harvest.
func access(system model.System, a *model.Access, number int, words TermZones) (Statement, bool) {
	s := Statement{Basis: Other, Authority: "access rule of the " + nameOf(system) + ": " + a.Of, Source: a.Source,
		Scope: Scope{Harvest: number}}
	s.Notes = notEmpty(a.Note)
	s.say("as written", a.Written)
	s.say("displayed", a.Displayed)
	s.say("reason of the change", a.Reason)
	s.say("for", a.For)
	s.say("state", a.State)
	from, to := s.day("from", a.From), s.day("to", a.To)
	switch normalizeTerm(a.State) {
	case "disabled", "expired":
		return s, true // recorded without consequence
	}
	if zone := a.Zone; zone != "" || a.Written != "" {
		why := phrase(a.Written, a.For)
		if zone == "" {
			zone, why = words.zone(a.Written)
		}
		s.Grants = append(s.Grants, Grant{Act: Show, Zone: zone, From: from, To: to, Why: why})
	}
	switch {
	case a.Displayed == "false":
		s.Grants = append(s.Grants, Grant{Act: Show, Zone: model.Restricted,
			Why: "the " + a.Of + " is not to be displayed"})
	case a.Displayed == "true" && system == model.Pandas && a.Of == "instance":
		// PANDORA is open except for restrictions.
		s.Grants = append(s.Grants, Grant{Act: Show, Zone: model.Open, Why: "the instance is displayed"})
	}
	return s, len(s.Grants)+len(s.Facts)+len(s.Notes) > 0
}

func nameOf(system model.System) string {
	switch system {
	case model.WebCurator:
		return "Web Curator Tool"
	case model.Pandas:
		return "PANDAS"
	}
	return "curators' system"
}

// say records a value for which PREMIS has no element.
func (s *Statement) say(name, value string) {
	if value != "" {
		s.Facts = append(s.Facts, Fact{name, value})
	}
}

// day parses a date. If the text of the value says more than the date, it also records the text. An
// invalid date has no effect. A restriction with an invalid end stays in force.
func (s *Statement) day(name, value string) Day {
	d, _ := ParseDay(value)
	if value != string(d) {
		s.say(name+" as written", value)
	}
	return d
}

func labelled(name, value string) string {
	if value == "" {
		return ""
	}
	return name + ": " + value
}
