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

// Secret says whether the package has, or may have, what these readers must not even know of. Then
// what speaks of other captures is not for them: a request names the page before it, metadata the
// page in which a link was found, a warcinfo record what the crawl began with, and names of files
// the hosts that they are about. Logs and documents themselves nobody but curators has there.
func (s *Source) Secret() bool {
	return s.Who.Class != holdings.Staff &&
		(s.hidden > 0 || slices.ContainsFunc(s.Package.Files, func(f holdings.File) bool {
			return f.Use == aip.UseLogs && !f.Allowed
		}))
}

// discreet lists the logs and documents that are kept back, and tells no dates but those of
// captures that these readers are told of.
func (s *Source) discreet() error {
	if s.hidden > 0 {
		s.Package.First, s.Package.Last = s.span.first, s.span.last
	}
	for _, f := range s.Package.Files {
		if f.Allowed || f.Hidden {
			continue
		}
		k := Kept{Reason: ByRights, Path: s.nameOf(f.Path), Verdict: f.Verdict, Message: f.Message, Until: f.Until,
			Why: f.Why}
		if err := s.Keep(k); err != nil {
			return err
		}
	}
	return nil
}

// within gives an event as it is told where something is hidden: a harvest began with the first
// capture that is told of, and ended with the last.
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

// nameOf is how a file that is kept back is called: a number takes the place of its name where that
// may tell something.
func (s *Source) nameOf(file string) string {
	if !s.Secret() {
		return file
	}
	n := 1 + slices.IndexFunc(s.Package.Files, func(f holdings.File) bool { return f.Path == file })
	return fmt.Sprintf("%s/file-%d", topOf(file), n)
}

// span is from when to when.
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

// topOf is the first folder of a path: those below it can be hosts.
func topOf(file string) string {
	top, _, _ := strings.Cut(file, "/")
	return top
}
