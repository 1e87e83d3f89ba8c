package holdings

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"quire/holdings/rights"
	"quire/preserve/statements"
)

// zones says who may see what of a package, by what it says itself and what its collections say: of all, the stricter holds. URLs about
// which the same is said have the same answer, which is worked out once a day.
type zones struct {
	sets     []said
	parts    bool // something is said of some URLs only
	unstated Verdict

	mu      sync.Mutex
	day     statements.Day
	answers map[string]*answer // by the statements that apply
}

// said is a set of statements, and who says them.
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

// answer is what rights say of some captures, on one day.
type answer struct {
	verdict Verdict
	stated  bool // somebody says so; otherwise it is what the house does then
	until   string
	why     string
}

// zonesOf makes the zones of a package.
func (h *Holdings) zonesOf(p *pkg) *zones {
	z := &zones{sets: []said{{set: p.facts.Rights}}, unstated: h.options.Unstated, answers: map[string]*answer{}}
	for _, m := range p.of {
		if c := h.packages[m.id]; c != nil && c.facts != nil {
			z.sets = append(z.sets, said{set: c.facts.Rights, collection: m.id, harvest: m.harvest})
		}
	}
	for i := range z.sets {
		s := &z.sets[i]
		for j := range s.set.Statements {
			if st := &s.set.Statements[j]; !everywhere(&st.Scope) {
				s.parts = append(s.parts, part{j, st.Scope.Harvest, st.Scope.Compile()})
				z.parts = true
			}
		}
	}
	return z
}

func everywhere(s *statements.Scope) bool { return len(s.URLs)+len(s.Except) == 0 }

// maxAnswers bounds how many different answers are remembered of a package.
const maxAnswers = 10_000

// of gives the answer about a URL, captured in a harvest (0: it is not known in which), on a day.
func (z *zones) of(address string, harvest int, day statements.Day) *answer {
	var space [64]byte
	key := binary.AppendUvarint(space[:0], uint64(harvest))
	if z.parts && address != "" {
		a := statements.Split(address)
		for i := range z.sets {
			key = z.sets[i].applying(key, &a, z.harvest(i, harvest))
		}
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.day != day || len(z.answers) >= maxAnswers {
		clear(z.answers)
		z.day = day
	}
	if a := z.answers[string(key)]; a != nil {
		return a
	}
	a := z.decide(address, harvest, day)
	z.answers[string(key)] = a
	return a
}

// harvest is that which a set is asked about.
func (z *zones) harvest(set, harvest int) int {
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
func (z *zones) decide(address string, harvest int, day statements.Day) *answer {
	a := &answer{}
	var days []statements.Day
	decisions := make([]*statements.Decision, len(z.sets))
	for i := range z.sets {
		d := z.sets[i].set.Decide(statements.Query{URL: address, Harvest: z.harvest(i, harvest), At: day})
		decisions[i] = d
		a.verdict = rights.Stricter(a.verdict, rights.Of(d.Zone))
		for _, c := range d.Changes {
			days = append(days, c.From)
		}
	}
	slices.Sort(days)
	for _, d := range days {
		if verdictOn(decisions, d) != a.verdict {
			a.until = string(d)
			break
		}
	}
	a.stated = a.verdict != ""
	if !a.stated {
		a.verdict, a.why = z.unstated, "nobody says who may see it: then it is "+string(z.unstated)+" here"
		return a
	}
	var why []string
	for i, d := range decisions {
		if rights.Of(d.Zone) == a.verdict {
			why = append(why, reasons(d, z.sets[i].collection))
		}
	}
	a.why = strings.Join(why, "; ")
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
		v = rights.Stricter(v, rights.Of(zone))
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
	who := "the package says so: "
	if collection != "" {
		who = "collection " + collection + " says so: "
	}
	return who + strings.Join(all, "; ")
}
