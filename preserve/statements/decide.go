package statements

import (
	"slices"

	"quire/model"
)

// Query asks who may see something.
type Query struct {
	URL string // absolute, as it was captured; "" asks for the package as a whole
	// in which the URL was captured, from 1, one of the package; 0 when that is not known: then
	// what is said of each holds
	Harvest int
	At      Day // required
}

// Decision says who may see it. Its JSON form is the contract of "quire rights --json".
type Decision struct {
	Package  string     `json:"package"`
	URL      string     `json:"url,omitempty"`
	Harvest  int        `json:"harvest,omitempty"`
	At       Day        `json:"at"`
	Zone     model.Zone `json:"zone"`     // "" when nobody says: which must not be taken for open
	Changes  []Change   `json:"changes"`  // what is known of later days
	Evidence []Evidence `json:"evidence"` // every statement that is about it
	Parts    []Part     `json:"parts"`    // of a package as a whole: what is said of some URLs only
	Files    []Files    `json:"files"`    // of the package that must not be shown to everyone in any case
}

// Change is another answer from a later day on.
type Change struct {
	From Day        `json:"from"`
	Zone model.Zone `json:"zone"`
}

// Evidence is what one statement says of the question.
type Evidence struct {
	Statement string     `json:"statement"` // ID of the rightsMD
	Basis     Basis      `json:"basis"`
	Authority string     `json:"authority"`
	Agent     string     `json:"agent"`
	Zone      model.Zone `json:"zone"` // that it asks for at the time; "" when it says nothing of that
	Decides   bool       `json:"decides"`
	From      Day        `json:"from"`
	To        Day        `json:"to"` // of what it asks for
	Why       string     `json:"why"`
	Notes     []string   `json:"notes"`
	Source    string     `json:"source"`
}

// Part is what holds for some URLs.
type Part struct {
	Statement string     `json:"statement"`
	Harvest   int        `json:"harvest,omitempty"`
	URLs      []string   `json:"urls"`
	Except    []string   `json:"except"`
	Zone      model.Zone `json:"zone"` // by this statement and those of the whole
}

// Decide says who may see it. Of all statements that apply, the strictest holds. Leave to show that
// names no zone must be in force by everyone who gave some: when that of one has run out, it is
// restricted.
func (s *Set) Decide(q Query) *Decision {
	d := &Decision{Package: s.Package, URL: q.URL, Harvest: q.Harvest, At: q.At, Changes: []Change{},
		Evidence: []Evidence{}, Parts: []Part{}, Files: s.Files}
	var about, parts []*Statement
	for i := range s.Statements {
		st := &s.Statements[i]
		switch {
		case q.Harvest > 0 && st.Scope.Harvest > 0 && q.Harvest != st.Scope.Harvest:
		case q.URL == "" && st.Scope.parts():
			parts = append(parts, st)
		case q.URL == "" || st.Scope.Holds(q.URL):
			about = append(about, st)
		}
	}
	d.Zone = decide(about, q.At)
	d.Changes = changes(about, q.At)
	lapsed := lapsedAt(about, q.At)
	for _, st := range about {
		d.Evidence = append(d.Evidence, evidence(st, q.At, d.Zone, lapsed))
	}
	for _, st := range parts {
		p := Part{Statement: st.ID, Harvest: st.Scope.Harvest, URLs: list(st.Scope.URLs), Except: list(st.Scope.Except),
			Zone: decide(append(slices.Clone(about), st), q.At)}
		d.Parts = append(d.Parts, p)
	}
	return d
}

func list(s []string) []string { return append([]string{}, s...) }

// Holds says whether a URL is meant.
func (s *Scope) Holds(address string) bool {
	m, a := s.Compile(), Split(address)
	return m.Holds(&a)
}

// Meant is which URLs a [Scope] means, ready to be compared with many.
type Meant struct{ urls, except []Pattern }

// Compile makes the patterns ready.
func (s *Scope) Compile() (m Meant) {
	for _, p := range s.URLs {
		m.urls = append(m.urls, Compile(p))
	}
	for _, p := range s.Except {
		m.except = append(m.except, Compile(p))
	}
	return m
}

// Holds says whether a URL is meant.
func (m *Meant) Holds(a *Address) bool {
	return (len(m.urls) == 0 || matches(m.urls, a)) && !matches(m.except, a)
}

func matches(patterns []Pattern, a *Address) bool {
	for i := range patterns {
		if patterns[i].Match(a) {
			return true
		}
	}
	return false
}

// decide is the rule: the strictest of what is in force.
func decide(about []*Statement, day Day) model.Zone {
	var zone model.Zone
	for _, st := range about {
		asked, _ := asks(st, day)
		zone = stricter(zone, asked)
	}
	if len(lapsedAt(about, day)) > 0 {
		zone = model.Restricted
	}
	return zone
}

// asks is the zone that a statement asks for on a day, by which of its grants.
func asks(st *Statement, day Day) (zone model.Zone, by *Grant) {
	for i := range st.Grants {
		g := &st.Grants[i]
		if g.Act == Show && g.Zone != "" && g.in(day) && strictness(g.Zone) > strictness(zone) {
			zone, by = g.Zone, g
		}
	}
	return zone, by
}

// lapsedAt names those who gave leave to show, none of which is in force on a day.
func lapsedAt(about []*Statement, day Day) map[string]bool {
	leave := map[string]bool{}
	for _, st := range about {
		for i := range st.Grants {
			if g := &st.Grants[i]; g.Act == Show && g.Zone == "" {
				leave[st.Agent] = leave[st.Agent] || g.in(day)
			}
		}
	}
	for who, in := range leave {
		if in {
			delete(leave, who)
		} else {
			leave[who] = true
		}
	}
	return leave
}

func evidence(st *Statement, day Day, zone model.Zone, lapsed map[string]bool) Evidence {
	e := Evidence{Statement: st.ID, Basis: st.Basis, Authority: st.Authority, Agent: st.Agent, Notes: list(st.Notes),
		Source: st.Source}
	asked, by := asks(st, day)
	if by != nil {
		e.Zone, e.From, e.To, e.Why = asked, by.From, by.To, by.Why
	}
	for i := range st.Grants {
		if g := &st.Grants[i]; g.Act == Show && g.Zone == "" && lapsed[st.Agent] {
			e.Zone, e.From, e.To, e.Why = model.Restricted, g.From, g.To, "the leave to show it is not in force"
		}
	}
	e.Decides = e.Zone != "" && e.Zone == zone
	return e
}
