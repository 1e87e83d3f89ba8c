// Package rights decides on access: by the rules file of an institution, together with the
// statements in the packages (docs/reference/530_access-rules.md). Examples are an embargo, a
// takedown, or a site restricted to the reading rooms.
//
// A changed file applies from the next query on. An unreadable part closes everything that it may
// have covered.
package rights

import (
	"slices"
	"time"

	"quire/model"
	"quire/preserve/statements"
)

// Rule is one rule of the file: its conditions and its effect.
type Rule struct {
	Name string `json:"name,omitempty"`
	Line int    `json:"line"`

	// The conditions. One value of each list must match; an empty list matches all.
	Packages    []string `json:"packages,omitempty"`
	Collections []string `json:"collections,omitempty"`
	URLs        []string `json:"urls,omitempty"` // each is a pattern (see statements.Pattern) or a SURT prefix
	Except      []string `json:"except,omitempty"`
	// day of the capture (UTC)
	Captured Span                `json:"captured,omitzero"`
	Younger  Age                 `json:"younger-than,omitzero"`
	Older    Age                 `json:"older-than,omitzero"`
	Asked    Span                `json:"asked,omitzero"` // day of the request, in the institution's zone
	Digests  []string            `json:"digests,omitempty"`
	Types    []string            `json:"types,omitempty"` // media types; video/* covers all video types
	Scans    []model.ScanOutcome `json:"scans,omitempty"`

	// The effect.
	Access   Verdict `json:"access"`
	Override bool    `json:"override,omitempty"` // replaces the statements of packages and collections
	Hidden   bool    `json:"hidden,omitempty"`   // its existence is hidden from readers without access
	Message  string  `json:"message,omitempty"`  // for the public

	// For curators.
	Comment string         `json:"comment,omitempty"`
	By      string         `json:"by,omitempty"`
	On      statements.Day `json:"on,omitempty"`

	where  string
	urls   []pattern
	except []pattern
}

// Span is a range of days, inclusive; "" means no limit.
type Span struct {
	From statements.Day `json:"from,omitempty"`
	To   statements.Day `json:"to,omitempty"`
}

func (s Span) set() bool { return s != Span{} }

// Holds reports whether a day is in the span.
func (s Span) Holds(day statements.Day) bool {
	return (s.From == "" || day >= s.From) && (s.To == "" || day <= s.To)
}

// Age is a calendar duration.
type Age struct {
	Years  int `json:"years,omitempty"`
	Months int `json:"months,omitempty"`
	Days   int `json:"days,omitempty"`
}

// IsZero reports whether the age is unset.
func (a Age) IsZero() bool { return a == Age{} }

// After returns the moment at which a capture reaches this age.
func (a Age) After(captured time.Time) time.Time { return captured.AddDate(a.Years, a.Months, a.Days) }

// Question describes a capture for the rules; or, without a URL, a whole package.
type Question struct {
	Package     string
	Collections func(id string) bool // reports membership in a collection; nil means none
	URL         string
	Key         string    // of the URL, by format/surt; "" means computed
	Captured    time.Time // zero if unknown
	Digest      string    // of the payload: "sha1:BASE32"
	SHA256      string    // of the body, hex
	MIME        string    // without parameters, in lower case
	Scan        model.ScanOutcome
	Now         time.Time // by the institution's clock, in its zone

	captured, today statements.Day
	address         statements.Address // of the URL
	apart           bool
}

// about reports whether a rule applies to a case. If a property of a capture is unknown, it is
// treated as a match.
func (r *Rule) about(q *Question) bool {
	switch {
	case len(r.Packages) > 0 && !slices.Contains(r.Packages, q.Package),
		len(r.Collections) > 0 && (q.Collections == nil || !slices.ContainsFunc(r.Collections, q.Collections)),
		r.Asked.set() && !r.Asked.Holds(q.day()),
		!r.aboutCapture(q):
		return false
	}
	return true
}

func (r *Rule) aboutCapture(q *Question) bool {
	if q.URL == "" { // a whole package is covered only by rules on all of it
		return !r.ofSome()
	}
	if !q.Captured.IsZero() {
		if r.Captured.set() && !r.Captured.Holds(q.capturedOn()) || !r.Younger.IsZero() &&
			!q.Now.Before(r.Younger.After(q.Captured)) || !r.Older.IsZero() && q.Now.Before(r.Older.After(q.Captured)) {
			return false
		}
	}
	switch {
	case len(r.Digests) > 0 && !slices.ContainsFunc(r.Digests, func(d string) bool {
		return d == q.Digest || q.SHA256 != "" && d == "sha256:"+q.SHA256
	}),
		len(r.Types) > 0 && q.MIME != "" &&
			!slices.ContainsFunc(r.Types, func(t string) bool { return ofType(q.MIME, t) }),
		len(r.Scans) > 0 && !slices.Contains(r.Scans, q.Scan),
		len(r.urls) > 0 && !means(r.urls, q),
		means(r.except, q):
		return false
	}
	return true
}

// ofSome reports whether a rule covers only some captures of a package.
func (r *Rule) ofSome() bool {
	return len(r.urls)+len(r.except)+len(r.Digests)+len(r.Types)+len(r.Scans) > 0 || r.Captured != Span{} ||
		!r.Younger.IsZero() || !r.Older.IsZero()
}

// ofType reports whether a media type matches t, which may be like video/*.
func ofType(mime, t string) bool {
	if n := len(t) - 1; t[n] == '*' {
		return len(mime) >= n && mime[:n] == t[:n]
	}
	return mime == t
}

// day returns the day of the request. It is computed once.
func (q *Question) day() statements.Day {
	if q.today == "" {
		q.today = statements.DayOf(q.Now)
	}
	return q.today
}

// capturedOn returns the day of the capture.
func (q *Question) capturedOn() statements.Day {
	if q.captured == "" {
		q.captured = statements.DayOf(q.Captured)
	}
	return q.captured
}
