package holdings

import (
	"context"
	"slices"

	"quire/holdings/follow"
)

// Change reports a new package or version, or the removal of a package.
type Change struct {
	Package string
	Gone    bool
}

// follower is a receiver of changes.
type follower struct {
	todo []Change
	more chan struct{}
}

// Follow reports changes of the holdings, one package after the other, until the context ends or
// the function returns an error, which Follow returns. First it reports all existing packages, then
// each new package, new version, or removal. It reports a package after its captures are indexed.
// Access rights can change at any time without a report: use [Holdings.Judge].
func (h *Holdings) Follow(ctx context.Context, changed func(Change) error) error {
	f := &follower{more: make(chan struct{}, 1)}
	h.mu.Lock()
	for _, id := range h.order {
		if p := h.packages[id]; p.notified {
			f.todo = append(f.todo, Change{Package: id})
		}
	}
	h.follows = append(h.follows, f)
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.follows = slices.DeleteFunc(h.follows, func(o *follower) bool { return o == f })
		h.mu.Unlock()
	}()
	for {
		h.mu.Lock()
		todo := f.todo
		f.todo = nil
		h.mu.Unlock()
		for _, c := range todo {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := changed(c); err != nil {
				return err
			}
		}
		if len(todo) > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-h.follower.Ended():
			return follow.ErrEnded
		case <-f.more:
		}
	}
}

// notify reports a change to the followers.
func (h *Holdings) notify(c Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.follows {
		f.todo = append(f.todo, c)
		follow.Wake(f.more)
	}
}
