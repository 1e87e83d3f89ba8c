package gzipmember

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"quire/format/bytesource"
	"quire/format/deflate"
	"quire/format/fault"
)

// Options are the options of a Reader. The zero value is valid.
type Options struct {
	Report fault.Sink // receives all faults; may be nil
}

// Member is one gzip member of the file.
type Member struct {
	Header
	Offset   int64 // of its first byte in the file
	Length   int64 // bytes it takes in the file, known at its end; -1 before and if damaged
	Inflated int64 // bytes inflated so far
	// Found reports that a search found the member, after damage or after bytes that are none.
	Found bool
}

// Reader reads a gzip file member by member.
type Reader struct {
	src     *bytesource.Source
	report  fault.Sink
	decoder deflate.Decoder
	member  Member
	unread  unread
	crc     uint32
	state   state

	boundary Boundary // the last one in the bytes of the latest ReadInto

	err error // why the current member ended; stays until Next or Resume

	content  *bytesource.Echo // places in the current member's content that look like a member
	trial    io.ReadCloser    // inflates the beginning of a candidate member
	trialOut [trialOutput]byte

	chainLeft int64 // bytes that chainToEnd may still inflate

	lost     deflate.Decoder // tries members without a header
	lostWork int64           // bytes read and inflated in vain for them
	lostAt   int             // length of the damaged header of the next member; 0 if it is not damaged
	found    bool            // a search led to the next member
}

type state int

const (
	between state = iota // before a member header
	inside               // within a member
	broken               // a member was damaged; only Resume continues
)

// NewReader returns a Reader of the gzip file r from its current position. If r is an io.Seeker,
// the Reader searches a damaged member again from its start, because the damage may hide other
// members.
func NewReader(r io.Reader, o Options) *Reader {
	src := bytesource.New(r)
	return &Reader{src: src, report: o.Report, content: bytesource.NewEcho(magic)}
}

// Restart makes the Reader read another file, as NewReader would, and reuses its buffers.
func (r *Reader) Restart(file io.Reader) {
	r.src.Restart(file)
	r.forget()
	r.lostWork = 0 // the bound is for each file
}

// GoTo goes to the member that begins at an offset of the file, which must be an io.Seeker. Next
// returns that member.
func (r *Reader) GoTo(offset int64) error {
	if err := r.src.GoTo(offset); err != nil {
		return err
	}
	r.forget()
	return nil
}

// forget drops all state of the present member.
func (r *Reader) forget() {
	r.member, r.unread.at, r.unread.rest, r.crc, r.state, r.err, r.chainLeft = Member{}, 0, nil, 0, between, nil, 0
	r.lostAt = 0
	r.content.Reset()
}

// Next moves to the next member and skips the rest of the current one. It returns io.EOF after the
// last. It skips and reports bytes between members that are not a member. The Member is valid until
// the next call of Next.
func (r *Reader) Next() (*Member, error) {
	if r.state == inside {
		if _, err := io.Copy(io.Discard, struct{ io.Reader }{r}); err != nil {
			return nil, err
		}
	}
	if r.state == broken {
		return nil, r.err
	}
	r.unread.at, r.unread.rest = 0, nil
	if r.lostAt == 0 {
		if err := r.skipGarbage(); err != nil {
			return nil, err
		}
	}
	if r.lostAt == 0 {
		if err := r.doubtHeader(); err != nil {
			return nil, err
		}
	}
	if n := r.lostAt; n > 0 {
		r.lostAt = 0
		return r.beginLost(n)
	}
	at := r.src.Offset()
	header, err := readHeader(r.src, at, r.report)
	if err != nil {
		r.member = Member{Offset: at, Length: -1}
		if r.src.Err() != nil {
			return nil, r.readError()
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, r.fail(damage(FaultTruncated, at, "the file ends within a member header"))
		}
		return nil, r.fail(damage(FaultHeader, at, "unreadable member header: %v", err))
	}
	r.begin(Member{Header: header, Offset: at, Length: -1})
	return &r.member, nil
}

// begin makes m the current member; its data is at the source.
func (r *Reader) begin(m Member) {
	m.Found, r.found = r.found, false
	r.member, r.crc, r.state, r.err = m, 0, inside, nil
	r.content.Reset()
	r.decoder.Start()
}

// finish reads the trailer and compares it. It returns io.EOF, or a *Damage if the member cannot
// end here.
func (r *Reader) finish() error {
	var trailer [8]byte
	if _, err := io.ReadFull(r.src, trailer[:]); err != nil {
		if r.src.Err() != nil {
			return r.readError()
		}
		return r.fail(damage(FaultTruncated, r.member.Offset, "the file ends within the member's trailer"))
	}
	m := &r.member
	crc, size := binary.LittleEndian.Uint32(trailer[:4]), binary.LittleEndian.Uint32(trailer[4:])
	badCRC, badSize := crc != r.crc, size != uint32(m.Inflated)
	if badCRC && badSize {
		// Neither sum matches: damaged deflate data ended in the wrong place, possibly after
		// members that it absorbed.
		return r.fail(damage(FaultDeflate, m.Offset,
			"the compressed data ends at byte %d of the file, where neither CRC32 nor ISIZE matches", r.src.Offset()-8))
	}
	if badCRC {
		r.report.Add(fault.Fault{Code: FaultCRC32, Offset: m.Offset,
			Detail: fmt.Sprintf("CRC32 is %08x, but the inflated data gives %08x", crc, r.crc)})
	}
	if badSize {
		r.report.Add(fault.Fault{Code: FaultSize, Offset: m.Offset,
			Detail: fmt.Sprintf("ISIZE is %d, but the member inflates to %d bytes", size, m.Inflated)})
		if err := r.shortTrailer(); err != nil {
			return err
		}
	}
	m.Length = r.src.Offset() - m.Offset
	r.state, r.err = between, io.EOF
	return io.EOF
}

// shortTrailer goes back to the end of the CRC32 if ISIZE is wrong and no member follows it. Then
// bytes of ISIZE were lost, and the first bytes of the next member were read instead.
func (r *Reader) shortTrailer() error {
	b, err := r.src.Peek(len(magic))
	if r.src.Err() != nil {
		return r.readError()
	}
	if errors.Is(err, io.EOF) && len(b) == 0 || bytes.HasPrefix(b, magic) {
		return nil
	}
	return r.src.GoBackTo(r.src.Offset() - 4)
}

func (r *Reader) fail(d *Damage) error {
	r.state, r.err = broken, d
	r.report.Add(d.Fault)
	return d
}

// readError returns the error of reading the file itself, as opposed to errors of the content.
func (r *Reader) readError() error {
	return fmt.Errorf("reading at byte %d: %w", r.src.Offset(), r.src.Err())
}

// Member returns the current member; the zero value before the first.
func (r *Reader) Member() *Member { return &r.member }

// Offset returns the offset in the file of the next compressed byte.
func (r *Reader) Offset() int64 { return r.src.Offset() }
