package warc

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"strings"

	"quire/format/gzipmember"
)

// NameValue is a named field for writing.
type NameValue struct{ Name, Value string }

// WriterOptions are the options of a Writer. The zero value writes a plain file.
type WriterOptions struct {
	Gzip  bool // one gzip member per record (Annex D)
	Level int  // gzip level, 1 to 9; 0 is gzipmember.DefaultLevel
}

// Writer writes WARC 1.1 records. After an error every call fails with that error.
type Writer struct {
	out  io.Writer
	gzip *gzipmember.Writer
	at   int64
	err  error
	copy []byte // buffer for copying blocks, shared by all records
}

// NewWriter returns a Writer of records to w.
func NewWriter(w io.Writer, o WriterOptions) (*Writer, error) {
	out := &Writer{out: w, copy: make([]byte, 32<<10)}
	if !o.Gzip {
		return out, nil
	}
	if o.Level == 0 {
		o.Level = gzipmember.DefaultLevel
	}
	zip, err := gzipmember.NewWriter(w, o.Level)
	if err != nil {
		return nil, err
	}
	out.gzip = zip
	return out, nil
}

// Write writes one record: the fields in the given order, a Content-Length field, and a block of
// exactly size bytes. It returns the record's place in the output. The fields must not contain CR,
// LF or a Content-Length.
func (w *Writer) Write(fields []NameValue, size int64, block io.Reader) (offset, length int64, err error) {
	if w.err != nil {
		return 0, 0, w.err
	}
	header, err := formatHeader(fields, size)
	if err != nil {
		return 0, 0, err // nothing was written: the writer stays usable
	}
	if offset, length, w.err = w.write(header, size, block); w.err != nil {
		w.err = fmt.Errorf("writing the record at byte %d: %w", w.at, w.err)
		return 0, 0, w.err
	}
	w.at = offset + length
	return offset, length, nil
}

// WriteBytes writes a record with this block, and adds its WARC-Block-Digest.
func (w *Writer) WriteBytes(fields []NameValue, block []byte) (offset, length int64, err error) {
	sum := sha1.Sum(block)
	fields = append(fields[:len(fields):len(fields)], NameValue{FieldBlockDigest, FormatDigest("sha1", sum[:])})
	return w.Write(fields, int64(len(block)), bytes.NewReader(block))
}

func (w *Writer) write(header []byte, size int64, block io.Reader) (offset, length int64, err error) {
	if w.gzip == nil {
		n, err := w.writeRecord(w.out, header, size, block)
		return w.at, n, err
	}
	if err := w.gzip.Begin(); err != nil {
		return 0, 0, err
	}
	if _, err := w.writeRecord(w.gzip, header, size, block); err != nil {
		return 0, 0, err
	}
	return w.gzip.End()
}

func (w *Writer) writeRecord(out io.Writer, header []byte, size int64, block io.Reader) (int64, error) {
	if _, err := out.Write(header); err != nil {
		return 0, err
	}
	n, err := io.CopyBuffer(out, io.LimitReader(block, size), w.copy)
	if err == nil && n < size {
		err = io.EOF
	}
	if err != nil {
		return 0, fmt.Errorf("the block has only %d of %d bytes: %w", n, size, err)
	}
	if _, err := io.WriteString(out, "\r\n\r\n"); err != nil {
		return 0, err
	}
	return int64(len(header)) + size + 4, nil
}

func formatHeader(fields []NameValue, size int64) ([]byte, error) {
	b := []byte("WARC/1.1\r\n")
	for _, f := range fields {
		if !isToken([]byte(f.Name)) || strings.ContainsAny(f.Value, "\r\n") ||
			strings.EqualFold(f.Name, FieldContentLength) {
			return nil, fmt.Errorf("%.80q: %.80q cannot be a named field", f.Name, f.Value)
		}
		b = append(append(append(append(b, f.Name...), ": "...), f.Value...), "\r\n"...)
	}
	return fmt.Appendf(b, "%s: %d\r\n\r\n", FieldContentLength, size), nil
}

// ParseFields parses a block of type application/warc-fields (ISO 28500:2017, 6.2 and Annex B): the
// fields of a warcinfo or metadata record, in order. It omits lines that are not fields.
func ParseFields(block []byte) []NameValue {
	var h Header
	h.parse(append([]byte("\r\n"), block...)) // parse skips the version line
	fields := make([]NameValue, 0, len(h.fields))
	for _, f := range h.fields {
		fields = append(fields, NameValue{string(f.Name), unfold(f.Value)})
	}
	return fields
}
