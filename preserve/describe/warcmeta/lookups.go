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

// Sought is one URL of a row, and the lookup for its capture.
type Sought struct {
	URL   string // as in the sheet
	Wants []lookup.Want
	dated string // the origin of the date, if captures are chosen by date
}

// The kinds of URL in a sheet: the address of the website, and the address of the capture in the
// archive.
const (
	kindSeed   = "seed"
	kindAccess = "access"
)

// URLs returns the addresses of the thing that a row describes. These are the URLs of the kind
// seed. If there are none, they are the URLs that are not marked as addresses in the archive.
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

// Seek lists the lookups for a row. which selects among several captures; "" is the one nearest to
// the date of the row, or else the first.
func Seek(d *describe.Description, which lookup.Which) []Sought {
	from, to, dated := dateOf(d)
	var all []Sought
	for _, u := range URLs(d) {
		s := Sought{URL: u, dated: dated}
		s.add(u, which, from, to)
		if date, within, ok := cutDated(u); ok { // an address in an archive, though the sheet does not mark it
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

// Pick selects the answer to Wants: the answer for the URL itself, or else the answer for the URL
// within it. Each chosen capture then states how the row led to it.
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

// dateOf returns the capture time that a row describes: its date of the kind captured, or the date
// in the archive's address of the capture.
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

// datedURL matches an address in most web archives: a prefix, up to 14 digits, an optional flag,
// the URL.
var datedURL = regexp.MustCompile(`^https?://[^?#]+?/([0-9]{4,14})(?:[a-z]{2}_)?/((?:https?|ftp)://.+)$`)

func cutDated(u string) (date, within string, ok bool) {
	m := datedURL.FindStringSubmatch(u)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// forms are the date formats, each with the length of its period.
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

// span reads a date, or two separated by a slash, as the time from the start of the first to the
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
