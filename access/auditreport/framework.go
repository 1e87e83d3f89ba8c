package auditreport

import "slices"

// State is the state of a claim, or the weakest state of several.
type State string

// The states, from the best to the weakest. The record of the repository decides on the first four,
// a person on the others.
const (
	Shown          State = "shown"
	PartlyShown    State = "partly-shown"
	NotShown       State = "not-shown" // the records contradict the claim
	Unknown        State = "unknown"   // the records do not decide
	Attested       State = "attested"
	PartlyAttested State = "attested-partly"
	Denied         State = "attested-no"
	NotAttested    State = "not-attested"
)

// strength orders the states, the weakest first.
var strength = []State{NotShown, Denied, Unknown, NotAttested, PartlyShown, PartlyAttested, Attested, Shown}

// Met reports whether the state fulfils a requirement.
func (s State) Met() bool { return s == Shown || s == Attested }

// weakest returns the weakest of the states of claims.
func weakest(claims []Claim) State {
	at := len(strength) - 1
	for i := range claims {
		at = min(at, slices.Index(strength, claims[i].State))
	}
	return strength[at]
}

// Framework is a set of requirements in one edition.
type Framework struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Edition string `json:"edition"`
	Source  string `json:"source"`
	Note    string `json:"note"`
	Rows    []Row  `json:"rows"`
}

// Row is a requirement with its claims.
type Row struct {
	ID      string  `json:"id"`      // as the framework numbers it, or area and level
	Edition string  `json:"edition"` // of the framework
	Area    string  `json:"area"`
	Level   int     `json:"level"` // of NDSA; else 0
	Text    string  `json:"requirement"`
	State   State   `json:"state"` // the weakest of the claims
	Claims  []Claim `json:"claims"`
}

// Claim is a part of a requirement that either the records or a person show.
type Claim struct {
	ID        string   `json:"id"`
	Text      string   `json:"claim"`
	By        string   `json:"by"` // records, or person
	State     State    `json:"state"`
	Statement string   `json:"statement"`
	Evidence  []string `json:"evidence"`
	Person    string   `json:"person"` // who attested it; "" for records
	On        string   `json:"on"`     // the day of that
}

// Values of Claim.By.
const (
	ByRecords = "records"
	ByPerson  = "person"
)

// finding is the result of a check of the records.
type finding struct {
	state     State
	statement string
	evidence  []string
}

// check is a check of the records in a report.
type check func(*Report) finding

// spec describes a claim. Without a check, a person attests it.
type spec struct {
	id    string
	text  string
	check check
}

// rowSpec describes a requirement.
type rowSpec struct {
	id, area string
	level    int
	text     string
	claims   []spec
}

// frameworkSpec describes a framework.
type frameworkSpec struct {
	Framework
	rows []rowSpec
}

// frameworks are all frameworks of a report.
var frameworks = []*frameworkSpec{&ndsa, &coreTrustSeal, &iso16363}

// assess compares a report with the frameworks.
func assess(r *Report, a *Attestations) []Framework {
	all := make([]Framework, 0, len(frameworks))
	for _, f := range frameworks {
		out := f.Framework
		for _, row := range f.rows {
			made := Row{ID: row.id, Edition: f.Edition, Area: row.area, Level: row.level, Text: row.text,
				Claims: make([]Claim, 0, len(row.claims))}
			for _, s := range row.claims {
				made.Claims = append(made.Claims, s.assess(r, a))
			}
			made.State = weakest(made.Claims)
			out.Rows = append(out.Rows, made)
		}
		all = append(all, out)
	}
	return all
}

// assess decides on one claim.
func (s *spec) assess(r *Report, a *Attestations) Claim {
	c := Claim{ID: s.id, Text: s.text, By: ByRecords, Evidence: []string{}}
	if s.check != nil {
		f := s.check(r)
		c.State, c.Statement, c.Evidence = f.state, f.statement, append(c.Evidence, f.evidence...)
		if c.State == Attested || c.State == Denied || c.State == NotAttested {
			c.By = ByPerson // the places of copies
		}
		return c
	}
	c.By, c.State, c.Statement = ByPerson, NotAttested, "Not attested."
	if a == nil {
		return c
	}
	t, ok := a.Claims[s.id]
	if !ok {
		return c
	}
	c.State = map[Answer]State{Yes: Attested, Partly: PartlyAttested, No: Denied}[t.Answer]
	c.Statement, c.Evidence, c.Person, c.On = t.Statement, append(c.Evidence, t.Evidence...), t.By, t.On
	return c
}

// personClaim is a claim for the form of attestations.
type personClaim struct{ head, id, text string }

// personClaims lists the claims that a person attests, in the order of the frameworks.
func personClaims() (all []personClaim) {
	for _, f := range frameworks {
		for _, row := range f.rows {
			for _, s := range row.claims {
				if s.check == nil {
					all = append(all, personClaim{f.Name + ", " + f.Edition + ": " + row.text, s.id, s.text})
				}
			}
		}
	}
	return all
}

// Reached returns the highest level of an area whose requirements, and those of the levels below,
// are all met.
func (f *Framework) Reached(area string) (level int) {
	for i := range f.Rows {
		if r := &f.Rows[i]; r.Area == area && r.Level == level+1 && r.State.Met() {
			level++
		}
	}
	return level
}

// Areas returns the areas of a framework in order.
func (f *Framework) Areas() (all []string) {
	for i := range f.Rows {
		if !slices.Contains(all, f.Rows[i].Area) {
			all = append(all, f.Rows[i].Area)
		}
	}
	return all
}
