package holdings

import (
	"context"
	"slices"

	"quire/holdings/follow"
)

// Change says that a package came, or has a new version; or that it is no longer there.
type Change struct {
	Package string
	Gone    bool
}

// follower is somebody who is told what changes.
type follower struct {
	todo []Change
	more chan struct{}
}

// Follow tells what changes in the holdings, one package after the other, until the context ends or
// the function returns an error, which is then that of Follow: first of all packages that are
// there, then of each that comes, has a new version, or goes. A package is told of when its
// captures are in the index. What readers may see of it can change at any time, and is not told:
// ask [Holdings.Judge].
func (h *Holdings) Follow(ctx context.Context, changed func(Change) error) error {
	f := &follower{more: make(chan struct{}, 1)}
	h.mu.Lock()
	for _, id := range h.order {
		if p := h.packages[id]; p.told {
			f.todo = append(f.todo, Change{Package: id})
		}
	}
	h.follows = append(h.follows, f)
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.follows = slices.DeleteFunc(h.follows, func(o *follower) bool { return o == f })
		h.mu.Unlock()
	}()
	for {
		h.mu.Lock()
		todo := f.todo
		f.todo = nil
		h.mu.Unlock()
		for _, c := range todo {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := changed(c); err != nil {
				return err
			}
		}
		if len(todo) > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-h.follower.Ended():
			return follow.ErrEnded
		case <-f.more:
		}
	}
}

// tell tells those who follow.
func (h *Holdings) tell(c Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.follows {
		f.todo = append(f.todo, c)
		follow.Wake(f.more)
	}
}
