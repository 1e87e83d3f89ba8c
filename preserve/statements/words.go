package statements

import (
	"strings"

	"quire/model"
)

// Words says what the words of a system mean, as they are configured there: "Ouvert à tous" is
// open.
type Words map[string]model.Zone

// plainWords is how words are compared.
func plainWords(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// known are the words that the Web Curator Tool comes with as the access status of a permission.
var known = Words{
	"open (unrestricted) access":    model.Open,
	"limited to 3 concurrent users": model.Onsite, // nothing but reading rooms counts heads
	"restricted by location":        model.Onsite,
	"restricted by person":          model.Restricted,
	"embargoed":                     model.Restricted,
}

// zone gives what words mean. What nobody knows is taken as restricted, and why says so.
func (w Words) zone(words string) (z model.Zone, why string) {
	plain := plainWords(words)
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
