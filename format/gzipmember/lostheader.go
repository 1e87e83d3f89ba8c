package gzipmember

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"quire/format/deflate"
	"quire/format/fault"
)

// plainHeader is the length of a header without optional fields (RFC 1952, 2.3).
const plainHeader = 10

// lostHeaderWork bounds the bytes that are read and inflated in vain for members without a header.
// Hostile files can have many places that look like one.
const lostHeaderWork = 256 << 20

// lostHeader returns the length of the damaged header of the member at the source, or 0. The bytes
// after it must inflate, and both sums of the trailer must match: no other evidence counts. The
// source is at the same place before and after.
func (r *Reader) lostHeader() (int, error) {
	if !r.src.Seeks() || r.lostWork > lostHeaderWork {
		return 0, nil
	}
	head, _ := r.src.Peek(trialWindow) // an error comes again with the bytes
	for _, n := range headerLengths(head, r.src.Offset() == 0) {
		if n+8 > len(head) || !r.inflates(head[n:]) {
			continue
		}
		work, whole, err := r.provesMember(n)
		if whole || err != nil {
			return n, err
		}
		if r.lostWork += work + searchWindow; r.lostWork > lostHeaderWork {
			break
		}
		head, _ = r.src.Peek(trialWindow) // the bytes have moved
	}
	return 0, nil
}

// doubtHeader looks for a damaged header where optional fields lead to bytes that do not inflate: a
// damaged flag announces a field that is not there.
func (r *Reader) doubtHeader() error {
	const optional = flagExtra | flagName | flagComment | flagCRC16
	if head, _ := r.src.Peek(4); len(head) < 4 || head[3]&optional == 0 {
		return nil // the usual case; an error comes again with the bytes
	}
	head, _ := r.src.Peek(trialWindow)
	if n := headerLength(head); n > 0 && r.inflates(head[n:]) {
		return nil
	}
	n, err := r.lostHeader()
	r.lostAt = n
	return err
}

// headerLengths returns the possible lengths of a damaged header at the start of b. At the start of
// the file, some of its bytes may be missing.
func headerLengths(b []byte, first bool) []int {
	lengths := []int{plainHeader}
	if len(b) >= 18 {
		if n := headerLength(append(bytes.Clone(magic), b[len(magic):]...)); n > plainHeader {
			lengths = []int{n, plainHeader}
		}
	}
	for n := 0; first && n < plainHeader; n++ {
		lengths = append(lengths, n)
	}
	// Where other bytes precede a member, it has its own header.
	return slices.DeleteFunc(lengths, func(n int) bool {
		return n > len(b) || bytes.Contains(b[min(1, n):n], magic)
	})
}

// inflates reports whether b begins like deflate data.
func (r *Reader) inflates(b []byte) bool {
	got, _, err := r.lost.Inflate(r.trialOut[:], b)
	return got == len(r.trialOut) || err == nil
}

// provesMember reports whether a member with a header of n bytes is at the source, from its data to
// its trailer. It also returns the number of bytes that it read and inflated: empty blocks are read,
// but inflate to nothing. The error is a read error.
func (r *Reader) provesMember(n int) (work int64, whole bool, err error) {
	at, inflated := r.src.Offset(), int64(0)
	defer func() {
		work = r.src.Offset() - at + inflated
		if r.src.Err() != nil {
			err = r.readError()
		} else if err == nil {
			err = r.src.Unread(at)
		}
	}()
	if _, err := r.src.Discard(n); err != nil {
		return 0, false, nil
	}
	buf, end, crc := make([]byte, 2*Window), 0, uint32(0)
	r.lost.Start()
	for need := 1; ; {
		in, _ := r.src.Peek(max(r.src.Buffered(), need)) // the end shows as ErrTruncated
		got, used, err := r.lost.Continue(buf, end, in)
		crc = crc32.Update(crc, crc32.IEEETable, buf[end:end+got])
		inflated, end = inflated+int64(got), end+got
		if _, failed := r.src.Discard(used); failed != nil {
			return 0, false, nil
		}
		switch left := len(in) - used; {
		case err == nil:
			trailer, _ := r.src.Peek(8)
			return 0, inflated > 0 && len(trailer) == 8 && binary.LittleEndian.Uint32(trailer) == crc &&
				binary.LittleEndian.Uint32(trailer[4:]) == uint32(inflated), nil
		case errors.Is(err, deflate.ErrShortOutput):
			end, need = copy(buf, buf[end-Window:end]), 1
		case !errors.Is(err, deflate.ErrTruncated) || left >= need && len(in) < need:
			return 0, false, nil
		default:
			if more, _ := r.src.Peek(left + 1); len(more) <= left {
				return 0, false, nil // the file ends
			}
			if end > Window {
				end = copy(buf, buf[end-Window:end])
			}
			need = left + 1
		}
	}
}

// beginLost begins the member at the source, whose header of n bytes is damaged.
func (r *Reader) beginLost(n int) (*Member, error) {
	at := r.src.Offset()
	code, head := FaultHeader, "is damaged"
	if b, _ := r.src.Peek(3); bytes.HasPrefix(b, magic[:2]) && b[2] != magic[2] { // an error comes again
		code, head = FaultMethod, fmt.Sprintf("states compression method %d instead of 8 (deflate)", b[2])
	}
	r.report.Add(fault.Fault{Code: code, Offset: at, Detail: fmt.Sprintf(
		"the member header of %d bytes %s; the content after it matches its CRC32 and ISIZE", n, head)})
	if _, err := r.src.Discard(n); err != nil {
		return nil, err
	}
	r.begin(Member{Offset: at, Length: -1})
	return &r.member, nil
}
