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
)

// errReading stands in for what a package says until it was read: what it says may be that nobody
// may have it.
var errReading = errors.New("it is being read")

// look keeps what is known of packages up to date with the catalogue. The index is kept by another
// goroutine: what may not be shown any more is not, even while containers of many gigabytes are
// read.
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

// retryIn says when to look again, if nobody asks before.
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

// move changes what others look at, and what judgement depends on.
func (h *Holdings) move(change func()) {
	h.follower.Change(func() {
		change()
		h.turn++
	})
}

// describe reads the METS of what is new or has a new version. Until that is done nothing of it is
// handed out.
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
			h.problem(fmt.Errorf("package %s: %w; nothing of it is handed out, and it is tried again", card.ID, err))
		}
		h.move(func() { h.put(p, err) })
	}
	return nil
}

// mark lists what has to be read, collections first, whose rights are those of their packages too;
// and sees to it that meanwhile nothing of it is handed out. What is no more there is forgotten.
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

// readPackage reads what the newest version of a package, or of a collection, says.
func (h *Holdings) readPackage(ctx context.Context, card catalogue.Package) (*pkg, error) {
	p := &pkg{card: card}
	history, err := h.store.History(ctx, card.ID)
	if err == nil {
		p.history = history
		p.facts, err = facts.Load(ctx, h.store, card.ID, card.Head)
	}
	if err == nil {
		p.containers = captures.Wanted(&p.history, p.facts, captures.Readers)
	}
	for i := range p.history.Versions {
		p.history.Versions[i].Files = nil // there may be a million, and nobody asks
	}
	if err == nil && p.facts.IsCollection != card.IsCollection() {
		err = errors.New("its METS is not what the catalogue says that it is: audit the repository")
	}
	return p, err
}

// put takes over what was read. It is called under the lock.
func (h *Holdings) put(p *pkg, failed error) {
	was := h.packages[p.card.ID]
	if failed != nil {
		next := pkg{card: p.card, history: p.history, trouble: failed}
		if was != nil {
			next.facts, next.tries = was.facts, was.tries // of its members, when it is a collection
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

// known is what is known of a package now; nil when it is not there.
func (h *Holdings) known(id string) *pkg {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.packages[id]
}

// isNewest says whether what is known of a package is still that of its newest version.
func (h *Holdings) isNewest(p *pkg) bool {
	now := h.known(p.card.ID)
	return now != nil && now.card.Inventory == p.card.Inventory
}

// update changes what is known of a package, unless that is of a newer version by now. It is called
// under the lock.
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
		if h.telling.TryLock() { // otherwise the other goroutine tells how far it is
			h.options.Progress(p)
			h.telling.Unlock()
		}
	}
}

// current waits until all METS were read of what is in the repository at this moment, for a bounded
// time: what was not read then is not handed out.
func (h *Holdings) current(ctx context.Context) error {
	_, err := h.follower.Current(ctx, func() time.Duration { return h.options.Wait })
	return err
}

// Ready waits until all that is in the repository, and can be read, is found.
func (h *Holdings) Ready(ctx context.Context) error {
	due, err := h.follower.Due(ctx)
	if err != nil {
		return err
	}
	return h.follower.Await(ctx, func() bool { return h.indexed >= due })
}
