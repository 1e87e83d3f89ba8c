package holdings

import (
	"context"
	"time"

	"quire/holdings/captures"
	"quire/holdings/rights"
)

// What follows is for those who keep lists of many captures beside the index, as the search does.

// stamp is what judgement depends on. It holds the rules, so that no others can come to stand at
// their address.
type stamp struct {
	turn  int64
	rules *rights.Set
	time  string
}

// Stamp gives a value that is another, by ==, whenever Judge may answer otherwise than before:
// after packages, verdicts and rules have changed, and as time goes by: each day, and each minute
// where there are rules.
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

// Epoch returns a text that is another one when decisions on packages that did not change
// themselves may be others than before: when the rules changed, or something was found to be
// infected. What changes by the clock is in [Holdings.Changes]. Known is false while the rules or a
// collection cannot be read, so that nobody can decide.
func (h *Holdings) Epoch() (epoch string, known bool) {
	readable, set := h.RulesReadable(), h.rules.Now()
	h.mu.RLock()
	defer h.mu.RUnlock()
	return set.Fingerprint() + " " + h.infected.epoch, readable && h.unread == ""
}

// RulesReadable reports whether the file of rules can be read, all of it. While it cannot,
// everything is closed that it may close.
func (h *Holdings) RulesReadable() bool { return h.rules.Err() == nil }

// Judging gives a function that judges as Judge does, by the rules and the clock of this moment,
// and quicker. It is for one goroutine.
func (h *Holdings) Judging() func(who Reader, c *captures.Capture) Decision {
	j := h.judging()
	return func(who Reader, c *captures.Capture) Decision { return j.decide(&who, c) }
}
