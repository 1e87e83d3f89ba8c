package rights

import (
	"slices"
	"time"

	"quire/preserve/statements"
)

// Case is the input of a decision on one record, or on one package.
type Case struct {
	Zones   *Zones // from the package and its collections
	Harvest int    // harvest of the record in the package; 0 if unknown

	Infected string // name of the infection; "" if unknown or clean
	Part     string // why the container, or a part of it, is closed to the public; "" if it is not

	Question // for the rules
}

// Judge decides with one snapshot of rules and clock.
type Judge struct {
	Rules *Set
	Now   time.Time // by the clock of the institution, in its zone
}

// Today returns the day of the moment.
func (j *Judge) Today() statements.Day { return statements.DayOf(j.Now) }

// Closed returns the decision for unreadable rights: why names the cause.
func Closed(why string) Decision {
	return Decision{Verdict: Blocked, Message: unable, Why: why, Unknown: true}
}

// Gone returns the decision on captures that are no longer in the repository.
func Gone(why string) Decision {
	return Decision{Verdict: Blocked, Hidden: true, Message: unable, Why: why}
}

// Decide returns the decision on a record, for no particular reader: Allowed is not set. Infected
// records are blocked, whatever the statements; parts of containers that are closed to the public
// are at least restricted.
func (j *Judge) Decide(c *Case) Decision {
	said := j.Ask(&c.Question)
	if c.Infected != "" {
		return Decision{Verdict: Blocked, Infected: true, Hidden: said.Hidden, Message: infectedMessage,
			Why: c.Infected}
	}
	d := j.Combine(c.Zones.On(c.URL, c.Harvest, j.Today()), said)
	d.Part = c.Part != ""
	if d.Part && d.Verdict.Strictness() < Restricted.Strictness() {
		d.Verdict, d.Message, d.Why = Restricted, RestrictedMessage, c.Part
	}
	return d
}

// Whole returns the decision on a whole package: on its most open part.
func (j *Judge) Whole(c *Case) Decision {
	return j.Combine(c.Zones.Whole(j.Today()), j.Ask(&c.Question))
}

// Ask returns the result of the rules at this moment.
func (j *Judge) Ask(q *Question) Answer {
	if j.Rules.Empty() {
		return Answer{}
	}
	q.Now, q.today = j.Now, ""
	return j.Rules.Judge(q)
}

// Combine combines statements and rules: the stricter result is used. There are two exceptions: an
// overriding rule replaces statements, and any rule replaces missing statements.
func (j *Judge) Combine(a *Stated, r Answer) Decision {
	d := Decision{Verdict: a.Verdict, Why: a.Why, Until: a.Until, Message: messageOf(a.Verdict)}
	if r.Verdict == "" {
		return d
	}
	d.Hidden = r.Hidden
	if r.Override || !a.Known || r.Verdict.Strictness() >= a.Verdict.Strictness() {
		d = Decision{Verdict: r.Verdict, Why: r.Why, Message: r.Message, Hidden: r.Hidden}
		if d.Message == "" {
			d.Message = messageOf(d.Verdict)
		}
		if !r.Until.IsZero() {
			d.Until = r.Until.In(j.Now.Location()).Format(time.DateOnly)
		}
	}
	d.Unknown = r.Unknown
	return d
}

// Moments returns the later moments at which the decision on a record may change, sorted. These are
// days in statements, first and last days of rules, and days on which the record reaches an age
// named in a rule.
func (j *Judge) Moments(c *Case) []time.Time {
	var all []time.Time
	for _, day := range c.Zones.On(c.URL, c.Harvest, j.Today()).Days {
		all = append(all, beginOf(day, j.Now.Location()))
	}
	if !j.Rules.Empty() {
		c.Now, c.today = j.Now, ""
		all = append(all, j.Rules.moments(&c.Question)...)
	}
	all = slices.DeleteFunc(all, func(t time.Time) bool { return !t.After(j.Now) })
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}

// moments returns the moments when possibly matching rules begin or end.
func (s *Set) moments(q *Question) (all []time.Time) {
	s.byHost.each(q, func(i int) {
		r := &s.Rules[i]
		if r.Asked.From != "" {
			all = append(all, beginOf(r.Asked.From, q.Now.Location()))
		}
		if r.Asked.To != "" {
			all = append(all, nextDay(r.Asked.To, q.Now.Location()))
		}
		for _, age := range []Age{r.Younger, r.Older} {
			if !age.IsZero() && !q.Captured.IsZero() {
				all = append(all, age.After(q.Captured))
			}
		}
	})
	return all
}

// beginOf returns the first moment of a day, in the zone; zero for an invalid day.
func beginOf(day statements.Day, zone *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, string(day), zone)
	if err != nil {
		return time.Time{}
	}
	return t
}
