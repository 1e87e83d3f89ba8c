package register

import (
	"crypto/sha256"
	"math/bits"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// Geometry of c2sp.org/tlog-tiles: a full tile has 256 hashes.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

// edge is the right edge of a Merkle tree: the hashes of its partial tiles. That is all that is
// needed to append, and to compute the root; it grows with the logarithm of the size.
type edge struct {
	size   int64
	levels [][]tlog.Hash // level → the hashes of its partial tile, 0 to 255
}

// tileVisit receives a tile that became full. n is its number in the level.
type tileVisit func(level int, n int64, hashes []tlog.Hash) error

// push appends the hash of an entry. The error is that of visit, which may be nil.
func (e *edge) push(h tlog.Hash, visit tileVisit) error {
	e.size++
	for level := 0; ; level++ {
		if level == len(e.levels) {
			e.levels = append(e.levels, make([]tlog.Hash, 0, tileWidth))
		}
		e.levels[level] = append(e.levels[level], h)
		if len(e.levels[level]) < tileWidth {
			return nil
		}
		full := e.levels[level]
		h = subtree(full)
		if visit != nil {
			if err := visit(level, e.size>>(tileHeight*(level+1))-1, full); err != nil {
				return err
			}
		}
		e.levels[level] = full[:0]
	}
}

// root returns the Merkle tree hash (RFC 6962, 2.1).
func (e *edge) root() tlog.Hash {
	var root tlog.Hash
	first := true
	for _, hashes := range e.levels { // from the right end of the tree
		for len(hashes) > 0 {
			width := 1 << bits.TrailingZeros(uint(len(hashes)))
			left := subtree(hashes[len(hashes)-width:])
			if first {
				root, first = left, false
			} else {
				root = tlog.NodeHash(left, root)
			}
			hashes = hashes[:len(hashes)-width]
		}
	}
	if first {
		return sha256.Sum256(nil)
	}
	return root
}

// clone returns an edge that shares nothing with e.
func (e *edge) clone() edge {
	c := edge{size: e.size}
	for _, hashes := range e.levels {
		c.levels = append(c.levels, append(make([]tlog.Hash, 0, tileWidth), hashes...))
	}
	return c
}

// tree returns size and root.
func (e *edge) tree() tlog.Tree { return tlog.Tree{N: e.size, Hash: e.root()} }

// subtree returns the root of a complete subtree: the number of hashes is a power of two.
func subtree(hashes []tlog.Hash) tlog.Hash {
	level := slices.Clone(hashes)
	for len(level) > 1 {
		for i := range len(level) / 2 {
			level[i] = tlog.NodeHash(level[2*i], level[2*i+1])
		}
		level = level[:len(level)/2]
	}
	return level[0]
}
