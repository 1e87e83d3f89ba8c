package pack

import (
	"strings"

	"quire/format/arc"
	"quire/format/warc"
	"quire/model"
)

// gathered is what is remembered of the records of a container.
type gathered struct {
	Rows    span
	Pages   span
	Onward  span  // redirects
	Deduped int64 // revisit records that quire dedup made
	Broken  int64 // records that break off, so that nobody can say what they hold
}

// shape is how the records lie in a container (docs/reference/310_package-format.md, 2.8).
type shape int

const (
	flat  shape = iota // the container is not compressed
	apart              // each record has a gzip member, or a zstd frame, of its own
	// some lie in a member together: it takes inflating the file from its beginning to get at them
	together
)

// layout says which records of a container can be delimited exactly.
type layout struct {
	shape shape
	sound int64 // together: the file can be inflated up to this offset in it; -1 where it can to its end
}

func layoutOf(c *model.Container) layout {
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
	return l
}

// ofMembers says whether a finding is about what the file is compressed in.
func ofMembers(code string) bool {
	return strings.HasPrefix(code, "GZIP-") || strings.HasPrefix(code, "ZSTD-")
}

// holds says whether a record can be delimited exactly: in a member that inflates to its end, or in
// what the file inflates to.
func (l layout) holds(c *content) bool {
	switch l.shape {
	case apart:
		return c.Stored > 0
	case together:
		return l.sound < 0 || c.Offset < l.sound
	}
	return true
}

// tallied counts what the METS tells of the records of a container.
type tallied struct {
	records    int64 // that stand in the fileSec
	bodies     int64
	broken     int64 // that break off
	unplaced   int64 // whose member is damaged, or lies behind damage
	unresolved int64 // that refer to one that is not here, or to one of several with the same id
}
