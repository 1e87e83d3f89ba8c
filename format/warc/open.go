package warc

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

// The compressions of WARC files.
const (
	Plain = inflate.None
	Gzip  = inflate.Gzip // a member per record (ISO 28500:2017, Annex D)
	Zstd  = inflate.Zstd // a frame per record (IIPC, "WARC file compression with Zstandard")
)

var (
	// ErrNotWARC is the error of Open for a file without a record near its beginning.
	ErrNotWARC = errors.New("no WARC record begins in the first 64 KiB")
	// ErrNoRecord is the error of Reader.At for an offset at which no record begins.
	ErrNoRecord = errors.New("no record begins there")
)

// Open opens a WARC file of any compression. Use NewReader for a file that begins with something
// else: it searches the whole file for records.
func Open(path string) (*Reader, error) {
	r := &Reader{warned: -1}
	begins := func(head []byte) bool { return Index(head) >= 0 }
	form := recordsource.Form{Sniff: Sniff, Begins: begins, None: ErrNotWARC}
	var err error
	if r.source, err = recordsource.Open(path, form, r.add); err != nil {
		return nil, err
	}
	r.in = r.source.In
	return r, nil
}

// NewReader reads the WARC file in, of any compression, from its current position. This position is
// offset 0. If in is also an io.Seeker, reading recovers more after damage, and At works.
//
// If in is an *inflate.Reader, NewReader uses it as it is. Its options decide whether it reads
// ahead, its Report receives the faults of the compression, and the caller closes it.
func NewReader(in io.Reader) *Reader {
	r := &Reader{warned: -1}
	r.source = recordsource.New(in, Sniff, r.add)
	r.in = r.source.In
	return r
}

// Compression returns how the file is compressed.
func (r *Reader) Compression() Compression { return r.in.Compression() }

// Close closes the file that Open opened, and frees the decoder.
func (r *Reader) Close() error { return r.source.Close() }

// Records returns the records in the order of the file, as Next does: each is valid until the
// next one. An error is the last pair.
func (r *Reader) Records() iter.Seq2[*Record, error] { return recordsource.Records(r.Next) }

// At returns the record that begins at an offset of the file. The offset comes from Record.Offset
// or an index. Next continues after this record. The file must be an io.Seeker; a file opened by
// Open always is.
//
// If several records share a member, the offset is the offset of the first record. Continue with
// Next until Record.MemberOffset has the wanted value. After At, in a compressed file,
// Record.InflatedOffset is counted from this record.
func (r *Reader) At(offset int64) (*Record, error) {
	if err := r.source.Begin(); err != nil {
		return nil, err
	}
	if offset < 0 {
		return nil, fmt.Errorf("byte %d: %w", offset, ErrNoRecord)
	}
	if err := r.in.GoTo(offset); err != nil {
		return nil, fmt.Errorf("record at byte %d: %w", offset, err)
	}
	r.begun, r.shared, r.warned, r.barren, r.broken, r.coming, r.lost = false, false, -1, 0, nil, nil, false
	at, err := r.in.Position()
	if recordsource.OfContent(err) && err != nil || err == nil && at.File != offset {
		return nil, fmt.Errorf("byte %d: %w", offset, ErrNoRecord)
	}
	if err != nil {
		return nil, fmt.Errorf("record at byte %d: %w", offset, err)
	}
	if head, _ := r.in.Peek(versionLineMax); !isVersionLine(head) {
		return nil, fmt.Errorf("byte %d: %w", offset, ErrNoRecord)
	}
	rec, err := r.Next()
	switch {
	case errors.Is(err, io.EOF), err == nil && rec.Offset != offset:
		return nil, fmt.Errorf("byte %d: %w", offset, ErrNoRecord)
	case err != nil:
		return nil, err
	}
	return rec, nil
}
