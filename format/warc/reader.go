package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"quire/format/fault"
	"quire/format/inflate"
)

// MaxHeader is the largest header, in bytes, that is read as one. Larger ones are an attack or no header.
const MaxHeader = 1 << 20

// Reader reads the records of a WARC file one after the other.
type Reader struct {
	Report fault.Sink // told of everything that had to be forgiven; nil discards it

	in     *inflate.Reader
	rec    Record
	header []byte // the header of rec, reused
	begun  bool
	shared bool  // rec begins within a member
	warned int64 // the member that was last reported as shared
}

// NewReader reads the records of in.
func NewReader(in *inflate.Reader) *Reader { return &Reader{in: in, warned: -1} }

// Next goes to the next record, reading past what is left of the present one. It returns io.EOF after the last. Any other
// error is one of reading the file; damage in the file is a fault, and reading goes on behind it.
func (r *Reader) Next() (*Record, error) {
	if r.begun {
		if err := r.rec.Close(); err != nil {
			return nil, err
		}
	}
	r.begun = true
	for {
		at, err := r.in.Position()
		if err == nil {
			var found bool
			if found, err = r.begin(at); found {
				return &r.rec, nil
			}
		}
		var d *inflate.Damage
		switch {
		case errors.As(err, &d):
			if err := r.in.Resume(); err != nil {
				return nil, err
			}
		case errors.Is(err, io.EOF):
			r.begun = false
			return nil, io.EOF
		case err != nil:
			return nil, fmt.Errorf("reading at byte %d: %w", at.File, err)
		}
	}
}

// begin starts the record at the position, or skips what stands there instead.
func (r *Reader) begin(at inflate.Position) (bool, error) {
	head, err := r.in.Peek(versionLineMax)
	if !isVersionLine(head) {
		if err != nil && len(head) == 0 {
			return false, err
		}
		return false, r.skipGarbage(at)
	}
	raw, err := r.peekHeader()
	if err != nil {
		return false, r.badHeader(at, len(raw), err)
	}
	r.header = append(r.header[:0], raw...)
	if _, err := r.in.Discard(len(raw)); err != nil {
		return false, err
	}
	r.shared = !at.AtMemberStart()
	fields := r.rec.fields
	r.rec = Record{Offset: at.File, Length: -1, InflatedOffset: at.Inflated, r: r, member: at.Member}
	r.rec.fields = fields
	r.rec.Version = version(r.header)
	flaws := r.rec.parse(r.header)
	r.reportFlaws(flaws)
	r.rec.ContentLength = r.contentLength()
	r.noteMember(at)
	return true, nil
}

// peekHeader shows the header that stands at the position, through its blank line.
func (r *Reader) peekHeader() ([]byte, error) {
	searched := 0
	for n := 4096; ; n *= 4 {
		b, err := r.in.Peek(min(n, MaxHeader))
		if end := headerEnd(b, searched); end >= 0 {
			return b[:end], nil
		}
		if err != nil {
			return b, err
		}
		if n >= MaxHeader {
			return b, errHeaderSize
		}
		searched = len(b)
	}
}

var errHeaderSize = fmt.Errorf("no blank line within %d bytes", MaxHeader)

// badHeader reports a header without an end and takes its first line, so that the search for the next record goes on
// behind it. Damage is passed on.
func (r *Reader) badHeader(at inflate.Position, n int, cause error) error {
	var d *inflate.Damage
	code := FaultHeaderTruncated
	switch {
	case errors.Is(cause, errHeaderSize):
		code = FaultHeaderSize
	case errors.As(cause, &d), errors.Is(cause, io.EOF):
	default:
		return cause
	}
	r.Report.Add(fault.Fault{Code: code, Offset: at.File, Detail: fmt.Sprintf("a record header of which %d bytes can be read does not end: %v", n, cause)})
	_, err := r.in.Discard(len("WARC/"))
	if err != nil {
		return err
	}
	return r.skip()
}

func (r *Reader) reportFlaws(f headerFlaws) {
	if f.bareLF {
		r.rec.fault(FaultHeaderLineEnd, "a header line ends in LF without CR")
	}
	if f.noColon != nil {
		r.rec.fault(FaultHeaderSyntax, "a header line without a colon: %.80q", f.noColon)
	}
	if f.badName != nil {
		r.rec.fault(FaultHeaderSyntax, "a field name with characters it may not have: %.80q", f.badName)
	}
	if !knownVersion(r.rec.Version) {
		r.rec.fault(FaultVersion, "version %.20q; 0.17, 0.18, 1.0 and 1.1 are known", r.rec.Version)
	}
}

// contentLength reads the header's Content-Length, -1 when it cannot be told. Without it, the record ends with its member,
// or, in a plain file, has no block that could be told from what follows.
func (r *Reader) contentLength() int64 {
	value := r.rec.Get(FieldContentLength)
	n, err := strconv.ParseUint(value, 10, 63)
	if err == nil {
		return int64(n)
	}
	r.rec.fault(FaultLength, "Content-Length is %.40q, not a number of bytes", value)
	if r.in.Compression() == inflate.None || r.shared {
		r.rec.blockErr = io.ErrUnexpectedEOF
	}
	return -1
}

// noteMember reports, once a member, that a record begins within it.
func (r *Reader) noteMember(at inflate.Position) {
	if r.shared && at.Member != r.warned {
		r.warned = at.Member
		r.rec.fault(FaultSharedMember, "a further record begins %d inflated bytes into the member", at.Within)
	}
}

// skipGarbage passes over what is no record, and reports it.
func (r *Reader) skipGarbage(at inflate.Position) error {
	err := r.skip()
	end, _ := r.in.Position()
	if n := end.Inflated - at.Inflated; n > 0 {
		r.Report.Add(fault.Fault{Code: FaultGarbage, Offset: at.File, Detail: fmt.Sprintf("%d bytes that belong to no record", n)})
	}
	return err
}

// skip moves on to the next version line that stands at the beginning of a line or a member.
func (r *Reader) skip() error {
	lineStart := false
	for first := true; ; first = false {
		b, err := r.in.Buffered()
		if err != nil {
			return err
		}
		at, err := r.in.Position()
		if err != nil {
			return err
		}
		if !first && (lineStart || r.in.Compression() != inflate.None && at.AtMemberStart()) {
			if head, _ := r.in.Peek(versionLineMax); isVersionLine(head) {
				return nil
			}
			b, _ = r.in.Buffered()
		}
		chunk, err := r.in.Chunk(int64(lineOf(b)))
		if err != nil {
			return err
		}
		lineStart = chunk[len(chunk)-1] == '\n'
	}
}

// lineOf is how far to go so as not to pass a line that could be a version line: to the line break before the next "WARC/",
// or to the end of b.
func lineOf(b []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '\n')
		if i < 0 {
			break
		}
		from += i + 1
		if next := b[from:]; len(next) >= len("WARC/") && nameIs(next[:len("WARC/")], "WARC/") {
			return from
		}
	}
	// A version line may begin at the very end: stop behind the last line break that could lead it.
	tail := max(len(b)-len("WARC/"), 0)
	if i := bytes.LastIndexByte(b[tail:], '\n'); i >= 0 {
		return tail + i + 1
	}
	return len(b)
}
