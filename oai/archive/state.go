package archive

import (
	"math"
	"slices"

	"quire/holdings/facts"
)

// forever is the end of a state without an end, in seconds.
const forever = math.MaxInt64

// span is a period in which a record has one state.
type span struct {
	from, until int64 // seconds; until is exclusive
	deleted     bool
	description int64
}

// spans are the consecutive states of a record.
type spans []span

// begin appends a state that begins at a given time, unless the record already has that state.
func (all spans) begin(s span) spans {
	if last := len(all) - 1; last >= 0 {
		was := &all[last]
		if was.deleted == s.deleted && (s.deleted || was.description == s.description) {
			return all
		}
		if was.from >= s.from {
			s.from = was.from
			all = all[:last]
			if s.deleted && last == 0 { // it was never listed
				return all
			}
		} else {
			was.until = s.from
		}
	} else if s.deleted {
		return all
	}
	s.until = forever
	return append(all, s)
}

// until removes the states that begin at or after a moment.
func (all spans) until(moment int64) spans {
	for len(all) > 0 && all[len(all)-1].from >= moment {
		all = all[:len(all)-1]
	}
	if last := len(all) - 1; last >= 0 {
		all[last].until = forever
	}
	return all
}

// shownAt reports whether the record exists and is not deleted at a moment.
func (all spans) shownAt(moment int64) bool {
	return slices.ContainsFunc(all, func(s span) bool { return s.from <= moment && moment < s.until && !s.deleted })
}

// presence is the location of a record in one version. Container is nil if the version has no part
// of the record that may be shown.
type presence struct {
	container *facts.Container
	order     int64
}

// stated computes the states of a record from the statements of its versions, from the first
// version on. In holds the presence in each version; address is the record's URL.
func (a *Archive) stated(all spans, versions []*version, in []presence, address string) spans {
	for i, v := range versions {
		end := int64(forever)
		if i+1 < len(versions) {
			end = versions[i+1].since
		}
		if end <= v.since {
			continue
		}
		if in[i].container == nil {
			all = all.begin(span{from: v.since, deleted: true})
			continue
		}
		description := v.describes(in[i])
		for _, c := range v.changes(a.options.Class, address, in[i].container.Harvest) {
			if c.At < end {
				all = all.begin(span{from: c.At, deleted: !c.Shown, description: description})
			}
		}
	}
	return all
}

// describes returns a checksum of the curators' description of a record.
func (v *version) describes(p presence) int64 { return v.SumOf(v.Description(p.container, p.order)) }

// decided replaces the states from now on by the present and future decisions; statements alone
// determine the earlier ones. A record that was never published and is now closed (by a rule, or
// because it is infected) has no states.
func (all spans) decided(now int64, decisions []change, published bool, description int64) spans {
	if !published && all.shownAt(now) && !decisions[0].Shown {
		all = all[:0]
	}
	all = all.until(now)
	for _, c := range decisions {
		all = all.begin(span{from: max(now, c.At), deleted: !c.Shown, description: description})
	}
	return all
}
