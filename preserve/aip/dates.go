package aip

import (
	"cmp"
	"strings"
	"time"

	"quire/metadata/mods"
)

// futureAllowed is how far a date may be after the clock of this computer: clocks differ, and so do
// time zones that were not stated.
const futureAllowed = 24 * time.Hour

// future reports a date in the future (clause 4.8). The zero time is no date.
func (d *description) future(t time.Time, what string) {
	if t.IsZero() || !t.After(d.now.Add(futureAllowed)) {
		return
	}
	d.findings.add(breaks(CodeDateFuture, d.document, "%s has the date %s; the clock of this computer says %s", what,
		t.UTC().Format(time.RFC3339), d.now.UTC().Format(time.RFC3339)))
}

// dateSpan is the time from the first to the last date of several. The zero value is empty.
type dateSpan struct{ first, last time.Time }

// add extends the span by a date. The zero time is no date.
func (s *dateSpan) add(t time.Time) {
	if t.IsZero() {
		return
	}
	if s.first.IsZero() || t.Before(s.first) {
		s.first = t
	}
	if t.After(s.last) {
		s.last = t
	}
}

func (s *dateSpan) addSpan(o dateSpan) {
	s.add(o.first)
	s.add(o.last)
}

func (s dateSpan) empty() bool { return s.first.IsZero() }

// near reports whether both spans have the same first and last second. Fractions may be rounded.
func (s dateSpan) near(o dateSpan) bool {
	return s.first.Sub(o.first).Abs() <= time.Second && s.last.Sub(o.last).Abs() <= time.Second
}

// apart reports whether more than a day lies between the spans.
func (s dateSpan) apart(o dateSpan) bool {
	return s.first.Sub(o.last) > futureAllowed || o.first.Sub(s.last) > futureAllowed
}

// String returns the span as EDTF writes it.
func (s dateSpan) String() string {
	return s.first.UTC().Format(time.RFC3339) + "/" + s.last.UTC().Format(time.RFC3339)
}

// spanOf reads a date or a time interval of EDTF. It is empty if that is not possible.
func spanOf(edtf string) (s dateSpan) {
	first, last, _ := strings.Cut(edtf, "/")
	s.add(parseDate(first))
	s.add(parseDate(cmp.Or(last, first)))
	return s
}

// capturedTexts returns the dates of capture that a MODS record states, as it writes them.
func capturedTexts(r *mods.Record) (first, last string) {
	for _, o := range r.Origins {
		for _, d := range o.Dates {
			if d.Kind != "dateCaptured" {
				continue
			}
			if d.Point != "end" {
				first = cmp.Or(first, strings.TrimSpace(d.Text))
			}
			if d.Point != "start" {
				last = cmp.Or(last, strings.TrimSpace(d.Text))
			}
		}
	}
	return first, last
}

// fits reports whether a date, which may stop at the year, month, day or minute, is the date of t.
func fits(text string, t time.Time) bool {
	stated := parseDate(text)
	if stated.IsZero() {
		return true // the schemas judge its form
	}
	if _, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return stated.Sub(t).Abs() <= time.Second
	}
	if strings.Contains(text, "T") {
		return stated.Sub(t).Abs() <= time.Minute
	}
	return strings.HasPrefix(t.UTC().Format(time.DateOnly), text)
}
