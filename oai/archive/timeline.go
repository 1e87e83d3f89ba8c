package archive

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"quire/holdings/facts"
	"quire/model"
	"quire/preserve/statements"
)

// forever is the end of what has none, in seconds.
const forever = math.MaxInt64

// span is a stretch of time in which a record is in one state.
type span struct {
	from, until int64 // seconds; until is the first that does not belong to it
	deleted     bool
	description int64
}

// version is one version of a package, as far as it decides what is shown.
type version struct {
	*facts.Facts
	number   int
	since    int64                      // when it was stored, in seconds
	contents map[int64]*facts.Container // by the row of what they hold
	zones    *zones
	sets     []scoped // its own statements first, then those of collections
}

// zones decides who may see a URL.
type zones struct {
	shown    map[model.Zone]bool // the zones whose content is shown here; "" is what nobody says anything of
	location *time.Location      // of the days of rights
	cache    map[string][]change // by the statements that apply
	key      []byte
}

// change is when a URL comes to be shown, or not shown any more.
type change struct {
	at       int64
	shown    bool
	unstated bool
}

// of gives what is shown of a URL by some statements, from a moment on. The first change is that moment. It is asked with the same sets,
// but for the harvest, and the same moment each time: URLs about which the same is said have the same answer.
func (z *zones) of(sets []scoped, address string, from int64) []change {
	z.key = z.key[:0]
	for _, s := range sets {
		for j := range s.set.Statements {
			st := &s.set.Statements[j]
			if (s.harvest == 0 || st.Scope.Harvest == 0 || s.harvest == st.Scope.Harvest) && (everywhere(&st.Scope) || st.Scope.Holds(address)) {
				z.key = binary.AppendUvarint(z.key, uint64(j)+1)
			}
		}
		z.key = append(z.key, 0) // ends those of this set
		z.key = binary.AppendUvarint(z.key, uint64(s.harvest))
	}
	if known, ok := z.cache[string(z.key)]; ok {
		return known
	}
	changes := z.decide(sets, address, from)
	if len(z.cache) >= maxKnown {
		clear(z.cache)
	}
	z.cache[string(z.key)] = changes
	return changes
}

func everywhere(s *statements.Scope) bool { return len(s.URLs)+len(s.Except) == 0 }

// scoped is a set of statements, asked about one harvest; 0 is any.
type scoped struct {
	set     *statements.Set
	harvest int
}

// decide asks all sets for the zone now and on later days; of several the stricter holds.
func (z *zones) decide(sets []scoped, address string, from int64) []change {
	at := statements.DayOf(time.Unix(from, 0).In(z.location))
	days := []statements.Day{at}
	decisions := make([]*statements.Decision, len(sets))
	for i, s := range sets {
		decisions[i] = s.set.Decide(statements.Query{URL: address, Harvest: s.harvest, At: at})
		for _, c := range decisions[i].Changes {
			days = append(days, c.From)
		}
	}
	slices.Sort(days)
	var all []change
	for _, day := range slices.Compact(days) {
		zone := model.Zone("")
		for _, d := range decisions {
			zone = stricter(zone, zoneOn(d, day))
		}
		c := change{at: max(from, z.begin(day)), shown: z.shown[zone], unstated: zone == ""}
		if len(all) == 0 || all[len(all)-1].shown != c.shown {
			all = append(all, c)
		}
	}
	return all
}

func zoneOn(d *statements.Decision, day statements.Day) model.Zone {
	zone := d.Zone
	for _, c := range d.Changes {
		if c.From > day {
			break
		}
		zone = c.Zone
	}
	return zone
}

// begin is the first second of a day.
func (z *zones) begin(day statements.Day) int64 {
	t, err := time.ParseInLocation(time.DateOnly, string(day), z.location)
	if err != nil {
		return forever // days of rights are read as such: what is none opens nothing
	}
	return t.Unix()
}

// strictness orders zones as preserve/statements does: what nobody says, open, onsite, restricted.
var strictness = map[model.Zone]int{"": 0, model.Open: 1, model.Onsite: 2, model.Restricted: 3}

func stricter(a, b model.Zone) model.Zone {
	if strictness[b] > strictness[a] {
		return b
	}
	return a
}

// presence is what one version has of a record; container is nil when it has nothing that may be shown.
type presence struct {
	container *facts.Container
	order     int64
}

// states works out what became of a record, from the first version on, and appends it to all, which is empty: in has what each version has
// of the record, whose URL is the address.
func states(all []span, versions []*version, in []presence, address string) []span {
	tell := func(s span) {
		if last := len(all) - 1; last >= 0 {
			was := &all[last]
			if was.deleted == s.deleted && (s.deleted || was.description == s.description) {
				return
			}
			if was.from >= s.from {
				s.from = was.from
				all = all[:last]
				if s.deleted && last == 0 { // it was there for no moment
					return
				}
			} else {
				was.until = s.from
			}
		} else if s.deleted {
			return
		}
		s.until = forever
		all = append(all, s)
	}
	for i, v := range versions {
		end := int64(forever)
		if i+1 < len(versions) {
			end = versions[i+1].since
		}
		if end <= v.since {
			continue
		}
		if in[i].container == nil {
			tell(span{from: v.since, deleted: true})
			continue
		}
		description := v.SumOf(v.Description(in[i].container, in[i].order))
		v.sets[0].harvest = in[i].container.Harvest
		for _, c := range v.zones.of(v.sets, address, v.since) {
			if c.at < end {
				tell(span{from: c.at, deleted: !c.shown, description: description})
			}
		}
	}
	return all
}
