package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quire/holdings"
	"quire/model"
	"quire/preserve/aip"
)

// Secret reports whether the package contains, or may contain, content of which these readers must
// not even learn. Then other records that mention it are withheld too. A request names the page
// before it, metadata the page with the link, warcinfo the seeds, and file names their hosts. The
// content of logs and documents is for curators only then.
func (s *Source) Secret() bool {
	return s.Who.Class != holdings.Staff &&
		(s.hidden > 0 || slices.ContainsFunc(s.Package.Files, func(f holdings.File) bool {
			return f.Use == aip.UseLogs && !f.Allowed
		}))
}

// discreet lists the withheld logs and documents. If captures are hidden, it limits all dates to
// the dates of captures that these readers may know.
func (s *Source) discreet() error {
	if s.hidden > 0 {
		s.Package.First, s.Package.Last = s.span.first, s.span.last
	}
	for _, f := range s.Package.Files {
		if f.Allowed || f.Hidden {
			continue
		}
		k := Withheld{Reason: ByRights, Path: s.nameOf(f.Path), Verdict: f.Verdict, Message: f.Message, Until: f.Until,
			Why: f.Why}
		if err := s.Withhold(k); err != nil {
			return err
		}
	}
	return nil
}

// within returns the event as shown if captures are hidden: a harvest begins with the first visible
// capture, and ends with the last.
func (s *Source) within(e holdings.Event) holdings.Event {
	if s.hidden == 0 || e.Type != string(model.Capture) {
		return e
	}
	if e.Time.Before(s.span.first) {
		e.Time = s.span.first
	}
	if e.End.After(s.span.last) {
		e.End = s.span.last
	}
	return e
}

// nameOf returns the name for a withheld file in the list. A number replaces a name that could
// reveal something.
func (s *Source) nameOf(file string) string {
	if !s.Secret() {
		return file
	}
	n := 1 + slices.IndexFunc(s.Package.Files, func(f holdings.File) bool { return f.Path == file })
	return fmt.Sprintf("%s/file-%d", topOf(file), n)
}

// span is a range of time.
type span struct{ first, last time.Time }

func (s *span) add(timestamp string) {
	t, err := time.Parse("20060102150405", timestamp)
	if err != nil {
		return
	}
	if s.first.IsZero() || t.Before(s.first) {
		s.first = t
	}
	if t.After(s.last) {
		s.last = t
	}
}

// topOf returns the first folder of a path: deeper folders can be named after hosts.
func topOf(file string) string {
	top, _, _ := strings.Cut(file, "/")
	return top
}
