package pack

import (
	"strings"

	"quire/format/arc"
	"quire/format/warc"
	"quire/model"
)

// gathered is the data kept about the records of a container.
type gathered struct {
	Rows    span
	Pages   span
	Onward  span  // redirects
	Deduped int64 // revisit records that quire dedup made
	Broken  int64 // truncated records with unknown content
	Shared  int64 // whole records without a size in the file: other bytes are in their member
}

// shape is the layout of records in a container (docs/reference/310_package-format.md, 2.8).
type shape int

const (
	flat  shape = iota // the container is not compressed
	apart              // each record has its own gzip member or zstd frame
	// some share a member: reading them requires inflating the file from its beginning
	together
)

// layout determines which records of a container can be delimited exactly.
type layout struct {
	shape shape
	sound int64 // together: the file can be inflated up to this offset; -1 means to its end
}

func (p *packed) layout() layout {
	c := p.Container
	l := layout{shape: apart, sound: -1}
	switch {
	case c.Compression == "none" || c.Compression == "":
		l.shape = flat
	case c.FindingCounts[string(warc.FaultSharedMember)] > 0, c.FindingCounts[string(arc.SharedMember)] > 0:
		l.shape = together
	}
	for _, f := range c.Findings { // the first of each code
		if f.Severity == model.Error && ofMembers(f.Code) && (l.sound < 0 || f.Offset < l.sound) {
			l.sound = f.Offset
		}
	}
	if l.shape == apart && l.sound < 0 && p.Contents.Shared > 0 {
		l.shape = together
	}
	return l
}

// ofMembers reports whether a finding is about the compression of the file.
func ofMembers(code string) bool {
	return strings.HasPrefix(code, "GZIP-") || strings.HasPrefix(code, "ZSTD-")
}

// holds reports whether a record can be delimited exactly: in a member that inflates completely, or
// in the inflated file.
func (l layout) holds(c *content) bool {
	switch l.shape {
	case apart:
		return c.Stored > 0
	case together:
		return l.sound < 0 || c.Offset < l.sound
	}
	return true
}

// tallied counts the records of a container by their entries in the METS.
type tallied struct {
	records    int64 // in the fileSec
	bodies     int64
	broken     int64 // truncated
	unplaced   int64 // with a damaged member, or after damage
	unresolved int64 // with a reference to a missing or ambiguous record
}
