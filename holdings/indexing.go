package holdings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	h.follower.Change(func() { h.indexed = shown }) // changes of the index are in Stamp
	return h.retryIn(), nil
}

// gather updates the index, many packages at a time.
func (h *Holdings) gather(ctx context.Context) error {
	all, err := h.index.Containers(ctx, "")
	if err != nil {
		return err
	}
	in := indexed(all)
	if err := h.clean(ctx, in); err != nil {
		return err
	}
	todo := h.unindexed(in)
	g := &gathering{h: h, in: in, left: len(todo), todo: map[string]*pkg{}, total: map[string]int64{}}
	added := func(all []captures.Addition, failed []error) error { return g.added(ctx, all, failed) }
	g.batch = captures.Batch{Index: h.index, Read: g.reading(), Added: added}
	for _, p := range todo {
		if !h.isNewest(p) {
			g.left--
			continue
		}
		if err := g.take(ctx, p); err != nil {
			return err
		}
	}
	if err := g.batch.Flush(ctx); err != nil {
		return err
	}
	return h.indexedNow(ctx, g.done)
}

// indexed are the containers of the index, sorted by package and path.
type indexed []captures.Container

// of returns the containers of a package.
func (all indexed) of(id string) []captures.Container {
	by := func(c captures.Container, id string) int { return strings.Compare(c.Package, id) }
	from, _ := slices.BinarySearchFunc(all, id, by)
	to := from
	for to < len(all) && all[to].Package == id {
		to++
	}
	return all[from:to]
}

// clean removes packages that are gone from the index.
func (h *Holdings) clean(ctx context.Context, in indexed) error {
	batch := captures.Batch{Index: h.index, Added: func(all []captures.Addition, failed []error) error {
		if err := errors.Join(failed...); err != nil {
			return err
		}
		for i := range all {
			h.notify(Change{Package: all[i].Package, Gone: true})
		}
		return nil
	}}
	swept := false
	for i := range in {
		id := in[i].Package
		if i > 0 && in[i-1].Package == id || h.known(id) != nil {
			continue
		}
		if err := batch.Add(ctx, id, nil); err != nil {
			return err
		}
		swept = true
	}
	if !swept {
		return nil
	}
	if err := batch.Flush(ctx); err != nil {
		return err
	}
	return h.index.Sweep(ctx, h.store)
}

// unindexed returns the packages whose newest version is not indexed, or not reported to followers.
func (h *Holdings) unindexed(in indexed) (todo []*pkg) {
	now := h.options.Now()
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, id := range h.order {
		p := h.packages[id]
		if p.trouble() == nil && !p.isCollection && (!p.notified || !p.indexedAs(in.of(id))) && !p.waits(now) {
			todo = append(todo, p)
		}
	}
	return todo
}

// gathering collects packages for the index.
type gathering struct {
	h     *Holdings
	in    indexed
	left  int
	batch captures.Batch
	todo  map[string]*pkg  // those in the batch
	total map[string]int64 // the bytes of their containers
	done  []*pkg           // were in the index, and are not reported yet
}

// take adds a package to the batch, if the index does not have it.
func (g *gathering) take(ctx context.Context, p *pkg) error {
	if in := g.in.of(p.id); p.indexedAs(in) && sufficient(in) {
		g.left--
		g.done = append(g.done, p)
		return nil
	}
	wanted, err := g.h.wanted(ctx, p)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		g.left--
		return nil //nolint:nilerr // the package is withheld, and was reported
	}
	g.todo[p.id] = p
	for i := range wanted {
		g.total[p.id] += wanted[i].Size
	}
	return g.batch.Add(ctx, p.id, wanted)
}

// added reports the packages of a batch. Problems of a package are reported, and it is tried again later.
func (g *gathering) added(ctx context.Context, all []captures.Addition, failed []error) error {
	done := g.done
	for i := range all {
		p := g.todo[all[i].Package]
		if failed[i] == nil || g.h.unfinished(p, g.in.of(p.id), failed[i]) {
			done = append(done, p)
		}
	}
	g.done = nil
	clear(g.todo)
	clear(g.total)
	return g.h.indexedNow(ctx, done)
}

// reading returns a Reading that reports progress.
func (g *gathering) reading() captures.Reading {
	at := Progress{}
	stored := g.h.index.Stored(g.h.store, func(n int64) { at.Bytes += n; g.h.progress(at) }, g.h.problem)
	return func(ctx context.Context, c *captures.Container, line func(*captures.Line) error) error {
		if c.Package != at.Package {
			at = Progress{Package: c.Package, Packages: g.left, Total: g.total[c.Package]}
			g.left--
			g.h.progress(at)
		}
		return stored(ctx, c, line)
	}
}

// unfinished reports the failure of a package, and plans the next attempt. It reports whether the captures of the
// package can be found nevertheless.
func (h *Holdings) unfinished(p *pkg, in []captures.Container, failed error) bool {
	switch {
	case !h.isNewest(p):
		return false // the package is gone
	case p.indexedAs(in): // its captures remain searchable
		h.problem(fmt.Errorf("package %s: %w; its captures stay in the index in their older form", p.id, failed))
		return true
	}
	h.problem(fmt.Errorf("package %s: %w; its captures are missing from the index until a retry succeeds", p.id,
		failed))
	h.move(func() {
		h.update(p, func(next *pkg) {
			if next.trouble() == nil { // otherwise its METS must be read first
				next.failing = h.failed(next, nil)
			}
		})
	})
	return false
}

// indexedNow reports packages whose captures are in the index.
func (h *Holdings) indexedNow(ctx context.Context, all []*pkg) error {
	viral := map[*pkg][]string{}
	for _, p := range all {
		if !p.dangerous() {
			continue
		}
		var err error
		if viral[p], err = h.viralLines(ctx, p); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return nil
	}
	h.move(func() {
		for _, p := range all {
			h.update(p, func(next *pkg) {
				next.notified = true
				if next.trouble() == nil { // a package that was shut meanwhile stays shut until its METS is read
					next.failing = nil
				}
				if v := viral[p]; v != nil {
					next.closed = &closed{containers: p.closed.containers, viral: v}
				}
			})
		}
		if len(viral) > 0 {
			h.infected = infectedIn(h.packages)
		}
	})
	for _, p := range all {
		h.notify(Change{Package: p.id})
	}
	return nil
}

// sufficient reports whether the lines of all containers suffice for holdings.
func sufficient(in []captures.Container) bool {
	return !slices.ContainsFunc(in, func(c captures.Container) bool { return !c.Suffices(captures.Readers) })
}
