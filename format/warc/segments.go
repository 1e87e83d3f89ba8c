package warc

import (
	"errors"
	"fmt"
	"slices"
)

// MaxSegments is the number of parts up to which a segmented record is joined. A terabyte in parts of a
// gigabyte has a thousand.
const MaxSegments = 1000

// Segment is one part of a segmented record (ISO 28500:2017, clause 7).
type Segment struct {
	Number int64  // WARC-Segment-Number, from 1
	Bytes  int64  // of its block
	Total  int64  // WARC-Segment-Total-Length; 0 if not stated
	Sum    string // of its content: parts with one number and one sum are the same part
}

// ErrSegments reports that the parts of a segmented record do not make a whole.
var ErrSegments = errors.New("segments do not fit")

// JoinSegments returns the order in which parts of one record make the whole, as indexes of parts.
// The first part must be segment 1; the others may be in any order, and a part may be there twice.
// Among equal parts, the first is used.
//
// If parts are missing, doubled with different content, too many, or do not have the stated total
// length, the error is [ErrSegments] with the reason. The order then has the parts up to the fault.
func JoinSegments(parts []Segment) ([]int, error) {
	if len(parts) == 0 || parts[0].Number != 1 {
		return nil, fmt.Errorf("%w: segment 1 is missing", ErrSegments)
	}
	byNumber := make([]int, len(parts))
	for i := range parts {
		byNumber[i] = i
	}
	slices.SortStableFunc(byNumber, func(a, b int) int {
		return int(min(max(parts[a].Number-parts[b].Number, -1), 1))
	})
	var order []int
	sum := int64(0)
	for at := 0; at < len(byNumber); {
		p, n := &parts[byNumber[at]], 1
		for at+n < len(byNumber) && parts[byNumber[at+n]].Number == p.Number {
			if q := &parts[byNumber[at+n]]; q.Sum != p.Sum || q.Bytes != p.Bytes || q.Total != p.Total {
				return order, fmt.Errorf("%w: segment %d is there twice, with different content", ErrSegments, p.Number)
			}
			n++
		}
		next := int64(len(order)) + 1
		switch {
		case p.Number < 1:
			return order, fmt.Errorf("%w: a segment has the number %d", ErrSegments, p.Number)
		case p.Number != next:
			return order, fmt.Errorf("%w: segment %d is missing", ErrSegments, next)
		case next > MaxSegments:
			return order, fmt.Errorf("%w: there are more than %d", ErrSegments, MaxSegments)
		case next > 1 && parts[order[next-2]].Total > 0:
			return order, fmt.Errorf("%w: segment %d states the total length, but segment %d follows", ErrSegments,
				next-1, next)
		case p.Bytes < 0 || sum+p.Bytes < sum:
			return order, fmt.Errorf("%w: the length of segment %d is wrong", ErrSegments, next)
		}
		order = append(order, byNumber[at])
		sum += p.Bytes
		at += n
	}
	switch total := parts[order[len(order)-1]].Total; {
	case total <= 0:
		return order, fmt.Errorf("%w: segment %d is missing", ErrSegments, len(order)+1)
	case total != sum:
		return order, fmt.Errorf("%w: they have %d bytes, but WARC-Segment-Total-Length is %d", ErrSegments, sum, total)
	}
	return order, nil
}
