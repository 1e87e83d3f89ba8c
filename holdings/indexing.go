package holdings

import (
	"context"
	"fmt"
	"slices"
	"time"

	"quire/holdings/captures"
	"quire/holdings/follow"
)

// stock updates the index with the known packages.
func (h *Holdings) stock(ctx context.Context) (again time.Duration, err error) {
	h.mu.RLock()
	shown := h.follower.Shown()
	h.mu.RUnlock()
	if shown == 0 {
		return follow.LookAfter, nil
	}
	if err := h.gather(ctx); err != nil {
		return 0, err
	}
	h.progress(Progress{})
	h.move(func() { h.indexed = shown })
	return h.retryIn(), nil
}

// gather updates the index, one package after the other.
func (h *Holdings) gather(ctx context.Context) error {
	in, err := h.inIndex(ctx)
	if err != nil {
		return err
	}
	swept := false
	for id := range in {
		if h.known(id) == nil {
			if err := h.index.Remove(ctx, id); err != nil {
				return err
			}
			h.notify(Change{Package: id, Gone: true})
			swept = true
		}
	}
	if swept {
		if err := h.index.Sweep(ctx, h.store); err != nil {
			return err
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

// inIndex returns the indexed containers, by package.
func (h *Holdings) inIndex(ctx context.Context) (map[string][]captures.Container, error) {
	all, err := h.index.Containers(ctx, "")
	if err != nil {
		return nil, err
	}
	in := map[string][]captures.Container{}
	for _, c := range all {
		in[c.Package] = append(in[c.Package], c)
	}
	return in, nil
}

// unindexed returns the packages with a container in the newest version that is not indexed.
func (h *Holdings) unindexed(in map[string][]captures.Container) (todo []*pkg) {
	now := h.options.Now()
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, id := range h.order {
		p := h.packages[id]
		if p.trouble == nil && !p.facts.IsCollection && (!p.notified || !p.indexedAs(in[id])) && !p.retry.After(now) {
			todo = append(todo, p)
		}
	}
	return todo
}

// take indexes the containers of a package. It reports problems of the package and retries later.
// The returned error is an error of the index, or of ctx.
func (h *Holdings) take(ctx context.Context, p *pkg, in []captures.Container, left int) error {
	if !p.indexedAs(in) || !sufficient(in) {
		at := Progress{Package: p.card.ID, Packages: left}
		for i := range p.containers {
			at.Total += p.containers[i].Size
		}
		h.progress(at)
		read := h.index.Stored(h.store, func(n int64) { at.Bytes += n; h.progress(at) }, h.problem)
		failed := h.index.Add(ctx, p.card.ID, p.containers, read)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed != nil && !h.isNewest(p) {
			return nil // the package is gone
		}
		if failed != nil && p.indexedAs(in) { // its captures remain searchable
			h.problem(fmt.Errorf("package %s: %w; its captures stay in the index in their older form",
				p.card.ID, failed))
		} else if failed != nil {
			h.problem(fmt.Errorf("package %s: %w; its captures are missing from the index until a retry "+
				"succeeds", p.card.ID, failed))
			h.move(func() {
				h.update(p, func(next *pkg) {
					next.retry = h.options.Now().Add(follow.RetryIn(p.tries))
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
		h.update(p, func(next *pkg) { next.notified, next.tries, next.viral = true, 0, viral })
		if p.dangerous() {
			h.infected = infectedIn(h.packages)
		}
	})
	h.notify(Change{Package: p.card.ID})
	return nil
}

// sufficient reports whether the lines of all containers suffice for holdings.
func sufficient(in []captures.Container) bool {
	return !slices.ContainsFunc(in, func(c captures.Container) bool { return !c.Suffices(captures.Readers) })
}
