package rights

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"time"

	"quire/preserve/statements"
)

// Zones combines the statements of a package and of its collections: the strictest of all holds.
// URLs under the same statements share one result per day, which is computed once. It is safe for
// concurrent use.
type Zones struct {
	sets     []said
	parts    bool // some statements cover only some URLs
	unstated Verdict

	mu      sync.Mutex
	answers map[string]*Stated // by day and applicable statements
}

// said is a set of statements, and their source.
type said struct {
	set        *statements.Set
	collection string // "" means the package itself
	harvest    int    // for a collection: the package's harvest in it
	parts      []part
}

// part is a statement about some URLs.
type part struct {
	statement int // index in the set
	harvest   int // 0 means all
	meant     statements.CompiledScope
}

// Stated is the result of statements for some captures, on one day.
type Stated struct {
	Verdict Verdict
	Known   bool             // from a statement; otherwise the verdict without one
	Until   string           // the first later day with another verdict, yyyy-mm-dd; "" if unknown
	Why     string           // the statements, for staff
	Days    []statements.Day // later days on which the verdict may change, sorted
}

// Said is the statements of a package, or of one of its collections.
type Said struct {
	Set        *statements.Set
	Collection string // the id; "" means the package itself
	Harvest    int    // for a collection: the package's harvest in it; 0 if unknown
}

// Weigh returns the zones from statements. The statements of the package itself come first.
// unstated is the verdict without a statement.
func Weigh(unstated Verdict, all ...Said) *Zones {
	z := &Zones{unstated: unstated, answers: map[string]*Stated{}}
	for _, s := range all {
		of := said{set: s.Set, collection: s.Collection, harvest: s.Harvest}
		for j := range s.Set.Statements {
			if st := &s.Set.Statements[j]; !everywhere(&st.Scope) {
				of.parts = append(of.parts, part{j, st.Scope.Harvest, st.Scope.Compile()})
				z.parts = true
			}
		}
		z.sets = append(z.sets, of)
	}
	return z
}

// Parts reports whether a statement covers only some URLs.
func (z *Zones) Parts() bool { return z.parts }

// Said returns the statements. The statements of the package itself come first.
func (z *Zones) Said() []Said {
	all := make([]Said, len(z.sets))
	for i, s := range z.sets {
		all[i] = Said{s.set, s.collection, s.harvest}
	}
	return all
}

// Evidence returns the statements that apply to a URL, by source: "" for the package, or a
// collection.
func (z *Zones) Evidence(address string, harvest int, day statements.Day) map[string][]statements.Evidence {
	all := map[string][]statements.Evidence{}
	for i := range z.sets {
		set := &z.sets[i]
		d := set.set.Decide(statements.Query{URL: address, Harvest: z.harvest(i, harvest), At: day})
		all[set.collection] = append(all[set.collection], d.Evidence...)
	}
	return all
}

func everywhere(s *statements.Scope) bool { return len(s.URLs)+len(s.Except) == 0 }

// maxAnswers limits the cached results of a package.
const maxAnswers = 10_000

// On returns the result for a URL on a day. harvest is the harvest of the capture, or 0 if it is
// unknown. The address "" means the whole package.
func (z *Zones) On(address string, harvest int, day statements.Day) *Stated {
	var space [64]byte
	key := binary.AppendUvarint(append(space[:0], day...), uint64(harvest))
	if z.parts && address != "" {
		a := statements.Split(address)
		for i := range z.sets {
			key = z.sets[i].applying(key, &a, z.harvest(i, harvest))
		}
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if len(z.answers) >= maxAnswers {
		clear(z.answers)
	}
	if a := z.answers[string(key)]; a != nil {
		return a
	}
	a := z.decide(address, harvest, day)
	z.answers[string(key)] = a
	return a
}

// harvest returns the harvest number to look up in a set.
func (z *Zones) harvest(set, harvest int) int {
	if z.sets[set].collection != "" {
		return z.sets[set].harvest
	}
	return harvest
}

// applying adds the statements about some URLs that cover this one to a key.
func (s *said) applying(key []byte, address *statements.Address, harvest int) []byte {
	for i := range s.parts {
		p := &s.parts[i]
		if (harvest == 0 || p.harvest == 0 || harvest == p.harvest) && p.meant.Holds(address) {
			key = binary.AppendUvarint(key, uint64(p.statement)+1)
		}
	}
	return append(key, 0) // end of this set
}

// decide combines all sets.
func (z *Zones) decide(address string, harvest int, day statements.Day) *Stated {
	a := &Stated{}
	var days []statements.Day
	decisions := make([]*statements.Decision, len(z.sets))
	for i := range z.sets {
		d := z.sets[i].set.Decide(statements.Query{URL: address, Harvest: z.harvest(i, harvest), At: day})
		decisions[i] = d
		a.Verdict = Stricter(a.Verdict, Of(d.Zone))
		for _, c := range d.Changes {
			days = append(days, c.From)
		}
	}
	slices.Sort(days)
	a.Days = slices.Compact(days)
	for _, d := range a.Days {
		if verdictOn(decisions, d) != a.Verdict {
			a.Until = string(d)
			break
		}
	}
	a.Known = a.Verdict != ""
	if !a.Known {
		a.Verdict, a.Why = z.unstated,
			"no rights statement: the default for such captures is "+string(z.unstated)+" here"
		return a
	}
	var why []string
	for i, d := range decisions {
		if Of(d.Zone) == a.Verdict {
			why = append(why, reasons(d, z.sets[i].collection))
		}
	}
	a.Why = strings.Join(why, "; ")
	return a
}

// verdictOn returns the verdict of a later day.
func verdictOn(decisions []*statements.Decision, day statements.Day) Verdict {
	var v Verdict
	for _, d := range decisions {
		zone := d.Zone
		for _, c := range d.Changes {
			if c.From > day {
				break
			}
			zone = c.Zone
		}
		v = Stricter(v, Of(zone))
	}
	return v
}

// maxReasons limits the named statements.
const maxReasons = 5

// reasons names the deciding statements.
func reasons(d *statements.Decision, collection string) string {
	var all []string
	for i := range d.Evidence {
		e := &d.Evidence[i]
		if !e.Decides || len(all) == maxReasons {
			continue
		}
		text := e.Statement
		for _, more := range []string{e.Source, e.Why} {
			if more != "" {
				text += ", " + more
			}
		}
		all = append(all, text)
	}
	source := "stated by the package: "
	if collection != "" {
		source = "stated by collection " + collection + ": "
	}
	return source + strings.Join(all, "; ")
}

// Whole returns the result for a whole package on a day. If no statement covers the whole package,
// the result is the verdict of its most open part.
func (z *Zones) Whole(day statements.Day) *Stated {
	a := z.On("", 0, day)
	if a.Known || !z.parts {
		return a
	}
	best := *a
	for i := range z.sets {
		d := z.sets[i].set.Decide(statements.Query{Harvest: z.harvest(i, 0), At: day})
		for _, part := range d.Parts {
			v := Of(part.Zone)
			if v != "" && v.Strictness() < best.Verdict.Strictness() {
				best = Stated{Verdict: v, Known: true, Why: "the package states this for a part: " + part.Statement}
			}
		}
	}
	return &best
}

// Stated reports whether a statement applies to a URL, at a moment by the institution's clock.
func (z *Zones) Stated(address string, harvest int, at time.Time) bool {
	return z.On(address, harvest, statements.DayOf(at)).Known
}

// Allowed is the access of a class of readers from a moment on.
type Allowed struct {
	From    time.Time
	Allowed bool
}

// Changes returns whether statements alone give a class of readers access to a URL: from a moment
// on, by the institution's clock, and from later days on.
func (z *Zones) Changes(class Class, address string, harvest int, from time.Time) (all []Allowed) {
	first := statements.DayOf(from)
	for _, day := range append([]statements.Day{first}, z.On(address, harvest, first).Days...) {
		a := Allowed{from, class.May(z.On(address, harvest, day).Verdict)}
		if day != first {
			a.From = beginOf(day, from.Location())
		}
		if len(all) == 0 || all[len(all)-1].Allowed != a.Allowed {
			all = append(all, a)
		}
	}
	return all
}
