package holdings

import (
	"context"
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
	h.move(func() { h.indexed = shown })
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
	g := &gathering{h: h, in: in}
	todo := h.unindexed(in)
	g.left = len(todo)
	for _, p := range todo {
		if !h.isNewest(p) {
			g.left--
			continue
		}
		if err := g.take(ctx, p); err != nil {
			return err
		}
	}
	return g.flush(ctx)
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
	swept := false
	for i := range in {
		id := in[i].Package
		if i > 0 && in[i-1].Package == id || h.known(id) != nil {
			continue
		}
		if err := h.index.Remove(ctx, id); err != nil {
			return err
		}
		h.notify(Change{Package: id, Gone: true})
		swept = true
	}
	if !swept {
		return nil
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

// The bounds of one writing of the index. It writes the list of all containers, so one for each package would be slow.
const (
	mostPackages = 256
	mostBytes    = 64 << 20 // of containers
)

// gathering collects packages for the index.
type gathering struct {
	h    *Holdings
	in   indexed
	left int

	todo   []*pkg // to be read for the index
	adding []captures.Addition
	bytes  int64
	done   []*pkg // in the index, not reported yet
}

// take adds a package, and writes the index if there are enough.
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
	g.todo = append(g.todo, p)
	g.adding = append(g.adding, captures.Addition{Package: p.id, Containers: wanted})
	for i := range wanted {
		g.bytes += wanted[i].Size
	}
	if len(g.todo) < mostPackages && g.bytes < mostBytes {
		return nil
	}
	return g.flush(ctx)
}

// flush writes the index, and reports the packages. Problems of a package are reported, and it is tried again later.
// The error is one of the index, or of ctx.
func (g *gathering) flush(ctx context.Context) error {
	todo, adding, done := g.todo, g.adding, g.done
	g.todo, g.adding, g.done, g.bytes = nil, nil, nil, 0
	if len(todo) > 0 {
		failed := g.h.index.AddAll(ctx, adding, g.reading(adding))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i, p := range todo {
			if failed[i] == nil || g.h.unfinished(p, g.in.of(p.id), failed[i]) {
				done = append(done, p)
			}
		}
	}
	return g.h.indexedNow(ctx, done)
}

// reading returns a Reading that reports progress.
func (g *gathering) reading(adding []captures.Addition) captures.Reading {
	at := Progress{}
	stored := g.h.index.Stored(g.h.store, func(n int64) { at.Bytes += n; g.h.progress(at) }, g.h.problem)
	return func(ctx context.Context, c *captures.Container, line func(*captures.Line) error) error {
		if c.Package != at.Package {
			at = Progress{Package: c.Package, Packages: g.left}
			g.left--
			i := slices.IndexFunc(adding, func(a captures.Addition) bool { return a.Package == c.Package })
			for j := range adding[i].Containers {
				at.Total += adding[i].Containers[j].Size
			}
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
		h.update(p, func(next *pkg) { next.failing = h.failed(next, nil) })
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
				next.notified, next.failing = true, nil
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
