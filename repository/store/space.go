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

// Room returns a [SpaceError] if the repository, or a copy that is a folder, has fewer free bytes than least. A copy
// that is away has no room to check.
func (s *Store) Room(least int64) error {
	if _, has, err := freeSpace(s.root); err == nil && has < least {
		return fmt.Errorf("the repository %s: %w", s.root, &SpaceError{Need: least, Has: has})
	}
	for _, c := range s.folders() {
		if c.check(s.id) != nil {
			continue
		}
		if _, has, err := freeSpace(c.path); err == nil && has < least {
			return &SpaceError{Copies: []string{c.name}, Need: least, Has: has}
		}
	}
	return nil
}
