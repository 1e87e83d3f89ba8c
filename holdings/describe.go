package holdings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	stored       moment
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
			was := h.packages[p.id]
			h.put(p, o, d, err)
			if last {
				h.recollect()
			} else if of.isCollection && err == nil {
				h.closeNew(was, h.packages[p.id])
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
	h.mu.RLock()
	first := len(h.packages) == 0
	h.mu.RUnlock()
	l := &listing{h: h, now: h.options.Now()}
	if first {
		err = l.all(ctx)
	} else {
		err = l.changes(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range l.changed {
		if p.trouble() != nil {
			l.todo = append(l.todo, unread{p.id, p.stored, p.isCollection})
		}
	}
	slices.Sort(l.order)
	h.change(l.changed, l.todo)
	slices.SortFunc(l.todo, func(a, b unread) int {
		return cmp.Or(follow.CollectionsFirst(a.isCollection, b.isCollection), cmp.Compare(a.stored, b.stored),
			strings.Compare(a.id, b.id))
	})
	return l.todo, h.drop(ctx, l.order, l.outlined)
}

// listing is one listing of the catalogue.
type listing struct {
	h       *Holdings
	now     time.Time
	changed []*pkg
	todo    []unread // to be read again
	order   []string
	// packages that may have been removed while no server ran: their outlines are there
	outlined []string
}

// all lists the packages at the first look, most with their outlines.
func (l *listing) all(ctx context.Context) error {
	outlines := l.h.keptOutlines(ctx)
	defer outlines.end()
	for c, err := range l.h.store.Packages(ctx) {
		if err != nil {
			return err
		}
		p := &pkg{card: cardOf(&c), failing: &failing{err: errReading}}
		if o := outlines.of(&c); o != nil {
			p.failing = nil
			p = p.outlined(o)
		}
		l.changed = append(l.changed, p)
		l.order = append(l.order, p.id)
	}
	l.outlined = outlines.others()
	return nil
}

// changes lists the packages that have changed, and those to be read again.
func (l *listing) changes(ctx context.Context) error {
	for s, err := range l.h.store.Heads(ctx) {
		if err != nil {
			return err
		}
		p := l.h.known(s.ID)
		if p == nil || p.inventory != inventoryOf(s.Inventory) {
			p, err = l.change(ctx, s.ID, p)
			if errors.Is(err, store.ErrNotFound) {
				continue // it was removed a moment ago
			}
			if err != nil {
				return err
			}
		} else if p.trouble() != nil && !p.waits(l.now) {
			l.todo = append(l.todo, unread{p.id, p.stored, p.isCollection})
		}
		l.order = append(l.order, p.id)
	}
	return nil
}

// change adds a new package or version, which is withheld until it is read.
func (l *listing) change(ctx context.Context, id string, was *pkg) (*pkg, error) {
	c, err := l.h.store.Row(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &pkg{}
	if was != nil {
		*p = *was
	}
	p.card, p.failing = cardOf(&c), &failing{err: errReading}
	l.changed = append(l.changed, p)
	return p, nil
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

// drop forgets the packages that are not in the order, which is then that of all, and their outlines.
func (h *Holdings) drop(ctx context.Context, order, outlined []string) error {
	gone := slices.DeleteFunc(outlined, func(id string) bool {
		_, there := slices.BinarySearch(order, id)
		return there
	})
	h.follower.Change(func() {
		if slices.Equal(h.order, order) && len(h.packages) == len(order) {
			return // then decisions and lists stay as they are
		}
		h.order = order
		h.turn++
		collections, dangerous := false, false
		for id, p := range h.packages {
			if _, there := slices.BinarySearch(order, id); !there {
				gone = append(gone, id)
				collections = collections || p.isCollection
				dangerous = dangerous || p.dangerous()
				delete(h.packages, id)
			}
		}
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

// kept is an outline of the file; nil if its METS must be read.
type kept struct {
	outline.Kept
	outline *outline.Outline
}

// keptOutlines finds the outlines of packages in the file. Packages are asked for by id. The METS of collections are
// always read, because their members are in no outline.
type keptOutlines struct {
	h       *Holdings
	all     chan kept // another goroutine parses them meanwhile
	stop    context.CancelFunc
	failed  error
	at      kept
	asked   bool     // for the one there
	unasked []string // the ids of the others
}

func (h *Holdings) keptOutlines(ctx context.Context) *keptOutlines {
	k := &keptOutlines{h: h, all: make(chan kept, 256), asked: true}
	ctx, k.stop = context.WithCancel(ctx)
	go func() {
		defer close(k.all)
		k.failed = h.parseOutlines(ctx, k.all)
	}()
	return k
}

// of returns the outline of a package; nil if the METS must be read.
func (k *keptOutlines) of(c *catalogue.Package) *outline.Outline {
	for k.at.ID < c.ID && k.next() {
	}
	if k.at.ID != c.ID {
		return nil
	}
	k.asked = true
	if k.at.Inventory != c.Inventory || c.IsCollection() {
		return nil
	}
	return k.at.outline
}

// next goes to the next outline.
func (k *keptOutlines) next() bool {
	if !k.asked {
		k.unasked = append(k.unasked, k.at.ID)
	}
	var more bool
	k.at, more = <-k.all
	k.asked = !more
	return more
}

// others returns the ids of the outlines that were not asked for.
func (k *keptOutlines) others() []string {
	for k.next() {
	}
	return k.unasked
}

// end waits for the goroutine.
func (k *keptOutlines) end() {
	k.stop()
	for range k.all { // until the goroutine has ended
	}
	k.h.outlineProblem(k.failed)
}

// parseOutlines sends the outlines of the file, by id.
func (h *Holdings) parseOutlines(ctx context.Context, to chan<- kept) error {
	for k, err := range h.outlines.All(ctx) {
		if ctx.Err() != nil {
			return nil // the look has ended
		}
		if err != nil {
			return err
		}
		o, err := h.outlines.Outline(ctx, &k, h.shared)
		if err != nil {
			o = nil // it is read from the METS
		}
		select {
		case to <- kept{k, o}:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
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

// closeNew closes the packages that only the new version of a collection names, until recollect. The others are closed
// since mark. The caller holds the lock.
func (h *Holdings) closeNew(was, now *pkg) {
	if was == nil || was.collection == nil {
		return // until recollect, everything is closed
	}
	for name := range now.collection.Members {
		if _, named := was.collection.Members[name]; !named {
			h.loose[name] = now.id
			h.rejudge(name)
		}
	}
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
