package pages

import (
	"fmt"
	"net/url"
	"strings"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
)

// banner is what stands over a replayed page, and where the frame below finds it.
type banner struct {
	Heading           string
	URL               string
	Asked             string // what was asked for, where that is not what is shown
	Locked            bool
	LockTitle         string
	Message           []string
	Prev, PrevWhen    string
	Next, NextWhen    string
	All, Site, Alone  string
	Source            string // which harvest of which package it is from
	Notes             []string
	Frame, FrameTitle string
	Origin            string // of what the frame shows
	// archived sites have no hosts of their own: their pages are in a sandbox, whose origin is
	// "null"
	Shared bool
	At     string // how the addresses of banners in this collection begin
}

// banner shows a capture in a frame.
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
		return s.versions(q) // says that there is none, and what might help
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
		return answer{}, fmt.Errorf("making the address of the capture on the replay host: %w", err)
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

// message is what the public is told of something denied, never nothing.
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

// source says where a capture comes from, and what has to be known of it.
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

// latest leads to the newest capture of a URL.
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

// goTo leads from the form on the first page, where a reader has written an address.
func (s *site) goTo(q *request) (answer, error) {
	at, ok := address.ReadURL(wanted(q.place.Arguments))
	if !ok {
		return answer{redirect: s.ui.Front()}, nil
	}
	return answer{redirect: s.ui.Versions(address.All, at)}, nil
}

func wanted(arguments string) string {
	v, _ := url.ParseQuery(arguments) // what cannot be read of it was not written by us
	return strings.TrimSpace(v.Get("url"))
}
