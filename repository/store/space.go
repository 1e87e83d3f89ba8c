package store

import (
	"fmt"

	system "quire/internal/disk"
)

// spaceMargin is the extra space in bytes for inventories, events and folders.
const spaceMargin = 1 << 20

// checkSpace checks that each of the copies has room before anything is written. Copies on one file system
// need the sum.
func checkSpace(copies []*copyFolder, need int64) error {
	type device struct {
		copies []string
		need   int64
		has    int64
	}
	byID := map[uint64]*device{}
	var order []uint64
	for _, c := range copies {
		id, has, err := freeSpace(c.path)
		if err != nil {
			return fmt.Errorf("copy %s: reading the free space: %w", c.name, err)
		}
		d := byID[id]
		if d == nil {
			d = &device{has: has}
			byID[id] = d
			order = append(order, id)
		}
		d.copies = append(d.copies, c.name)
		d.need += need + spaceMargin
	}
	for _, id := range order {
		if d := byID[id]; d.need > d.has {
			return &SpaceError{Copies: d.copies, Need: d.need, Has: d.has}
		}
	}
	return nil
}

// freeSpace returns the file system of a path, and the free bytes that this process may use.
func freeSpace(path string) (device uint64, bytes int64, err error) {
	if device, err = system.Device(path); err != nil {
		return 0, 0, err
	}
	bytes, err = system.Free(path)
	return device, bytes, err
}
