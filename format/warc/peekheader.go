package warc

import (
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
	"quire/format/inflate"
)

var (
	errHeaderSize = fmt.Errorf("no blank line within %d bytes", MaxHeader)
	errHeaderCut  = errors.New("the next record begins within it")
)

// ofContent says whether err is none, or one of what the file holds; any other is one of reading
// it.
func ofContent(err error) bool {
	var d *inflate.Damage
	return err == nil || errors.Is(err, io.EOF) || errors.As(err, &d)
}

// peekHeader shows the header that stands at the inflated offset, through its blank line. What was
// searched once is not searched again from the next candidate, or a file of nothing but beginnings
// would take forever: barren remembers it.
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

// takeHeader takes raw, which was peeked, and keeps a copy of it. A member that begins with a
// version line of its own ends the header of the member before.
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

// errHeaderTaken is errHeaderCut where reading stands before the next record already.
var errHeaderTaken = fmt.Errorf("%w", errHeaderCut)

// badHeader reports a header without an end, of which raw was seen. Where it just breaks off, with
// the file or a damaged member, it is a record all the same, of which the beginning is known: found
// is true. Otherwise it moves on to where the next record may begin.
func (r *Reader) badHeader(at inflate.Position, raw []byte, cause error) (found bool, err error) {
	code := FaultHeaderTruncated
	switch {
	case errors.Is(cause, errHeaderSize):
		code = FaultHeaderSize
	case errors.Is(cause, errHeaderCut), ofContent(cause):
	default:
		return false, cause
	}
	r.Report.Add(fault.Fault{Code: code, Offset: at.File,
		Detail: fmt.Sprintf("a record header of which %d bytes can be read does not end: %v", len(raw), cause)})
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
