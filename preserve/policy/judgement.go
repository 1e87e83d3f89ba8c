package policy

import (
	"errors"
	"fmt"
	"strings"

	"quire/internal/humanize"
)

// Outcome is what a judgement comes to.
type Outcome string

// The outcomes.
const (
	Accepted Outcome = "accepted"
	// a person is to look at it: a rule of severity warn is broken, or one could not be judged
	Warned  Outcome = "warned"
	Refused Outcome = "refused" // a rule of severity refuse is broken
)

// Judgement is what came of judging by a policy. Its JSON form is part of the contract of "quire
// pack" and "quire validate".
type Judgement struct {
	Policy  string   `json:"policy"` // its name
	Title   string   `json:"title"`
	SHA512  string   `json:"sha512"` // of the policy file
	Outcome Outcome  `json:"outcome"`
	Rules   []Result `json:"rules"` // all of them: those of the sections, then those under rules, in their order

	// that the policy asks for, which the repository has to keep; 0 when nothing is asked
	Copies         int    `json:"copies"`
	FixityInterval string `json:"fixity_interval"` // in which each copy is to be read again; "" when nothing is asked
}

// Notes words the judgement for the event in the METS: its outcome, a note for each rule, the first
// places below it, and what the repository is to do.
func (j *Judgement) Notes() []string {
	notes := []string{string(j.Outcome)}
	for i := range j.Rules {
		r := &j.Rules[i]
		notes = append(notes, r.String()+" ("+r.Message+")")
		for _, p := range r.First {
			notes = append(notes, r.ID+": "+p.String())
		}
		if r.NotJudged > 0 {
			notes = append(notes, r.ID+": not judged: "+r.WhyWhere.String())
		}
	}
	if j.Copies > 0 {
		notes = append(notes, "to be kept in "+copiesOf(j.Copies))
	}
	if j.FixityInterval != "" {
		notes = append(notes, "each copy to be read again every "+strings.TrimPrefix(j.FixityInterval, "1 "))
	}
	return notes
}

func copiesOf(n int) string {
	if n == 1 {
		return "1 copy"
	}
	return fmt.Sprintf("%d copies", n)
}

// RuleOutcome is what became of a rule.
type RuleOutcome string

// What can become of a rule.
const (
	Kept   RuleOutcome = "kept"
	Broken RuleOutcome = "broken"
	// not broken as far as it could be judged, and it could not be judged everywhere
	NotJudged RuleOutcome = "not-judged"
)

// Result is what became of one rule.
type Result struct {
	ID       string      `json:"id"`
	Scope    Scope       `json:"scope"`
	Severity Severity    `json:"severity"`
	Message  string      `json:"message"`
	Outcome  RuleOutcome `json:"outcome"`

	Count    int64   `json:"count"`    // of what breaks it: containers, records, … as its scope says
	Payloads int64   `json:"payloads"` // in these, where its scope is format or record
	Bytes    int64   `json:"bytes"`    // of these; of containers, as stored
	First    []Place `json:"first"`    // at most MaxPlaces

	NotJudged int64  `json:"not_judged"`     // for how many it could not be judged
	Why       string `json:"why"`            // it could not, the first time
	WhyWhere  *Place `json:"why_where"`      // that was
	Line      int    `json:"line,omitempty"` // of the rule in the policy file; 0 of a section
}

// Place is one thing that breaks a rule.
type Place struct {
	Harvest   int    `json:"harvest"`   // from 1; 0 when the place is of no harvest that the METS describes
	Container string `json:"container"` // path; "" when the place is no container
	Offset    *int64 `json:"offset"`    // of the record; null when the place is none
	What      string `json:"what"`
}

// String writes the place on one line.
func (p Place) String() string {
	var b strings.Builder
	if p.Container != "" {
		b.WriteString(p.Container)
	} else if p.Harvest > 0 {
		fmt.Fprintf(&b, "harvest %d", p.Harvest)
	}
	if p.Offset != nil {
		fmt.Fprintf(&b, " at byte %d", *p.Offset)
	}
	if b.Len() > 0 && p.What != "" {
		b.WriteString(": ")
	}
	b.WriteString(p.What)
	return b.String()
}

// MaxPlaces is how many places of a rule are listed.
const MaxPlaces = 10

// maxWhat bounds what is said of a place, in bytes.
const maxWhat = 300

// String says what became of the rule, on one line.
func (r *Result) String() string {
	said := fmt.Sprintf("%s %s: %s", r.Severity, r.ID, r.Outcome)
	if r.Outcome == Broken {
		said += " by " + humanize.Count(r.Count, unit[r.Scope])
		if r.Scope == ScopeFormat {
			said += fmt.Sprintf(" (%s, %d bytes)", humanize.Count(r.Payloads, "payload"), r.Bytes)
		}
	}
	if r.NotJudged > 0 {
		said += fmt.Sprintf("; not judged for %s: %s", humanize.Count(r.NotJudged, unit[r.Scope]), r.Why)
	}
	return said
}

// unit is what is counted in a scope.
var unit = map[Scope]string{
	ScopePackage: "package", ScopeHarvest: "harvest", ScopeContainer: "container", ScopeFinding: "kind of finding",
	ScopeFormat: "format", ScopeRecord: "record",
}

// Error is the error of what was not made, or not stored, because a policy refuses it.
type Error struct{ Judgement *Judgement }

// Error names the policy and the rules that are broken.
func (e *Error) Error() string {
	var broken []string
	for i := range e.Judgement.Rules {
		if r := &e.Judgement.Rules[i]; r.Severity == Refuse && r.Outcome == Broken {
			said := r.String()
			if len(r.First) > 0 {
				said += ", the first: " + r.First[0].String()
			}
			broken = append(broken, said)
		}
	}
	return fmt.Sprintf("refused by the policy %s:\n  %s", e.Judgement.Policy, strings.Join(broken, "\n  "))
}

// ErrScan says that a policy asks for a virus check, and nobody was asked.
var ErrScan = errors.New("asks for a virus check: name a scanner with --clamd")

// tally is a Result in the making.
type tally struct{ Result }

// broken counts a thing that breaks the rule.
func (t *tally) broken(at func() Place, payloads, bytes int64) {
	t.Count++
	t.Payloads += payloads
	t.Bytes += bytes
	if len(t.First) < MaxPlaces {
		t.First = append(t.First, at().clipped())
	}
}

// unjudged counts a thing for which the rule could not be judged.
func (t *tally) unjudged(at func() Place, why error) {
	if t.NotJudged++; t.NotJudged == 1 {
		place := at().clipped()
		t.Why, t.WhyWhere = clip(why.Error()), &place
	}
}

func (p Place) clipped() Place {
	p.Container, p.What = clip(p.Container), clip(p.What)
	return p
}

// clip copies a text, shortened to what is said of a place.
func clip(s string) string {
	if len(s) > maxWhat {
		s = s[:maxWhat] + "…"
	}
	return strings.Clone(strings.ToValidUTF8(s, "\uFFFD"))
}

func (t *tally) result() Result {
	switch {
	case t.Count > 0:
		t.Outcome = Broken
	case t.Result.NotJudged > 0:
		t.Outcome = NotJudged
	default:
		t.Outcome = Kept
	}
	if t.First == nil {
		t.First = []Place{}
	}
	return t.Result
}
