package register

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// CatchUp appends to another folder the leaves that it lacks, and returns the number of leaves that
// it had before. A missing or empty folder gets all. A folder that disagrees is not written: the
// error is a [*FindingError] with [RegisterForked] and the first leaf that differs. If that folder has
// more leaves, it is [RegisterBehind] about the main folder, or [RegisterSignature] if no key of this
// register signed them.
func (w *Writer) CatchUp(ctx context.Context, path string) (from int64, err error) {
	to := folder(path)
	there, err := to.checkpoint()
	if err != nil && !errors.Is(err, ErrNoRegister) {
		return 0, damaged(to, err)
	}
	if there.Size > w.head.Size {
		if !w.signed(to, there) {
			return there.Size, &FindingError{Finding{Code: RegisterSignature, Folder: path, Index: there.Size,
				Detail: "no key of this register signed its leaves"}}
		}
		if err := to.extends(there, w.head); err != nil {
			return there.Size, err
		}
		return there.Size, &FindingError{Finding{Code: RegisterBehind, Folder: w.o.Folder, Index: w.head.Size,
			Expected: sizeOf(there.Size), Found: sizeOf(w.head.Size), Detail: path + " has more leaves"}}
	}
	return there.Size, catchUp(ctx, w.disk, w.main, w.head, to, w.head)
}

// catchUp copies to a folder the leaves that it lacks of a tree of another folder. source is the
// checkpoint of that folder; head is the same, or an older one.
func catchUp(ctx context.Context, d Disk, from folder, source Checkpoint, to folder, head Checkpoint) error {
	there, err := to.checkpoint()
	switch {
	case errors.Is(err, ErrNoRegister):
		there = Checkpoint{Origin: head.Origin}
	case err != nil:
		return damaged(to, err)
	case there.Size > 0:
		if err := from.extendsIn(source, there, to); err != nil {
			return err
		}
	}
	if there.Size == head.Size {
		return nil
	}
	chain, err := from.keys(source.Origin, source.tree())
	if err != nil {
		return damaged(from, err)
	}
	a, err := from.appenderAt(d, to, source.tree(), there.Size)
	if err != nil {
		return damaged(from, err)
	}
	for e, err := range from.entries(ctx, source.tree(), there.Size) {
		if err != nil {
			return err
		}
		if e.Index == head.Size {
			break
		}
		if err := a.add(e.Raw); err != nil {
			return err
		}
	}
	if a.edge.tree() != head.tree() {
		return damaged(from, errors.New("the leaves do not add up to the root"))
	}
	if err := a.finish(); err != nil {
		return err
	}
	if err := d.Replace(to.join(keysFile), formatKeys(within(chain.keys, head.Size))); err != nil {
		return err
	}
	if err := d.Replace(to.join(checkpointFile), head.Text); err != nil {
		return err
	}
	a.prune()
	return nil
}

// appenderAt returns an appender for another folder that continues the tree of the first size leaves.
// It takes hashes and entries from f, which is verified: damage in the other folder stays there for
// an audit to find.
func (f folder) appenderAt(d Disk, to folder, tree tlog.Tree, size int64) (*appender, error) {
	var e edge
	e.size = size
	var indexes []int64
	for level := 0; size>>(tileHeight*level) > 0; level++ {
		e.levels = append(e.levels, nil)
		items := size >> (tileHeight * level)
		for n := items &^ (tileWidth - 1); n < items; n++ {
			indexes = append(indexes, tlog.StoredHashIndex(tileHeight*level, n))
		}
	}
	if size == 0 {
		return newAppender(d, to, &e, nil), d.MakeFolder(string(to))
	}
	hashes, err := f.hashes(tree).ReadHashes(indexes)
	if err != nil {
		return nil, err
	}
	for level := range e.levels {
		w := int(size >> (tileHeight * level) % tileWidth)
		e.levels[level], hashes = slices.Clone(hashes[:w]), hashes[w:]
	}
	var tail []byte
	if size%tileWidth > 0 {
		entries, err := f.verifiedBundle(tree, size>>tileHeight)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries[:size%tileWidth] {
			tail = appendEntry(tail, entry)
		}
	}
	return newAppender(d, to, &e, tail), nil
}

// extends requires that the tree of an older checkpoint is the beginning of a tree of this folder.
// If it is not, the error is a [*FindingError] with [RegisterForked].
func (f folder) extends(head, old Checkpoint) error { return f.extendsIn(head, old, "") }

// extendsIn is like extends. other is the folder of the older tree, to find the first leaf that
// differs.
func (f folder) extendsIn(head, old Checkpoint, other folder) error {
	if old.Size > head.Size {
		return fmt.Errorf("register: a tree of %d leaves does not contain one of %d", head.Size, old.Size)
	}
	finding := Finding{Code: RegisterForked, Folder: string(other), Index: -1, Expected: head.Root.String(),
		Found: old.Root.String()}
	if other == "" {
		finding.Folder = string(f)
	}
	if old.Origin != head.Origin {
		finding.Expected, finding.Found = head.Origin, old.Origin
		finding.Detail = "it belongs to another register"
		return &FindingError{finding}
	}
	if old.Size == 0 {
		return nil
	}
	root, err := tlog.TreeHash(old.Size, f.hashes(head.tree()))
	if err != nil {
		return damaged(f, err)
	}
	if Digest(root) == old.Root {
		return nil
	}
	finding.Expected = Digest(root).String()
	finding.Detail = fmt.Sprintf("the first %d leaves differ", old.Size)
	if other != "" {
		if at, err := firstDifference(f, head.tree(), other, old.tree()); err == nil {
			finding.Index = at
			finding.Detail = fmt.Sprintf("leaf %d is the first that differs", at)
		}
	}
	return &FindingError{finding}
}

// firstDifference returns the index of the first leaf that differs in two trees. One does: neither is
// the beginning of the other.
func firstDifference(a folder, treeA tlog.Tree, b folder, treeB tlog.Tree) (int64, error) {
	readA, readB := a.hashes(treeA), b.hashes(treeB)
	low, high := int64(0), min(treeA.N, treeB.N) // the first low leaves are the same, the first high differ
	for high-low > 1 {
		middle := low + (high-low)/2
		rootA, err := tlog.TreeHash(middle, readA)
		if err != nil {
			return -1, err
		}
		rootB, err := tlog.TreeHash(middle, readB)
		if err != nil {
			return -1, err
		}
		if rootA == rootB {
			low = middle
		} else {
			high = middle
		}
	}
	return low, nil
}
