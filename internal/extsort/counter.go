package extsort

import (
	"encoding/binary"
	"maps"
	"slices"
)

// Counter counts by name, for any number of names. If the names need more memory than a limit, they
// are stored on disk.
type Counter struct {
	sorter *Sorter
	counts map[string]*Count
	held   int // bytes
	most   int
}

// Count is the count for a name: occurrences and bytes.
type Count struct{ N, Bytes int64 }

// NewCounter returns an empty Counter. The caller must close it.
func NewCounter(o Options) *Counter {
	if o.Memory <= 0 {
		o.Memory = 8 << 20
	}
	return &Counter{sorter: New(o), counts: map[string]*Count{}, most: o.Memory}
}

// perCount is the memory for a name in addition to its bytes.
const perCount = 64

// Add adds n occurrences and a number of bytes to a name.
func (c *Counter) Add(name string, n, bytes int64) error {
	known := c.counts[name]
	if known == nil {
		if c.held += len(name) + perCount; c.held > c.most {
			if err := c.spill(); err != nil {
				return err
			}
			c.held = len(name) + perCount
		}
		known = &Count{}
		c.counts[name] = known
	}
	known.N += n
	known.Bytes += bytes
	return nil
}

func (c *Counter) spill() error {
	for _, name := range slices.Sorted(maps.Keys(c.counts)) {
		if err := c.sorter.Add([]byte(name), c.counts[name].bytes()); err != nil {
			return err
		}
	}
	clear(c.counts)
	return nil
}

func (c *Count) bytes() []byte {
	return binary.AppendVarint(binary.AppendVarint(nil, c.N), c.Bytes)
}

// Each visits the names in order.
func (c *Counter) Each(visit func(name string, total Count) error) error {
	if err := c.spill(); err != nil {
		return err
	}
	var name []byte
	var total Count
	some := false
	err := c.sorter.Each(func(key, value []byte) error {
		if some && string(key) != string(name) {
			if err := visit(string(name), total); err != nil {
				return err
			}
			total = Count{}
		}
		some, name = true, append(name[:0], key...)
		n, size := binary.Varint(value)
		bytes, _ := binary.Varint(value[size:])
		total.N += n
		total.Bytes += bytes
		return nil
	})
	if err == nil && some {
		err = visit(string(name), total)
	}
	return err
}

// Close frees memory and disk space.
func (c *Counter) Close() error { return c.sorter.Close() }
