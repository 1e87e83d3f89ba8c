package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	system "quire/internal/disk"
	"quire/repository/ocfl"
)

// stage writes the objects, and syncs them. It leaves out a package with a file that is not whole in its
// source: that needs a repair from several copies.
func (b *refillBatch) stage(ctx context.Context) error {
	if err := checkSpace(b.targets(), b.bytes()); err != nil {
		return err
	}
	var err error
	b.items = slices.DeleteFunc(b.items, func(item *refillItem) bool {
		if err != nil {
			return false
		}
		failed := ctx.Err()
		if failed == nil {
			failed = b.stageItem(item)
		}
		if !errors.Is(failed, errAlone) {
			err = failed
			return false
		}
		item.release()
		return true
	})
	if err != nil {
		return err
	}
	return b.sync()
}

// targets returns the copies that the batch writes objects into.
func (b *refillBatch) targets() (list []*copyFolder) {
	for _, c := range b.present {
		if slices.ContainsFunc(b.items, func(item *refillItem) bool { return slices.Contains(item.bad, c) }) {
			list = append(list, c)
		}
	}
	return list
}

// bytes estimates the size of the objects on disk.
func (b *refillBatch) bytes() (sum int64) {
	for _, item := range b.items {
		sum += item.card.Bytes + int64(len(item.expect.digests)+len(item.logs))*4096
	}
	return sum
}

// sync makes everything in all copies durable.
func (b *refillBatch) sync() error {
	for _, c := range b.present {
		if d := b.disks[c]; len(d.dirty) > 0 {
			if err := d.sync(); err != nil {
				return fmt.Errorf("syncing copy %s: %w", c.name, err)
			}
		}
	}
	return nil
}

// stageItem writes one object into the copies that lack it.
func (b *refillBatch) stageItem(item *refillItem) error {
	made := madeFiles(item.card, item.expect)
	for _, name := range sortedKeys(item.expect.digests) {
		text := made[name]
		if text == nil {
			var err error
			if text, err = b.readSource(item, name); err != nil {
				return err
			}
		}
		if err := b.write(item, name, text); err != nil {
			return err
		}
		item.files = append(item.files, name)
	}
	for _, name := range sortedKeys(item.logs) {
		if err := b.write(item, ocfl.LogsDir+"/"+name, item.logs[name]); err != nil {
			return err
		}
	}
	return nil
}

// readSource reads a file of the object, and compares its digest. The bytes are valid until the next call.
func (b *refillBatch) readSource(item *refillItem, name string) ([]byte, error) {
	path := filepath.Join(item.from[0].object(item.card.Path), filepath.FromSlash(name))
	f, err := os.OpenFile(path, os.O_RDONLY|system.NoFollow, 0)
	if err != nil {
		return nil, errAlone
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > smallPackage {
		return nil, errAlone
	}
	if need := int(info.Size()) + 1; cap(b.buffer) < need {
		b.buffer = make([]byte, need, need+need/4)
	}
	n, err := io.ReadFull(f, b.buffer[:info.Size()])
	if err != nil || sumBytes(b.buffer[:n]) != item.expect.digests[name] {
		return nil, errAlone
	}
	return b.buffer[:n], nil
}

func (b *refillBatch) write(item *refillItem, name string, text []byte) error {
	for _, c := range item.bad {
		path := filepath.Join(b.stagedObject(c, item), filepath.FromSlash(name))
		if err := b.disks[c].makeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		if err := b.disks[c].write(path, text); err != nil {
			return err
		}
	}
	return nil
}

// match reads the staged files back from every copy.
func (b *refillBatch) match(ctx context.Context) error {
	for _, item := range b.items {
		for _, name := range item.files {
			paths := make([]string, 0, len(item.bad))
			for _, c := range item.bad {
				paths = append(paths, filepath.Join(b.stagedObject(c, item), filepath.FromSlash(name)))
			}
			if err := readBack(ctx, paths, item.expect.digests[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// install moves the objects into place, and syncs the folders.
func (b *refillBatch) install(ctx context.Context) (err error) {
	s := b.store
	for _, item := range b.items {
		// Readers of this object finish first.
		if item.gate, err = s.waitLock(ctx, readLock(item.key), exclusive, "package "+item.card.ID,
			"putting in place"); err != nil {
			return err
		}
	}
	if err := s.alive(ctx); err != nil {
		return err
	}
	for _, item := range b.items {
		for _, c := range item.bad {
			if err := b.put(c, item); err != nil {
				return fmt.Errorf("moving %s into place in copy %s: %w", item.card.ID, c.name, err)
			}
		}
	}
	return b.sync()
}

// put moves an object into place in one copy. A repair may remove the empty folder above it meanwhile.
func (b *refillBatch) put(c *copyFolder, item *refillItem) error {
	staged, final := b.stagedObject(c, item), c.object(item.card.Path)
	if exists(final) {
		return fmt.Errorf("%s already exists", final)
	}
	for try := 0; ; try++ {
		if err := b.disks[c].makeFolder(filepath.Dir(final)); err != nil {
			return err
		}
		err := b.disks[c].rename(staged, final)
		if !notThere(err) || try == installTries || !exists(staged) {
			return err
		}
		clear(b.disks[c].made)
		b.disks[c].made[c.path] = true
	}
}
