package describe

import (
	"strings"

	"quire/metadata/oclc"
)

// relation is a kind of relation that the targets distinguish.
type relation string

// The kinds, as Dublin Core's terms name them.
const (
	isPartOf relation = "isPartOf"
	hasPart  relation = "hasPart"
)

// relationOf returns the kind of a relation; "" for any other. A column name loses its capitals.
func relationOf(s oclc.Statement) relation {
	for _, r := range []relation{isPartOf, hasPart} {
		if strings.EqualFold(s.Kind, string(r)) {
			return r
		}
	}
	return ""
}
