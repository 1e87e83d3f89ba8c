package register

import (
	"context"
	"fmt"
	"iter"

	"golang.org/x/mod/sumdb/tlog"
)

// Entry is a leaf with its place.
type Entry struct {
	Index int64
	Raw   []byte // its form; valid until the next entry
	Leaf  Leaf   // nil if Raw is not the form of a leaf
}

// Reader reads one folder of a register. Each leaf that it returns belongs to the tree of its
// checkpoint.
type Reader struct {
	// Head is the checkpoint of the folder. Its signature was not verified: see [Reader.Keys].
	Head Checkpoint

	folder folder
}

// OpenReader opens a folder for reading.
func OpenReader(path string) (*Reader, error) {
	f := folder(path)
	head, err := f.checkpoint()
	if err != nil {
		return nil, err
	}
	return &Reader{Head: head, folder: f}, nil
}

// Keys returns the keys that the register names, in order. Each is a leaf of the tree, and follows
// from the one before it as its link says.
func (r *Reader) Keys() ([]KeyAt, error) {
	chain, err := r.folder.keys(r.Head.Origin, r.Head.tree())
	if err != nil {
		return nil, err
	}
	return chain.keys, nil
}

// Leaves yields the leaves from an index on, in their order. A caller that keeps an index of leaves
// by their Object continues where it stopped. The sequence ends after an error.
func (r *Reader) Leaves(ctx context.Context, from int64) iter.Seq2[Entry, error] {
	return r.folder.entries(ctx, r.Head.tree(), from)
}

// Leaf reads one leaf.
func (r *Reader) Leaf(index int64) (Entry, error) {
	raw, err := r.folder.entry(r.Head.tree(), index)
	if err != nil {
		return Entry{}, err
	}
	leaf, err := Parse(raw)
	return Entry{Index: index, Raw: raw, Leaf: leaf}, err
}

// entries yields verified entries of a tree.
func (f folder) entries(ctx context.Context, tree tlog.Tree, from int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if from < 0 {
			yield(Entry{}, fmt.Errorf("register: there is no leaf %d", from))
			return
		}
		for n := from >> tileHeight; n<<tileHeight < tree.N; n++ {
			err := ctx.Err()
			var entries [][]byte
			if err == nil {
				entries, err = f.verifiedBundle(tree, n)
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for i, raw := range entries {
				e := Entry{Index: n<<tileHeight + int64(i), Raw: raw}
				if e.Index < from {
					continue
				}
				e.Leaf, _ = Parse(raw) // nil says it
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// verifiedBundle reads a bundle, and compares each entry with its hash in the tree.
func (f folder) verifiedBundle(tree tlog.Tree, n int64) ([][]byte, error) {
	entries, name, err := f.bundle(n, width(0, n, tree.N))
	if err != nil {
		return nil, err
	}
	indexes := make([]int64, len(entries))
	for i := range indexes {
		indexes[i] = tlog.StoredHashIndex(0, n<<tileHeight+int64(i))
	}
	hashes, err := f.hashes(tree).ReadHashes(indexes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", string(f), err)
	}
	for i, entry := range entries {
		if tlog.RecordHash(entry) != hashes[i] {
			return nil, fmt.Errorf("%s: entry %d differs from its hash in the tree", f.join(name), i)
		}
	}
	return entries, nil
}
