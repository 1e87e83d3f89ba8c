package zstdframe

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// DefaultLevel is the compression level of a Writer if its options set no level. The zstd program
// has the same default.
const DefaultLevel = 3

// Writer writes a file of Zstandard frames, each with a checksum and without a dictionary. After an
// error every call fails with that error.
type Writer struct {
	dst     countingWriter
	encoder *zstd.Encoder
	started int64
	open    bool
	err     error
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// NewWriter writes frames to w with a level of the zstd program, 1 to 22. Levels are rounded to one
// of four.
func NewWriter(w io.Writer, level int) (*Writer, error) {
	if level < 1 || level > 22 {
		return nil, fmt.Errorf("zstd level %d is not from 1 to 22", level)
	}
	out := &Writer{dst: countingWriter{w: w}}
	var err error
	out.encoder, err = zstd.NewWriter(&out.dst, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true),
		zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, fmt.Errorf("zstd encoder: %w", err)
	}
	return out, nil
}

var (
	errOpen   = errors.New("a Zstandard frame was begun and not ended")
	errClosed = errors.New("no Zstandard frame was begun")
)

// Begin starts a frame.
func (w *Writer) Begin() error {
	if w.err == nil && w.open {
		w.err = errOpen
	}
	if w.err != nil {
		return w.err
	}
	w.started, w.open = w.dst.n, true
	w.encoder.Reset(&w.dst)
	return nil
}

// Write adds inflated bytes to the present frame.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err == nil && !w.open {
		w.err = errClosed
	}
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.encoder.Write(p)
	w.err = err
	return n, err
}

// End finishes the current frame. It returns the offset and the length of the frame in the output.
func (w *Writer) End() (offset, length int64, err error) {
	if w.err == nil && !w.open {
		w.err = errClosed
	}
	if w.err != nil {
		return 0, 0, w.err
	}
	if w.err = w.encoder.Close(); w.err != nil {
		return 0, 0, w.err
	}
	w.open = false
	return w.started, w.dst.n - w.started, nil
}

// Offset returns the number of bytes written so far.
func (w *Writer) Offset() int64 { return w.dst.n }
