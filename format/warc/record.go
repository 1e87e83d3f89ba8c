package warc

import (
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/inflate"
	"quire/format/recordsource"
)

// Record is one record: its header, and its block as a stream. It belongs to the Reader and is
// valid until the next call of Next.
type Record struct {
	Header
	Version string // "1.0", without "WARC/"
	Offset  int64  // of its first byte in the file; of its member's if compressed
	// bytes it takes in the file, with separators; known after Close, -1 before, and if it shares
	// its member
	Length         int64
	InflatedOffset int64 // of its first byte in the inflated stream
	MemberOffset   int64 // of its first byte in its inflated member; 0 unless another record begins that member
	ContentLength  int64 // as in the header; -1 if missing
	BlockRead      int64 // bytes of the block read from the file so far
	HeaderCut      bool  // the header is incomplete: the missing fields are unknown
	// Inferred reports that a search found the record, not the end of the record before. After
	// damage, content of a record that contains WARC records can be found in this way, too.
	Inferred bool

	r            *Reader
	replay       []byte // of the block: read already, and to be read again
	message      *message
	member       int64 // member of the last byte read
	spanned      bool
	tailed       bool  // the end of the block was checked
	badSeparator bool  // the bytes after it do not look like a separator
	ended        bool  // the next record begins within the block,
	end          int64 // which ends after this many bytes
	blockErr     error // how the block ended
	closed       bool
	longer       bool // other bytes follow the block instead of a separator
	damaged      bool // its member cannot be inflated completely, or not correctly
	faults       []fault.Fault
}

// Chunk consumes up to limit bytes of the block without copying; they are valid until the next
// call. It returns io.EOF at the end of the block, and io.ErrUnexpectedEOF if the file or the
// member ends earlier.
func (rec *Record) Chunk(limit int64) ([]byte, error) {
	if len(rec.replay) > 0 {
		n := min(int64(len(rec.replay)), max(limit, 0))
		chunk := rec.replay[:n:n]
		rec.replay = rec.replay[n:]
		return chunk, nil
	}
	return rec.chunk(limit)
}

func (rec *Record) chunk(limit int64) ([]byte, error) {
	if rec.blockErr != nil {
		return nil, rec.blockErr
	}
	if rec.ContentLength >= 0 {
		if limit = rec.bound(limit); limit == 0 {
			return nil, rec.blockErr
		}
	}
	if err := rec.checkMember(); err != nil {
		rec.blockErr = err
		return nil, err
	}
	chunk, err := rec.r.in.Chunk(limit)
	if err != nil {
		rec.blockErr = rec.cutShort(err)
		return nil, rec.blockErr
	}
	rec.BlockRead += int64(len(chunk))
	return chunk, nil
}

// Read implements io.Reader for the block.
func (rec *Record) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	chunk, err := rec.Chunk(int64(len(p)))
	return copy(p, chunk), err
}

// WriteTo implements io.WriterTo for the rest of the block.
func (rec *Record) WriteTo(w io.Writer) (int64, error) {
	var n int64
	for {
		chunk, err := rec.Chunk(1 << 20)
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		m, err := w.Write(chunk)
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
}

// checkMember checks whether the block continues in another member. If that member begins with a
// record, the block was cut short. Otherwise one record was compressed in several members, against
// Annex D.
func (rec *Record) checkMember() error {
	if rec.r.in.Compression() == inflate.None {
		return nil
	}
	at, err := rec.r.in.Position()
	if err != nil {
		return nil //nolint:nilerr // it comes again with the bytes, and there the block knows how far it came
	}
	if at.Member == rec.member {
		return nil
	}
	head, _ := rec.r.in.Peek(versionLineMax)
	if rec.ContentLength < 0 || isVersionLine(head) {
		return rec.cutShort(io.EOF)
	}
	if !rec.spanned {
		rec.spanned = true
		rec.fault(FaultSpansMembers, "the record continues in another gzip member, at byte %d", at.File)
	}
	rec.member = at.Member
	return nil
}

// cutShort reports why a block ended early. Without a Content-Length, the member's end is the
// block's end.
func (rec *Record) cutShort(err error) error {
	var d *inflate.Damage
	switch {
	case errors.As(err, &d):
		rec.fault(FaultTruncated, "the block ends after %d of %d bytes: %s", rec.BlockRead, rec.ContentLength,
			d.Detail)
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("record at byte %d: %w", rec.Offset, err)
	case rec.ContentLength < 0:
		return io.EOF
	default:
		rec.badSeparator = true
		if err := rec.atEnd(); !errors.Is(err, io.EOF) {
			return err // the block had included the rest of the file
		}
		rec.fault(FaultTruncated, "the block ends after %d of %d bytes", rec.BlockRead, rec.ContentLength)
	}
	return io.ErrUnexpectedEOF
}

// Close skips the rest of the block and its separator, and sets the record's length. The next call
// of Next does so too. The error is a read error, never one of the record.
func (rec *Record) Close() error {
	if rec.closed {
		return nil
	}
	rec.closed, rec.replay = true, nil
	for rec.blockErr == nil {
		_, _ = rec.Chunk(1 << 20) // the error is kept in blockErr
	}
	switch {
	case errors.Is(rec.blockErr, io.EOF):
		if rec.ContentLength < 0 {
			break // the block reaches the end of the member, with its separator
		}
		if err := rec.separator(); err != nil {
			return err
		}
	case !errors.Is(rec.blockErr, io.ErrUnexpectedEOF):
		return rec.blockErr
	case rec.ended:
		if _, err := rec.lineBreaks(); err != nil {
			return err
		}
	}
	return rec.measure()
}

// separator reads the two CRLF at the end of a record, or other line breaks in their place.
func (rec *Record) separator() error {
	in := rec.r.in
	if b, _ := in.Peek(5); len(b) >= 4 && string(b[:4]) == "\r\n\r\n" && (len(b) == 4 || b[4] != '\r' && b[4] != '\n') {
		_, err := in.Discard(4)
		return err
	}
	found, err := rec.lineBreaks()
	if err == nil {
		rec.fault(FaultSeparator, "the record ends in %q instead of two CRLF", found)
		rec.longer = rec.goesOn()
		rec.damaged = rec.damaged || rec.longer
	}
	return err
}

// goesOn reports whether something other than a record or the end of the member follows: then the
// block is longer than its Content-Length, or was damaged.
func (rec *Record) goesOn() bool {
	head, _ := rec.r.in.Peek(versionLineMax) // an error comes again with the bytes
	at, err := rec.r.in.Position()
	if err != nil || rec.r.in.Compression() != inflate.None && at.AtMemberStart() {
		return false
	}
	return !isVersionLine(head)
}

// lineBreaks skips CR and LF and returns the first of them.
func (rec *Record) lineBreaks() (found []byte, err error) {
	for {
		b, err := rec.r.in.Peek(1)
		if !recordsource.OfContent(err) {
			return found, err
		}
		if len(b) == 0 || b[0] != '\r' && b[0] != '\n' {
			return found, nil
		}
		if len(found) < 8 {
			found = append(found, b[0])
		}
		if _, err = rec.r.in.Discard(1); err != nil {
			return found, err
		}
	}
}

// measure sets the record's length in the file, after reading all of it.
func (rec *Record) measure() error {
	at, err := rec.r.in.Position()
	var d *inflate.Damage
	switch {
	case errors.As(err, &d) && (d.Offset <= rec.Offset || rec.spanned): // its own member is damaged: length unknown
		rec.damaged = true
	case errors.As(err, &d) && !rec.r.shared:
		rec.alone()
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case rec.r.in.Compression() == inflate.None:
		rec.Length = at.File - rec.Offset
	case rec.r.shared: // it begins within a member
	case at.AtMemberStart():
		rec.alone()
	}
	return nil
}

// alone sets the length of a record that does not share its members.
func (rec *Record) alone() {
	if end := rec.r.in.PreviousEnd(); end > rec.Offset {
		rec.Length = end - rec.Offset
	}
}

// maxFaults is how many faults a record keeps: a hostile one can have as many as it has bytes.
const maxFaults = 16

// Faults returns the first faults reported for the record, for its member, and for other data at
// the same offset. The list is complete only after Close. It contains at most 16 faults. If
// NewReader received an *inflate.Reader, the faults of the compression are missing.
func (rec *Record) Faults() []fault.Fault { return rec.faults }

// note keeps a fault that is of the record or of its member.
func (rec *Record) note(f fault.Fault) {
	if f.Code == gzipmember.FaultCRC32 || f.Code == gzipmember.FaultSize {
		rec.damaged = true
	}
	if len(rec.faults) < maxFaults {
		rec.faults = append(rec.faults, f)
	}
}

func (rec *Record) fault(code fault.Code, format string, args ...any) {
	rec.r.add(fault.Fault{Code: code, Offset: rec.Offset, Record: rec.ID(),
		Detail: fmt.Sprintf(format, args...)})
}
