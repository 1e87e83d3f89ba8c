package arc

import (
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
	"quire/format/inflate"
)

// Record is one record of an ARC file. Its block is read from it, as a stream, until the next call
// of [Reader.Next].
type Record struct {
	Header
	Line string // the URL-record line as found, without its line end
	// "\n"; "\r\n" when somebody changed it; without "\n" where the file ends, or the line is
	// MaxLine long
	LineEnd string

	Offset         int64 // in the file as stored: of the line, or of the gzip member that it begins
	InflatedOffset int64 // of the line, in the inflated stream
	// Length is how many bytes of the file the record takes, with the newline behind it; known
	// after Close. -1 when it shares its gzip member with other records, or that is damaged.
	Length int64

	Version *VersionBlock // what the version block says; nil for other records

	r        *Reader
	start    inflate.Position
	block    int64 // where its block begins, in the inflated stream
	left     int64 // octets of the block that were not handed out
	given    int64
	alone    bool // the record begins its member; so does every record of a plain file
	toMember bool // the length is unknown, and the block takes the rest of the member
	tailed   bool // the end of the block was looked at
	astray   bool // what follows the block is not what follows a block,
	believed bool // but a newline
	cut      bool // the block ended before its length,
	toldCut  bool // which was told
	blank    bool // the version block has the empty line behind it in its length
	spanned  bool // it was told that the block goes on in another member
	closed   bool
	err      error
}

// IsVersionBlock reports whether the record is a version block, which is about the file and no
// capture.
func (rec *Record) IsVersionBlock() bool { return rec.Version != nil }

// BlockSize is how many bytes of the block were read; at its end, how many it has. That can be
// fewer than were handed out: where a record was found in what had gone by as a block with a wrong
// length, the block ends before that record.
func (rec *Record) BlockSize() int64 { return rec.given }

// BlockAt is where the block begins: bytes from the record's own first, inflated.
func (rec *Record) BlockAt() int64 { return rec.block - rec.InflatedOffset }

// Read reads from the block. It ends with io.EOF also where the block is cut short, which is told
// as a fault.
func (rec *Record) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	chunk, err := rec.Chunk(int64(len(p)))
	return copy(p, chunk), err
}

// Chunk returns up to limit bytes of the block without copying them; they are valid until the next
// call of anything. At the end it returns io.EOF.
func (rec *Record) Chunk(limit int64) ([]byte, error) {
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

// checkMember tells of a block that goes on in another member than its record begins in. The
// newline behind it may well stand in the next.
func (rec *Record) checkMember() {
	if rec.spanned || !rec.r.compressed() {
		return
	}
	at, err := rec.r.in.Position()
	if err != nil || at.Member == rec.start.Member { // an error comes again with the bytes
		return
	}
	rec.spanned = true
	rec.tell(SpansMembers, fmt.Sprintf("the record goes on in another member, at byte %d", at.File))
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

// Close passes over the rest of the block and what separates the record from the next, and so
// learns its Length.
func (rec *Record) Close() error {
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

// stop ends the block where the file ends, or a member is damaged; every other error is one of
// reading.
func (rec *Record) stop(err error) error {
	var damage *inflate.Damage
	if !errors.Is(err, io.EOF) && !errors.As(err, &damage) {
		rec.err = fmt.Errorf("arc: reading %s at %d: %w", quote(rec.URL), rec.Offset, err)
		return rec.err
	}
	if !rec.toMember {
		rec.astray = true
		if err := rec.atEnd(); rec.cut || !errors.Is(err, io.EOF) {
			return err // the block had swallowed the rest of the file
		}
		rec.tell(Truncated, fmt.Sprintf("%d bytes of a block of %d are missing", rec.left, rec.given+rec.left))
	}
	rec.cut, rec.toldCut, rec.left, rec.toMember = true, true, 0, false
	return io.EOF
}

// separate takes the newline that stands between this record and the next. Nothing need stand there
// at the end of the file, for by the grammar the newline leads (doc = nl URL-record nl
// network_doc); everyone writes it behind.
func (rec *Record) separate() {
	if rec.cut && rec.r.atEdge() || rec.BlockLength < 0 {
		rec.r.skipNewlines()
		return
	}
	lf, cr, edge := rec.newlines()
	switch {
	case cr > 0:
		rec.tell(Newline, fmt.Sprintf("%d CR and %d LF behind the block", cr, lf))
	case lf > 1:
		rec.tell(Newline, fmt.Sprintf("%d newlines behind the block", lf))
	case lf == 0 && !rec.blank && !edge:
		rec.r.unended = rec // what follows decides what is wrong
	}
}

// newlines takes CR and LF up to the end of the member. edge says that the newline may be missing:
// the file ends, or the next member begins with it.
func (rec *Record) newlines() (lf, cr int64, edge bool) {
	r := rec.r
	for {
		if r.compressed() && r.atEdge() {
			b, _ := r.in.Peek(1) // an error comes again when the position is asked for
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

// atEdge reports whether a member ends before the next byte; so it does at the end of the file and
// at damage.
func (r *Reader) atEdge() bool {
	at, err := r.in.Position()
	return err != nil || r.compressed() && at.Within == 0
}

// measure settles the Length.
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

// tell tells a fault of this record.
func (rec *Record) tell(code fault.Code, detail string) {
	rec.r.Report.Add(fault.Fault{Code: code, Offset: rec.Offset, Record: rec.URL, Detail: detail})
}

var (
	_ io.ReadCloser = (*Record)(nil)
	_ io.WriterTo   = (*Record)(nil)
)
