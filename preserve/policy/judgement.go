package policy

import (
	"errors"
	"fmt"
	"strings"

	"quire/internal/humanize"
)

// Outcome is the overall result of a judgement.
type Outcome string

// The outcomes.
const (
	Accepted Outcome = "accepted"
	// needs human review: a rule of severity warn is broken, or a rule could not be judged
	Warned  Outcome = "warned"
	Refused Outcome = "refused" // a rule of severity refuse is broken
)

// Judgement is the result of judging by a policy. Its JSON form is part of the contract of "quire
// pack" and "quire validate".
type Judgement struct {
	Policy  string   `json:"policy"` // its name
	Title   string   `json:"title"`
	SHA512  string   `json:"sha512"` // of the policy file
	Outcome Outcome  `json:"outcome"`
	Rules   []Result `json:"rules"` // all rules, in order: the rules of the sections, then the rules under rules

	Tools []ToolReport `json:"tools"` // those that rules use, in the order of the policy

	// required by the policy, for the repository; 0 for no requirement
	Copies         int    `json:"copies"`
	FixityInterval string `json:"fixity_interval"` // interval of fixity checks of each copy; "" for none
}

// Notes formats the judgement for the event in the METS: its outcome, a note for each rule, the
// first places below it, and the duties of the repository.
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
	for i := range j.Tools {
		t := &j.Tools[i]
		if notes = append(notes, t.String()); t.WhyWhere != nil {
			notes = append(notes, "tool "+t.Label+": "+t.WhyWhere.String())
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

// RuleOutcome is the result of a rule.
type RuleOutcome string

// The results of a rule.
const (
	Kept   RuleOutcome = "kept"
	Broken RuleOutcome = "broken"
	// not broken as far as judged, but some items could not be judged
	NotJudged RuleOutcome = "not-judged"
)

// Result is the result of one rule.
type Result struct {
	ID       string      `json:"id"`
	Scope    Scope       `json:"scope"`
	Severity Severity    `json:"severity"`
	Message  string      `json:"message"`
	Outcome  RuleOutcome `json:"outcome"`

	Count    int64   `json:"count"`    // of items that break it: containers, records, … by its scope
	Payloads int64   `json:"payloads"` // in these items, in the scopes format and record
	Bytes    int64   `json:"bytes"`    // of these items; for containers, as stored
	First    []Place `json:"first"`    // at most MaxPlaces

	NotJudged int64  `json:"not_judged"`     // number of items that could not be judged
	Why       string `json:"why"`            // the first reason
	WhyWhere  *Place `json:"why_where"`      // the place of that
	Line      int    `json:"line,omitempty"` // of the rule in the policy file; 0 for a section
}

// Place is one item that breaks a rule.
type Place struct {
	Harvest   int    `json:"harvest"`   // from 1; 0 if the METS describes no harvest for it
	Container string `json:"container"` // path; "" if the place is not a container
	Offset    *int64 `json:"offset"`    // of the record; null if the place is not a record
	What      string `json:"what"`
}

// String formats the place on one line.
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

// MaxPlaces is the number of places listed for a rule.
const MaxPlaces = 10

// maxWhat limits the description of a place, in bytes.
const maxWhat = 300

// String formats the result of the rule on one line.
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

// unit is the counted unit of each scope.
var unit = map[Scope]string{
	ScopePackage: "package", ScopeHarvest: "harvest", ScopeContainer: "container", ScopeFinding: "kind of finding",
	ScopeFormat: "format", ScopeRecord: "record",
}

// Error reports that a package was not made or stored, because a policy refuses it.
type Error struct{ Judgement *Judgement }

// Error names the policy and the broken rules.
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

// ErrScan reports that a policy requires a virus check, but no scanner was configured.
var ErrScan = errors.New("requires a virus check: name a scanner with --clamd")

// tally is a Result being computed.
type tally struct{ Result }

// broken counts an item that breaks the rule.
func (t *tally) broken(at func() Place, payloads, bytes int64) {
	t.Count++
	t.Payloads += payloads
	t.Bytes += bytes
	if len(t.First) < MaxPlaces {
		t.First = append(t.First, at().clipped())
	}
}

// unjudged counts an item for which the rule could not be judged.
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

// clip copies a text, shortened to the limit for places.
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
