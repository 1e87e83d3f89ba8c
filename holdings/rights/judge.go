package rights

import (
	"slices"
	"time"

	"quire/preserve/statements"
)

// Case is all that a decision on one record, or on one package, weighs.
type Case struct {
	Zones   *Zones // stated by the package and its collections
	Harvest int    // of the package, in which the record was captured; 0 when it is not known

	Infected string // name of the infection; "" when none is known
	Part     string // why the container, or a part of it, must not be shown to everyone; "" when nothing forbids it

	Question // for the rules
}

// Judge decides by the rules and the clock of one moment.
type Judge struct {
	Rules *Set
	Now   time.Time // by the clock of the institution, in its zone
}

// Today is the day of the moment.
func (j *Judge) Today() statements.Day { return statements.DayOf(j.Now) }

// Closed is the decision where the rights cannot be read: why names the cause.
func Closed(why string) Decision {
	return Decision{Verdict: Blocked, Message: unable, Why: why, Unknown: true}
}

// Gone is the decision on captures that the repository no longer has.
func Gone(why string) Decision {
	return Decision{Verdict: Blocked, Hidden: true, Message: unable, Why: why}
}

// Decide returns the decision on a record, for no reader in particular: Allowed is not set.
// Infected records are blocked, whatever is stated; parts of containers that must not be shown to
// everyone are restricted at least.
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

// Whole returns the decision on a package as a whole: on its most open part.
func (j *Judge) Whole(c *Case) Decision {
	return j.Combine(c.Zones.Whole(j.Today()), j.Ask(&c.Question))
}

// Ask returns the answer of the rules at the moment.
func (j *Judge) Ask(q *Question) Answer {
	if j.Rules.Empty() {
		return Answer{}
	}
	q.Now, q.today = j.Now, ""
	return j.Rules.Judge(q)
}

// Combine weighs statements and rules: the stricter holds; but a rule that overrides takes the
// place of statements, and any rule that of missing ones.
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

// Moments returns the later moments at which the decision on a record may become another, sorted:
// days that statements name, days on which rules begin and end, and those on which the record comes
// of an age that rules name.
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

// moments are when rules that may be about something come to be, or cease to be.
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

// beginOf is the first moment of a day, zero when it is no day: days of statements and rules are
// read as such.
func beginOf(day statements.Day, zone *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, string(day), zone)
	if err != nil {
		return time.Time{}
	}
	return t
}
