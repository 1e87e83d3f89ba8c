package statements

import (
	"slices"

	"quire/model"
)

// Query is a question about access.
type Query struct {
	URL string // absolute, as captured; "" means the package as a whole
	// number of the URL's harvest in the package, from 1; 0 if unknown: then the statements on each
	// harvest apply
	Harvest int
	At      Day // required
}

// Decision is the access to a URL or package. Its JSON form is the contract of "quire rights
// --json".
type Decision struct {
	Package  string     `json:"package"`
	URL      string     `json:"url,omitempty"`
	Harvest  int        `json:"harvest,omitempty"`
	At       Day        `json:"at"`
	Zone     model.Zone `json:"zone"`     // "" without a statement, which does not mean open
	Changes  []Change   `json:"changes"`  // known changes on later days
	Evidence []Evidence `json:"evidence"` // every statement on the subject
	Parts    []Part     `json:"parts"`    // for a whole package: statements on some URLs only
	Files    []Files    `json:"files"`    // of the package that are never public
}

// Change is a different zone from a later day on.
type Change struct {
	From Day        `json:"from"`
	Zone model.Zone `json:"zone"`
}

// Evidence is the contribution of one statement to the decision.
type Evidence struct {
	Statement string     `json:"statement"` // ID of the rightsMD
	Basis     Basis      `json:"basis"`
	Authority string     `json:"authority"`
	Agent     string     `json:"agent"`
	Zone      model.Zone `json:"zone"` // required at the time; "" if the statement has none
	Decides   bool       `json:"decides"`
	From      Day        `json:"from"`
	To        Day        `json:"to"` // of that zone
	Why       string     `json:"why"`
	Notes     []string   `json:"notes"`
	Source    string     `json:"source"`
}

// Part is the decision for some URLs.
type Part struct {
	Statement string     `json:"statement"`
	Harvest   int        `json:"harvest,omitempty"`
	URLs      []string   `json:"urls"`
	Except    []string   `json:"except"`
	Zone      model.Zone `json:"zone"` // by this statement and those on the whole
}

// Decide decides on the access. The strictest of all applicable statements decides. Permissions to
// show without a zone must be in force from every grantor. If one grantor's permission has expired,
// the zone is restricted.
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

// Holds reports whether the scope includes a URL.
func (s *Scope) Holds(address string) bool {
	m, a := s.Compile(), Split(address)
	return m.Holds(&a)
}

// CompiledScope is a compiled [Scope], for comparison with many URLs.
type CompiledScope struct{ urls, except []Pattern }

// Compile compiles the patterns.
func (s *Scope) Compile() (m CompiledScope) {
	for _, p := range s.URLs {
		m.urls = append(m.urls, Compile(p))
	}
	for _, p := range s.Except {
		m.except = append(m.except, Compile(p))
	}
	return m
}

// Holds reports whether the scope includes a URL.
func (m *CompiledScope) Holds(a *Address) bool {
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

// decide applies the rule: the strictest zone in force.
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

// asks returns the zone that a statement requires on a day, and the grant that sets it.
func asks(st *Statement, day Day) (zone model.Zone, by *Grant) {
	for i := range st.Grants {
		g := &st.Grants[i]
		if g.Act == Show && g.Zone != "" && g.in(day) && strictness(g.Zone) > strictness(zone) {
			zone, by = g.Zone, g
		}
	}
	return zone, by
}

// lapsedAt returns the grantors of permissions to show without any permission in force on a day.
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
			e.Zone, e.From, e.To, e.Why = model.Restricted, g.From, g.To, "the permission to show it is "+
				"not in force"
		}
	}
	e.Decides = e.Zone != "" && e.Zone == zone
	return e
}
