package holdings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/follow"
	"quire/holdings/outline"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// errReading marks a package that has not been read yet: it may turn out to be closed.
var errReading = errors.New("it is still being read")

// unread is a version whose METS has to be read.
type unread struct {
	id           string
	stored       time.Time
	isCollection bool
}

// describe learns of new packages and versions: from their outlines, or else from their METS. Until then they are
// withheld.
func (h *Holdings) describe(ctx context.Context) error {
	todo, err := h.mark(ctx)
	if err != nil {
		return err
	}
	outlines := h.outlines.Write()
	for i, of := range todo {
		h.progress(Progress{Package: of.id, Packages: len(todo) - i})
		p, d, err := h.readPackage(ctx, of.id, facts.Load)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var o *outline.Outline
		if err == nil {
			o, err = h.outline(d)
		}
		if err != nil {
			h.problem(fmt.Errorf("package %s: %w; it is withheld until a retry succeeds", of.id, err))
		} else if !p.isCollection {
			h.outlineProblem(outlines.Add(ctx, of.id, d.history.Package.Inventory, o))
		}
		last := of.isCollection && (i+1 == len(todo) || !todo[i+1].isCollection)
		h.move(func() {
			h.put(p, o, d, err)
			if last {
				h.recollect()
			}
		})
	}
	h.outlineProblem(outlines.Flush(ctx))
	return nil
}

// outlineProblem reports an error of the file of outlines, which is a cache.
func (h *Holdings) outlineProblem(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		h.problem(fmt.Errorf("%s: %w; the METS of packages are read again at the next start", outline.FileName, err))
	}
}

// mark lists the packages to read. Collections come first, because their rights apply to their
// packages. Until a package is read, mark withholds it. It forgets removed packages.
func (h *Holdings) mark(ctx context.Context) (todo []unread, err error) {
	kept, end := h.keptOutlines(ctx)
	defer end()
	now := h.options.Now()
	var changed []*pkg
	var order []string
	for c, err := range h.store.Packages(ctx) {
		if err != nil {
			return nil, err
		}
		card := cardOf(&c)
		p := h.known(c.ID)
		switch {
		case p == nil:
			p = &pkg{card: card, failing: &failing{err: errReading}}
			if o := kept(ctx, &c); o != nil {
				p.failing = nil
				p = p.outlined(o)
			}
			changed = append(changed, p)
		case p.inventory != card.inventory:
			next := *p
			next.card, next.failing = card, &failing{err: errReading}
			next.id = p.id
			p = &next
			changed = append(changed, p)
		case p.trouble() == nil || p.waits(now):
		default:
			todo = append(todo, unread{p.id, p.stored, p.isCollection})
		}
		order = append(order, p.id)
	}
	for _, p := range changed {
		if p.trouble() != nil {
			todo = append(todo, unread{p.id, p.stored, p.isCollection})
		}
	}
	slices.Sort(order)
	h.change(changed, todo)
	slices.SortFunc(todo, func(a, b unread) int {
		return cmp.Or(follow.CollectionsFirst(a.isCollection, b.isCollection), a.stored.Compare(b.stored),
			strings.Compare(a.id, b.id))
	})
	return todo, h.drop(ctx, order)
}

// change puts the packages of a look into force, and the withholding of those that have to be read.
func (h *Holdings) change(changed []*pkg, todo []unread) {
	if len(changed) == 0 && len(todo) == 0 {
		return
	}
	h.follower.Change(func() {
		collections, dangerous := false, false
		for _, p := range changed {
			h.packages[p.id] = p
			dangerous = dangerous || p.dangerous()
		}
		for i := range todo {
			collections = collections || todo[i].isCollection
		}
		h.turn++
		if collections {
			h.recollect()
		} else {
			for _, p := range changed {
				h.rejudge(p.id)
			}
		}
		if dangerous {
			h.infected = infectedIn(h.packages)
		}
	})
}

// drop forgets the packages that are not in the order, which is then that of all.
func (h *Holdings) drop(ctx context.Context, order []string) error {
	var gone []string
	h.follower.Change(func() {
		h.order = order
		if len(h.packages) == len(order) {
			return
		}
		collections, dangerous := false, false
		for id, p := range h.packages {
			if _, there := slices.BinarySearch(order, id); !there {
				gone = append(gone, id)
				collections = collections || p.isCollection
				dangerous = dangerous || p.dangerous()
				delete(h.packages, id)
			}
		}
		h.turn++
		if collections {
			h.recollect()
		}
		if dangerous {
			h.infected = infectedIn(h.packages)
		}
	})
	h.outlineProblem(h.outlines.Remove(ctx, gone))
	return ctx.Err()
}

// keptOutlines returns a function that finds the outline of a package in the file, at the first look; nil if it must be
// read. Packages are asked for by id. The METS of collections are always read, because their members are in no outline.
func (h *Holdings) keptOutlines(ctx context.Context) (find func(context.Context, *catalogue.Package) *outline.Outline,
	end func()) {
	h.mu.RLock()
	first := len(h.packages) == 0
	h.mu.RUnlock()
	if !first {
		return func(context.Context, *catalogue.Package) *outline.Outline { return nil }, func() {}
	}
	next, stop := iter.Pull2(h.outlines.All(ctx))
	k, err, more := next()
	find = func(ctx context.Context, c *catalogue.Package) *outline.Outline {
		for more && err == nil && k.ID < c.ID {
			k, err, more = next()
		}
		if !more || err != nil || k.ID != c.ID || k.Inventory != c.Inventory || c.IsCollection() {
			return nil
		}
		o, err := h.outlines.Outline(ctx, &k, h.shared)
		if err != nil {
			return nil // it is read from the METS
		}
		return o
	}
	return find, func() {
		stop()
		h.outlineProblem(err)
	}
}

// readPackage reads the newest version of a package or collection.
func (h *Holdings) readPackage(ctx context.Context, id string,
	load func(context.Context, *store.Store, string, int) (*facts.Facts, error)) (*pkg, *details, error) {
	d := &details{}
	p := &pkg{card: card{id: id}}
	var err error
	if d.history, err = h.store.History(ctx, id); err != nil {
		return p, nil, err
	}
	p.card = cardOf(&d.history.Package)
	d.Facts, err = load(ctx, h.store, id, d.history.Package.Head)
	if err == nil && d.IsCollection != p.isCollection {
		err = errors.New("its METS differs from the catalogue: audit the repository")
	}
	return p, d, err
}

// outline returns the outline of a package that was read.
func (h *Holdings) outline(d *details) (*outline.Outline, error) {
	o, err := outline.Of(d.Facts, h.shared)
	if err == nil {
		o.Index = indexText(captures.Wanted(&d.history, d.Facts, captures.Readers))
	}
	return o, err
}

// put stores a package after reading. After a change of a collection the caller calls recollect. The caller holds the
// lock.
func (h *Holdings) put(p *pkg, o *outline.Outline, d *details, failed error) {
	was := h.packages[p.id]
	switch {
	case failed == nil:
		p = p.outlined(o)
		if p.isCollection {
			p.collection = d.Facts
		}
	case was == nil:
		p.failing = h.failed(nil, failed)
	default: // the facts of older versions stay: a collection still closes its packages
		next := *was
		if p.head > 0 {
			next.card = p.card
		}
		next.id, next.notified, next.failing = was.id, false, h.failed(was, failed)
		p = &next
	}
	h.packages[p.id] = p
	h.rejudge(p.id)
	if p.dangerous() || was != nil && was.dangerous() {
		h.infected = infectedIn(h.packages)
	}
}
