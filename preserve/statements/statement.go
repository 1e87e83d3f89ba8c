package statements

import (
	"time"

	"quire/model"
)

// Statement is one thing that somebody said of what may be done with a package, or with a part of
// it.
type Statement struct {
	ID           string // of its rightsMD: "RGT-1"
	Basis        Basis
	Authority    string // what it rests on: name of a law, a contract, a policy
	Jurisdiction string // of a law or of copyright: a country code
	Status       string // of copyright: "copyrighted", "public domain", "unknown"
	Terms        string // of a licence, in the words of who granted it
	From, To     Day    // between which it applies, both included
	Documents    []Document
	Notes        []string
	Agent        string // who granted it; "" when not told
	Scope        Scope
	Grants       []Grant
	Said         []Fact // in the source's own words, what PREMIS has no place for
	Personal     bool   // it holds personal data
	Source       string // where it stands: "rights.yaml, line 3"
}

// Basis is the kind of right that a Statement rests on, in the words of PREMIS.
type Basis string

// The bases.
const (
	Copyright Basis = "copyright"
	License   Basis = "license" // leave that a holder of rights gave
	Statute   Basis = "statute" // a law, such as one on legal deposit
	Other     Basis = "other"   // a policy
)

// Document is the text of a right, or where it is.
type Document struct {
	Type, Value string // "URL", "file reference"
}

// Fact is something said under a name of its own.
type Fact struct {
	Name, Value string
}

// Scope is what a Statement is about. The zero value is the whole package.
type Scope struct {
	Harvest int      // its number in the package, from 1; 0 means all
	URLs    []string // patterns, of which one must match; none means all: see [Pattern]
	Except  []string // patterns of what is not meant
}

// parts says whether only some URLs are meant.
func (s *Scope) parts() bool { return len(s.URLs)+len(s.Except) > 0 }

// Act is something that may be done.
type Act string

// The acts.
const (
	Harvest Act = "harvest"
	Keep    Act = "preserve"
	Show    Act = "disseminate" // PREMIS's word
)

// Grant says that an act is allowed, or to whom only, in a time.
type Grant struct {
	Act Act

	// Zone is who may see it. Without a zone the act is allowed as such: then it must be allowed at
	// the time by each who grants it, and who may see it is for others to say.
	Zone model.Zone

	From, To Day    // both included; "" means without limit
	Why      string // how that was concluded
}

// in says whether a Grant is in force on a day.
func (g *Grant) in(day Day) bool { return g.From <= day && (g.To == "" || day <= g.To) }

// Day is a date without a zone, yyyy-mm-dd; "" is none. No system writes a zone with the dates of
// rights.
type Day string

// DayOf is the day of a moment, by its own zone.
func DayOf(t time.Time) Day { return Day(t.Format(time.DateOnly)) }

// ParseDay understands a day as the systems write it: 2030-12-31, also with a time behind it. Of
// anything else ok is false.
func ParseDay(s string) (d Day, ok bool) {
	if len(s) < len(time.DateOnly) || len(s) > len(time.DateOnly) && s[len(time.DateOnly)] != ' ' &&
		s[len(time.DateOnly)] != 'T' {
		return "", false
	}
	s = s[:len(time.DateOnly)]
	_, err := time.Parse(time.DateOnly, s)
	return Day(s), err == nil
}

// add counts days on.
func (d Day) add(days int) Day {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return d
	}
	return DayOf(t.AddDate(0, 0, days))
}

// strictness orders the zones: nothing said, open, onsite, restricted.
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

// stricter gives the stricter of two zones.
func stricter(a, b model.Zone) model.Zone {
	if strictness(b) > strictness(a) {
		return b
	}
	return a
}
