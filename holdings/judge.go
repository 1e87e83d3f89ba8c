package holdings

import (
	"slices"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/model"
)

// Judge returns the decision on a reader's access to a capture at this moment. The capture comes
// from the index.
func (h *Holdings) Judge(who Reader, c *captures.Capture) Decision {
	j := h.judging()
	return j.decide(&who, c)
}

// judging is judging many captures, by the rules and the clock of one moment.
type judging struct {
	h *Holdings
	rights.Judge
	asked rights.Case
}

func (h *Holdings) judging() *judging {
	j := &judging{h: h}
	j.begin()
	return j
}

// begin takes the rules, and the time, as they are now.
func (j *judging) begin() {
	j.Rules, j.Now = j.h.rules.Now(), j.h.options.Now().In(j.h.options.Location)
}

// decide returns a reader's access to a capture: of the capture itself and of the payload that it
// refers to, wherever that lies, the stricter holds.
func (j *judging) decide(who *Reader, c *captures.Capture) Decision {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	own := j.place(aboutCapture(c))
	own.Allowed = who.Gets(c.Package, &own)
	if p := c.Payload; p != nil {
		of := j.place(aboutPayload(c))
		of.Allowed = who.Gets(p.Package, &of)
		own = own.Stricter(of)
	}
	return own.For(who.In(c.Package))
}

// Decided is a decision that holds from a moment on.
type Decided struct {
	From time.Time
	Decision
}

// Changes returns a reader's access to a capture now and later, by the statements and rules of
// today.
func (h *Holdings) Changes(who Reader, c *captures.Capture) []Decided {
	j := h.judging()
	all := []Decided{{j.Now, j.decide(&who, c)}}
	for _, t := range j.moments(c) {
		j.Now = t
		if d := j.decide(&who, c); d != all[len(all)-1].Decision {
			all = append(all, Decided{t, d})
		}
	}
	return all
}

// moments are when the decision on a capture may become another.
func (j *judging) moments(c *captures.Capture) []time.Time {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	var all []time.Time
	abouts := []*about{aboutCapture(c)}
	if c.Payload != nil {
		abouts = append(abouts, aboutPayload(c))
	}
	for _, a := range abouts {
		if p := j.h.packages[a.pkg]; p != nil && p.zones != nil {
			all = append(all, j.Moments(j.question(p, "", a))...)
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}

// about is the subject of a decision: a capture, or the payload that it refers to.
type about struct {
	place     *captures.Place
	pkg       string
	url, key  string
	timestamp string
	harvest   int
	capture   *captures.Capture
}

// place judges the content of one place. It is called under the lock.
func (j *judging) place(a *about) Decision {
	p := j.h.packages[a.pkg]
	if d, closed := j.closed(p); closed {
		return d
	}
	in := p.facts.Containers[a.place.Container]
	if in == nil {
		return rights.Gone("the newest version of package " + a.pkg + " has no " + a.place.Container)
	}
	virus := j.virus(a, in)
	c := j.question(p, scanOf(in.Scan, virus), a)
	c.Infected = virus
	if in.Restricted {
		c.Part = a.place.Container + " in package " + a.pkg + ": " + in.Never
	}
	return j.Decide(c)
}

// virus says why something is infected; "" when it is not known to be.
func (j *judging) virus(a *about, in *facts.Container) string {
	if a.place.Viral || in.Viral[a.place.Order] {
		return infectedBy(a.pkg)
	}
	if id := j.h.infected.is(a.place, a.capture.Digest); id != "" {
		return infectedBy(id)
	}
	if in.Never != "" && !in.Restricted {
		return a.place.Container + " in package " + a.pkg + ": " + in.Never
	}
	return ""
}

func infectedBy(pkg string) string {
	return "a virus scanner found something in these bytes, by the METS of package " + pkg
}

// closed reports whether a package is closed because its rights, or those of a collection, cannot
// be read.
func (j *judging) closed(p *pkg) (Decision, bool) {
	switch {
	case p == nil:
		return rights.Gone("the repository does not have the package"), true
	case p.trouble != nil:
		return rights.Closed("the newest version of package " + p.card.ID +
			" cannot be read, so it is not known whether this may be shown: " + p.trouble.Error()), true
	case p.loose != "":
		return rights.Closed("collection " + p.loose + ", which names package " + p.card.ID +
			", cannot be read, so it is not known whether this may be shown"), true
	case j.h.unread != "":
		return rights.Closed("collection " + j.h.unread +
			" cannot be read, so it is not known which packages it closes"), true
	}
	return Decision{}, false
}

// question returns the case of a capture, without faults of its bytes.
func (j *judging) question(p *pkg, scan model.ScanOutcome, a *about) *rights.Case {
	captured, _ := time.Parse("20060102150405", a.timestamp) // zero without a date
	j.asked = p.whole()
	j.asked.Harvest = a.harvest
	q := &j.asked.Question
	q.URL, q.Key, q.Captured, q.Digest, q.SHA256, q.MIME, q.Scan = a.url, a.key, captured, a.capture.Digest,
		a.place.SHA256, a.capture.MIME, scan
	return &j.asked
}

// whole returns the case of a package as a whole.
func (p *pkg) whole() rights.Case {
	c := rights.Case{Zones: p.zones, Question: rights.Question{Package: p.card.ID}}
	if len(p.of) > 0 {
		c.Collections = p.isOf
	}
	return c
}

// hides says whether a rule hides something that may be in a package.
func (j *judging) hides(p *pkg) bool {
	c := p.whole()
	return j.Rules.Hides(&c.Question)
}

// isOf says whether a collection names the package.
func (p *pkg) isOf(collection string) bool {
	return slices.ContainsFunc(p.of, func(m membership) bool { return m.id == collection })
}

// whole judges a package: a reader's access to its most open part. It returns nil for a package
// that is not there.
func (j *judging) whole(who *Reader, id string) (*pkg, Decision) {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	p := j.h.packages[id]
	d, closed := j.closed(p)
	if p == nil {
		return nil, d
	}
	class := who.In(id)
	if !closed {
		c := p.whole()
		d = j.Judge.Whole(&c)
		d.Allowed = class.May(d.Verdict)
	}
	return p, d.For(class)
}
