package frontpage

import (
	"context"
	"slices"
	"sync"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
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
	about map[choice]Summary
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
func New(a Archive, now func() time.Time) *Chooser { return &Chooser{archive: a, now: now} }

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

// About returns the host of a website and the number of its captures that are open to the reader.
func (c *Chooser) About(ctx context.Context, who holdings.Reader, pkg string, wanted []string) (Summary, error) {
	fronts, err := c.Choose(ctx, who, pkg, wanted)
	if err != nil {
		return Summary{}, err
	}
	key := choice{who.Class, pkg}
	c.mu.Lock()
	known, ok := c.about[key]
	stamp := c.stamp
	c.mu.Unlock()
	if ok && who.Packages == nil { // Choose has just compared the stamp
		return known, nil
	}
	var out Summary
	if len(fronts) > 0 {
		out.Host = hostName(fronts[0])
	}
	counts, err := c.archive.Counts(ctx, who, captures.Query{Packages: []string{pkg}}, captures.Year)
	if err != nil {
		return Summary{}, err
	}
	for i := range counts {
		out.Captures += int64(counts[i].Captures)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stamp == stamp && c.about != nil && who.Packages == nil {
		c.about[key] = out
	}
	return out, nil
}

func (c *Chooser) known(stamp any, key choice) (fronts []string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); c.stamp != stamp || now.After(c.until) {
		c.stamp, c.until = stamp, now.Add(keptFor)
		c.kept, c.about = map[choice][]string{}, map[choice]Summary{}
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
		c.kept, c.about = map[choice][]string{}, map[choice]Summary{}
	}
	c.kept[key] = fronts
}
