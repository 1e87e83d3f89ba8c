package aip

import (
	"fmt"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
)

// element is a file element of the METS: a file of the package, or a part of a file (clause 2.8).
type element struct {
	id         string
	begin, end int64 // both included; -1 if not stated
	size       int64 // -1 if not stated
	algorithm  string
	digest     string   // as stated, by that algorithm
	transforms []string // to be undone, in their order
	unknown    string   // why its transformations cannot be undone; "" if they can
	owner      string   // OWNERID
}

func elementOf(f *mets.File) element {
	e := element{id: f.ID, algorithm: f.ChecksumType, digest: f.Checksum, owner: f.OwnerID}
	e.begin, e.end, e.size = orMissing(f.Begin), orMissing(f.End), orMissing(f.Size)
	e.transforms, e.unknown = transformsOf(f)
	return e
}

// orMissing returns a number that is stated and not negative, or -1.
func orMissing(n xmlstream.Int) int64 {
	if v, ok := n.Get(); ok && v >= 0 {
		return v
	}
	return -1
}

// wrongRange returns the reason why BEGIN and END are not a possible range of a part, or "". A part
// without BEGIN and END is its whole parent.
func (e *element) wrongRange() string {
	switch {
	case e.begin < 0 && e.end >= 0:
		return "has END but no BEGIN"
	case e.end >= 0 && e.end < e.begin:
		return fmt.Sprintf("ends at byte %d, before it begins at byte %d", e.end, e.begin)
	}
	return ""
}

// length returns how many bytes BEGIN and END delimit; -1 if the length depends on the parent.
func (e *element) length() int64 {
	if e.begin < 0 || e.end < e.begin {
		return -1
	}
	return e.end - e.begin + 1
}

// nesting follows the file elements of a METS, each with its enclosing elements.
type nesting struct{ open []element }

// enter takes the next file element and returns its enclosing elements, followed by itself. The
// result is valid until the next call.
func (n *nesting) enter(f *mets.File, at mets.FilePlace) []element {
	n.open = append(n.open[:min(len(n.open), len(at.Files))], elementOf(f))
	return n.open
}
