package warc

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"quire/format/recordfile"
	"quire/internal/blockbuffer"
)

// NameValue is a named field for writing.
type NameValue struct{ Name, Value string }

// WriterOptions are the options of a Writer. The zero value writes a plain file. With Create, the
// file name decides the compression.
type WriterOptions struct {
	Compression Compression // Gzip is a member per record (Annex D), Zstd a frame per record
	Level       int         // of the compression; 0 is gzipmember.DefaultLevel or zstdframe.DefaultLevel

	// Digest is the algorithm of the digests that WriteRecord computes, as [Digest] names it; "" is
	// "sha1", which most readers check.
	Digest string
	// Scratch is the folder for blocks that wait for their digests and are too large for memory; ""
	// is where temporary files go.
	Scratch string
}

// Writer writes WARC 1.1 records.
//
// If a record cannot be written completely, Writer removes the written part, provided that the
// output can be truncated, as an *os.File can. Every later call then fails with the same
// *recordfile.Fail. The error states where the last complete record ends. If an error occurs before
// the first byte is written, the Writer is unchanged: for example if a field cannot be written, or
// a block cannot be read.
type Writer struct {
	out    *recordfile.Writer
	digest string
	block  blockbuffer.Buffer // of WriteRecord and Copy
	copy   []byte             // buffer for copying blocks, shared by all records
}

// NewWriter returns a Writer of records to w.
func NewWriter(w io.Writer, o WriterOptions) (*Writer, error) {
	out, err := recordfile.NewWriter(w, recordfile.Options{Compression: o.Compression, Level: o.Level})
	if err != nil {
		return nil, err
	}
	return newWriter(out, o)
}

// Create makes the file of that path, compressed as o or the ending of the path says. Until Close
// its name ends in .open, as names of unfinished files do elsewhere; then it is synced and renamed.
// It fails with fs.ErrExist where a file of either name is there.
func Create(path string, o WriterOptions) (*Writer, error) {
	out, err := recordfile.Create(path, recordfile.Options{Compression: o.Compression, Level: o.Level})
	if err != nil {
		return nil, err
	}
	w, err := newWriter(out, o)
	if err != nil {
		return nil, errors.Join(err, out.Discard())
	}
	return w, nil
}

func newWriter(out *recordfile.Writer, o WriterOptions) (*Writer, error) {
	if o.Digest == "" {
		o.Digest = "sha1"
	}
	if NewHash(o.Digest) == nil {
		return nil, fmt.Errorf("%w: %.40q", ErrAlgorithm, o.Digest)
	}
	return &Writer{out: out, digest: o.Digest, block: blockbuffer.Buffer{Dir: o.Scratch},
		copy: make([]byte, 32<<10)}, nil
}

// Offset returns where the last whole record ends, in bytes of the output: there the next begins.
func (w *Writer) Offset() int64 { return w.out.Offset() }

// Close ends the output, and gives a file that Create made its name. After an error that file keeps
// its unfinished name, and its whole records; Close returns the error. The output of
// NewWriter stays open.
func (w *Writer) Close() error { return errors.Join(w.out.Close(), w.block.Close()) }

// Discard removes the file that Create made, unless it is closed. Later calls fail.
func (w *Writer) Discard() error { return errors.Join(w.out.Discard(), w.block.Close()) }

// Write writes one record: the fields in the given order, a Content-Length field after them, and a
// block of exactly size bytes. It returns the offset and the length of the record in the output.
// The fields must contain neither CR nor LF, and no Content-Length. Write also refuses a header
// larger than MaxHeader, and a field that only one value may have. It does not check the values,
// which can be text of others. WriteRecord checks them, computes the fields, and needs no size.
func (w *Writer) Write(fields []NameValue, size int64, block io.Reader) (offset, length int64, err error) {
	if err := w.out.Err(); err != nil {
		return 0, 0, err
	}
	header, err := formatHeader(fields, size)
	if err != nil {
		return 0, 0, err // nothing was written: the writer stays usable
	}
	return w.write(header, size, block)
}

// WriteBytes writes a record with this block, and adds its WARC-Block-Digest.
func (w *Writer) WriteBytes(fields []NameValue, block []byte) (offset, length int64, err error) {
	sum := sha1.Sum(block)
	fields = append(fields[:len(fields):len(fields)], NameValue{FieldBlockDigest, FormatDigest("sha1", sum[:])})
	return w.Write(fields, int64(len(block)), bytes.NewReader(block))
}

// ErrDamaged is the error of Writer.Copy and Record.Whole for a record that is not whole.
var ErrDamaged = errors.New("the record is damaged")

// ErrMember is an ErrDamaged of a record that has its stated length, in a gzip member or zstd frame
// that is damaged. Only a digest can prove such a record.
var ErrMember = fmt.Errorf("%w: its member cannot be inflated correctly", ErrDamaged)

var errNoLength = fmt.Errorf("%w: it has no length", ErrDamaged)

// Whole returns nil if the record is whole: its header is complete, its block has the stated
// length, and nothing else follows the block. Otherwise the error is an ErrDamaged. Call it after
// Close. It does not compare digests; see [Record.Verify].
func (rec *Record) Whole() error {
	switch {
	case rec.HeaderCut || rec.ContentLength < 0:
		return rec.wrap(errNoLength)
	case rec.BlockRead != rec.ContentLength:
		return rec.wrap(fmt.Errorf("%w: the block has %d of %d bytes", ErrDamaged, rec.BlockRead, rec.ContentLength))
	case rec.longer:
		return rec.wrap(fmt.Errorf("%w: bytes that are no record follow its block", ErrDamaged))
	case rec.damaged:
		return rec.wrap(ErrMember)
	}
	return nil
}

// Copy writes a record that was read: header and block byte for byte, and two CRLF after them. Call
// Copy before the block is read; Copy closes the record. An incomplete record is not written, and
// the Writer remains usable. The error is then ErrDamaged: the block is shorter than its declared
// length, other bytes follow the block, or its member is damaged and the original bytes are unknown.
// Copy does not compare digests; see [Record.Verify]. It copies the header as it is, even one that
// WriteRecord would refuse.
func (w *Writer) Copy(rec *Record) (offset, length int64, err error) {
	switch {
	case w.out.Err() != nil:
		return 0, 0, w.out.Err()
	case rec.HeaderCut || rec.ContentLength < 0:
		return 0, 0, rec.wrap(errNoLength)
	case rec.BlockRead > int64(len(rec.replay)):
		return 0, 0, rec.wrap(ErrBlockRead)
	}
	w.block.Cut(0)
	if _, err := io.Copy(&w.block, rec); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, 0, rec.wrap(err)
	}
	if err := rec.Close(); err != nil {
		return 0, 0, err
	}
	if err := rec.Whole(); err != nil {
		return 0, 0, err
	}
	return w.write(rec.Raw(), rec.ContentLength, w.block.Reader())
}

func (w *Writer) write(header []byte, size int64, block io.Reader) (offset, length int64, err error) {
	return w.out.Record(func(out io.Writer) error {
		if _, err := out.Write(header); err != nil {
			return err
		}
		from := source{Reader: block}
		n, err := io.CopyBuffer(out, io.LimitReader(&from, size), w.copy)
		if err != nil && from.err == nil {
			return err // of the output
		}
		if err == nil && n < size {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return fmt.Errorf("the block has only %d of %d bytes: %w", n, size, err)
		}
		_, err = out.Write(separator)
		return err
	})
}

// source is a block that keeps its error, to tell it from an error of the output.
type source struct {
	io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// name returns the name of the file that Create makes, or "" if there is no such file.
func (w *Writer) name() string {
	if p := w.out.Path(); p != "" {
		return filepath.Base(p)
	}
	return ""
}
