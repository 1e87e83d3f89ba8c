package holdings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"quire/access/index"
	"quire/repository/catalogue"
	"quire/repository/facts"
)

// How often the catalogue is looked at when nobody asks, and when a package that could not be read is tried again.
const (
	lookAfter  = time.Minute
	retryAfter = 10 * time.Second
	retryMost  = time.Hour
)

// errReading stands in for what a package says until it was read: what it says may be that nobody may have it.
var errReading = errors.New("it is being read")

// follow keeps what is known of packages up to date with the catalogue until the context ends. The index is kept by another goroutine: what
// may not be shown any more is not, even while containers of many gigabytes are read.
func (h *Holdings) follow(ctx context.Context) {
	h.repeat(ctx, h.wake, func() error {
		state, err := h.store.Changes(ctx)
		if err != nil {
			return err
		}
		if err := h.describe(ctx); err != nil {
			return err
		}
		h.move(func() { h.state, h.read = state, true })
		select {
		case h.more <- struct{}{}:
		default: // it will look
		}
		return nil
	})
}

// stock keeps the index up to date with what is known of packages.
func (h *Holdings) stock(ctx context.Context) {
	h.repeat(ctx, h.more, func() error {
		h.mu.RLock()
		state, read := h.state, h.read
		h.mu.RUnlock()
		if !read {
			return nil
		}
		if err := h.gather(ctx); err != nil {
			return err
		}
		h.progress(Progress{})
		h.move(func() { h.indexed = h.state == state })
		return nil
	})
}

// repeat works whenever there may be something to do, until the context ends.
func (h *Holdings) repeat(ctx context.Context, wake <-chan struct{}, work func() error) {
	for {
		err := work()
		again := h.retryIn()
		if err != nil && ctx.Err() == nil {
			h.problem(err)
			again = retryAfter
		}
		timer := time.NewTimer(again)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// retryIn says when to look again, if nobody asks before.
func (h *Holdings) retryIn() time.Duration {
	again := lookAfter
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
	h.note(func() {
		change()
		h.turn++
	})
}

// note changes what others look at, and nothing that judgement depends on.
func (h *Holdings) note(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
	close(h.moved)
	h.moved = make(chan struct{})
}

// describe reads the METS of what is new or has a new version. Until that is done nothing of it is handed out.
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

// mark lists what has to be read, collections first, whose rights are those of their packages too; and sees to it that meanwhile nothing
// of it is handed out. What is no more there is forgotten.
func (h *Holdings) mark(ctx context.Context) (todo []catalogue.Package, err error) {
	there := map[string]catalogue.Package{}
	for p, err := range h.store.Packages(ctx) {
		if err != nil {
			return nil, err
		}
		there[p.ID] = p
	}
	now := h.options.Now()
	h.note(func() {
		collections := false
		for id, card := range there {
			p := h.packages[id]
			switch {
			case p == nil:
				h.packages[id] = &pkg{card: card, trouble: errReading}
				h.indexed = false
			case p.card.Inventory != card.Inventory:
				next := *p
				next.card, next.trouble, next.tries = card, errReading, 0
				h.packages[id] = &next
				h.indexed = false
			case p.trouble != nil && !p.retry.After(now):
			default:
				continue
			}
			todo = append(todo, card)
		}
		for id := range h.packages {
			if _, ok := there[id]; !ok {
				h.turn++
				collections = collections || isCollection(&h.packages[id].card) == 1
				delete(h.packages, id)
			}
		}
		for i := range todo {
			h.turn++
			collections = collections || isCollection(&todo[i]) == 1
		}
		if collections {
			h.recollect()
		}
		h.order = slices.Sorted(maps.Keys(h.packages))
	})
	slices.SortFunc(todo, func(a, b catalogue.Package) int {
		return cmp.Or(-cmp.Compare(isCollection(&a), isCollection(&b)), a.Stored.Compare(b.Stored), cmp.Compare(a.ID, b.ID))
	})
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
		p.containers = containersIn(&p.history, p.facts)
	}
	for i := range p.history.Versions {
		p.history.Versions[i].Files = nil // there may be a million, and nobody asks
	}
	if err == nil && p.facts.IsCollection != (isCollection(&card) == 1) {
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
		next.retry = h.options.Now().Add(min(retryAfter<<min(next.tries, 10), retryMost))
		next.tries++
		p = &next
	}
	h.packages[p.card.ID] = p
	if isCollection(&p.card) == 1 {
		h.recollect()
	} else {
		h.rejudge(p.card.ID)
	}
	if p.dangerous() || was != nil && was.dangerous() {
		h.infected = infectedIn(h.packages)
	}
}

// gather brings the index up to date, one package after the other.
func (h *Holdings) gather(ctx context.Context) error {
	in, err := h.inIndex(ctx)
	if err != nil {
		return err
	}
	for id := range in {
		if h.known(id) == nil {
			if err := h.index.Remove(ctx, id); err != nil {
				return err
			}
			h.tell(Change{Package: id, Gone: true})
		}
	}
	todo := h.unindexed(in)
	for i, p := range todo {
		if !h.isNewest(p) {
			continue
		}
		if err := h.take(ctx, p, in[p.card.ID], len(todo)-i); err != nil {
			return err
		}
	}
	return nil
}

// known is what is known of a package now; nil when it is not there.
func (h *Holdings) known(id string) *pkg {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.packages[id]
}

// inIndex tells what containers the index has, by package.
func (h *Holdings) inIndex(ctx context.Context) (map[string][]index.Container, error) {
	all, err := h.index.Containers(ctx, "")
	if err != nil {
		return nil, err
	}
	in := map[string][]index.Container{}
	for _, c := range all {
		in[c.Package] = append(in[c.Package], c)
	}
	return in, nil
}

// unindexed are the packages whose containers are not in the index, or not as they are in the newest version.
func (h *Holdings) unindexed(in map[string][]index.Container) (todo []*pkg) {
	now := h.options.Now()
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, id := range h.order {
		p := h.packages[id]
		if p.trouble == nil && !p.facts.IsCollection && (!p.told || !p.indexedAs(in[id])) && !p.retry.After(now) {
			todo = append(todo, p)
		}
	}
	return todo
}

// take reads the containers of a package into the index. What is wrong is told, and tried again later; the error is one of the index, or of
// ctx.
func (h *Holdings) take(ctx context.Context, p *pkg, in []index.Container, left int) error {
	if !p.indexedAs(in) {
		at := Progress{Package: p.card.ID, Packages: left}
		for i := range p.containers {
			at.Total += p.containers[i].size
		}
		h.progress(at)
		read := index.Stored(h.store, func(n int64) { at.Bytes += n; h.progress(at) })
		failed := h.index.Add(ctx, p.card.ID, p.lines(), read)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed != nil && !h.isNewest(p) {
			return nil // what was to be read is gone
		}
		if failed != nil {
			h.problem(fmt.Errorf("package %s: %w; its captures are not found until that is mended, and it is tried again", p.card.ID, failed))
			h.move(func() {
				h.update(p, func(next *pkg) {
					next.retry = h.options.Now().Add(min(retryAfter<<min(p.tries, 10), retryMost))
					next.tries++
				})
			})
			return nil
		}
	}
	viral, err := h.viralLines(ctx, p)
	if err != nil {
		return err
	}
	h.move(func() {
		h.update(p, func(next *pkg) { next.told, next.tries, next.viral = true, 0, viral })
		if p.dangerous() {
			h.infected = infectedIn(h.packages)
		}
	})
	h.tell(Change{Package: p.card.ID})
	return nil
}

// isNewest says whether what is known of a package is still that of its newest version.
func (h *Holdings) isNewest(p *pkg) bool {
	now := h.known(p.card.ID)
	return now != nil && now.card.Inventory == p.card.Inventory
}

// update changes what is known of a package, unless that is of a newer version by now. It is called under the lock.
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

// current waits until all METS were read of what is in the repository at this moment, for a bounded time: what was not read then is not
// handed out.
func (h *Holdings) current(ctx context.Context) error {
	state, err := h.store.Changes(ctx)
	if err != nil {
		return err
	}
	h.mu.RLock()
	there := h.read && h.state == state
	h.mu.RUnlock()
	if there {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, h.options.Wait, errWaited)
	defer cancel()
	err = h.await(ctx, func() bool { return h.read && h.state == state })
	if errors.Is(err, errWaited) {
		return nil
	}
	return err
}

var errWaited = errors.New("waited long enough")

// await waits until something holds, which is asked under the lock.
func (h *Holdings) await(ctx context.Context, holds func() bool) error {
	for {
		h.mu.RLock()
		there, moved := holds(), h.moved
		h.mu.RUnlock()
		if there {
			return nil
		}
		select {
		case h.wake <- struct{}{}:
		default: // it is awake
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-h.done:
			return errEnded
		case <-moved:
		}
	}
}

// Ready waits until all that is in the repository, and can be read, is found.
func (h *Holdings) Ready(ctx context.Context) error {
	state, err := h.store.Changes(ctx)
	if err != nil {
		return err
	}
	return h.await(ctx, func() bool { return h.read && h.indexed && h.state == state })
}
