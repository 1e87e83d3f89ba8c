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

// New returns an empty Index. Captures beyond the memory limit go to temporary files in dir, or in
// the system's folder. The caller closes the Index.
func New(dir string) *Index { return &Index{sorter: extsort.New(extsort.Options{Dir: dir})} }

// Add adds a capture. It must not be called after Find.
func (x *Index) Add(c Capture) error {
	x.count++
	return x.sorter.Add(c.key(), c.value())
}

// Count returns the number of captures.
func (x *Index) Count() int64 { return x.count }

// Close releases memory and disk.
func (x *Index) Close() error { return x.sorter.Close() }

// maxHeld is the maximum number of captures in memory: the captures of the wanted URLs and of the
// targets of redirects.
const maxHeld = 500_000

// held has the captures of the relevant URLs, by URL, each in the order of time.
type held struct {
	byURL  map[string][]Capture
	sifted map[string]*sifted // of the targets of redirects
	count  int
}

// maxHops is the maximum number of redirects: browsers give up after twenty.
const maxHops = 20

// load reads the captures of the URLs, and of all targets of redirects from there.
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

// take reads the captures of some URLs.
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
			return fmt.Errorf("the URLs of the sheet were captured more than %d times in this source: "+
				"process the source in parts", maxHeld)
		}
		h.byURL[string(last)] = append(h.byURL[string(last)], parse(value))
		return nil
	})
}
