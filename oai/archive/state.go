package archive

import (
	"math"
	"slices"

	"quire/holdings/facts"
)

// forever is the end of what has none, in seconds.
const forever = math.MaxInt64

// span is a stretch of time in which a record is in one state.
type span struct {
	from, until int64 // seconds; until is the first that does not belong to it
	deleted     bool
	description int64
}

// spans are the states of a record, one behind the other.
type spans []span

// begin adds a state that begins at a moment, unless the record is in it already.
func (all spans) begin(s span) spans {
	if last := len(all) - 1; last >= 0 {
		was := &all[last]
		if was.deleted == s.deleted && (s.deleted || was.description == s.description) {
			return all
		}
		if was.from >= s.from {
			s.from = was.from
			all = all[:last]
			if s.deleted && last == 0 { // it was there for no moment
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

// until cuts off what comes from a moment on.
func (all spans) until(moment int64) spans {
	for len(all) > 0 && all[len(all)-1].from >= moment {
		all = all[:len(all)-1]
	}
	if last := len(all) - 1; last >= 0 {
		all[last].until = forever
	}
	return all
}

// shownAt reports whether the record is there, and not deleted, at a moment.
func (all spans) shownAt(moment int64) bool {
	return slices.ContainsFunc(all, func(s span) bool { return s.from <= moment && moment < s.until && !s.deleted })
}

// presence is what one version has of a record; container is nil when it has nothing that may be
// shown.
type presence struct {
	container *facts.Container
	order     int64
}

// stated works out what became of a record by what its versions state, from the first one on: in
// has what each version has of the record, whose URL is the address.
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

// describes tells what curators say of a record from what they say of others.
func (v *version) describes(p presence) int64 { return v.SumOf(v.Description(p.container, p.order)) }

// decided puts what is decided of a record now, and of later moments, in the place of what follows
// from statements alone. What was never published, and is closed by now (by a rule, because it is
// infected), was never there.
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
