// Package rights decides on access: by the rules file of an institution, beside the statements in
// the packages (docs/reference/530_access-rules.md): an embargo, a takedown, a site for the reading
// rooms only.
//
// A file that is changed holds from the next question on. An unreadable part closes everything that
// it may have covered.
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

	// The conditions. Of each list one must fit; an empty one fits all.
	Packages    []string `json:"packages,omitempty"`
	Collections []string `json:"collections,omitempty"`
	URLs        []string `json:"urls,omitempty"` // patterns: see statements.Pattern; or SURT prefixes
	Except      []string `json:"except,omitempty"`
	// when it was captured: days, by the clock of the captures (UTC)
	Captured Span                `json:"captured,omitzero"`
	Younger  Age                 `json:"younger-than,omitzero"`
	Older    Age                 `json:"older-than,omitzero"`
	Asked    Span                `json:"asked,omitzero"` // when the reader asks: days, by the clock of the house
	Digests  []string            `json:"digests,omitempty"`
	Types    []string            `json:"types,omitempty"` // media types; video/* are all of video
	Scans    []model.ScanOutcome `json:"scans,omitempty"`

	// The effect.
	Access   Verdict `json:"access"`
	Override bool    `json:"override,omitempty"` // it replaces the statements of packages and collections
	Hidden   bool    `json:"hidden,omitempty"`   // readers without access do not learn that it exists
	Message  string  `json:"message,omitempty"`  // for the public

	// For curators.
	Comment string         `json:"comment,omitempty"`
	By      string         `json:"by,omitempty"`
	On      statements.Day `json:"on,omitempty"`

	where  string
	urls   []pattern
	except []pattern
}

// Span is from one day to another, both included; "" is without limit.
type Span struct {
	From statements.Day `json:"from,omitempty"`
	To   statements.Day `json:"to,omitempty"`
}

func (s Span) set() bool { return s != Span{} }

// Holds says whether a day is in it.
func (s Span) Holds(day statements.Day) bool {
	return (s.From == "" || day >= s.From) && (s.To == "" || day <= s.To)
}

// Age is a length of time by the calendar.
type Age struct {
	Years  int `json:"years,omitempty"`
	Months int `json:"months,omitempty"`
	Days   int `json:"days,omitempty"`
}

// IsZero says whether there is none.
func (a Age) IsZero() bool { return a == Age{} }

// After is the moment at which something that was captured then comes to be so old.
func (a Age) After(captured time.Time) time.Time { return captured.AddDate(a.Years, a.Months, a.Days) }

// Question asks about a capture; or, without a URL, about a package.
type Question struct {
	Package     string
	Collections func(id string) bool // whether the package is of a collection; nil is of none
	URL         string
	Key         string    // of the URL, as format/surt has it; worked out when it is ""
	Captured    time.Time // zero where it is not known
	Digest      string    // of the payload: "sha1:BASE32"
	SHA256      string    // of the body, hex
	MIME        string    // without parameters, in lower case
	Scan        model.ScanOutcome
	Now         time.Time // by the clock of the house, in its zone

	captured, today statements.Day
	address         statements.Address // of the URL
	apart           bool
}

// about reports whether a rule covers a question. An unknown fact of a capture may fit: then it
// does.
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
	if q.URL == "" { // for a package as a whole only rules on all of it
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

// ofSome says whether a rule is about some captures of a package only.
func (r *Rule) ofSome() bool {
	return len(r.urls)+len(r.except)+len(r.Digests)+len(r.Types)+len(r.Scans) > 0 || r.Captured != Span{} ||
		!r.Younger.IsZero() || !r.Older.IsZero()
}

// ofType says whether a media type is one, or of one, such as video/*.
func ofType(mime, t string) bool {
	if n := len(t) - 1; t[n] == '*' {
		return len(mime) >= n && mime[:n] == t[:n]
	}
	return mime == t
}

// day is the day on which the reader asks. It is worked out once.
func (q *Question) day() statements.Day {
	if q.today == "" {
		q.today = statements.DayOf(q.Now)
	}
	return q.today
}

// capturedOn is the day of the capture.
func (q *Question) capturedOn() statements.Day {
	if q.captured == "" {
		q.captured = statements.DayOf(q.Captured)
	}
	return q.captured
}
