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

// Options of a Reader. The zero value is good.
type Options struct {
	Report fault.Sink // told of every oddity; nil discards them
}

// Member is one gzip member of the file.
type Member struct {
	Header
	Offset   int64 // of its first byte in the file
	Length   int64 // bytes it takes in the file; known once it was read to its end, -1 before and when damaged
	Inflated int64 // bytes inflated so far; all of them once it was read to its end
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

	err error // why the current member ended, sticky until Next or Resume

	content  *bytesource.Echo // what in the present member's content looks like a member
	trial    io.ReadCloser    // inflates the beginning of what may be a member
	trialOut [trialOutput]byte

	chainLeft int64 // how much chainToEnd may still inflate
}

type state int

const (
	between state = iota // before a member header
	inside               // within a member
	broken               // a member was damaged; only Resume goes on
)

// NewReader reads the gzip file r from its present place. Where r is an io.Seeker, damage is
// searched again from the damaged member's start for members it may have hidden.
func NewReader(r io.Reader, o Options) *Reader {
	src := bytesource.New(r)
	return &Reader{src: src, report: o.Report, content: bytesource.NewEcho(magic)}
}

// Restart makes the Reader one of another file, as NewReader would; its buffers are used again.
func (r *Reader) Restart(file io.Reader) {
	r.src.Restart(file)
	r.member, r.unread.at, r.unread.rest, r.crc, r.state, r.err, r.chainLeft = Member{}, 0, nil, 0, between, nil, 0
	r.content.Reset()
}

// Next goes to the next member, reading past what is left of the present one. It returns io.EOF
// after the last. Bytes between members that are no member are skipped and reported. The Member is
// valid until the following call of Next.
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
	if err := r.skipGarbage(); err != nil {
		return nil, err
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
	r.member = Member{Header: header, Offset: at, Length: -1}
	r.crc, r.state, r.err = 0, inside, nil
	r.content.Reset()
	r.decoder.Start()
	return &r.member, nil
}

// finish reads the trailer and compares it. It returns io.EOF, or a *Damage when the member cannot
// really end here.
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
		// Neither sum fits: the deflate data was damaged so that it ended in the wrong place, which
		// may be behind members that it ran over.
		return r.fail(damage(FaultDeflate, m.Offset,
			"the compressed data ends at byte %d of the file, where neither CRC32 nor ISIZE fit", r.src.Offset()-8))
	}
	if badCRC {
		r.report.Add(fault.Fault{Code: FaultCRC32, Offset: m.Offset,
			Detail: fmt.Sprintf("CRC32 is %08x, the inflated data gives %08x", crc, r.crc)})
	}
	if badSize {
		r.report.Add(fault.Fault{Code: FaultSize, Offset: m.Offset,
			Detail: fmt.Sprintf("ISIZE is %d, the member inflates to %d bytes", size, m.Inflated)})
		if err := r.shortTrailer(); err != nil {
			return err
		}
	}
	m.Length = r.src.Offset() - m.Offset
	r.state, r.err = between, io.EOF
	return io.EOF
}

// shortTrailer goes back behind the CRC32 where no member follows an ISIZE that is wrong: bytes of
// it were lost, and the first ones of the next member were taken instead.
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

// readError is the error that reading the file met: none of the content.
func (r *Reader) readError() error {
	return fmt.Errorf("reading at byte %d: %w", r.src.Offset(), r.src.Err())
}

// Member is the member being read; its zero value before the first.
func (r *Reader) Member() *Member { return &r.member }

// Offset is the offset in the file of the next compressed byte.
func (r *Reader) Offset() int64 { return r.src.Offset() }
