package frontpage

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
)

// Limits of the counts.
const (
	countTime  = time.Minute // for one website
	maxWaiting = 256         // websites that wait to be counted
)

// abouts keeps the summaries of websites. They are made in the background, one at a time, so that a large website is
// counted once for all requests, and not by each of them until its time is over.
type abouts struct {
	turn chan struct{} // held by the one that is being made

	mu    sync.Mutex
	stamp any
	known map[choice]summarized
	under map[choice]*making
}

// summarized is a kept summary.
type summarized struct {
	Summary
	until time.Time // from then on it is made again, and shown until the new one is made
}

// making is a summary that is being made, or waits for it.
type making struct {
	stamp any // of the access decisions
	done  chan struct{}
	err   error // read it after done
}

func newAbouts() abouts {
	return abouts{turn: make(chan struct{}, 1), known: map[choice]summarized{}, under: map[choice]*making{}}
}

// About returns the host of a website and the number of its captures that are open to the reader. It waits for them
// until ctx ends; they are then made for later calls. After a change of access decisions, it returns nothing from
// before.
func (c *Chooser) About(ctx context.Context, who holdings.Reader, pkg string, wanted []string) (Summary, error) {
	if who.Packages != nil { // such readers count as their class in some packages only
		return c.summarize(ctx, who, pkg, wanted)
	}
	stamp, err := c.archive.Stamp(ctx) // before any access decision
	if err != nil {
		return Summary{}, err
	}
	key := choice{who.Class, pkg}
	known, ok, m := c.begin(stamp, key, who, wanted)
	if ok || m == nil {
		return known, nil
	}
	select {
	case <-m.done:
	case <-ctx.Done():
		return Summary{}, ctx.Err()
	}
	c.abouts.mu.Lock()
	defer c.abouts.mu.Unlock()
	return c.abouts.known[key].Summary, m.err
}

// begin returns a kept summary. If there is none, or an old one, it has one made, unless too many wait.
func (c *Chooser) begin(stamp any, key choice, who holdings.Reader, wanted []string) (known Summary, ok bool,
	m *making) {
	a := &c.abouts
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stamp != stamp {
		a.stamp, a.known = stamp, map[choice]summarized{}
	}
	kept, ok := a.known[key]
	if ok && !c.now().After(kept.until) {
		return kept.Summary, true, nil
	}
	if m = a.under[key]; m != nil && m.stamp == stamp || len(a.under) >= maxWaiting {
		return kept.Summary, ok, m
	}
	m = &making{stamp: stamp, done: make(chan struct{})}
	a.under[key] = m
	go c.make(m, key, who, wanted)
	return kept.Summary, ok, m
}

// make makes a summary when its turn comes, and keeps it. One that took too long is kept with what is known.
func (c *Chooser) make(m *making, key choice, who holdings.Reader, wanted []string) {
	a := &c.abouts
	a.turn <- struct{}{}
	begin := time.Now()
	out, err := c.inTurn(who, key.pkg, wanted)
	<-a.turn
	a.mu.Lock()
	defer a.mu.Unlock()
	late := errors.Is(err, context.DeadlineExceeded)
	if m.err = err; a.stamp == m.stamp && (err == nil || late) { // else decisions may have changed since
		if len(a.known) >= MaxKept {
			a.known = map[choice]summarized{}
		}
		const share = 10 // limits the share of time for counting a website again
		a.known[key] = summarized{out, c.now().Add(max(keptFor, share*time.Since(begin)))}
	}
	if a.under[key] == m {
		delete(a.under, key)
	}
	close(m.done)
}

// inTurn makes a summary within countTime. A fault in reading must not end the server.
func (c *Chooser) inTurn(who holdings.Reader, pkg string, wanted []string) (out Summary, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("counting the captures of %s failed: %v", pkg, broken)
		}
	}()
	return c.summarize(ctx, who, pkg, wanted)
}

// summarize makes a summary. If it fails, it returns what is known.
func (c *Chooser) summarize(ctx context.Context, who holdings.Reader, pkg string, wanted []string) (out Summary,
	err error) {
	fronts, err := c.Choose(ctx, who, pkg, wanted)
	if err != nil {
		return out, err
	}
	if len(fronts) > 0 {
		out.Host = hostName(fronts[0])
	}
	counts, err := c.archive.Counts(ctx, who, captures.Query{Packages: []string{pkg}}, captures.Year)
	if err != nil {
		return out, err
	}
	for i := range counts {
		out.Captures += int64(counts[i].Captures)
	}
	return out, nil
}
