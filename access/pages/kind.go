package pages

import (
	"quire/holdings/captures"
)

// What a capture is, as readers are told by a shape and a word. The strings are those of the
// classes in the style sheet and the words.
const (
	good   = "good"   // an answer with content of its own
	same   = "same"   // a revisit: what was there had not changed
	moved  = "moved"  // sends on to another address
	failed = "error"  // the server had nothing to give
	other  = "record" // no answer of a server: a file of a mirror, a conversion
	locked = "locked" // not for this reader
)

// kinds are all of them, in the order in which they stand in bars and legends.
var kinds = []string{good, same, other, moved, failed, locked}

// kindOf says what a capture is.
func kindOf(c *captures.Capture) string {
	switch {
	case c.Type == "revisit":
		return same
	case c.Status < 100 || c.Status > 599: // none, or none that there is
		return other
	case c.Status < 300:
		return good
	case c.Status < 400:
		return moved
	}
	return failed
}

// tally counts captures by what they are.
type tally map[string]int64

func (t tally) sum() (n int64) {
	for _, k := range t {
		n += k
	}
	return n
}

func (t tally) add(o tally) {
	for k, n := range o {
		t[k] += n
	}
}

// present are the kinds that there is any of.
func (t tally) present() (some []string) {
	for _, k := range kinds {
		if t[k] > 0 {
			some = append(some, k)
		}
	}
	return some
}
