package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"quire/format/fault"
	"quire/format/httpblock"
	"quire/format/inflate"
	"quire/format/recordsource"
)

// MaxHeader is the largest header that is read, in bytes. A larger one is an attack or not a
// header.
const MaxHeader = 1 << 20

// Reader reads the records of a WARC file one after the other.
type Reader struct {
	Report fault.Sink // receives every deviation; may be nil
	// Strict makes Next fail with the first fault, a [fault.Fault]. If the fault is found while a
	// block is read, the next call of Next fails. A fault that loses nothing counts, too, such as
	// GZIP-OS. Set Strict before the first call of Next.
	Strict bool

	in     *inflate.Reader // that of the source
	source *recordsource.Source
	broken *fault.Fault  // the first, where Strict
	coming []fault.Fault // of later records: bytes read ahead are inflated and checked early

	rec     Record
	header  []byte // the header of rec, reused
	begun   bool
	met     bool  // a record was read
	lost    bool  // the next record is found by a search, not where the record before ends
	shared  bool  // rec begins within a member
	warned  int64 // the last member reported as shared, or -1
	barren  int64 // no header ends before this inflated offset, see peekHeader
	message httpblock.Reader
}

// maxComing bounds the faults that wait for their record. The bytes read ahead cannot contain more
// small members than this number.
const maxComing = 4096

// add reports a fault.
func (r *Reader) add(f fault.Fault) {
	if r.Strict && r.broken == nil {
		r.broken = &f
	}
	if r.rec.r != nil && f.Offset == r.rec.Offset {
		r.rec.note(f)
	} else if len(r.coming) < maxComing {
		r.coming = append(r.coming, f)
	}
	r.Report.Add(f)
}

// Next goes to the next record, and skips the unread rest of the current record. It returns io.EOF
// after the last record. Any other error is a read error or, if Strict is set, a fault. If Strict
// is not set, damage in the file is a fault, and reading continues after it.
func (r *Reader) Next() (*Record, error) {
	if err := r.source.Begin(); err != nil {
		return nil, err
	}
	if r.begun {
		if err := r.rec.Close(); err != nil {
			return nil, err
		}
		r.lost = r.lost || r.rec.ended
	}
	rec, err := r.next()
	if r.broken != nil && (err == nil || errors.Is(err, io.EOF)) {
		return nil, *r.broken
	}
	return rec, err
}

func (r *Reader) next() (*Record, error) {
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
			r.lost = true
			if err := r.in.Resume(); err != nil {
				return nil, err
			}
		case errors.Is(err, io.EOF):
			if !r.met {
				r.met = true              // reported once
				end, _ := r.in.Position() // gives the file's size, and the end again
				r.add(fault.Fault{Code: FaultEmpty, Detail: fmt.Sprintf("no record in %d bytes", end.File)})
			}
			r.begun = false
			return nil, io.EOF
		case err != nil:
			return nil, fmt.Errorf("reading at byte %d: %w", at.File, err)
		}
	}
}

// begin starts the record at this position, or skips the bytes that are not one.
func (r *Reader) begin(at inflate.Position) (bool, error) {
	head, err := r.in.Peek(versionLineMax)
	if len(head) == 0 || !recordsource.OfContent(err) {
		return false, err
	}
	if !isVersionLine(head) {
		return false, r.skipGarbage(at)
	}
	raw, err := r.peekHeader(at.Inflated)
	if err == nil {
		err = r.takeHeader(raw)
	}
	cut := err != nil
	if cut {
		if found, err := r.badHeader(at, raw, err); !found {
			return false, err
		}
	}
	r.open(at, cut)
	return true, nil
}

// open makes the record for the header just read. cut means that the header is incomplete.
func (r *Reader) open(at inflate.Position, cut bool) {
	r.met, r.shared = true, !at.AtMemberStart()
	// Of a damaged member, all records are suspect.
	fields, damaged := r.rec.fields, r.shared && r.rec.damaged && r.rec.Offset == at.File
	r.rec = Record{Offset: at.File, Length: -1, InflatedOffset: at.Inflated, MemberOffset: at.Within, HeaderCut: cut,
		Inferred: r.inferred(at), r: r, member: at.Member}
	r.rec.fields, r.rec.damaged = fields, damaged
	for _, f := range r.coming {
		if f.Offset == at.File {
			r.rec.note(f)
		}
	}
	r.coming = slices.DeleteFunc(r.coming, func(f fault.Fault) bool { return f.Offset <= at.File })
	r.rec.Version = version(r.header)
	if r.rec.Inferred {
		defer r.rec.fault(FaultInferred,
			"the record was found by searching: the bytes before it are not a whole record")
	}
	if cut {
		whole := bytes.LastIndexByte(r.header, '\n') + 1 // do not judge the incomplete line
		r.reportFlaws(r.rec.parse(r.header[:whole]))
		r.rec.raw = r.header
		r.rec.ContentLength, r.rec.blockErr = -1, io.ErrUnexpectedEOF
		return
	}
	r.reportFlaws(r.rec.parse(r.header))
	r.rec.ContentLength = r.contentLength()
	r.noteMember(at)
}

// inferred reports whether the record at this position was found by a search. The beginning of a
// member that follows another is a sure place, even after bytes that are no record.
func (r *Reader) inferred(at inflate.Position) bool {
	lost := r.lost
	r.lost = false
	if r.in.Compression() != inflate.None && at.AtMemberStart() {
		return at.Found
	}
	return lost
}

func (r *Reader) reportFlaws(f headerFlaws) {
	if f.bareLF {
		r.rec.fault(FaultHeaderLineEnd, "a header line ends in LF without CR")
	}
	if f.noColon != nil {
		r.rec.fault(FaultHeaderSyntax, "a header line without a colon: %.80q", f.noColon)
	}
	if f.badName != nil {
		r.rec.fault(FaultHeaderSyntax, "a field name with forbidden characters: %.80q", f.badName)
	}
	if !knownVersion(r.rec.Version) {
		r.rec.fault(FaultVersion, "version %.20q; 0.17, 0.18, 1.0 and 1.1 are known", r.rec.Version)
	}
}

// contentLength returns the header's Content-Length, or -1. Without it, the record ends with its
// member. In a plain file it then has no block, because the block's end would be unknown.
func (r *Reader) contentLength() int64 {
	value := r.rec.Get(FieldContentLength)
	if r.rec.Count(FieldContentLength) > 1 {
		r.rec.fault(FaultLength, "several Content-Length fields; the first, %.40q, counts", value)
	}
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

// noteMember reports, once per member, that a record begins within it.
func (r *Reader) noteMember(at inflate.Position) {
	if r.shared && at.Member != r.warned {
		r.warned = at.Member
		r.rec.fault(FaultSharedMember, "another record begins %d inflated bytes into the gzip member", at.Within)
	}
}
