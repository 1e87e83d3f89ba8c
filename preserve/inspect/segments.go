package inspect

import (
	"cmp"
	"fmt"
	"slices"

	"quire/model"
)

// segment is one part of a split record (ISO 28500:2017, clause 7).
type segment struct {
	placed       // id is the id of the first segment
	number int64 // from 1
	bytes  int64 // of its block
	total  int64 // of all blocks, as the last segment states; -1 for the others
}

// maxSegment bounds the accepted segment number. A terabyte in parts of a gigabyte has a thousand.
const maxSegment = 1 << 20

// joinSegments sorts the segments of each record. It reports missing segments, repeated segments
// and wrong total lengths.
func (s *Set) joinSegments() []model.Finding {
	slices.SortFunc(s.segments, func(a, b segment) int {
		return cmp.Or(a.id.compare(b.id), cmp.Compare(a.number, b.number), cmp.Compare(a.at, b.at))
	})
	var found []model.Finding
	for rest := s.segments; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].id == rest[0].id {
			n++
		}
		found = append(found, s.joinRecord(rest[:n])...)
		rest = rest[n:]
	}
	return found
}

// joinRecord checks the segments of one record, in the order of their numbers.
func (s *Set) joinRecord(parts []segment) []model.Finding {
	var found []model.Finding
	next, sum, whole := int64(1), int64(0), true
	for i, p := range parts {
		switch {
		case i > 0 && p.number == parts[i-1].number:
			whole = false
			found = append(found, s.finding(FaultSegmentTwice, p.at,
				fmt.Sprintf("segment %d is also at byte %d of %s",
					p.number, parts[i-1].at.offset(), s.files[parts[i-1].at.file()])))
			continue
		case p.number > next:
			whole = false
			found = append(found, s.finding(FaultSegmentMissing, p.at,
				fmt.Sprintf("segments %d to %d are in none of the inspected files", next, p.number-1)))
		}
		next, sum = p.number+1, sum+p.bytes
	}
	last := parts[len(parts)-1]
	switch {
	case last.total < 0:
		found = append(found, s.finding(FaultSegmentMissing, last.at,
			fmt.Sprintf("segment %d does not state the total length, so it is not the last", last.number)))
	case whole && sum != last.total:
		found = append(found, s.finding(FaultSegmentLength, last.at,
			fmt.Sprintf("the segments have %d bytes, but WARC-Segment-Total-Length is %d", sum, last.total)))
	}
	return found
}
