package statements

import (
	"time"

	"quire/model"
)

// Statement is one statement on the permitted use of a package or a part of it.
type Statement struct {
	ID           string // of its rightsMD: "RGT-1"
	Basis        Basis
	Authority    string // its basis: name of a law, a contract, a policy
	Jurisdiction string // of a law or of copyright: a country code
	Status       string // of copyright: "copyrighted", "public domain", "unknown"
	Terms        string // of a licence, as the grantor wrote them
	From, To     Day    // period of validity, inclusive
	Documents    []Document
	Notes        []string
	Agent        string // the grantor; "" if unknown
	Scope        Scope
	Grants       []Grant
	Facts        []Fact // original values without a PREMIS element
	Personal     bool   // the subject has personal data
	Source       string // its origin: "rights.yaml, line 3"
}

// Basis is the kind of right behind a Statement, in PREMIS terms.
type Basis string

// The bases.
const (
	Copyright Basis = "copyright"
	License   Basis = "license" // permission of a rights holder
	Statute   Basis = "statute" // a law, such as one on legal deposit
	Other     Basis = "other"   // a policy
)

// Document is the text of a right, or its location.
type Document struct {
	Type, Value string // "URL", "file reference"
}

// Fact is a named value.
type Fact struct {
	Name, Value string
}

// Scope is the subject of a Statement. The zero value means the whole package.
type Scope struct {
	Harvest int      // its number in the package, from 1; 0 means all
	URLs    []string // patterns, at least one must match; none means all: see [Pattern]
	Except  []string // patterns of exclusions
}

// parts reports whether the scope is limited to some URLs.
func (s *Scope) parts() bool { return len(s.URLs)+len(s.Except) > 0 }

// Act is a permitted act.
type Act string

// The acts.
const (
	Harvest Act = "harvest"
	Keep    Act = "preserve"
	Show    Act = "disseminate" // PREMIS's term
)

// Grant allows an act during a period, possibly only for a zone.
type Grant struct {
	Act Act

	// Zone limits access. A statement without a zone allows the act itself. Then the permission of
	// every such grantor must be in force, and other statements determine the zone.
	Zone model.Zone

	From, To Day    // inclusive; "" means without limit
	Why      string // the reason for this conclusion
}

// in reports whether a Grant is in force on a day.
func (g *Grant) in(day Day) bool { return g.From <= day && (g.To == "" || day <= g.To) }

// Day is a date without a zone, yyyy-mm-dd; "" means none. No system stores a zone with the dates
// of rights.
type Day string

// DayOf returns the day of a time, in its own zone.
func DayOf(t time.Time) Day { return Day(t.Format(time.DateOnly)) }

// ParseDay parses a day as the systems write it: 2030-12-31, optionally followed by a time.
// Otherwise ok is false.
func ParseDay(s string) (d Day, ok bool) {
	if len(s) < len(time.DateOnly) || len(s) > len(time.DateOnly) && s[len(time.DateOnly)] != ' ' &&
		s[len(time.DateOnly)] != 'T' {
		return "", false
	}
	s = s[:len(time.DateOnly)]
	_, err := time.Parse(time.DateOnly, s)
	return Day(s), err == nil
}

// add returns the day a number of days later.
func (d Day) add(days int) Day {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return d
	}
	return DayOf(t.AddDate(0, 0, days))
}

// strictness orders the zones: none, open, onsite, restricted.
func strictness(z model.Zone) int {
	switch z {
	case "":
		return 0
	case model.Open:
		return 1
	case model.Onsite:
		return 2
	}
	return 3
}

// stricter returns the stricter of two zones.
func stricter(a, b model.Zone) model.Zone {
	if strictness(b) > strictness(a) {
		return b
	}
	return a
}
