package holdings

import (
	"container/list"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/follow"
	"quire/repository/catalogue"
)

// details are the facts of a package's newest version in full, and its history without files.
type details struct {
	*facts.Facts
	history catalogue.Record
}

// details returns the details of a package, which are read on demand. A package whose details cannot be read is
// withheld from then on, until a retry succeeds. The error is the reason.
func (h *Holdings) details(ctx context.Context, p *pkg) (*details, error) {
	if err := p.trouble(); err != nil {
		return nil, err
	}
	if d := h.recent.get(p); d != nil {
		return d, nil
	}
	d, err := h.load(ctx, p)
	if err == nil {
		h.recent.put(p, d)
	}
	return d, err
}

// load is details without memory.
func (h *Holdings) load(ctx context.Context, p *pkg) (*details, error) {
	d := &details{Facts: p.collection}
	var err error
	if d.history, err = h.history(ctx, p.id); err == nil && d.Facts == nil {
		d.Facts, err = facts.Load(ctx, h.store, p.id, int(p.head))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		h.shut(p, err)
		return nil, err
	}
	d.history.Versions = slices.DeleteFunc(d.history.Versions, func(v catalogue.Version) bool {
		return v.Number > int(p.head) // of a version that is not read yet
	})
	return d, nil
}

// shut withholds a package whose facts can no longer be read.
func (h *Holdings) shut(p *pkg, err error) {
	h.problem(fmt.Errorf("package %s: %w; it is withheld until a retry succeeds", p.id, err))
	h.move(func() {
		h.update(p, func(next *pkg) { next.failing = h.failed(p, err) })
		if p.isCollection {
			h.recollect()
		}
	})
}

// failed returns the state of a package after an error: err is why it cannot be read, or nil if its captures cannot
// be indexed.
func (h *Holdings) failed(was *pkg, err error) *failing {
	tries := 0
	if was != nil && was.failing != nil {
		tries = was.failing.tries
	}
	return &failing{err: err, tries: tries + 1, retry: h.options.Now().Add(follow.RetryIn(tries))}
}

// Facts returns the facts of a package's newest version; nil if they cannot be read.
func (h *Holdings) Facts(ctx context.Context, id string) *facts.Facts {
	p := h.known(id)
	if p == nil {
		return nil
	}
	d, err := h.details(ctx, p)
	if err != nil {
		return nil
	}
	return d.Facts
}

// History returns the versions and events of a package, without files. The error is [captures.ErrNotFound] if there
// is no such package.
func (h *Holdings) History(ctx context.Context, id string) (catalogue.Record, error) {
	p := h.known(id)
	if p == nil {
		return catalogue.Record{}, fmt.Errorf("package %s: %w", id, captures.ErrNotFound)
	}
	if d := h.recent.get(p); d != nil {
		return d.history, nil
	}
	history, err := h.history(ctx, id)
	if errors.Is(err, catalogue.ErrNotFound) {
		err = fmt.Errorf("package %s: %w", id, captures.ErrNotFound)
	}
	return history, err
}

// history reads the history of a package from the catalogue. Its lists of files may have a million rows, and are
// dropped.
func (h *Holdings) history(ctx context.Context, id string) (catalogue.Record, error) {
	history, err := h.store.History(ctx, id)
	for i := range history.Versions {
		history.Versions[i].Files = nil
	}
	return history, err
}

// Inventory returns the text that identifies the newest version of a package, and whether decisions on it are
// possible.
func (h *Holdings) Inventory(id string) (inventory string, readable bool) {
	p := h.known(id)
	if p == nil {
		return "", false
	}
	return hex.EncodeToString(p.inventory[:]), p.trouble() == nil
}

// wanted returns the containers that the index should have.
func (h *Holdings) wanted(ctx context.Context, p *pkg) ([]captures.Container, error) {
	d, err := h.load(ctx, p)
	if err != nil {
		return nil, err
	}
	history, err := h.store.History(ctx, p.id)
	if err != nil {
		if ctx.Err() == nil {
			h.shut(p, err)
		}
		return nil, err
	}
	return captures.Wanted(&history, d.Facts, captures.Readers), nil
}

// recentSize is the room for the details that were used last, in bytes, as [details.size] estimates them.
const recentSize = 64 << 20

// recent keeps the details that were used last. The latest stays, whatever its size. It is safe for concurrent use.
type recent struct {
	mu   sync.Mutex
	size int
	used list.List // of *recentEntry, the latest first
	all  map[[sha512.Size]byte]*list.Element
}

type recentEntry struct {
	inventory [sha512.Size]byte
	*details
	bytes int
}

func (r *recent) get(p *pkg) *details {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.all[p.inventory]
	if e == nil {
		return nil
	}
	r.used.MoveToFront(e)
	return e.Value.(*recentEntry).details
}

func (r *recent) put(p *pkg, d *details) {
	e := &recentEntry{p.inventory, d, d.size()}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[[sha512.Size]byte]*list.Element{}
	}
	if r.all[p.inventory] != nil {
		return
	}
	r.all[p.inventory] = r.used.PushFront(e)
	r.size += e.bytes
	for r.size > recentSize && r.used.Len() > 1 {
		old, _ := r.used.Remove(r.used.Back()).(*recentEntry)
		delete(r.all, old.inventory)
		r.size -= old.bytes
	}
}

// size estimates the memory of the details.
func (d *details) size() int {
	const each = 512 // bytes of an entry of a list, with its texts
	n := each * (8 + len(d.Containers) + len(d.Files) + len(d.Harvests) + len(d.Pages) + len(d.Members) +
		len(d.Rights.Statements) + len(d.history.Versions) + len(d.history.Events))
	for _, c := range d.Containers {
		n += each * (len(c.Events) + len(c.Viral))
	}
	for i := range d.Events {
		n += each * (1 + len(d.Events[i].Notes)/4)
	}
	for _, text := range d.Descriptions {
		n += len(text)
	}
	return n
}
