package arc

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/fault"
	"quire/format/inflate"
)

// Reader reads the records of an ARC file in order.
type Reader struct {
	Report fault.Sink // told what the file breaks of the ARC format; may be nil
	// Between is shown, in order, every inflated byte that is neither of a URL-record line nor of a
	// block: what stands before, between and behind the records. The slice is valid during the
	// call. May be nil.
	Between func(b []byte)

	in      *inflate.Reader
	record  *Record
	unended *Record // the record before, when no newline stood behind it
	version *VersionBlock
	count   int64
	skipped int64
	shared  int64 // member last told to be shared; -1 for none
	err     error
}

// NewReader makes a Reader of the bytes that in gives.
func NewReader(in *inflate.Reader) *Reader {
	return &Reader{in: in, shared: -1}
}

// Version returns what the last version block met says, or nil before one was met.
func (r *Reader) Version() *VersionBlock { return r.version }

// Skipped returns how many inflated bytes were passed over so far that belong to no record.
func (r *Reader) Skipped() int64 { return r.skipped }

// Next closes the record before and returns the one that follows. At the end it returns io.EOF.
// Damage is no error but a fault; an error is one of reading the file, and comes again with every
// call.
func (r *Reader) Next() (*Record, error) {
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
	if err != nil {
		r.err = err
		return nil, err
	}
	r.open(rec)
	r.record = rec
	return rec, nil
}

// found is a place where a record begins.
type found struct {
	parsed
	start inflate.Position // of the record: its member, when that begins with newlines
	at    inflate.Position // of its line
	line  string
	end   string // of the line
	crlf  bool
}

// find goes to the next URL-record line, over whatever stands before it, and takes it.
func (r *Reader) find() (*Record, error) {
	var g gap
	defer func() { r.unended = nil }()
	for {
		start, err := r.position()
		if err != nil {
			r.tellGap(&g, false)
			return nil, r.atEnd(err, start)
		}
		first := r.compressed() && start.Within == 0
		newlines := r.skipNewlines()
		g.add(start, newlines, 0)
		at, err := r.position()
		if err != nil || r.compressed() && at.File != start.File {
			continue // nothing but newlines stood there
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
			r.tellGap(&g, first && g.total() == newlines)
			return r.newRecord(&f), nil
		}
		g.add(start, 0, r.skipToLine())
	}
}

// atEnd turns the end of the file into io.EOF, with a fault when there was no record at all.
func (r *Reader) atEnd(err error, at inflate.Position) error {
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("arc: reading at %d: %w", at.File, err)
	}
	if r.count == 0 {
		r.Report.Add(fault.Fault{Code: Empty, Detail: fmt.Sprintf("no record in %d bytes", at.File)})
	}
	return io.EOF
}

// takeLine takes the line at hand when it is a URL-record line. sure asks for more of it.
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

// position says where the next byte lies. It resumes after damaged members, which the reader below
// has told.
func (r *Reader) position() (inflate.Position, error) {
	for {
		at, err := r.in.Position()
		var damage *inflate.Damage
		if !errors.As(err, &damage) {
			return at, err
		}
		if err := r.in.Resume(); err != nil {
			return at, err
		}
	}
}

// newRecord makes the record whose line was taken, and tells what the line breaks.
func (r *Reader) newRecord(f *found) *Record {
	rec := &Record{
		Header: f.Header, Line: f.line, LineEnd: f.end, Offset: f.start.File, InflatedOffset: f.at.Inflated, Length: -1,
		r: r, start: f.start, left: max(f.BlockLength, 0),
	}
	block, _ := r.in.Position() // an error comes again with the bytes
	rec.block = block.Inflated
	rec.alone = f.start.Within == 0
	rec.toMember = f.BlockLength < 0 && r.compressed() && rec.alone
	if f.crlf {
		rec.tell(LineEnd, "the URL-record line ends in CR LF")
	}
	f.check(rec.tell, rec.Offset, rec.InflatedOffset)
	if r.compressed() && !rec.alone && r.shared != f.start.File {
		r.shared = f.start.File
		rec.tell(SharedMember, "the member holds more than this record")
	}
	return rec
}

// open settles what the place of the record in the file and the version block ask for.
func (r *Reader) open(rec *Record) {
	r.count++
	version := isFiledesc(rec.URL)
	switch {
	case version && r.count > 1:
		rec.tell(AnotherVersionBlock, fmt.Sprintf("as record %d", r.count))
	case !version && r.count == 1:
		rec.tell(NoVersionBlock, "the first record is "+quote(rec.URL))
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
		rec.tell(Fields, fmt.Sprintf("%d fields, the version block defines %d", has, defined))
	}
}
