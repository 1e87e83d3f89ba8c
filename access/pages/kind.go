package pages

import (
	"quire/holdings/captures"
)

// Kinds of captures, shown to readers by a shape and a word. The strings are CSS classes and keys
// of UI strings.
const (
	good   = "good"   // a response with content of its own
	same   = "same"   // a revisit: the content had not changed
	moved  = "moved"  // redirects to another address
	failed = "error"  // an error status of the server
	other  = "record" // not a server response: a file of a mirror, a conversion
	locked = "locked" // closed to this reader
)

// kinds are all kinds, in the order of bars and legends.
var kinds = []string{good, same, other, moved, failed, locked}

// kindOf returns the kind of a capture.
func kindOf(c *captures.Capture) string {
	switch {
	case c.Type == "revisit":
		return same
	case c.Status < 100 || c.Status > 599: // missing or invalid
		return other
	case c.Status < 300:
		return good
	case c.Status < 400:
		return moved
	}
	return failed
}

// tally counts captures by kind.
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

// present returns the kinds that occur.
func (t tally) present() (some []string) {
	for _, k := range kinds {
		if t[k] > 0 {
			some = append(some, k)
		}
	}
	return some
}
