package pages

import (
	"fmt"
	"net/url"
	"strings"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
)

// banner is the bar above a replayed page, with the address of the frame below.
type banner struct {
	Heading           string
	URL               string
	Asked             string // the requested time, if not the shown one
	Locked            bool
	LockTitle         string
	Message           []string
	Prev, PrevWhen    string
	Next, NextWhen    string
	All, Site, Alone  string
	Source            string // its harvest and package
	Notes             []string
	Frame, FrameTitle string
	Origin            string // of the framed page
	// archived sites have no hosts of their own: their pages are sandboxed, with the origin "null"
	Shared bool
	At     string // prefix of the banner addresses in this collection
}

func (s *site) banner(q *request) (answer, error) {
	p := q.place
	query, err := s.query(p.In.Collection, p.URL)
	if err != nil {
		return answer{}, err
	}
	c, err := s.at(q, query, p.Timestamp)
	switch {
	case err != nil:
		return answer{}, err
	case c == nil:
		return s.versions(q) // reports that there is no capture, with hints
	case c.Timestamp != p.Timestamp:
		return answer{redirect: s.ui.Banner(p.In.Collection, c.Timestamp, c.URL)}, nil
	}
	b := banner{URL: c.URL, All: s.ui.Versions(p.In.Collection, c.URL),
		Heading: s.words.T("banner.heading", s.words.When(c.Timestamp))}
	if err := s.neighbours(q, &b, query, c); err != nil {
		return answer{}, err
	}
	a := answer{template: "replay.html", title: s.words.T("banner.title", c.URL, s.words.When(c.Timestamp)),
		private: true}
	if !c.Allowed {
		b.Locked, b.LockTitle, b.Message = true, s.verdict(c.Decision), s.message(c.Decision)
		a.status, a.body = refusal(c.Decision), b
		return a, nil
	}
	if err := s.source(q, &b, c); err != nil {
		return answer{}, err
	}
	frame, err := s.Replay(q.Request, p.In, c.Timestamp, c.URL)
	if err != nil {
		return answer{}, fmt.Errorf("building the address of the capture on the replay host: %w", err)
	}
	b.Frame, b.Origin, b.Alone = frame.URL, frame.Origin, frame.URL
	if b.Shared = frame.Sandbox || frame.Origin == "'self'" || frame.Origin == s.base(q); b.Shared {
		b.Origin = "null"
	}
	b.At = strings.TrimSuffix(s.ui.Banner(p.In.Collection, "", ""), "/")
	b.FrameTitle = s.words.T("banner.frame", c.URL, s.words.When(c.Timestamp))
	a.frame, a.body = frame.Origin, b
	return a, nil
}

// message returns the public message of a denial, never empty.
func (s *site) message(d holdings.Decision) []string {
	if d.InOwnWords() {
		return []string{d.Message}
	}
	if d.Infected {
		return []string{s.words.T("verdict.infected.text")}
	}
	return []string{s.words.T("verdict." + string(d.Verdict) + ".text")}
}

// neighbours links to the captures before and after.
func (s *site) neighbours(q *request, b *banner, query captures.Query, c *holdings.Judged) error {
	before, after, err := s.beside(q, query, c.Timestamp)
	if err != nil {
		return err
	}
	in := q.place.In.Collection
	if before != nil {
		b.Prev, b.PrevWhen = s.ui.Banner(in, before.Timestamp, before.URL), s.words.When(before.Timestamp)
	}
	if after != nil {
		b.Next, b.NextWhen = s.ui.Banner(in, after.Timestamp, after.URL), s.words.When(after.Timestamp)
	}
	return nil
}

// source sets the origin of a capture, and notices about it.
func (s *site) source(q *request, b *banner, c *holdings.Judged) error {
	p, err := s.pkg(q, c.Package)
	if err != nil {
		return err
	}
	b.Site = s.ui.Site(c.Package)
	b.Source = s.words.T("banner.source", p.Title)
	switch kindOf(c.Capture) {
	case same:
		b.Notes = append(b.Notes, s.words.T("kind.same.text"))
	case moved:
		b.Notes = append(b.Notes, s.words.T("kind.moved.text"))
	case failed:
		b.Notes = append(b.Notes, s.words.T("kind.error.text"))
	case other:
		b.Notes = append(b.Notes, s.words.T("kind.record.text"))
	}
	if c.Truncated {
		b.Notes = append(b.Notes, s.words.T("capture.truncated.text"))
	}
	return nil
}

// latest redirects to the newest capture of a URL.
func (s *site) latest(q *request) (answer, error) {
	p := q.place
	query, err := s.query(p.In.Collection, p.URL)
	if err != nil {
		return answer{}, err
	}
	query.Reverse = true
	var newest *holdings.Judged
	c, err := s.first(q.Context(), q.who, query, func(c *holdings.Judged) bool {
		if newest == nil {
			newest = c
		}
		return c.Allowed
	})
	if c == nil {
		c = newest
	}
	switch {
	case err != nil:
		return answer{}, err
	case c == nil:
		return s.versions(q)
	}
	return answer{redirect: s.ui.Banner(p.In.Collection, c.Timestamp, c.URL)}, nil
}

// goTo redirects from the form on the first page, with the address that a reader entered.
func (s *site) goTo(q *request) (answer, error) {
	at, ok := address.ReadURL(wanted(q.place.Arguments))
	if !ok {
		return answer{redirect: s.ui.Front()}, nil
	}
	return answer{redirect: s.ui.Versions(address.All, at)}, nil
}

func wanted(arguments string) string {
	v, _ := url.ParseQuery(arguments) // unreadable parts are not from our pages
	return strings.TrimSpace(v.Get("url"))
}
