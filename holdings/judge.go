package holdings

import (
	"slices"
	"time"

	"quire/holdings/captures"
	"quire/holdings/outline"
	"quire/holdings/rights"
	"quire/model"
)

// Judge returns the decision on a reader's access to a capture at this moment. The capture comes
// from the index.
func (h *Holdings) Judge(who Reader, c *captures.Capture) Decision {
	j := h.judging()
	return j.decide(&who, c)
}

// judging decides on many captures, with one snapshot of rules and clock.
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

// begin takes the current rules and time.
func (j *judging) begin() {
	j.Rules, j.Now = j.h.rules.Now(), j.h.options.Now().In(j.h.options.Location)
}

// decide returns a reader's access to a capture: the stricter of the decisions on the capture
// itself and on its original payload, in any package.
func (j *judging) decide(who *Reader, c *captures.Capture) Decision {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	own := j.place(aboutCapture(c))
	own.Allowed = who.Gets(c.Package, &own)
	for _, a := range aboutOthers(c) {
		of := j.place(a)
		of.Allowed = who.Gets(a.pkg, &of)
		own = own.Stricter(of)
	}
	return own.For(who.In(c.Package))
}

// Decided is a decision and the moment from which it is valid.
type Decided struct {
	From time.Time
	Decision
}

// Changes returns a reader's access to a capture now and later, by today's statements and rules.
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

// moments returns the moments when the decision on a capture may change.
func (j *judging) moments(c *captures.Capture) []time.Time {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	var all []time.Time
	for _, a := range append([]*about{aboutCapture(c)}, aboutOthers(c)...) {
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

// place decides on the content of one place. The caller holds the lock.
func (j *judging) place(a *about) Decision {
	p := j.h.packages[a.pkg]
	if d, closed := j.closed(p); closed {
		return d
	}
	in := p.container(a.place.Container)
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

// virus returns the reason why content is treated as infected, or "" if it is not.
func (j *judging) virus(a *about, in *outline.Container) string {
	if a.place.Viral || in.Infected(a.place.Order) {
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
	return "a virus scanner found something in these bytes; see the METS of package " + pkg
}

// closed reports whether a package is closed because its rights, or the rights of a collection,
// cannot be read.
func (j *judging) closed(p *pkg) (Decision, bool) {
	switch {
	case p == nil:
		return rights.Gone("the repository does not have the package"), true
	case p.trouble() != nil:
		return rights.Closed("the newest version of package " + p.id +
			" cannot be read, so access cannot be decided: " + p.trouble().Error()), true
	case p.within != nil && p.within.loose != "":
		return rights.Closed("collection " + p.within.loose + ", which names package " + p.id +
			", cannot be read, so access cannot be decided"), true
	case j.h.unread != "":
		return rights.Closed("collection " + j.h.unread +
			" cannot be read, so it may close any package"), true
	}
	return Decision{}, false
}

// question returns the case of a capture, without the state of its bytes.
func (j *judging) question(p *pkg, scan model.ScanOutcome, a *about) *rights.Case {
	captured, _ := time.Parse("20060102150405", a.timestamp) // zero without a date
	j.asked = p.whole()
	j.asked.Harvest = a.harvest
	q := &j.asked.Question
	q.URL, q.Key, q.Captured, q.Digest, q.SHA256, q.MIME, q.Scan = a.url, a.key, captured, a.capture.Digest,
		a.place.SHA256, a.capture.MIME, scan
	return &j.asked
}

// whole returns the case of a whole package.
func (p *pkg) whole() rights.Case {
	c := rights.Case{Zones: p.zones, Question: rights.Question{Package: p.id}}
	if p.within != nil {
		c.Collections = p.isOf
	}
	return c
}

// hides reports whether a rule hides content that may be in a package.
func (j *judging) hides(p *pkg) bool {
	c := p.whole()
	return j.Rules.Hides(&c.Question)
}

// isOf reports whether a collection includes the package.
func (p *pkg) isOf(collection string) bool {
	return slices.ContainsFunc(p.of(), func(m membership) bool { return m.id == collection })
}

// whole decides whether a reader may see a package: the decision is the one for its most open part.
// The package is nil if there is none with this id.
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
