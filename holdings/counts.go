package holdings

import (
	"context"
	"slices"
	"strings"

	"quire/holdings/captures"
)

// Count is the number of captures in one period, for a reader: those open to them, and separately
// those that are closed but visible.
type Count struct {
	captures.Count
	Denied int
}

// Counts returns the number of the selected captures in each period, the first period first. It
// omits empty periods.
func (h *Holdings) Counts(ctx context.Context, who Reader, q captures.Query, by captures.Period) ([]Count, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	t := &briefJudge{
		judging: h.judging(), who: &who, by: int(by), known: map[place]Decision{}, denied: map[string]int{},
	}
	t.open = t.allOpen()
	var failed error
	counts, err := h.index.Counts(ctx, q, by, func(b *captures.Brief) bool {
		d, err := t.of(b)
		if err != nil {
			failed = err
			return false
		}
		if !d.Allowed && !d.Hidden {
			t.denied[b.Timestamp[:t.by]]++
		}
		return d.Allowed
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return t.join(counts), nil
}

// briefJudge decides access from partly read captures, if that suffices.
type briefJudge struct {
	*judging
	who    *Reader
	by     int
	open   bool // the whole repository is open to this reader
	known  map[place]Decision
	denied map[string]int
}

// place is a harvest of a package.
type place struct {
	pkg     string
	harvest int
}

// of decides access to one capture.
func (t *briefJudge) of(b *captures.Brief) (Decision, error) {
	if b.Type != "revisit" || t.open { // for a revisit, the place of its payload also decides
		if d, ok := t.plain(place{b.Package, b.Harvest}); ok {
			return d, nil
		}
	}
	c, err := b.Capture()
	if err != nil {
		return Decision{}, err
	}
	return t.decide(t.who, c), nil
}

// plain decides on all captures of a harvest at once, if no statement covers only some. Verdict ""
// means that they must be decided one by one.
func (t *briefJudge) plain(at place) (Decision, bool) {
	if d, ok := t.known[at]; ok {
		return d, d.Verdict != ""
	}
	d := t.decidePlain(at)
	t.known[at] = d
	return d, d.Verdict != ""
}

func (t *briefJudge) decidePlain(at place) Decision {
	t.h.mu.RLock()
	defer t.h.mu.RUnlock()
	p := t.h.packages[at.pkg]
	class := t.who.In(at.pkg)
	if d, closed := t.closed(p); closed {
		return d.For(class)
	}
	if p.zones.Parts() || len(t.h.infected.sums)+len(t.h.infected.digests) > 0 || p.special() {
		return Decision{}
	}
	c := p.whole()
	c.Now = t.Now
	said, ok := t.Rules.Whole(&c.Question)
	if !ok {
		return Decision{}
	}
	d := t.Combine(p.zones.On("", at.harvest, t.Today()), said)
	d.Allowed = class.May(d.Verdict)
	return d.For(class)
}

// Whole returns a function that reports whether a whole package is open to a reader, by the current
// rules. If so, the positions of records in its containers reveal nothing more.
func (h *Holdings) Whole(who Reader) func(pkg string) bool {
	t := &briefJudge{judging: h.judging(), who: &who, known: map[place]Decision{}}
	known := map[string]bool{}
	return func(pkg string) bool {
		is, ok := known[pkg]
		if !ok {
			is = t.whole(pkg)
			known[pkg] = is
		}
		return is
	}
}

// whole reports whether a whole package is open to the reader.
func (t *briefJudge) whole(pkg string) bool {
	harvests := 0
	if p := t.h.known(pkg); p != nil {
		harvests = int(p.harvests)
	}
	for n := range harvests + 1 {
		if d, ok := t.plain(place{pkg, n}); !ok || !d.Allowed {
			return t.who.In(pkg) == Staff // curators may know the whole package
		}
	}
	return true
}

// special reports whether some containers of a package have rights of their own.
func (p *pkg) special() bool {
	return p.closed != nil
}

// allOpen reports whether the whole repository is open to the reader.
func (t *briefJudge) allOpen() bool {
	t.h.mu.RLock()
	var all []place
	for id, p := range t.h.packages {
		if p.isCollection {
			continue
		}
		all = append(all, place{id, 0})
		for i := range int(p.harvests) {
			all = append(all, place{id, i + 1})
		}
	}
	t.h.mu.RUnlock()
	for _, at := range all {
		if d, ok := t.plain(at); !ok || !d.Allowed {
			return false
		}
	}
	return true
}

// join combines the counts of allowed and denied captures.
func (t *briefJudge) join(counts []captures.Count) (all []Count) {
	for _, c := range counts {
		all = append(all, Count{c, t.denied[c.Period]})
		delete(t.denied, c.Period)
	}
	for period, n := range t.denied {
		all = append(all, Count{captures.Count{Period: period}, n})
	}
	slices.SortFunc(all, func(a, b Count) int { return strings.Compare(a.Period, b.Period) })
	return all
}
