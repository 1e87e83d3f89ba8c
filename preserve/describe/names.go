package describe

import (
	"strings"

	"quire/metadata/oclc"
)

// nameKind is a kind of creator or contributor, as the targets distinguish it.
type nameKind string

// The kinds of names. Without a kind, the sheet does not state whether a name is a person or a body.
const (
	person       nameKind = "person"
	organization nameKind = "organization"
	meeting      nameKind = "meeting"
	family       nameKind = "family"
)

// nameKinds maps the kinds that sheets state to the kinds of names. It has the terms of MARC and
// MODS too, since cataloguers know them.
var nameKinds = map[string]nameKind{
	"person": person, "personal": person,
	"organization": organization, "organisation": organization, "corporate": organization, "body": organization,
	"corporate-body": organization, "institution": organization, "agency": organization,
	"meeting": meeting, "conference": meeting,
	"family": family,
}

// modsNames are the types of a name in MODS.
var modsNames = map[nameKind]string{person: "personal", organization: "corporate", meeting: "conference",
	family: "family"}

// eadNames are the elements of a name in EAD. EAD has none for a meeting.
var eadNames = map[nameKind]string{person: "persname", organization: "corpname", family: "famname"}

// kindOf returns the kind of a name. A name without a kind that is also the collector is an
// organization, by the definition of that element. stated is false for a name of unknown kind.
func (d *Description) kindOf(s oclc.Statement) (kind nameKind, stated bool) {
	if s.Element == oclc.Collector {
		return organization, true
	}
	if k, ok := nameKinds[strings.ToLower(s.Kind)]; ok {
		return k, true
	}
	if s.Kind != "" {
		return "", false
	}
	for _, other := range d.Record {
		if other.Element == oclc.Collector && other.Value == s.Value {
			return organization, true
		}
	}
	return "", false
}

// loseNameKind reports the kind of a name that a target cannot hold.
func (c *crossing[T]) loseNameKind(s oclc.Statement) {
	if _, known := nameKinds[strings.ToLower(s.Kind)]; !known || s.Element == oclc.Collector {
		c.loseKind(s)
	}
}
