package holdings

import (
	"context"

	"quire/format/warc"
	"quire/holdings/captures"
	"quire/holdings/rights"
	"quire/model"
	"quire/preserve/statements"
)

// Explanation lists the reasons of the decisions on a capture.
type Explanation struct {
	URL       string           `json:"url"`
	Timestamp string           `json:"timestamp"`
	Type      string           `json:"type"`
	Package   string           `json:"package"`
	Container string           `json:"container"`
	Record    int64            `json:"record"`
	Readers   []ReaderDecision `json:"readers"`
	Of        []Said           `json:"of"` // statements on the capture, and on the payload that it refers to
}

// ReaderDecision is the decision for one class of readers.
type ReaderDecision struct {
	Class Class `json:"class"`
	Decision
}

// Said is the collected evidence about a capture, or about the original payload of a revisit.
type Said struct {
	Payload    bool                   `json:"payload"` // about the payload, in another place
	Package    string                 `json:"package"`
	URL        string                 `json:"url"`
	Closed     string                 `json:"closed,omitempty"`     // why the package is not served
	Virus      string                 `json:"virus,omitempty"`      // name of the infection
	Restricted string                 `json:"restricted,omitempty"` // why the container is closed to the public
	Rights     map[string][]Statement `json:"rights"`               // by source: "" for the package, or collections
	Rules      []rights.Rule          `json:"rules"`                // matching rules, the strictest first
}

// Statement is an applicable rights statement.
type Statement = statements.Evidence

// Explain returns the reasons of the decisions on a capture. It is for curators, and includes
// hidden captures.
func (h *Holdings) Explain(ctx context.Context, c *captures.Capture) (*Explanation, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	e := &Explanation{URL: c.URL, Timestamp: c.Timestamp, Type: c.Type, Package: c.Package,
		Container: c.Record.Container, Record: c.Record.Order}
	why := j.decide(&Reader{Class: Staff}, c).Why
	for _, class := range []Class{Public, OnSite, Staff} {
		d := j.decide(&Reader{Class: class}, c)
		d.Why = why
		e.Readers = append(e.Readers, ReaderDecision{class, d})
	}
	own := j.said(aboutCapture(c))
	e.Of = append(e.Of, own)
	for _, a := range aboutOthers(c) {
		of := j.said(a)
		of.Payload = c.Type == warc.TypeRevisit
		if of.Payload && a.place == c.Payload || of.Virus != "" || a.place.Container != c.Record.Container {
			e.Of = append(e.Of, of)
		}
	}
	return e, nil
}

func aboutCapture(c *captures.Capture) *about {
	return &about{place: &c.Record, pkg: c.Package, url: c.URL, key: c.Key, timestamp: c.Timestamp, harvest: c.Harvest,
		capture: c}
}

func aboutPayload(c *captures.Capture) *about {
	p := c.Payload
	return &about{place: p, pkg: p.Package, url: p.URL, timestamp: p.Timestamp, harvest: p.Harvest, capture: c}
}

// aboutOthers returns the other places with content of a capture: its payload, if it is a revisit, and the
// later segments of a segmented record.
func aboutOthers(c *captures.Capture) (all []*about) {
	if len(c.Record.Segments) > 0 {
		all = aboutCapture(c).parts(all)
	}
	if c.Payload != nil {
		of := aboutPayload(c)
		all = of.parts(append(all, of))
	}
	return all
}

// parts appends the later segments of a place.
func (a *about) parts(all []*about) []*about {
	for i := 1; i < len(a.place.Segments); i++ {
		part := *a
		part.place = a.place.Part(i)
		all = append(all, &part)
	}
	return all
}

// said collects the evidence.
func (j *judging) said(a *about) Said {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	s := Said{Package: a.pkg, URL: a.url, Rights: map[string][]Statement{}, Rules: []rights.Rule{}}
	p := j.h.packages[a.pkg]
	if d, closed := j.closed(p); closed {
		s.Closed = d.Why
		return s
	}
	in := p.container(a.place.Container)
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

// scanOf returns the outcome of the virus check of one record.
func scanOf(container model.ScanOutcome, virus string) model.ScanOutcome {
	switch {
	case virus != "":
		return model.ScanInfected
	case container == model.ScanInfected:
		return model.ScanClean // other records are infected: this one was scanned, and is clean
	}
	return container
}
