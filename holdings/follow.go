package holdings

import (
	"context"
	"time"

	"quire/holdings/follow"
)

// look updates the packages from the catalogue. Another goroutine updates the index: so closed
// content is withheld at once, even while containers of many gigabytes are read.
func (h *Holdings) look(ctx context.Context) (again time.Duration, err error) {
	if err := h.follower.Look(ctx); err != nil {
		return 0, err
	}
	if err := h.describe(ctx); err != nil {
		return 0, err
	}
	h.follower.Looked(func() {})
	follow.Wake(h.more)
	return h.retryIn(), nil
}

// retryIn returns the delay until the next look, if no query comes before.
func (h *Holdings) retryIn() time.Duration {
	again := follow.LookAfter
	now := h.options.Now()
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, p := range h.packages {
		if p.failing != nil && p.failing.tries > 0 {
			again = min(again, max(p.failing.retry.Sub(now), time.Second))
		}
	}
	return again
}

// move changes shared state that decisions depend on.
func (h *Holdings) move(change func()) {
	h.follower.Change(func() {
		change()
		h.turn++
	})
}

// known returns the current state of a package, or nil if there is no such package.
func (h *Holdings) known(id string) *pkg {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.packages[id]
}

// isNewest reports whether p is still the newest version of its package.
func (h *Holdings) isNewest(p *pkg) bool {
	now := h.known(p.id)
	return now != nil && now.inventory == p.inventory
}

// update changes the state of a package, unless a newer version has replaced it. The caller holds
// the lock.
func (h *Holdings) update(p *pkg, change func(next *pkg)) {
	now := h.packages[p.id]
	if now == nil || now.inventory != p.inventory {
		return
	}
	next := *now
	change(&next)
	h.packages[p.id] = &next
}

func (h *Holdings) progress(p Progress) {
	if h.options.Progress != nil {
		if h.telling.TryLock() { // otherwise the other goroutine reports progress
			h.options.Progress(p)
			h.telling.Unlock()
		}
	}
}

// current waits, for a bounded time, until all METS now in the repository have been read: unread
// packages are withheld.
func (h *Holdings) current(ctx context.Context) error {
	_, err := h.follower.Current(ctx, func() time.Duration { return h.options.Wait })
	return err
}

// Ready waits until all readable content of the repository can be found.
func (h *Holdings) Ready(ctx context.Context) error {
	due, err := h.follower.Due(ctx)
	if err != nil {
		return err
	}
	return h.follower.Await(ctx, func() bool { return h.indexed >= due })
}
