package register

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/mod/sumdb/tlog"
)

// appender writes the tiles and bundles of new entries into one folder. Nothing counts before the
// checkpoint is written. Memory: one tile for each level, and one bundle.
type appender struct {
	disk   Disk
	to     folder
	from   int64 // size of the tree at the start
	edge   edge
	bundle []byte // entries of the last, partial bundle
	made   map[string]bool
}

// newAppender continues a tree. tail holds the entries of its last, partial bundle.
func newAppender(d Disk, to folder, e *edge, tail []byte) *appender {
	return &appender{disk: d, to: to, from: e.size, edge: e.clone(), bundle: append([]byte(nil), tail...),
		made: map[string]bool{}}
}

// add appends an entry, and writes the tiles that it fills.
func (a *appender) add(entry []byte) error {
	if a.edge.size >= maxSize {
		return fmt.Errorf("register: %d leaves are the most", int64(maxSize))
	}
	a.bundle = appendEntry(a.bundle, entry)
	return a.edge.push(tlog.RecordHash(entry), func(level int, n int64, hashes []tlog.Hash) error {
		if level == 0 {
			if err := a.write(tilePath(entriesLevel, n, tileWidth), a.bundle); err != nil {
				return err
			}
			a.bundle = a.bundle[:0]
		}
		return a.write(tilePath(level, n, tileWidth), joinHashes(hashes))
	})
}

// finish writes the partial tiles that changed.
func (a *appender) finish() error {
	if w := int(a.edge.size % tileWidth); w > 0 && a.edge.size > a.from {
		if err := a.write(tilePath(entriesLevel, a.edge.size>>tileHeight, w), a.bundle); err != nil {
			return err
		}
	}
	for level, hashes := range a.edge.levels {
		items := a.edge.size >> (tileHeight * level)
		if len(hashes) == 0 || items == a.from>>(tileHeight*level) {
			continue
		}
		if err := a.write(tilePath(level, items>>tileHeight, len(hashes)), joinHashes(hashes)); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file and makes its folder.
func (a *appender) write(name string, text []byte) error {
	if dir := path.Dir(name); !a.made[dir] {
		if len(a.made) > tileWidth {
			clear(a.made)
		}
		if err := a.disk.MakeFolder(a.to.join(dir)); err != nil {
			return err
		}
		a.made[dir] = true
	}
	return a.disk.Replace(a.to.join(name), text)
}

// prune removes partial tiles whose full tile was written. c2sp.org/tlog-tiles permits it only then.
// An error is ignored: such a leftover does no harm.
func (a *appender) prune() {
	for level := range a.edge.levels {
		shift := tileHeight * (level + 1)
		for n := a.from >> shift; n < a.edge.size>>shift; n++ {
			a.pruneTile(level, n)
			if level == 0 {
				a.pruneTile(entriesLevel, n)
			}
		}
	}
}

func (a *appender) pruneTile(level int, n int64) {
	partial := filepath.Clean(a.to.join(tilePath(level, n, tileWidth) + ".p"))
	if _, err := os.Lstat(partial); err == nil {
		_ = a.disk.RemoveAll(partial) // see prune
	}
}

func joinHashes(hashes []tlog.Hash) []byte {
	b := make([]byte, 0, len(hashes)*tlog.HashSize)
	for _, h := range hashes {
		b = append(b, h[:]...)
	}
	return b
}
