package inspect

import (
	"slices"
	"strings"

	"quire/format/fault"
)

// flaws are the errors not yet assigned to a record, for Options.Record. The time of an error does
// not determine its record: an error in a header is reported before its record begins, and an error
// in a member as soon as a reader looks ahead.
type flaws struct {
	wanted bool
	open   []flaw
}

type flaw struct {
	offset   int64
	record   string
	ofMember bool // and of every record in the member
}

// maxFlaws bounds the number of unassigned errors; one look ahead reports fewer.
const maxFlaws = 8 << 10

func (l *flaws) add(f fault.Fault) {
	if l.wanted && len(l.open) < maxFlaws {
		ofMember := strings.HasPrefix(string(f.Code), "GZIP-") || strings.HasPrefix(string(f.Code), "ZSTD-")
		l.open = append(l.open, flaw{f.Offset, f.Record, ofMember})
	}
}

// settle reports whether the finished entry has an error, and drops errors that no later entry can
// have. The argument stored is its size in the file, or -1 if it shares its member. The result
// ofMember means that the error is of the entry's compressed member.
func (l *flaws) settle(e *entry, stored int64) (flawed, ofMember bool) {
	end := e.offset + max(stored, 1)
	l.open = slices.DeleteFunc(l.open, func(x flaw) bool {
		if x.ofMember {
			ofMember = ofMember || e.offset <= x.offset && x.offset < end
			return x.offset < e.offset || x.offset < end && stored > 0
		}
		flawed = flawed || x.offset == e.offset && x.record == e.id
		return x.offset < end
	})
	return flawed || ofMember, ofMember
}
