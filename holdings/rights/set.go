package rights

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quire/format/surt"
	"quire/preserve/statements"
)

// Set is the rules of a file.
type Set struct {
	Rules []Rule

	byHost byHost
	sum    string // SHA-256 of the file, hex; "" where there is none
	closed string // why nothing is handed out: the file cannot be read; "" when it can
	before *Set   // which held before that: hidden captures stay hidden
}

// Answer is the answer of the rules to a question: of several rules the strictest decides.
type Answer struct {
	Verdict  Verdict // "" when no rule is about it
	Override bool    // one of them replaces the statements of packages and collections
	Hidden   bool
	Message  string
	Why      string    // the rule, for staff
	Until    time.Time // from when on another answer holds; zero when none is known
	Unknown  bool      // the rules cannot be read: this holds until they can
}

// Empty says whether there is no rule.
func (s *Set) Empty() bool { return len(s.Rules) == 0 && s.closed == "" }

// Fingerprint returns a text that is another one for other rules; "" when there are none.
func (s *Set) Fingerprint() string {
	if len(s.Rules) == 0 {
		return ""
	}
	return s.sum
}

// Judge returns the answer of the rules. It allocates nothing where no rule applies.
func (s *Set) Judge(q *Question) (a Answer) {
	if s == nil {
		return a
	}
	if s.closed != "" {
		return Answer{Verdict: Blocked, Why: s.closed, Message: unable, Hidden: s.before.Judge(q).Hidden, Unknown: true}
	}
	if len(s.Rules) == 0 {
		return a
	}
	var by *Rule
	hidden, override := false, false
	s.byHost.each(q, func(i int) {
		r := &s.Rules[i]
		if !r.about(q) {
			return
		}
		if by == nil || r.Access.Strictness() > by.Access.Strictness() || r.Access == by.Access && r.Line < by.Line {
			by = r
		}
		hidden, override = hidden || r.Hidden, override || r.Override
	})
	if by == nil {
		return a
	}
	a = Answer{Verdict: by.Access, Override: override, Hidden: hidden, Message: by.Message, Why: by.where,
		Until: by.until(q)}
	return a
}

// until returns the moment at which a rule ceases to apply, by the clock.
func (r *Rule) until(q *Question) (t time.Time) {
	if r.Asked.To != "" {
		t = nextDay(r.Asked.To, q.Now.Location())
	}
	if !r.Younger.IsZero() && !q.Captured.IsZero() {
		if end := r.Younger.After(q.Captured); t.IsZero() || end.Before(t) {
			t = end
		}
	}
	return t
}

func nextDay(day statements.Day, zone *time.Location) time.Time {
	if t := beginOf(day, zone); !t.IsZero() {
		return t.AddDate(0, 0, 1)
	}
	return time.Time{}
}

// key is that of the URL, in the form of SURT.
func (q *Question) key() string {
	if q.Key == "" {
		q.Key = surt.Key(q.URL)
	}
	return q.Key
}

// explain names the place of a rule, and the notes of curators.
func (r *Rule) explain(file string) string {
	text := fmt.Sprintf("%s, line %d", file, r.Line)
	for _, more := range []string{r.Name, r.Comment} {
		if more != "" {
			text += ": " + more
		}
	}
	var noted []string
	if r.By != "" {
		noted = append(noted, r.By)
	}
	if r.On != "" {
		noted = append(noted, string(r.On))
	}
	if len(noted) > 0 {
		text += " (" + strings.Join(noted, ", ") + ")"
	}
	return text
}

// About returns the rules that cover a question, the strictest first.
func (s *Set) About(q *Question) []Rule {
	var all []Rule
	for i := range s.Rules {
		if s.Rules[i].about(q) {
			all = append(all, s.Rules[i])
		}
	}
	slices.SortStableFunc(all, func(a, b Rule) int { return b.Access.Strictness() - a.Access.Strictness() })
	return all
}

// Hides says whether a rule hides something that may be in a package.
func (s *Set) Hides(q *Question) bool {
	for i := range s.Rules {
		if r := &s.Rules[i]; r.Hidden && r.mayTouch(q) {
			return true
		}
	}
	return false
}

// Whole returns the answer of the rules for a package, when it is the same for all its content; ok
// reports whether it is.
func (s *Set) Whole(q *Question) (a Answer, ok bool) {
	for i := range s.Rules {
		r := &s.Rules[i]
		if r.mayTouch(q) && r.ofSome() {
			return a, false
		}
	}
	return s.Judge(q), true
}

// mayTouch says whether a rule may be about something in a package, be it at another time.
func (r *Rule) mayTouch(q *Question) bool {
	return (len(r.Packages) == 0 || slices.Contains(r.Packages, q.Package)) &&
		(len(r.Collections) == 0 || q.Collections != nil && slices.ContainsFunc(r.Collections, q.Collections))
}
