package arc

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"quire/format/inflate"
	"quire/format/recordsource"
)

// Compression is how a file is compressed.
type Compression = inflate.Compression

// The compressions of ARC files.
const (
	Plain = inflate.None
	Gzip  = inflate.Gzip // a member per record, by practice of the Internet Archive
	Zstd  = inflate.Zstd // a frame per record; no writer is known to use it
)

var (
	// ErrNotARC is the error of Open for a file that does not begin as an ARC file does.
	ErrNotARC = errors.New("no ARC record begins the file")
	// ErrNoRecord is the error of Reader.At for an offset at which no record begins.
	ErrNoRecord = errors.New("no record begins there")
)

// Open opens an ARC file of any compression. Use NewReader for a file that begins with something
// else: it searches the whole file for records.
func Open(path string) (*Reader, error) {
	r := &Reader{shared: -1}
	form := recordsource.Form{Sniff: Sniff, Begins: Sniff, None: ErrNotARC}
	var err error
	if r.source, err = recordsource.Open(path, form, r.add); err != nil {
		return nil, err
	}
	r.in = r.source.In
	return r, nil
}

// NewReader reads the ARC file in, in any compression. The current position of in counts as offset
// 0. If in is also an io.Seeker, the reader recovers more after damage, and At works.
//
// If in is an *inflate.Reader, it is used unchanged. Its options decide about reading ahead, its
// Report receives the faults of the compression, and the caller closes it.
func NewReader(in io.Reader) *Reader {
	r := &Reader{shared: -1}
	r.source = recordsource.New(in, Sniff, r.add)
	r.in = r.source.In
	return r
}

// Compression returns how the file is compressed.
func (r *Reader) Compression() Compression { return r.in.Compression() }

// Close closes the file that Open opened, and frees the decoder.
func (r *Reader) Close() error { return r.source.Close() }

// Records returns the records in the order of the file, as Next does: the version block is the
// first. Each is valid until the next one. An error is the last pair.
func (r *Reader) Records() iter.Seq2[*Record, error] { return recordsource.Records(r.Next) }

// At returns the record that begins at an offset of the file. Record.Offset and indexes have such
// offsets. Next continues after this record. The file must be an io.Seeker, for example a file
// opened by Open. After At, Record.InflatedOffset counts from this record in a compressed file.
func (r *Reader) At(offset int64) (*Record, error) {
	if err := r.source.Begin(); err != nil {
		return nil, err
	}
	if offset < 0 {
		return nil, fmt.Errorf("arc: byte %d: %w", offset, ErrNoRecord)
	}
	within := false // a line
	if r.in.Compression() == Plain && offset > 0 && r.in.GoTo(offset-1) == nil {
		before, _ := r.in.Peek(1) // an error comes again with the bytes after it
		within = len(before) > 0 && before[0] != '\n'
	}
	if err := r.in.GoTo(offset); err != nil {
		return nil, fmt.Errorf("arc: record at byte %d: %w", offset, err)
	}
	r.record, r.unended, r.shared, r.err, r.broken, r.lost, r.joined = nil, nil, -1, nil, nil, false, false
	r.count++ // the record at this offset need not be a version block
	at, err := r.in.Position()
	var damage *inflate.Damage
	switch {
	case errors.Is(err, io.EOF), errors.As(err, &damage), err == nil && at.File != offset:
		return nil, fmt.Errorf("arc: byte %d: %w", offset, ErrNoRecord)
	case err != nil:
		return nil, fmt.Errorf("arc: record at byte %d: %w", offset, err)
	}
	line, _ := r.peekLine()
	if r.in.Compression() == Plain && (!lineIs(line, (*parsed).likely) || within && schemeAt(line) == "") {
		return nil, fmt.Errorf("arc: byte %d: %w", offset, ErrNoRecord)
	}
	rec, err := r.Next()
	switch {
	case errors.Is(err, io.EOF), err == nil && rec.Offset != offset:
		return nil, fmt.Errorf("arc: byte %d: %w", offset, ErrNoRecord)
	case err != nil:
		return nil, err
	}
	return rec, nil
}
