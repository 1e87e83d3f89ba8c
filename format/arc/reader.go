package arc

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/fault"
	"quire/format/httpblock"
	"quire/format/inflate"
	"quire/format/recordsource"
)

// Reader reads the records of an ARC file in order.
type Reader struct {
	Report fault.Sink // receives the faults of the file; may be nil
	// Strict makes Next fail with the first fault, a [fault.Fault]. If the fault is found while a
	// block is read, the next call of Next fails. A fault that loses nothing counts, too, such as
	// GZIP-OS. Set Strict before the first call of Next.
	Strict bool
	// Between receives, in order, every inflated byte outside URL-record lines and blocks: before,
	// between and after the records. The slice is valid only during the call. May be nil.
	Between func(b []byte)

	in      *inflate.Reader // that of the source
	source  *recordsource.Source
	message httpblock.Reader
	broken  *fault.Fault // the first, where Strict
	record  *Record
	unended *Record // the record before, if no newline followed it
	joined  bool    // no newline followed the record before: the file may have none at all
	version *VersionBlock
	count   int64
	skipped int64
	lost    bool  // the next record is found by a search, not where the record before ends
	shared  int64 // last member reported as shared; -1: none
	err     error
}

// Version returns the last version block read, or nil before the first.
func (r *Reader) Version() *VersionBlock { return r.version }

// Skipped returns the number of inflated bytes skipped so far because they belong to no record.
func (r *Reader) Skipped() int64 { return r.skipped }

// Next closes the record before and returns the one that follows. At the end it returns io.EOF.
// Damage is no error but a fault, unless Strict; an error is one of reading the file, and comes
// again with every call.
func (r *Reader) Next() (*Record, error) {
	if err := r.source.Begin(); err != nil {
		return nil, err
	}
	if r.err != nil {
		return nil, r.err
	}
	if r.record != nil {
		if err := r.record.Close(); err != nil {
			return nil, err
		}
		r.record = nil
	}
	rec, err := r.find()
	if err == nil {
		r.open(rec)
	}
	if r.broken != nil && (err == nil || errors.Is(err, io.EOF)) {
		err = *r.broken
	}
	if err != nil {
		r.err = err
		return nil, err
	}
	r.record = rec
	return rec, nil
}

// add reports a fault.
func (r *Reader) add(f fault.Fault) {
	if r.Strict && r.broken == nil {
		r.broken = &f
	}
	r.Report.Add(f)
}

// found is the place of a record's beginning.
type found struct {
	parsed
	start inflate.Position // of the record: its member, if newlines begin that
	at    inflate.Position // of its line
	line  string
	end   string // of the line
	crlf  bool
}

// find moves to the next URL-record line, reads it and returns its record.
func (r *Reader) find() (*Record, error) {
	var g gap
	defer func() { r.unended = nil }()
	for {
		start, err := r.position()
		if err != nil {
			r.reportGap(&g, false)
			return nil, r.atEnd(err, start)
		}
		first := r.compressed() && start.Within == 0
		newlines := r.skipNewlines()
		g.add(start, newlines, 0)
		at, err := r.position()
		if err != nil || r.compressed() && at.File != start.File {
			continue // only newlines were skipped
		}
		if n := r.skipWithinLine(); n > 0 {
			g.add(start, 0, n)
			continue
		}
		f := found{start: at, at: at}
		if first {
			f.start = start
		}
		if r.takeLine(&f, g.garbage > 0 && !first) {
			r.reportGap(&g, first && g.total() == newlines)
			return r.newRecord(&f), nil
		}
		g.add(start, 0, r.skipToLine())
	}
}

// atEnd converts the end of the file to io.EOF, and reports a fault if the file held no record.
func (r *Reader) atEnd(err error, at inflate.Position) error {
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("arc: reading at %d: %w", at.File, err)
	}
	if r.count == 0 {
		r.add(fault.Fault{Code: Empty, Detail: fmt.Sprintf("no record in %d bytes", at.File)})
	}
	return io.EOF
}

// takeLine consumes the current line if it is a URL-record line. sure demands more evidence.
func (r *Reader) takeLine(f *found, sure bool) bool {
	line, whole := r.peekLine()
	if len(line) == 0 {
		return false
	}
	n := len(line)
	if whole {
		line, f.end = line[:n-1], "\n"
	}
	if f.line, f.crlf = strings.CutSuffix(string(line), "\r"); f.crlf {
		f.end = "\r" + f.end
	}
	p, ok := parseHeader(f.line)
	if !ok || sure && !p.sure() {
		return false
	}
	f.parsed = p
	_, err := r.in.Discard(n)
	return err == nil
}

func (r *Reader) compressed() bool { return r.in.Compression() != inflate.None }

// position returns the position of the next byte. It resumes after damaged members, which the
// reader below has reported.
func (r *Reader) position() (inflate.Position, error) {
	for {
		at, err := r.in.Position()
		var damage *inflate.Damage
		if !errors.As(err, &damage) {
			return at, err
		}
		r.lost = true
		if err := r.in.Resume(); err != nil {
			return at, err
		}
	}
}

// newRecord makes the record for the line just read and reports the rules that the line breaks.
func (r *Reader) newRecord(f *found) *Record {
	rec := &Record{
		Header: f.Header, Line: f.line, LineEnd: f.end, Offset: f.start.File, InflatedOffset: f.at.Inflated, Length: -1,
		r: r, start: f.start, left: max(f.BlockLength, 0),
	}
	block, _ := r.in.Position() // the error returns with the bytes
	rec.block = block.Inflated
	rec.alone = f.start.Within == 0
	rec.toMember = f.BlockLength < 0 && r.compressed() && rec.alone
	if rec.Inferred = r.inferred(f.start, f.at); rec.Inferred {
		rec.report(Inferred, "the record was found by searching: the bytes before it are not a whole record")
	}
	if f.crlf {
		rec.report(LineEnd, "the URL-record line ends in CR LF")
	}
	f.check(rec.report, rec.Offset, rec.InflatedOffset)
	if r.compressed() && !rec.alone && r.shared != f.start.File {
		r.shared = f.start.File
		rec.report(SharedMember, "the gzip member holds more than this record")
	}
	return rec
}

// inferred reports whether the record with these positions was found by a search. The beginning of
// a member that follows another is a sure place, even after bytes that are no record.
func (r *Reader) inferred(start, at inflate.Position) bool {
	lost := r.lost
	r.lost = false
	if r.compressed() && start.Within == 0 {
		return at.Found
	}
	return lost
}

// open sets the fields that depend on the record's place in the file, and opens a version block.
func (r *Reader) open(rec *Record) {
	r.count++
	version := isFiledesc(rec.URL)
	switch {
	case version && r.count > 1:
		rec.report(AnotherVersionBlock, fmt.Sprintf("as record %d", r.count))
	case !version && r.count == 1:
		rec.report(NoVersionBlock, "the first record is "+quote(rec.URL))
	}
	if version {
		r.openVersionBlock(rec)
	}
	r.checkShape(rec)
}

// checkShape compares the fields of the record with those that the version block defines.
func (r *Reader) checkShape(rec *Record) {
	if r.version == nil || r.version.Definition == "" {
		return
	}
	if strings.Contains(r.version.Definition, "Result-code") != rec.V2 {
		has, defined := 5, 10
		if rec.V2 {
			has, defined = 10, 5
		}
		rec.report(Fields, fmt.Sprintf("%d fields, the version block defines %d", has, defined))
	}
}
