package statements

import (
	"cmp"
	"slices"

	"quire/model"
)

// moment is the time when a grant takes effect or ends.
type moment struct {
	day   Day
	delta int // +1 or -1
	zone  model.Zone
	agent string
}

// changes returns the decisions on later days. It goes through all moments once, in order.
func changes(about []*Statement, at Day) []Change {
	all := []Change{}
	var t tally
	moments := momentsOf(about)
	for _, m := range moments { // register all grantors
		t.leave(m, 0)
	}
	zone, last := model.Zone(""), Day("")
	tell := func() {
		if next := t.zone(); next != zone {
			zone = next
			if last > at {
				all = append(all, Change{last, zone})
			}
		}
	}
	for _, m := range moments {
		if m.day != last {
			tell()
			last = m.day
		}
		t.leave(m, m.delta)
	}
	tell()
	return all
}

func momentsOf(about []*Statement) []moment {
	var all []moment
	for _, st := range about {
		for i := range st.Grants {
			g := &st.Grants[i]
			if g.Act != Show {
				continue
			}
			all = append(all, moment{g.From, 1, g.Zone, st.Agent})
			if g.To != "" {
				all = append(all, moment{g.To.add(1), -1, g.Zone, st.Agent})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(a.day, b.day) })
	return all
}

// tally counts the grants in force.
type tally struct {
	zones  [4]int         // by strictness
	agents map[string]int // grants in force of each grantor
	lapsed int            // grantors without a grant in force
}

func (t *tally) leave(m moment, delta int) {
	if m.zone != "" {
		t.zones[strictness(m.zone)] += delta
		return
	}
	if t.agents == nil {
		t.agents = map[string]int{}
	}
	before, known := t.agents[m.agent]
	after := before + delta
	t.agents[m.agent] = after
	switch {
	case !known && after == 0, known && before != 0 && after == 0:
		t.lapsed++
	case known && before == 0 && after != 0:
		t.lapsed--
	}
}

func (t *tally) zone() model.Zone {
	switch {
	case t.lapsed > 0 || t.zones[3] > 0:
		return model.Restricted
	case t.zones[2] > 0:
		return model.Onsite
	case t.zones[1] > 0:
		return model.Open
	}
	return ""
}
