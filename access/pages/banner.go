package pages

import (
	"fmt"
	"strings"

	"quire/access/address"
	"quire/access/lookup"
	"quire/holdings"
	"quire/holdings/captures"
)

// banner is the bar above a replayed page, with the address of the frame below.
type banner struct {
	Heading, Day      string // the date, with words; the day alone, for phones
	URL               string
	Locked            bool
	LockTitle         string
	Message           []string
	Prev, Next        *neighbour
	All, Site, Alone  string
	Provenance        string // facts about the capture
	Parts, Mixed      string // the parts of a page; whether one is of another time, for the script
	Source            string // its harvest and package
	Notes             []string
	Frame, FrameTitle string
	Origin            string // of the framed page
	// archived sites have no hosts of their own: their pages are sandboxed, with the origin "null"
	Shared bool
	At     string // prefix of the banner addresses in this collection
	Mode   string // modifier of these addresses: the engine

	Go, Moment string // of the form for another address: its target, and the moment
	Near       []neighbour
	Years      *histogram
	Engine     *link // the same capture with the other engine
	ByEngine   bool  // the engine in the browser shows it
}

// neighbour is a capture near the shown one.
type neighbour struct {
	URL, When, Day string
	Thumb          string // address of its thumbnail, which the browser asks for when the list is opened; "" for none
	Here           bool   // the shown one
}

// strip is the number of captures listed before and after the shown one.
const strip = 4

func (s *site) banner(q *request) (answer, error) {
	p := q.place
	query, err := s.query(p.In.Collection, p.URL)
	if err != nil {
		return answer{}, err
	}
	c, err := s.at(q, query, p.Timestamp)
	mode := ""
	if p.Modifier == address.Engine {
		mode = string(address.Engine)
	}
	switch {
	case err != nil:
		return answer{}, err
	case c == nil:
		return s.versions(q) // reports that there is no capture, with hints
	case c.Timestamp != p.Timestamp:
		return answer{redirect: s.ui.Banner(p.In.Collection, c.Timestamp+mode, c.URL)}, nil
	}
	b := banner{URL: c.URL, All: s.ui.Versions(p.In.Collection, c.URL), Mode: mode,
		Heading: s.words.T("banner.heading", s.words.When(c.Timestamp)), Day: s.words.ShortDay(c.Timestamp),
		Go: s.ui.Versions(p.In.Collection, ""), Moment: c.Timestamp + mode,
		Years: s.yearsOf(q, query, c)}
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
	in := p.In
	in.Language = s.chosenFor(q.Request)
	frame, err := s.Replay(q.Request, in, c.Timestamp, c.URL)
	if err != nil {
		return answer{}, fmt.Errorf("building the address of the capture on the replay host: %w", err)
	}
	if mode != "" && frame.Engine == "" {
		return answer{redirect: s.ui.Banner(p.In.Collection, c.Timestamp, c.URL)}, nil
	}
	s.frame(q, &b, &frame, c)
	a.frame, a.body = frame.Origin, b
	return a, nil
}

// frame sets the frame of a banner, by the engine of the address.
func (s *site) frame(q *request, b *banner, frame *Frame, c *holdings.Judged) {
	in := q.place.In.Collection
	b.Frame, b.Origin, b.ByEngine = frame.URL, frame.Origin, b.Mode != ""
	if b.Shared = frame.Sandbox || frame.Origin == "'self'" || frame.Origin == s.base(q); b.Shared {
		b.Origin = "null"
	}
	switch {
	case b.ByEngine:
		b.Frame = frame.Engine
		b.Engine = &link{s.words.T("banner.engine.plain"), s.ui.Banner(in, c.Timestamp, c.URL)}
	case frame.Engine != "":
		b.Engine = &link{s.words.T("banner.engine"), s.ui.Banner(in, c.Timestamp+string(address.Engine), c.URL)}
	}
	b.Alone = b.Frame
	b.At = strings.TrimSuffix(s.ui.Banner(in, "", ""), "/")
	b.FrameTitle = s.words.T("banner.frame", c.URL, s.words.When(c.Timestamp))
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

// neighbours links to the captures before and after, and lists those near the shown one.
func (s *site) neighbours(q *request, b *banner, query captures.Query, c *holdings.Judged) error {
	before, after, err := lookup.Beside(q.Context(), s.h, q.who, query, c.Timestamp, strip)
	if err != nil {
		return err
	}
	of := func(near *holdings.Judged) neighbour {
		n := neighbour{URL: s.ui.Banner(q.place.In.Collection, near.Timestamp+b.Mode, near.URL),
			When: s.words.When(near.Timestamp), Day: s.words.ShortDay(near.Timestamp)}
		if near.Timestamp[:8] == c.Timestamp[:8] && near != c { // the day alone would not tell them apart
			n.Day += " " + near.Timestamp[8:10] + ":" + near.Timestamp[10:12]
		}
		if near.Allowed && kindOf(near.Capture) == good {
			n.Thumb = s.thumbnail(q.place.In.Collection, near.Capture)
		}
		return n
	}
	for i := len(before) - 1; i >= 0; i-- {
		b.Near = append(b.Near, of(before[i]))
	}
	here := of(c)
	here.Here = true
	b.Near = append(b.Near, here)
	for _, c := range after {
		b.Near = append(b.Near, of(c))
	}
	if n := len(before); n > 0 {
		b.Prev = &b.Near[n-1]
	}
	if n := len(before); len(after) > 0 {
		b.Next = &b.Near[n+1]
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
	in := q.place.In.Collection
	b.Provenance = s.ui.Provenance(in, c.Timestamp, "", c.URL)
	if kind := kindOf(c.Capture); readable(c) && kind != moved && strings.Contains(c.MIME, "html") {
		b.Parts = s.ui.Provenance(in, c.Timestamp, address.Parts, c.URL)
		b.Mixed = s.ui.Provenance(in, c.Timestamp, address.Mixed, c.URL)
	}
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
