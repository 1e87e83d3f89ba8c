// Package lines reads logs and lists line by line, within bounds and with exact offsets.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// DefaultMax is the default bound on the kept part of a line, in bytes. Crawlers limit URLs to some
// thousand bytes.
const DefaultMax = 64 << 10

// Reader reads a text line by line. If a line is too long, Text is its beginning and Long is set.
type Reader struct {
	Text   []byte // without its line end; valid until the next line
	Long   bool
	Number int64 // from 1
	Offset int64 // of the line in the file, in bytes
	End    int64 // offset of the next line
	Max    int   // bytes kept of a line; default DefaultMax

	in  *bufio.Reader
	buf []byte
	err error // of Scan
}

// NewReader returns a Reader of r from its current position.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(r, 32<<10)} }

// Scan moves to the next line. It returns false at the end, and at an error, which Err returns.
func (l *Reader) Scan() bool {
	l.err = l.Next()
	return l.err == nil
}

// Err returns the error that ended Scan, or nil at the end.
func (l *Reader) Err() error {
	if errors.Is(l.err, io.EOF) {
		return nil
	}
	return l.err
}

// Next moves to the next line. io.EOF is returned alone, after the last line.
func (l *Reader) Next() error {
	l.buf, l.Long, l.Offset = l.buf[:0], false, l.End
	most := l.Max
	if most == 0 {
		most = DefaultMax
	}
	for {
		part, err := l.in.ReadSlice('\n')
		l.End += int64(len(part))
		if err == nil && len(l.buf) == 0 && len(part) <= most && !l.Long { // most lines are whole in the buffer
			l.Number++
			l.Text = bytes.TrimRight(part, "\r\n")
			return nil
		}
		room := min(most-len(l.buf), len(part))
		l.buf = append(l.buf, part[:room]...)
		l.Long = l.Long || room < len(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && l.End == l.Offset:
			return io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		l.Number++
		l.Text = bytes.TrimRight(l.buf, "\r\n")
		return nil
	}
}
