package holdings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/follow"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// errReading marks a package that has not been read yet: it may turn out to be closed.
var errReading = errors.New("it is still being read")

// look updates the packages from the catalogue. Another goroutine updates the index: so closed
// content is withheld at once, even while containers of many gigabytes are read.
func (h *Holdings) look(ctx context.Context) (again time.Duration, err error) {
	if err := h.follower.Look(ctx); err != nil {
		return 0, err
	}
	if err := h.describe(ctx); err != nil {
		return 0, err
	}
	h.follower.Looked(func() { h.turn++ })
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
		if p.tries > 0 {
			again = min(again, max(p.retry.Sub(now), time.Second))
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

// describe reads the METS of new packages and versions. Until then they are withheld.
func (h *Holdings) describe(ctx context.Context) error {
	todo, err := h.mark(ctx)
	if err != nil {
		return err
	}
	for i, card := range todo {
		h.progress(Progress{Package: card.ID, Packages: len(todo) - i})
		p, err := h.readPackage(ctx, card)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			h.problem(fmt.Errorf("package %s: %w; it is withheld until a retry succeeds", card.ID, err))
		}
		h.move(func() { h.put(p, err) })
	}
	return nil
}

// mark lists the packages to read. Collections come first, because their rights apply to their
// packages. Until a package is read, mark withholds it. It forgets removed packages.
func (h *Holdings) mark(ctx context.Context) (todo []catalogue.Package, err error) {
	there := map[string]catalogue.Package{}
	for p, err := range h.store.Packages(ctx) {
		if err != nil {
			return nil, err
		}
		there[p.ID] = p
	}
	now := h.options.Now()
	h.follower.Change(func() {
		collections := false
		for id, card := range there {
			p := h.packages[id]
			switch {
			case p == nil:
				h.packages[id] = &pkg{card: card, trouble: errReading}
			case p.card.Inventory != card.Inventory:
				next := *p
				next.card, next.trouble, next.tries = card, errReading, 0
				h.packages[id] = &next
			case p.trouble != nil && !p.retry.After(now):
			default:
				continue
			}
			todo = append(todo, card)
		}
		for id := range h.packages {
			if _, ok := there[id]; !ok {
				h.turn++
				collections = collections || h.packages[id].isCollection()
				delete(h.packages, id)
			}
		}
		for i := range todo {
			h.turn++
			collections = collections || todo[i].IsCollection()
		}
		if collections {
			h.recollect()
		}
		h.order = slices.Sorted(maps.Keys(h.packages))
	})
	follow.Order(todo)
	return todo, nil
}

// readPackage reads the newest version of a package or collection.
func (h *Holdings) readPackage(ctx context.Context, card catalogue.Package) (*pkg, error) {
	return h.readPackageBy(ctx, card, facts.Load)
}

func (h *Holdings) readPackageBy(ctx context.Context, card catalogue.Package,
	load func(context.Context, *store.Store, string, int) (*facts.Facts, error)) (*pkg, error) {
	p := &pkg{card: card}
	history, err := h.store.History(ctx, card.ID)
	if err == nil {
		p.history = history
		p.facts, err = load(ctx, h.store, card.ID, card.Head)
	}
	if err == nil {
		p.containers = captures.Wanted(&p.history, p.facts, captures.Readers)
	}
	for i := range p.history.Versions {
		p.history.Versions[i].Files = nil // may be a million, and is unused
	}
	if err == nil && p.facts.IsCollection != card.IsCollection() {
		err = errors.New("its METS differs from the catalogue: audit the repository")
	}
	return p, err
}

// put stores a package after reading. The caller holds the lock.
func (h *Holdings) put(p *pkg, failed error) {
	was := h.packages[p.card.ID]
	if failed != nil {
		next := pkg{card: p.card, history: p.history, trouble: failed}
		if was != nil {
			next.facts, next.tries = was.facts, was.tries // for the members, if it is a collection
		}
		next.retry = h.options.Now().Add(follow.RetryIn(next.tries))
		next.tries++
		p = &next
	}
	h.packages[p.card.ID] = p
	if p.isCollection() {
		h.recollect()
	} else {
		h.rejudge(p.card.ID)
	}
	if p.dangerous() || was != nil && was.dangerous() {
		h.infected = infectedIn(h.packages)
	}
}

// known returns the current state of a package, or nil if there is no such package.
func (h *Holdings) known(id string) *pkg {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.packages[id]
}

// isNewest reports whether p is still the newest version of its package.
func (h *Holdings) isNewest(p *pkg) bool {
	now := h.known(p.card.ID)
	return now != nil && now.card.Inventory == p.card.Inventory
}

// update changes the state of a package, unless a newer version has replaced it. The caller holds
// the lock.
func (h *Holdings) update(p *pkg, change func(next *pkg)) {
	now := h.packages[p.card.ID]
	if now == nil || now.card.Inventory != p.card.Inventory {
		return
	}
	next := *now
	change(&next)
	h.packages[p.card.ID] = &next
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
