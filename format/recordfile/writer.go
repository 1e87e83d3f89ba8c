package recordfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"quire/format/gzipmember"
	"quire/format/inflate"
	"quire/format/zstdframe"
)

// Options of a Writer. The zero value writes plain records.
type Options struct {
	Compression inflate.Compression // Gzip or Zstd; "" and None are plain
	Level       int                 // of the compression; 0 is its default
}

// Writer writes records. After an error that may have left a part of a record, every call fails
// with that error.
type Writer struct {
	out    counter
	member member // nil for plain records
	at     int64  // end of the last whole record
	err    error
	file   *file // nil unless the Writer made it

	closed  bool
	closing error // of Close
}

// member is a gzipmember.Writer or a zstdframe.Writer.
type member interface {
	Begin() error
	io.Writer
	End() (offset, length int64, err error)
}

// NewWriter writes records to w, from its present place.
func NewWriter(w io.Writer, o Options) (*Writer, error) {
	out := &Writer{out: counter{w: w}}
	var err error
	switch o.Compression {
	case "", inflate.None:
	case inflate.Gzip:
		out.member, err = gzipmember.NewWriter(&out.out, cmp.Or(o.Level, gzipmember.DefaultLevel))
	case inflate.Zstd:
		out.member, err = zstdframe.NewWriter(&out.out, cmp.Or(o.Level, zstdframe.DefaultLevel))
	default:
		err = fmt.Errorf("compression %.40q is not known", o.Compression)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Offset returns the end of the last whole record, in bytes from where the Writer began.
func (w *Writer) Offset() int64 { return w.at }

// Err returns the error with which every call fails. It returns nil if no write has failed.
func (w *Writer) Err() error { return w.err }

// Fail is the error of a record that was begun and not ended.
type Fail struct {
	Whole int64 // the end of the last whole record, in bytes from where the Writer began
	Cut   bool  // the bytes after Whole were removed; otherwise a part of a record may follow
	Err   error
}

// Error implements error.
func (f *Fail) Error() string {
	state := "cut off there"
	if !f.Cut {
		state = "a part of the next may follow"
	}
	return fmt.Sprintf("writing stopped after the last complete record, at byte %d (%s): %v", f.Whole, state, f.Err)
}

// Unwrap returns the error that caused the failure.
func (f *Fail) Unwrap() error { return f.Err }

// Record writes one record by calling write. It returns the offset and the length of the record in
// the output. The error is a [*Fail].
func (w *Writer) Record(write func(io.Writer) error) (offset, length int64, err error) {
	if w.err != nil {
		return 0, 0, w.err
	}
	if err := w.record(write); err != nil {
		f := &Fail{Whole: w.at, Err: err}
		f.Cut = w.cut()
		w.err = f
		return 0, 0, f
	}
	offset, w.at = w.at, w.out.n
	return offset, w.at - offset, nil
}

func (w *Writer) record(write func(io.Writer) error) error {
	if err := w.compressed(write); err != nil || w.file == nil {
		return err
	}
	return w.file.buffer.Flush()
}

func (w *Writer) compressed(write func(io.Writer) error) error {
	if w.member == nil {
		return write(&w.out)
	}
	if err := w.member.Begin(); err != nil {
		return err
	}
	if err := write(w.member); err != nil {
		return err
	}
	_, _, err := w.member.End()
	return err
}

// cuttable is an output that can be cut, as an *os.File can.
type cuttable interface {
	io.Seeker
	Truncate(size int64) error
}

// cut truncates the output after the last complete record, and reports whether this was possible.
func (w *Writer) cut() bool {
	if w.out.n == w.at {
		return true
	}
	if w.file != nil {
		return w.file.cutAt(w.at)
	}
	out, ok := w.out.w.(cuttable)
	if !ok {
		return false
	}
	now, err := out.Seek(0, io.SeekCurrent)
	if err != nil || now < w.out.n-w.at {
		return false
	}
	whole := now - (w.out.n - w.at)
	if err := out.Truncate(whole); err != nil {
		return false
	}
	_, err = out.Seek(whole, io.SeekStart)
	return err == nil
}

// counter counts the bytes that were written, including the bytes of a write that failed.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

var errClosed = errors.New("the writer is closed")
