package store

import (
	"sync"
)

// collector keeps findings, up to the bound, and adds up progress, for parallel readers.
type collector struct {
	mu    sync.Mutex
	list  []Finding
	limit int
	meter *meter
}

func newCollector(limit int, m *meter) *collector {
	return &collector{list: []Finding{}, limit: limit, meter: m}
}

func (c *collector) add(f Finding) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.list) < c.limit {
		c.list = append(c.list, f)
	}
}

func (c *collector) advance(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.meter.add(n)
}
