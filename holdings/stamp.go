package holdings

import (
	"context"
	"time"

	"quire/holdings/captures"
	"quire/holdings/rights"
)

// The functions below are for callers with their own lists of many captures, such as the search.

// stamp holds everything that decisions depend on. It has a pointer to the rules. So this memory is
// not freed, and later rules cannot have the same address.
type stamp struct {
	turn  int64
	index int64 // changes of the index of captures
	rules *rights.Set
	time  string
}

// Stamp returns a value that compares unequal whenever results of Judge may change, or lists of captures: after changes
// of packages, of their index, verdicts and rules, and with time: each day, and each minute if there are rules.
func (h *Holdings) Stamp(ctx context.Context) (any, error) {
	s, err := h.decisions(ctx)
	if err != nil {
		return nil, err
	}
	s.index, err = h.index.Changes()
	return s, err
}

// decisions is Stamp without the index, for facts of packages that need none.
func (h *Holdings) decisions(ctx context.Context) (s stamp, err error) {
	if err := h.current(ctx); err != nil {
		return s, err
	}
	now := h.options.Now().In(h.options.Location)
	s = stamp{rules: h.rules.Now(), time: now.Format(time.DateOnly)}
	if !s.rules.Empty() {
		s.time = now.Format("2006-01-02 15:04")
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	s.turn = h.turn
	return s, nil
}

// Epoch returns a text that changes when decisions on unchanged packages may change: after a change
// of rules, or a new virus finding. [Holdings.Changes] covers changes by the clock. known is false
// while the rules or a collection are unreadable, so decisions are impossible.
func (h *Holdings) Epoch() (epoch string, known bool) {
	readable, set := h.RulesReadable(), h.rules.Now()
	h.mu.RLock()
	defer h.mu.RUnlock()
	return set.Fingerprint() + " " + h.infected.epoch, readable && h.unread == ""
}

// RulesReadable reports whether the whole rules file is readable. While it is not, everything that
// it may close is closed.
func (h *Holdings) RulesReadable() bool { return h.rules.Err() == nil }

// RulesFile returns the path of the rules file if it has rules: the copies of the repository do not
// keep them. It returns "" if there are none.
func (h *Holdings) RulesFile() string { return h.rules.File() }

// Judging returns a function that decides like Judge, with the current rules and clock, but faster.
// It is for one goroutine.
func (h *Holdings) Judging() func(who Reader, c *captures.Capture) Decision {
	j := h.judging()
	return func(who Reader, c *captures.Capture) Decision { return j.decide(&who, c) }
}
