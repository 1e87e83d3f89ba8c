package inspect

import (
	"slices"
	"strings"

	"quire/format/fault"
)

// flaws are the errors among the findings of which it is not settled whose they are, for who is
// told of records. When an error was noticed does not say whose it is: what is wrong with a header
// is told before its record begins, and what is wrong with a member as soon as somebody looks ahead
// that far.
type flaws struct {
	wanted bool
	open   []flaw
}

type flaw struct {
	offset   int64
	record   string
	ofMember bool // and so of every record that the member has a part of
}

// maxFlaws bounds how many are open: the members of one look ahead are fewer.
const maxFlaws = 8 << 10

func (l *flaws) add(f fault.Fault) {
	if l.wanted && len(l.open) < maxFlaws {
		ofMember := strings.HasPrefix(string(f.Code), "GZIP-") || strings.HasPrefix(string(f.Code), "ZSTD-")
		l.open = append(l.open, flaw{f.Offset, f.Record, ofMember})
	}
}

// settle says whether an error is of the entry, which is over and takes stored bytes, or -1 when it
// shares its member; and forgets those that can be of none that follows. ofMember says whether one
// is of the member that the entry is compressed in.
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
