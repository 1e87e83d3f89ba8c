package arc

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/recordsource"
)

// Record is one record of an ARC file. Its block can be streamed from it until the next call of
// [Reader.Next].
type Record struct {
	Header
	Line string // the URL-record line as found, without its line end
	// LineEnd is "\n", or "\r\n" if the file was altered. It lacks "\n" if the file ends there or
	// the line has MaxLine bytes.
	LineEnd string

	Offset         int64 // of the line, or its gzip member, in the stored file
	InflatedOffset int64 // of the line, in the inflated stream
	// Length is the size of the record in the file, in bytes, with the newline after it. It is
	// known after Close. It is -1 if the record shares its gzip member or the member is damaged.
	Length int64

	// Inferred reports that a search found the record, not the end of the record before. After
	// damage, content of a record that contains ARC records can be found in this way, too.
	Inferred bool

	Version *VersionBlock // content of the version block; nil for others

	r              *Reader
	replay         []byte // of the block: read already, and to be read again
	message        *message
	start          inflate.Position
	block          int64 // inflated offset of its block
	left           int64 // octets of the block not yet returned
	given          int64
	alone          bool // the record begins its member; always true in plain files
	toMember       bool // the length is unknown: the block is the rest of the member
	tailed         bool // the end of the block was checked
	badSeparator   bool // the bytes after the block do not look like a separator,
	newlineFollows bool // except for a newline
	cut            bool // the block ended early,
	cutReported    bool // and this was reported
	blank          bool // the version block's length includes the empty line after it
	longer         bool // bytes that are no record follow the block, without a newline
	spanned        bool // the span over two members was reported
	closed         bool
	err            error
}

// IsVersionBlock reports whether the record is a version block. A version block describes the file
// and is not a capture.
func (rec *Record) IsVersionBlock() bool { return rec.Version != nil }

// BlockSize returns how many bytes of the block were read; at its end, the size of the block. It
// can be smaller than the number of bytes returned: if the length was wrong and a record was found
// among them, the block ends before that record.
func (rec *Record) BlockSize() int64 { return rec.given }

// BlockAt returns where the block begins, in inflated bytes from the record's first byte.
func (rec *Record) BlockAt() int64 { return rec.block - rec.InflatedOffset }

// Read reads from the block. It also returns io.EOF where the block is cut short; that is reported
// as a fault.
func (rec *Record) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	chunk, err := rec.Chunk(int64(len(p)))
	return copy(p, chunk), err
}

// Chunk returns up to limit bytes of the block without copying them. They are valid until the next
// call of any method. At the end it returns io.EOF.
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
	if rec.err != nil {
		return nil, rec.err
	}
	if rec.closed || rec.left == 0 && !rec.toMember {
		return nil, rec.atEnd()
	}
	limit, more := rec.bound(limit)
	if !more {
		return nil, rec.atEnd()
	}
	rec.checkMember()
	chunk, err := rec.r.in.Chunk(limit)
	if err != nil {
		return nil, rec.stop(err)
	}
	rec.given += int64(len(chunk))
	if !rec.toMember {
		rec.left -= int64(len(chunk))
	}
	return chunk, nil
}

// checkMember reports a block that continues in another member than its record begins in. Only the
// newline after it may be in the next member.
func (rec *Record) checkMember() {
	if rec.spanned || !rec.r.compressed() {
		return
	}
	at, err := rec.r.in.Position()
	if err != nil || at.Member == rec.start.Member { // the error returns with the bytes
		return
	}
	rec.spanned = true
	rec.report(SpansMembers, fmt.Sprintf("the record continues in another gzip member, at byte %d", at.File))
}

// WriteTo writes the rest of the block to w.
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

// Close skips the rest of the block and the separator after it, and sets Length.
func (rec *Record) Close() error {
	rec.replay = nil
	for !rec.closed {
		_, err := rec.Chunk(1 << 20)
		if errors.Is(err, io.EOF) {
			rec.closed = true
			rec.separate()
			rec.measure()
		} else if err != nil {
			return err
		}
	}
	return rec.err
}

// stop ends the block where the file ends or a member is damaged. All other errors are read errors.
func (rec *Record) stop(err error) error {
	if !recordsource.OfContent(err) {
		rec.err = fmt.Errorf("arc: reading %s at %d: %w", quote(rec.URL), rec.Offset, err)
		return rec.err
	}
	if !rec.toMember {
		rec.badSeparator = true
		if err := rec.atEnd(); rec.cut || !errors.Is(err, io.EOF) {
			return err // the block had included the rest of the file
		}
		rec.report(Truncated, fmt.Sprintf("%d bytes of a block of %d are missing", rec.left, rec.given+rec.left))
	}
	rec.cut, rec.cutReported, rec.left, rec.toMember = true, true, 0, false
	return io.EOF
}

// separate consumes the newline between this record and the next. None is needed at the end of the
// file: in the grammar the newline comes first (doc = nl URL-record nl network_doc), but all
// writers put it last.
func (rec *Record) separate() {
	if rec.cut && rec.r.atEdge() || rec.BlockLength < 0 {
		rec.r.skipNewlines()
		return
	}
	lf, cr, edge := rec.newlines()
	rec.r.joined = lf+cr == 0 && !edge
	switch {
	case cr > 0:
		rec.report(Newline, fmt.Sprintf("%d CR and %d LF after the block", cr, lf))
	case lf > 1:
		rec.report(Newline, fmt.Sprintf("%d newlines after the block", lf))
	case lf == 0 && !rec.blank && !edge:
		rec.r.unended = rec // the following bytes decide which fault it is
	}
}

// newlines consumes CR and LF up to the end of the member. edge means that the newline may be
// missing: the file ends, or the next member begins with it.
func (rec *Record) newlines() (lf, cr int64, edge bool) {
	r := rec.r
	for {
		if r.compressed() && r.atEdge() {
			b, _ := r.in.Peek(1) // the error returns with the position
			return lf, cr, len(b) == 0 || b[0] == '\n'
		}
		b, _ := r.in.Peek(1)
		if len(b) == 0 {
			return lf, cr, true
		}
		switch b[0] {
		case '\n':
			lf++
		case '\r':
			cr++
		default:
			return lf, cr, false
		}
		if _, stop := r.discard(1); stop && !r.compressed() {
			return lf, cr, true
		}
	}
}

// atEdge reports whether a member ends before the next byte. This includes the end of the file and
// damage.
func (r *Reader) atEdge() bool {
	at, err := r.in.Position()
	return err != nil || r.compressed() && at.Within == 0
}

// measure sets Length.
func (rec *Record) measure() {
	at, err := rec.r.in.Position()
	var damage *inflate.Damage
	switch {
	case !rec.r.compressed():
		rec.Length = at.File - rec.Offset
	case errors.As(err, &damage), !rec.alone, err == nil && at.Within != 0:
	default:
		if end := rec.r.in.PreviousEnd(); end > rec.Offset {
			rec.Length = end - rec.Offset
		}
	}
}

// report reports a fault of this record.
func (rec *Record) report(code fault.Code, detail string) {
	rec.r.add(fault.Fault{Code: code, Offset: rec.Offset, Record: rec.URL, Detail: detail})
}

var (
	_ io.ReadCloser = (*Record)(nil)
	_ io.WriterTo   = (*Record)(nil)
)

// ErrDamaged is the error of Record.Whole for a record that is not whole.
var ErrDamaged = errors.New("the record is damaged")

// Whole returns nil if the record is whole: its block has the stated length, and no bytes that
// belong to no record follow it without a newline. Otherwise the error is an ErrDamaged. Call it
// after the next call of Next, which reads the bytes after the record.
func (rec *Record) Whole() error {
	switch {
	case rec.BlockLength < 0 && rec.Version == nil:
		return fmt.Errorf("%w: it has no length", ErrDamaged)
	case rec.cut:
		return fmt.Errorf("%w: the block has %d of %d bytes", ErrDamaged, rec.given, rec.BlockLength)
	case rec.longer:
		return fmt.Errorf("%w: bytes that are no record follow its block", ErrDamaged)
	case !strings.HasSuffix(rec.LineEnd, "\n"):
		return fmt.Errorf("%w: its line does not end", ErrDamaged)
	}
	return nil
}
