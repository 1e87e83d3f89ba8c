package holdings

import (
	"slices"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/model"
	"quire/preserve/statements"
)

// may says whether a class of readers may have what has a verdict.
func (c Class) may(v Verdict) bool {
	switch v {
	case Open:
		return true
	case Reading:
		return c == OnSite || c == Staff
	case Restricted:
		return c == Staff
	}
	return false
}

// in is the class that a reader has in a package: beyond those that he is bound to he is one of the public.
func (r *Reader) in(pkg string) Class {
	if r.Packages != nil && !slices.Contains(r.Packages, pkg) {
		return Public
	}
	return r.Class
}

// Judge says what a reader gets of a capture, at this moment. The capture is one that the index gave.
func (h *Holdings) Judge(who Reader, c *captures.Capture) Decision {
	j := h.judging()
	return j.decide(&who, c)
}

// judging is judging many captures, by the rules and the clock of one moment.
type judging struct {
	h     *Holdings
	rules *rights.Set
	now   time.Time
	today statements.Day
	last  [2]remembered // of a capture itself, and of the payload that it stands for
	asked rights.Question
}

// remembered is an answer of rights: in lists, one capture after the other is of one URL.
type remembered struct {
	zones   *zones
	url     string
	harvest int
	answer  *answer
}

func (h *Holdings) judging() *judging {
	j := &judging{h: h}
	j.begin()
	return j
}

// begin takes the rules, and the time, as they are now.
func (j *judging) begin() {
	j.rules, j.now = j.h.rules.Now(), j.h.options.Now().In(j.h.options.Location)
	j.today = statements.DayOf(j.now)
}

// decide is what a reader gets of a capture: of the capture itself and of the payload that it stands for, wherever that lies, the stricter
// holds.
func (j *judging) decide(who *Reader, c *captures.Capture) Decision {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	own := j.place(aboutCapture(c), 0)
	own.Allowed = who.in(c.Package).may(own.Verdict)
	if p := c.Payload; p != nil {
		of := j.place(aboutPayload(c), 1)
		of.Allowed = who.in(p.Package).may(of.Verdict)
		if of.Allowed != own.Allowed && !of.Allowed || of.Allowed == own.Allowed && of.Verdict.Strictness() > own.Verdict.Strictness() {
			of.Infected = of.Infected || own.Infected
			of.Hidden = of.Hidden || own.Hidden
			own = of
		}
	}
	return own.forReader(who.in(c.Package))
}

// forReader leaves out what a reader need not be told.
func (d Decision) forReader(class Class) Decision {
	if d.Allowed {
		d.Hidden, d.Message = false, ""
	}
	if class == Staff {
		d.Hidden = false // curators know what they have
	} else {
		d.Why = ""
	}
	return d
}

// about is what is judged: a capture, or the payload that it stands for.
type about struct {
	place     *captures.Place
	pkg       string
	url, key  string
	timestamp string
	harvest   int
	capture   *captures.Capture
}

// place judges what lies in one place. It is called under the lock.
func (j *judging) place(a *about, slot int) Decision {
	p := j.h.packages[a.pkg]
	if d, closed := j.closed(p); closed {
		return d
	}
	in := p.facts.Containers[a.place.Container]
	if in == nil {
		return Decision{Verdict: Blocked, Hidden: true, Message: unable, Why: "the newest version of package " + a.pkg + " has no " + a.place.Container}
	}
	virus := j.virus(a, in)
	said := j.ask(p, scanOf(in.Scan, virus), a)
	if virus != "" {
		return Decision{Verdict: Blocked, Infected: true, Hidden: said.Hidden, Message: infectedMessage, Why: virus}
	}
	d := j.combine(j.rights(p, a, slot), said)
	if in.Restricted && d.Verdict.Strictness() < Restricted.Strictness() {
		d.Verdict, d.Message, d.Why = Restricted, restrictedMessage, a.place.Container+" in package "+a.pkg+": "+in.Never
	}
	return d
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

// closed says whether nothing of a package can be handed out, because nobody knows what it or a collection says.
func (j *judging) closed(p *pkg) (Decision, bool) {
	var why string
	switch {
	case p == nil:
		return Decision{Verdict: Blocked, Hidden: true, Message: unable, Why: "the repository does not have the package"}, true
	case p.trouble != nil:
		why = "the newest version of package " + p.card.ID + " cannot be read, so it is not known whether this may be shown: " + p.trouble.Error()
	case p.loose != "":
		why = "collection " + p.loose + ", which names package " + p.card.ID + ", cannot be read, so it is not known whether this may be shown"
	case j.h.unread != "":
		why = "collection " + j.h.unread + " cannot be read, so it is not known which packages it closes"
	default:
		return Decision{}, false
	}
	return Decision{Verdict: Blocked, Message: unable, Why: why}, true
}

// rights asks what the package and its collections say.
func (j *judging) rights(p *pkg, a *about, slot int) *answer {
	last := &j.last[slot]
	if last.zones == p.zones && last.url == a.url && last.harvest == a.harvest {
		return last.answer
	}
	*last = remembered{p.zones, a.url, a.harvest, p.zones.of(a.url, a.harvest, j.today)}
	return last.answer
}

// ask asks what the rules say.
func (j *judging) ask(p *pkg, scan model.ScanOutcome, a *about) rights.Answer {
	if j.rules.Empty() {
		return rights.Answer{}
	}
	return j.rules.Judge(j.question(p, scan, a))
}

// question is what the rules are asked.
func (j *judging) question(p *pkg, scan model.ScanOutcome, a *about) *rights.Question {
	captured, _ := time.Parse("20060102150405", a.timestamp) // what has none is not known
	j.asked = rights.Question{
		Package: a.pkg, URL: a.url, Key: a.key, Captured: captured, Digest: a.capture.Digest, SHA256: a.place.SHA256,
		MIME: a.capture.MIME, Scan: scan, Now: j.now,
	}
	if len(p.of) > 0 {
		j.asked.Collections = p.isOf
	}
	return &j.asked
}

// isOf says whether a collection names the package.
func (p *pkg) isOf(collection string) bool {
	return slices.ContainsFunc(p.of, func(m membership) bool { return m.id == collection })
}

// combine is what follows from rights and rules: the stricter; but a rule that overrides takes the place of rights, and any rule that of
// what nobody states.
func (j *judging) combine(a *answer, r rights.Answer) Decision {
	d := Decision{Verdict: a.verdict, Why: a.why, Until: a.until, Message: messageOf(a.verdict)}
	if r.Verdict == "" {
		return d
	}
	d.Hidden = r.Hidden
	if r.Override || !a.stated || r.Verdict.Strictness() >= a.verdict.Strictness() {
		d = Decision{Verdict: r.Verdict, Why: r.Why, Message: r.Message, Hidden: r.Hidden}
		if d.Message == "" {
			d.Message = messageOf(d.Verdict)
		}
		if !r.Until.IsZero() {
			d.Until = r.Until.In(j.h.options.Location).Format(time.DateOnly)
		}
	}
	return d
}

// What the public is told, when the institution has not said it in words of its own.
const (
	onsiteMessage     = "This can be seen in the reading rooms of the archive only."
	restrictedMessage = "This is not open to the public."
	blockedMessage    = "This is not shown to anybody."
	infectedMessage   = "A virus scanner found something in this: it is kept, and not shown to anybody."
	unable            = "The archive cannot show this at the moment."
)

// InOwnWords says whether the institution has written the message, in whatever language that is; otherwise it is what this program says of the
// verdict in English.
func (d *Decision) InOwnWords() bool {
	switch d.Message {
	case "", onsiteMessage, restrictedMessage, blockedMessage, infectedMessage:
		return false
	}
	return true
}

func messageOf(v Verdict) string {
	switch v {
	case Reading:
		return onsiteMessage
	case Restricted:
		return restrictedMessage
	case Blocked:
		return blockedMessage
	}
	return ""
}
