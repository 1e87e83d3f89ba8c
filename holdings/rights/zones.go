package rights

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"time"

	"quire/preserve/statements"
)

// Zones weighs the statements of a package and of its collections: of all, the strictest holds.
// URLs about which the same statements speak have the same answer on a day, which is worked out
// once. It is used from many goroutines.
type Zones struct {
	sets     []said
	parts    bool // something is said of some URLs only
	unstated Verdict

	mu      sync.Mutex
	answers map[string]*Stated // by the day and the statements that apply
}

// said is a set of statements, and their source.
type said struct {
	set        *statements.Set
	collection string // "" of the package itself
	harvest    int    // of a collection: that which the package is of
	parts      []part
}

// part is a statement about some URLs.
type part struct {
	statement int // its place in the set
	harvest   int // 0 is all
	meant     statements.Meant
}

// Stated is the outcome of statements for some captures, on one day.
type Stated struct {
	Verdict Verdict
	Known   bool             // by a statement; otherwise it is the verdict without one
	Until   string           // the first later day with another verdict, yyyy-mm-dd; "" when none is known
	Why     string           // the statements, for staff
	Days    []statements.Day // later days on which the verdict may become another, sorted
}

// Said is the statements of a package, or of one of its collections.
type Said struct {
	Set        *statements.Set
	Collection string // the id; "" of the package itself
	Harvest    int    // of a collection: the harvest that the package is of; 0 when it is not known
}

// Weigh returns the zones that follow from statements, first those of the package itself. Unstated
// is the verdict without a statement.
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

// Parts reports whether a statement is about some URLs only.
func (z *Zones) Parts() bool { return z.parts }

// Said returns the statements that are weighed, first those of the package itself.
func (z *Zones) Said() []Said {
	all := make([]Said, len(z.sets))
	for i, s := range z.sets {
		all[i] = Said{s.set, s.collection, s.harvest}
	}
	return all
}

// Evidence returns the statements that apply to a URL, by source: the package ("") or a collection.
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

// maxAnswers bounds how many different answers are remembered of a package.
const maxAnswers = 10_000

// On returns the outcome for a URL on a day. Harvest is that of the capture, 0 when it is not
// known; "" is the package as a whole.
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

// harvest is that which a set is asked about.
func (z *Zones) harvest(set, harvest int) int {
	if z.sets[set].collection != "" {
		return z.sets[set].harvest
	}
	return harvest
}

// applying adds to a key the statements about some URLs that are about this one.
func (s *said) applying(key []byte, address *statements.Address, harvest int) []byte {
	for i := range s.parts {
		p := &s.parts[i]
		if (harvest == 0 || p.harvest == 0 || harvest == p.harvest) && p.meant.Holds(address) {
			key = binary.AppendUvarint(key, uint64(p.statement)+1)
		}
	}
	return append(key, 0) // ends those of this set
}

// decide asks all sets.
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
		a.Verdict, a.Why = z.unstated, "no rights statement: such captures are "+string(z.unstated)+" here"
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

// verdictOn is the answer of a later day.
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

// maxReasons bounds how many statements are named.
const maxReasons = 5

// reasons names the statements that decide.
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

// Whole returns the outcome for a package as a whole on a day: where no statement covers all of it,
// that of the most open part.
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
				best = Stated{Verdict: v, Known: true, Why: "of a part the package says so: " + part.Statement}
			}
		}
	}
	return &best
}

// Stated reports whether a statement applies to a URL, at a moment by the clock of the institution.
func (z *Zones) Stated(address string, harvest int, at time.Time) bool {
	return z.On(address, harvest, statements.DayOf(at)).Known
}

// Allowed is the access of a class of readers from a moment on.
type Allowed struct {
	From    time.Time
	Allowed bool
}

// Changes returns whether a class of readers may have a URL by statements alone: from a moment on,
// by the clock of the institution, and from later days on.
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
