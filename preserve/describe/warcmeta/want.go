package warcmeta

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"quire/metadata/oclc"
	"quire/preserve/describe"
	"quire/source/records/lookup"
)

// Sought is one URL of a row, and what is looked for to find its capture.
type Sought struct {
	URL   string // as the sheet has it
	Wants []lookup.Want
	dated string // from what the date is, where captures are chosen by one
}

// The kinds of URL that a sheet has: where the website was, and where a reader finds it in the
// archive.
const (
	kindSeed   = "seed"
	kindAccess = "access"
)

// URLs gives the addresses of what a row describes: those of the kind seed, or where there is none
// those that are not said to be of the archive.
func URLs(d *describe.Description) []string {
	var seeds, others []string
	for _, s := range d.Record {
		switch {
		case s.Element != oclc.URL || s.Kind == kindAccess:
		case s.Kind == kindSeed:
			seeds = append(seeds, s.Value)
		default:
			others = append(others, s.Value)
		}
	}
	if len(seeds) > 0 {
		others = seeds
	}
	slices.Sort(others)
	return slices.Compact(others)
}

// Seek lists what is looked for, for a row. Which is of several captures; "" is the nearest to the
// date of a row that has one, or else the first.
func Seek(d *describe.Description, which lookup.Which) []Sought {
	from, to, dated := dateOf(d)
	var all []Sought
	for _, u := range URLs(d) {
		s := Sought{URL: u, dated: dated}
		s.add(u, which, from, to)
		if date, within, ok := cutDated(u); ok { // the address in an archive, of which the sheet does not say so
			from, to := from, to
			if from.IsZero() {
				from, to, _ = span(date)
				s.dated = "the date in the URL"
			}
			s.add(within, which, from, to)
		}
		all = append(all, s)
	}
	return all
}

func (s *Sought) add(url string, which lookup.Which, from, to time.Time) {
	if which == "" {
		if which = lookup.First; !from.IsZero() {
			which = lookup.Nearest
		}
	}
	if which != lookup.Nearest {
		s.dated = ""
	}
	s.Wants = append(s.Wants, lookup.Want{URL: url, Which: which, From: from, To: to})
}

// Pick takes of the answers to Wants that which counts: of the URL itself, or else of the one
// within. Each chosen capture then says how it was come to from the row.
func (s *Sought) Pick(found []lookup.Found) lookup.Found {
	i := slices.IndexFunc(found, func(f lookup.Found) bool { return len(f.Chosen) > 0 })
	if i < 0 {
		return found[len(found)-1]
	}
	f := found[i]
	f.Chosen = slices.Clone(f.Chosen)
	for j := range f.Chosen {
		how := f.Chosen[j].How
		if i > 0 {
			how = "the URL within, " + s.Wants[i].URL + "; " + how
		}
		if f.Captured > 1 {
			how += fmt.Sprintf("; %s of %d captures", s.Wants[i].Which, f.Captured)
			if s.dated != "" {
				how += ", to " + s.dated
			}
		}
		f.Chosen[j].How = how
	}
	return f
}

// dateOf is when the capture was that a row describes: by its date of the kind captured, or by the
// date in the address that its capture has in an archive.
func dateOf(d *describe.Description) (from, to time.Time, dated string) {
	for _, s := range d.Record {
		if s.Element == oclc.Date && s.Kind == "captured" {
			if from, to, ok := span(s.Value); ok {
				return from, to, "the date captured, " + s.Value
			}
		}
	}
	for _, s := range d.Record {
		if s.Element == oclc.URL && s.Kind == kindAccess {
			if date, _, ok := cutDated(s.Value); ok {
				if from, to, ok := span(date); ok {
					return from, to, "the date in the URL for access, " + date
				}
			}
		}
	}
	return time.Time{}, time.Time{}, ""
}

// datedURL is an address in a web archive, as most of them make it: a prefix, up to 14 digits,
// perhaps a flag, the URL.
var datedURL = regexp.MustCompile(`^https?://[^?#]+?/([0-9]{4,14})(?:[a-z]{2}_)?/((?:https?|ftp)://.+)$`)

func cutDated(u string) (date, within string, ok bool) {
	m := datedURL.FindStringSubmatch(u)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// forms are those of dates, each with how long what it names lasts.
var forms = []struct {
	layout              string
	years, months, days int
	last                time.Duration
}{
	{"2006", 1, 0, 0, 0}, {"2006-01", 0, 1, 0, 0}, {"2006-01-02", 0, 0, 1, 0}, {"200601", 0, 1, 0, 0},
	{"20060102", 0, 0, 1, 0},
	{"2006010215", 0, 0, 0, time.Hour}, {"200601021504", 0, 0, 0, time.Minute},
	{"20060102150405", 0, 0, 0, time.Second},
	{"2006-01-02T15:04Z07:00", 0, 0, 0, time.Minute}, {time.RFC3339, 0, 0, 0, time.Second},
}

// span reads a date, or two with a slash between, as the time from the begin of the first to the
// end of the last.
func span(s string) (from, to time.Time, ok bool) {
	first, last, two := strings.Cut(s, "/")
	if !two {
		last = first
	}
	from, _, ok = period(first)
	_, to, ok2 := period(last)
	return from, to, ok && ok2 && from.Before(to)
}

func period(s string) (from, to time.Time, ok bool) {
	s = strings.TrimSpace(s)
	for _, f := range forms {
		if t, err := time.Parse(f.layout, s); err == nil {
			return t, t.AddDate(f.years, f.months, f.days).Add(f.last), true
		}
	}
	return time.Time{}, time.Time{}, false
}
