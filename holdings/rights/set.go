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
	sum    string // SHA-256 of the file, hex; "" for none
	closed string // why everything is closed: the file is unreadable; "" if it is readable
	before *Set   // the previous rules: hidden captures stay hidden
}

// Answer is the result of the rules for a case: of several rules the strictest decides.
type Answer struct {
	Verdict  Verdict // "" if no rule covers it
	Override bool    // a rule replaces the statements of packages and collections
	Hidden   bool
	Message  string
	Why      string    // the rule, for staff
	Until    time.Time // when the result changes; zero if unknown
	Unknown  bool      // the rules are unreadable: this holds until then
}

// Empty reports whether the set has no rules.
func (s *Set) Empty() bool { return len(s.Rules) == 0 && s.closed == "" }

// Fingerprint returns a text that changes with the rules; "" for none.
func (s *Set) Fingerprint() string {
	if len(s.Rules) == 0 {
		return ""
	}
	return s.sum
}

// Judge returns the result of the rules. It does not allocate if no rule applies.
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

// until returns the moment at which a rule ceases to apply.
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

// key returns the key of the URL, in SURT form.
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

// About returns the rules that cover a case, the strictest first.
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

// Hides reports whether a rule hides content that may be in a package.
func (s *Set) Hides(q *Question) bool {
	for i := range s.Rules {
		if r := &s.Rules[i]; r.Hidden && r.mayTouch(q) {
			return true
		}
	}
	return false
}

// Whole returns the result of the rules for a package, if it is the same for all its content; ok
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

// mayTouch reports whether a rule may cover content of a package, now or at another time.
func (r *Rule) mayTouch(q *Question) bool {
	return (len(r.Packages) == 0 || slices.Contains(r.Packages, q.Package)) &&
		(len(r.Collections) == 0 || q.Collections != nil && slices.ContainsFunc(r.Collections, q.Collections))
}
