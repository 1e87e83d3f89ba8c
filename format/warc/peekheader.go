package warc

import (
	"errors"
	"fmt"

	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/recordsource"
)

var (
	errHeaderSize = fmt.Errorf("no blank line within %d bytes", MaxHeader)
	errHeaderCut  = errors.New("the next record begins within the header")
)

// peekHeader returns the header at the inflated offset, including its blank line. barren remembers
// the part already searched, because a file full of header beginnings would otherwise take
// quadratic time.
func (r *Reader) peekHeader(at int64) ([]byte, error) {
	searched := int(min(max(r.barren-at, 0), MaxHeader))
	for n := 4096; ; n *= 4 {
		b, err := r.in.Peek(min(n, MaxHeader))
		end, whole := headerEnd(b, searched)
		if end >= 0 {
			r.barren = at + int64(end) - versionLineMax
			if !whole {
				return b[:end], errHeaderCut
			}
			return b[:end], nil
		}
		if err == nil && n >= MaxHeader {
			err = errHeaderSize
		}
		if searched = max(searched, len(b)); err != nil {
			r.barren = at + int64(searched)
			return b, err
		}
	}
}

// takeHeader consumes raw, which was peeked, and keeps a copy. If a member begins with its own
// version line, it ends the header of the member before.
func (r *Reader) takeHeader(raw []byte) error {
	r.header = append(r.header[:0], raw...)
	for done := 0; done < len(r.header); {
		if done > 0 && isVersionLine(r.header[done:]) {
			return errHeaderTaken
		}
		chunk, err := r.in.Chunk(int64(len(r.header) - done))
		if err != nil {
			return err
		}
		done += len(chunk)
	}
	return nil
}

// errHeaderTaken is errHeaderCut if the reader is already at the next record.
var errHeaderTaken = fmt.Errorf("%w", errHeaderCut)

// badHeader reports a header without an end; raw is the part read. If the file or a damaged member
// ends it, found is true: it is a record with a known beginning. Otherwise badHeader moves to the
// next possible beginning of a record.
func (r *Reader) badHeader(at inflate.Position, raw []byte, cause error) (found bool, err error) {
	code := FaultHeaderTruncated
	switch {
	case errors.Is(cause, errHeaderSize):
		code = FaultHeaderSize
	case errors.Is(cause, errHeaderCut), recordsource.OfContent(cause):
	default:
		return false, cause
	}
	r.add(fault.Fault{Code: code, Offset: at.File,
		Detail: fmt.Sprintf("a record header does not end; %d bytes of it can be read: %v", len(raw), cause)})
	r.lost = r.lost || errors.Is(cause, errHeaderCut) || errors.Is(cause, errHeaderSize)
	switch {
	case errors.Is(cause, errHeaderTaken):
		return false, nil
	case errors.Is(cause, errHeaderCut):
		_, err := r.in.Discard(len(raw))
		return false, err
	case errors.Is(cause, errHeaderSize):
		if _, err := r.in.Discard(len("WARC/")); err != nil {
			return false, err
		}
		return false, r.skip()
	}
	r.header = append(r.header[:0], raw...)
	_, err = r.in.Discard(len(raw))
	return err == nil, err
}
