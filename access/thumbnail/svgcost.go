package thumbnail

import (
	"fmt"
	"strings"
)

// cost counts the elements that a browser draws: those of the copy, those that are repeated, and those of clips. An
// element may be repeated before it is written, so the sum is known at the end.
type cost struct {
	clips []string // by element; "" for none
	uses  []string
	parts map[string][]part // by identifier, which several may have
}

// part is an element with all that is in it.
type part struct{ begin, end int }

// element counts an element.
func (c *cost) element() { c.clips = append(c.clips, "") }

// clip notes the clip of the last element.
func (c *cost) clip(value string) (known bool) {
	_, id, named := strings.Cut(value, "#")
	id, _, _ = strings.Cut(strings.TrimRight(id, " \t\r\n\"')"), ")")
	c.clips[len(c.clips)-1] = id
	return !named || plain(id)
}

// use notes an element that is repeated.
func (c *cost) use(value string) (known bool) {
	id := strings.TrimPrefix(value, "#")
	c.uses = append(c.uses, id)
	return plain(id)
}

// plain reports whether an identifier is written as it is; browsers decode others.
func plain(id string) bool { return !strings.ContainsAny(id, "%()'\" \t\r\n") }

// named notes an element that ends.
func (c *cost) named(id string, begin int) {
	if c.parts == nil {
		c.parts = map[string][]part{}
	}
	if id != "" {
		c.parts[id] = append(c.parts[id], part{begin, len(c.clips)})
	}
}

// check returns an error if the copy costs too much.
func (c *cost) check() error {
	most := func(of func(part) int) map[string]int { // of those with one identifier
		costs := map[string]int{}
		for id, all := range c.parts {
			for _, p := range all {
				costs[id] = max(costs[id], of(p))
			}
		}
		return costs
	}
	clips := most(func(p part) int { return p.end - p.begin })
	before := make([]int, len(c.clips)+1) // the cost of the elements before
	for i, clip := range c.clips {
		before[i+1] = before[i] + 1 + clips[clip]
	}
	sum := before[len(c.clips)]
	uses := most(func(p part) int { return before[p.end] - before[p.begin] })
	for _, use := range c.uses {
		sum += uses[use]
	}
	if sum > maxDrawn {
		return fmt.Errorf("%w: a drawing of %d elements, with those that are repeated and those of clips", ErrNone, sum)
	}
	return nil
}
