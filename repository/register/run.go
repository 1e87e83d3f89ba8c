package register

import "golang.org/x/mod/sumdb/tlog"

// Run computes the digest over the lines of a run's file, for [Batch]. It is the root of a Merkle
// tree (RFC 6962, 2.1) whose entries are the salted digests of the lines. So a line can be removed
// from the file, and its digest kept in its place, without a change of the root.
type Run struct{ tree edge }

// Add adds the digest of the next line: [Salt.Line] with the salt of the line's object.
func (r *Run) Add(line Digest) {
	_ = r.tree.push(tlog.RecordHash(line[:]), nil) // only a visit can fail
}

// Lines returns the number of lines.
func (r *Run) Lines() uint64 { return uint64(r.tree.size) }

// Root returns the digest over all lines so far.
func (r *Run) Root() Digest { return Digest(r.tree.root()) }
