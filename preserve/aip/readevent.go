package aip

import (
	"slices"

	"quire/metadata/harvestmd"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// The roles of agents that are no programs and no persons, in capture events (clause 2.4).
const (
	RoleJob        = "crawl job"
	RoleDefinition = "harvest definition"
	RoleUserAgent  = "HTTP user agent"
)

// IsPlan reports whether an agent of a capture event is not a program or a person: the crawl job,
// its definition, or the user agent.
func IsPlan(l *premis.Link) bool {
	return slices.ContainsFunc(l.Roles, func(t premis.Term) bool {
		return t.Text == RoleJob || t.Text == RoleDefinition || t.Text == RoleUserAgent
	})
}

// ReadEvent reads the current premis:event. Facts in harvestMD (clause 3.3) become notes of the first
// outcome, after the notes there: packages of before harvestMD have these facts as notes.
func ReadEvent(x *xmlstream.Reader) (premis.Event, error) {
	var notes []string
	e, err := premis.ReadEventWith(x, func(x *xmlstream.Reader) error {
		if x.Element().Space != harvestmd.Namespace {
			return x.Unknown()
		}
		return harvestmd.ReadFacts(x, func(f harvestmd.Fact) { notes = append(notes, f.Note()) })
	})
	if len(e.Outcomes) > 0 {
		e.Outcomes[0].Notes = append(e.Outcomes[0].Notes, notes...)
	}
	return e, err
}
