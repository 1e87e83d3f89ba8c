package httrack

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds what is kept of a line, in bytes. HTTrack's own bound for a URL is 1,024, later 2,048.
const maxLine = 64 << 10

// lines reads a log line by line. Of a line that is too long the beginning is kept, and Long is set.
type lines struct {
	Text   []byte // without its end; valid until the next line
	Long   bool
	Number int64 // from 1
	Offset int64 // of the line in the file, in bytes
	Next   int64 // of the line behind it

	in  *bufio.Reader
	buf []byte
}

func newLines(r io.Reader) *lines { return &lines{in: bufio.NewReaderSize(r, 32<<10)} }

// next goes to the next line. io.EOF comes alone, after the last line.
func (l *lines) next() error {
	l.buf, l.Long, l.Offset = l.buf[:0], false, l.Next
	for {
		part, err := l.in.ReadSlice('\n')
		l.Next += int64(len(part))
		room := min(maxLine-len(l.buf), len(part))
		l.buf = append(l.buf, part[:room]...)
		l.Long = l.Long || room < len(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && l.Next == l.Offset:
			return io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		l.Number++
		l.Text = bytes.TrimRight(l.buf, "\r\n")
		return nil
	}
}
