package holdings

import (
	"context"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/repository/catalogue"
)

// What follows is for those who keep lists of many captures beside the index, as the search does.

// stamp is what judgement depends on. It holds the rules, so that no others can come to stand at their address.
type stamp struct {
	turn  int64
	rules *rights.Set
	time  string
}

// Stamp gives a value that is another, by ==, whenever Judge may answer otherwise than before: after packages, verdicts and rules have
// changed, and as time goes by: each day, and each minute where there are rules.
func (h *Holdings) Stamp(ctx context.Context) (any, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	now := h.options.Now().In(h.options.Location)
	s := stamp{rules: h.rules.Now(), time: now.Format(time.DateOnly)}
	if !s.rules.Empty() {
		s.time = now.Format("2006-01-02 15:04")
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	s.turn = h.turn
	return s, nil
}

// Epoch returns a text that is another one when decisions on packages that did not change themselves may be others than before: when the
// rules changed, or something was found to be infected. What changes by the clock is in [Holdings.Changes]. Known is false while the rules
// or a collection cannot be read, so that nobody can decide.
func (h *Holdings) Epoch() (epoch string, known bool) {
	readable, set := h.RulesReadable(), h.rules.Now()
	h.mu.RLock()
	defer h.mu.RUnlock()
	return set.Fingerprint() + " " + h.infected.epoch, readable && h.unread == ""
}

// RulesReadable reports whether the file of rules can be read, all of it. While it cannot, everything is closed that it may close.
func (h *Holdings) RulesReadable() bool { return h.rules.Err() == nil }

// Facts returns what the newest version of a package says; nil when that cannot be read.
func (h *Holdings) Facts(id string) *facts.Facts {
	if p := h.known(id); p != nil && p.trouble == nil {
		return p.facts
	}
	return nil
}

// History returns the versions and events of a package, without files.
func (h *Holdings) History(id string) catalogue.Record {
	if p := h.known(id); p != nil {
		return p.history
	}
	return catalogue.Record{}
}

// Lines gives the lines of a container, of any version of a package (see [captures.Index.Stored]).
func (h *Holdings) Lines(ctx context.Context, c *captures.Container, line func(*captures.Line) error) error {
	return h.index.Stored(h.store, nil, h.problem)(ctx, c, line)
}

// stockedAs reports whether the captures of a version are in the index.
func (p *pkg) stockedAs(inventory string) bool {
	return p != nil && p.told && p.trouble == nil && p.card.Inventory == inventory
}

// HasIndexed reports whether the captures of a version of a package are in the index, by the inventory of that version, with all that lists
// of records need; and counts the captures that have no line there, by reason.
func (h *Holdings) HasIndexed(ctx context.Context, id, inventory string) (left map[string]int64, ok bool, err error) {
	if p := h.known(id); !p.stockedAs(inventory) {
		return nil, false, nil
	}
	in, err := h.index.Containers(ctx, id)
	left = map[string]int64{}
	for i := range in {
		for why, n := range in[i].Left {
			left[why] += n
		}
	}
	return left, sufficient(in), err
}

// HasPayload reports whether a record of the repository holds the payload of a digest, as the packages say of their records.
func (h *Holdings) HasPayload(ctx context.Context, digest string) (bool, error) {
	for _, err := range h.index.Holders(ctx, digest) {
		return err == nil, err
	}
	return false, nil
}

// Judging gives a function that judges as Judge does, by the rules and the clock of this moment, and quicker. It is for one goroutine.
func (h *Holdings) Judging() func(who Reader, c *captures.Capture) Decision {
	j := h.judging()
	return func(who Reader, c *captures.Capture) Decision { return j.decide(&who, c) }
}

// Indexed gives the packages whose captures are in the index, each with a text that changes with its content; with "" those of which it is
// not known at the moment what they hold.
func (h *Holdings) Indexed(ctx context.Context) (map[string]string, error) {
	if err := h.follower.Await(ctx, func() bool { return h.follower.Shown() > 0 }); err != nil {
		return nil, err
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	all := map[string]string{}
	for id, p := range h.packages {
		switch {
		case p.told && p.trouble == nil:
			all[id] = p.card.Inventory
		case !p.isCollection():
			all[id] = ""
		}
	}
	return all, nil
}

// Members gives the ids of the collections that packages are in, by package, and the titles of these collections, as far as a reader may
// know of them.
func (h *Holdings) Members(ctx context.Context, who Reader) (ids map[string][]string, titles map[string]string, err error) {
	if err := h.current(ctx); err != nil {
		return nil, nil, err
	}
	of := map[string][]membership{}
	h.mu.RLock()
	for id, p := range h.packages {
		if len(p.of) > 0 {
			of[id] = p.of
		}
	}
	h.mu.RUnlock()
	ids, titles = map[string][]string{}, map[string]string{}
	hidden := map[string]bool{}
	j := h.judging()
	for id, members := range of {
		for _, m := range members {
			if _, asked := titles[m.id]; !asked && !hidden[m.id] {
				p, d := j.whole(&who, m.id)
				if hidden[m.id] = p == nil || d.Hidden; !hidden[m.id] {
					titles[m.id] = m.title
				}
			}
			if !hidden[m.id] {
				ids[id] = append(ids[id], m.id)
			}
		}
	}
	return ids, titles, nil
}
