package reconcile

import (
	"cmp"
	"slices"
)

// differences counts the differences and keeps examples of them.
type differences struct {
	max    int
	byKind map[Kind]*Difference
	byCode map[Kind]map[string]*Because
}

func newDifferences(o Options) differences {
	d := differences{max: o.Max, byKind: map[Kind]*Difference{}, byCode: map[Kind]map[string]*Because{}}
	if d.max == 0 {
		d.max = DefaultMax
	}
	return d
}

// add counts one difference. It keeps c as an example if there are fewer than max examples for the
// reason.
func (d *differences) add(k Kind, why *Reason, c Case) {
	diff := d.byKind[k]
	if diff == nil {
		diff = &Difference{Kind: k}
		d.byKind[k], d.byCode[k] = diff, map[string]*Because{}
	}
	diff.Count++
	diff.add(why.Class, 1)
	because := d.byCode[k][why.Code]
	if because == nil {
		because = &Because{Code: why.Code, Class: why.Class, Means: why.Means, Examples: []Case{}}
		d.byCode[k][why.Code] = because
	}
	because.Count++
	if len(because.Examples) < d.max {
		because.Examples = append(because.Examples, c)
	}
}

// list returns the differences in the order of Kinds.
func (d *differences) list() []*Difference {
	all := []*Difference{}
	for _, k := range Kinds {
		diff := d.byKind[k]
		if diff == nil {
			continue
		}
		for _, because := range d.byCode[k] {
			diff.Reasons = append(diff.Reasons, *because)
		}
		slices.SortFunc(diff.Reasons, func(a, b Because) int {
			return cmp.Or(-cmp.Compare(a.Count, b.Count), cmp.Compare(a.Code, b.Code))
		})
		all = append(all, diff)
	}
	return all
}

// differ records a difference, and also counts it for the current host.
func (r *run) differ(k Kind, why *Reason, c Case) error {
	if why == nil {
		why = reasonNone
	}
	r.diffs.add(k, why, c)
	r.out.Totals.add(why.Class, 1)
	if c.Host != "" {
		r.hosts.differ(k, why.Class)
	}
	if r.options.List == nil {
		return nil
	}
	return r.options.List(Entry{Harvest: r.out.ID, Kind: k, Class: why.Class, Code: why.Code, Case: c})
}

// loseCapture counts a lost capture, for the harvest and for the current host.
func (r *run) loseCapture() {
	r.out.LostCaptures++
	r.hosts.now.LostCaptures++
}

// caseOf describes a sighting.
func (r *run) caseOf(s *sighting, detail string) Case {
	c := Case{URL: s.url(), Host: s.host, Status: s.status, Detail: detail}
	if t := s.time(); !t.IsZero() {
		c.Time = &t
	}
	if s.container >= 0 {
		c.Container = r.shelf.all[s.container].name
	}
	if s.offset >= 0 {
		offset := s.offset // the sighting is reused
		c.Offset = &offset
	}
	if s.kind == ofLog || s.kind == ofIndex {
		c.Line = s.line
	}
	return c
}
