package statements

import (
	"strings"

	"quire/model"
)

// TermZones maps the terms of a system to zones, as configured there: "Ouvert à tous" means open.
type TermZones map[string]model.Zone

// normalizeTerm normalizes terms for comparison.
func normalizeTerm(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// known are the Web Curator Tool's default terms for the access status of a permission.
var known = TermZones{
	"open (unrestricted) access":    model.Open,
	"limited to 3 concurrent users": model.Onsite, // only reading rooms can limit the number of users
	"restricted by location":        model.Onsite,
	"restricted by person":          model.Restricted,
	"embargoed":                     model.Restricted,
}

// zone returns the zone of a term. An unknown term means restricted, and why states so.
func (w TermZones) zone(words string) (z model.Zone, why string) {
	plain := normalizeTerm(words)
	if z, ok := w[plain]; ok {
		return z, words
	}
	if z, ok := known[plain]; ok {
		return z, words
	}
	switch z := model.Zone(plain); z {
	case model.Open, model.Onsite, model.Restricted:
		return z, words
	}
	return model.Restricted, words + " (words that Quire does not know, taken as restricted)"
}
