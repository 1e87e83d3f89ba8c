package holdings

import (
	"quire/holdings/rights"
	"quire/preserve/statements"
)

// whole judges a package: what a reader gets of what is most open in it. It gives nil of what is not there.
func (j *judging) whole(who *Reader, id string) (*pkg, Decision) {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	p := j.h.packages[id]
	d, closed := j.closed(p)
	if p == nil {
		return nil, d
	}
	class := who.in(id)
	if closed {
		return p, d.forReader(class)
	}
	a := p.zones.whole(j.today)
	d = j.combine(a, j.askWhole(p))
	d.Allowed = class.may(d.Verdict)
	return p, d.forReader(class)
}

// askWhole asks what the rules say of a package as a whole.
func (j *judging) askWhole(p *pkg) rights.Answer {
	j.asked = rights.Question{Package: p.card.ID, Now: j.now}
	if len(p.of) > 0 {
		j.asked.Collections = p.isOf
	}
	return j.rules.Judge(&j.asked)
}

// whole gives the answer about a package as a whole, on a day: where nobody says anything of all of it, that of the part which is most open.
func (z *zones) whole(day statements.Day) *answer {
	a := z.of("", 0, day)
	if a.stated || !z.parts {
		return a
	}
	best := *a
	for i := range z.sets {
		d := z.sets[i].set.Decide(statements.Query{Harvest: z.harvest(i, 0), At: day})
		for _, part := range d.Parts {
			v := rights.Of(part.Zone)
			if v != "" && v.Strictness() < best.verdict.Strictness() {
				best = answer{verdict: v, stated: true, why: "of a part the package says so: " + part.Statement}
			}
		}
	}
	return &best
}
