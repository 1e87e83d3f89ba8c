package register

import (
	"crypto/sha256"
	"errors"
	"math/bits"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// Run computes the digest over the lines of a run's file, for [Batch]. Its entries are the salted digests of
// the lines ([Salt.Line]). Lines that stay in the file for ever are the entries of a Merkle tree (RFC 6962,
// 2.1). Lines that compaction may leave out are the entries of a second tree, and its root is the last entry
// of the first. So no line that stays can be hidden as one that was left out.
type Run struct {
	stays LineTree
	May   LineTree // over the lines that may be left out
}

// Add adds the digest of the next line that stays.
func (r *Run) Add(line Digest) { r.stays.Add(line) }

// Lines returns the number of lines, with those that were left out.
func (r *Run) Lines() uint64 { return r.stays.end + r.May.end }

// Root returns the digest over all lines so far.
func (r *Run) Root() Digest {
	all := LineTree{end: r.stays.end, nodes: slices.Clone(r.stays.nodes)}
	all.Add(r.May.root())
	return all.root()
}

// LineTree is a Merkle tree over consecutive lines of a run's file, or over a part of them: the complete
// subtrees of the part. Its size grows with the logarithm of the number of lines. The zero value is a tree
// without lines.
type LineTree struct {
	from, end uint64
	nodes     []lineNode
}

// lineNode is the root of a complete subtree over 2^level lines.
type lineNode struct {
	level int
	hash  tlog.Hash
}

// maxRunLines bounds the lines of a file, so that no number overflows.
const maxRunLines = 1 << 48

// LinesFrom returns an empty part of a tree, that begins after n lines.
func LinesFrom(n uint64) *LineTree { return &LineTree{from: n, end: n} }

// End returns the number of lines of the file up to the end of the part.
func (t *LineTree) End() uint64 { return t.end }

// Len returns the number of lines of the part.
func (t *LineTree) Len() uint64 { return t.end - t.from }

// Add adds the digest of the next line.
func (t *LineTree) Add(line Digest) { t.push(lineNode{0, tlog.RecordHash(line[:])}) }

// Hashes returns the hashes of the complete subtrees of the part, as [LineTree.Omit] takes them.
func (t *LineTree) Hashes() [][]byte {
	var list [][]byte
	for _, n := range t.nodes {
		list = append(list, slices.Clone(n.hash[:]))
	}
	return list
}

// Omit adds n lines by the hashes of their complete subtrees. It fails if these are not as many as n lines
// have.
func (t *LineTree) Omit(n uint64, hashes [][]byte) error {
	if n > maxRunLines || t.end > maxRunLines {
		return errors.New("register: too many lines")
	}
	for end := t.end + n; t.end < end; hashes = hashes[1:] {
		level := bits.Len64(end-t.end) - 1 // the largest subtree that fits, and begins here
		if t.end > 0 {
			level = min(level, bits.TrailingZeros64(t.end))
		}
		if len(hashes) == 0 || len(hashes[0]) != tlog.HashSize {
			return errOmitted
		}
		t.push(lineNode{level, tlog.Hash(hashes[0])})
	}
	if len(hashes) > 0 {
		return errOmitted
	}
	return nil
}

var errOmitted = errors.New("register: the hashes do not fit the number of lines")

// push adds a subtree, and joins those that are complete. It begins at a multiple of its size.
func (t *LineTree) push(n lineNode) {
	t.nodes = append(t.nodes, n)
	t.end += 1 << n.level
	for len(t.nodes) > 1 {
		left, right := t.nodes[len(t.nodes)-2], t.nodes[len(t.nodes)-1]
		width := uint64(2) << left.level
		if left.level != right.level || t.end%width != 0 {
			return
		}
		t.nodes = append(t.nodes[:len(t.nodes)-2], lineNode{left.level + 1, tlog.NodeHash(left.hash, right.hash)})
	}
}

// root returns the Merkle tree hash of a tree from the first line on.
func (t *LineTree) root() Digest {
	if len(t.nodes) == 0 {
		return sha256.Sum256(nil)
	}
	root := t.nodes[len(t.nodes)-1].hash
	for _, n := range slices.Backward(t.nodes[:len(t.nodes)-1]) {
		root = tlog.NodeHash(n.hash, root)
	}
	return Digest(root)
}

// Clone returns a run that shares nothing with r.
func (r *Run) Clone() Run {
	c := *r
	c.stays.nodes, c.May.nodes = slices.Clone(r.stays.nodes), slices.Clone(r.May.nodes)
	return c
}
