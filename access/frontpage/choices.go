package frontpage

import (
	"context"
	"slices"
	"sync"
	"time"

	"quire/holdings"
)

// MaxKept limits the number of kept choices. If there are more, the chooser begins anew.
const MaxKept = 20_000

// keptFor bounds the time for which a choice is kept: the index of captures may grow meanwhile.
const keptFor = time.Minute

// Chooser chooses front pages, and keeps its choices.
type Chooser struct {
	archive Archive
	now     func() time.Time

	mu    sync.Mutex
	stamp any
	until time.Time
	kept  map[choice][]string

	abouts abouts
}

// Summary is a website in a list.
type Summary struct {
	Host     string // of its front page; "" if it has none
	Captures int64  // that are open to the reader
}

// choice is a package in the view of a class of readers.
type choice struct {
	class holdings.Class
	pkg   string
}

// New returns a Chooser; now is the clock.
func New(a Archive, now func() time.Time) *Chooser {
	return &Chooser{archive: a, now: now, abouts: newAbouts()}
}

// Choose returns the addresses of the front pages of a package for a reader. wanted are the addresses
// that curators recorded, and then the seeds of its harvests.
func (c *Chooser) Choose(ctx context.Context, who holdings.Reader, pkg string, wanted []string) ([]string, error) {
	if who.Packages != nil { // such readers count as their class in some packages only
		return choose(ctx, c.archive, who, pkg, wanted)
	}
	stamp, err := c.archive.Stamp(ctx) // before any access decision
	if err != nil {
		return nil, err
	}
	key := choice{who.Class, pkg}
	if known, ok := c.known(stamp, key); ok {
		return slices.Clone(known), nil
	}
	fronts, err := choose(ctx, c.archive, who, pkg, wanted)
	if err == nil {
		c.keep(stamp, key, fronts)
	}
	return slices.Clone(fronts), err
}

func (c *Chooser) known(stamp any, key choice) (fronts []string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); c.stamp != stamp || now.After(c.until) {
		c.stamp, c.until = stamp, now.Add(keptFor)
		c.kept = map[choice][]string{}
	}
	fronts, ok = c.kept[key]
	return fronts, ok
}

func (c *Chooser) keep(stamp any, key choice, fronts []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stamp != stamp { // decisions may have changed since
		return
	}
	if len(c.kept) >= MaxKept {
		c.kept = map[choice][]string{}
	}
	c.kept[key] = fronts
}
