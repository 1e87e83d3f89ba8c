package holdings

import (
	"context"

	"quire/holdings/captures"
	"quire/holdings/rights"
	"quire/model"
	"quire/preserve/statements"
)

// Explanation says why readers get what they get of a capture.
type Explanation struct {
	URL       string           `json:"url"`
	Timestamp string           `json:"timestamp"`
	Type      string           `json:"type"`
	Package   string           `json:"package"`
	Container string           `json:"container"`
	Record    int64            `json:"record"`
	Readers   []ReaderDecision `json:"readers"`
	Of        []Said           `json:"of"` // what is said of the capture, and of the payload that it stands for
}

// ReaderDecision is what one class of readers gets.
type ReaderDecision struct {
	Class Class `json:"class"`
	Decision
}

// Said is all that is said of a capture, or of the payload that a revisit stands for.
type Said struct {
	Payload    bool                   `json:"payload"` // of the payload, which lies elsewhere
	Package    string                 `json:"package"`
	URL        string                 `json:"url"`
	Closed     string                 `json:"closed,omitempty"`     // why nothing of the package is handed out
	Virus      string                 `json:"virus,omitempty"`      // what makes it infected
	Restricted string                 `json:"restricted,omitempty"` // why the container must not be shown to everyone
	Rights     map[string][]Statement `json:"rights"`               // by who says so: the package ("") and collections
	Rules      []rights.Rule          `json:"rules"`                // that are about it, the strictest first
}

// Statement is what a statement of rights says of it.
type Statement = statements.Evidence

// Explain says why readers get what they get of a capture. It is for curators: what is hidden is told.
func (h *Holdings) Explain(ctx context.Context, c *captures.Capture) (*Explanation, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	e := &Explanation{URL: c.URL, Timestamp: c.Timestamp, Type: c.Type, Package: c.Package, Container: c.Record.Container, Record: c.Record.Order}
	why := j.decide(&Reader{Class: Staff}, c).Why
	for _, class := range []Class{Public, OnSite, Staff} {
		d := j.decide(&Reader{Class: class}, c)
		d.Why = why
		e.Readers = append(e.Readers, ReaderDecision{class, d})
	}
	own := j.said(aboutCapture(c))
	e.Of = append(e.Of, own)
	if c.Payload != nil {
		of := j.said(aboutPayload(c))
		of.Payload = true
		e.Of = append(e.Of, of)
	}
	return e, nil
}

func aboutCapture(c *captures.Capture) *about {
	return &about{place: &c.Record, pkg: c.Package, url: c.URL, key: c.Key, timestamp: c.Timestamp, harvest: c.Harvest, capture: c}
}

func aboutPayload(c *captures.Capture) *about {
	p := c.Payload
	return &about{place: p, pkg: p.Package, url: p.URL, timestamp: p.Timestamp, harvest: p.Harvest, capture: c}
}

// said collects all that is said.
func (j *judging) said(a *about) Said {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	s := Said{Package: a.pkg, URL: a.url, Rights: map[string][]Statement{}, Rules: []rights.Rule{}}
	p := j.h.packages[a.pkg]
	if d, closed := j.closed(p); closed {
		s.Closed = d.Why
		return s
	}
	in := p.facts.Containers[a.place.Container]
	if in == nil {
		s.Closed = "the newest version of the package has no " + a.place.Container
		return s
	}
	s.Virus = j.virus(a, in)
	if in.Restricted {
		s.Restricted = in.Never
	}
	s.Rights = p.zones.Evidence(a.url, a.harvest, j.Today())
	c := j.question(p, scanOf(in.Scan, s.Virus), a)
	c.Now = j.Now
	s.Rules = append(s.Rules, j.Rules.About(&c.Question)...)
	return s
}

// scanOf is what became of looking for viruses in one record of a container.
func scanOf(container model.ScanOutcome, virus string) model.ScanOutcome {
	switch {
	case virus != "":
		return model.ScanInfected
	case container == model.ScanInfected:
		return model.ScanClean // others in the container are infected: this was scanned, and is not
	}
	return container
}
