package lookup

import (
	"bytes"
	"fmt"

	"quire/internal/extsort"
)

// Index holds captures in the order of their URLs and dates.
type Index struct {
	sorter *extsort.Sorter
	count  int64
}

// New makes an empty Index. What memory does not hold goes to temporary files in dir, or where the
// system has them. The caller closes it.
func New(dir string) *Index { return &Index{sorter: extsort.New(extsort.Options{Dir: dir})} }

// Add keeps a capture. It must not be called after Find.
func (x *Index) Add(c Capture) error {
	x.count++
	return x.sorter.Add(c.key(), c.value())
}

// Count is how many captures there are.
func (x *Index) Count() int64 { return x.count }

// Close gives memory and disk back.
func (x *Index) Close() error { return x.sorter.Close() }

// maxHeld is how many captures of the URLs that are wanted, and of those that redirects lead to,
// are held at once.
const maxHeld = 500_000

// held are the captures of the URLs that matter, by URL, each in the order of time.
type held struct {
	byURL  map[string][]Capture
	sifted map[string]*sifted // of those that redirects lead to
	count  int
}

// maxHops is how many redirects are followed: browsers give up after twenty.
const maxHops = 20

// load holds the captures of the URLs, and of all that redirects lead on to from there.
func (x *Index) load(urls []string) (*held, error) {
	h := &held{byURL: map[string][]Capture{}, sifted: map[string]*sifted{}}
	next := map[string]bool{}
	for _, u := range urls {
		next[u] = true
	}
	for range maxHops + 1 {
		if len(next) == 0 {
			break
		}
		for u := range next {
			h.byURL[u] = nil
		}
		if err := x.take(h, next); err != nil {
			return nil, err
		}
		more := map[string]bool{}
		for u := range next {
			for i := range h.byURL[u] {
				if target, ok := h.byURL[u][i].target(); ok {
					if _, known := h.byURL[target]; !known {
						more[target] = true
					}
				}
			}
		}
		next = more
	}
	return h, nil
}

// take holds the captures of some URLs.
func (x *Index) take(h *held, urls map[string]bool) error {
	var last []byte
	wanted := false
	return x.sorter.Each(func(key, value []byte) error {
		if u := urlOf(key); last == nil || !bytes.Equal(u, last) {
			last = append(last[:0], u...)
			wanted = urls[string(u)]
		}
		if !wanted {
			return nil
		}
		if h.count++; h.count > maxHeld {
			return fmt.Errorf("the URLs of the sheet were captured more than %d times in this source: take a part of "+
				"the source at a time", maxHeld)
		}
		h.byURL[string(last)] = append(h.byURL[string(last)], parse(value))
		return nil
	})
}
