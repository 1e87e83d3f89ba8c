package pack

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// rowFile keeps rows of bytes in a temporary file, so memory does not grow with their number.
type rowFile struct {
	file *os.File
	out  *bufio.Writer
	at   int64  // bytes written
	row  []byte // for code that builds rows
}

// span is the position of consecutive rows.
type span struct{ From, To int64 }

// rowBuffer is the size of one read or write, in bytes.
const rowBuffer = 64 << 10

func newRowFile(dir string) (*rowFile, error) {
	f, err := os.CreateTemp(dir, ".quire-contents-*")
	if err != nil {
		return nil, fmt.Errorf("making a temporary file: %w", err)
	}
	// on systems where an open file needs no name, a killed process leaves no file; elsewhere close
	// removes it
	_ = os.Remove(f.Name())
	return &rowFile{file: f, out: bufio.NewWriterSize(f, rowBuffer)}, nil
}

// add adds a row. It may run while earlier rows are read.
func (s *rowFile) add(row []byte) error {
	var size [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(size[:], uint64(len(row)))
	s.at += int64(n + len(row))
	_, err := s.out.Write(size[:n])
	if err == nil {
		_, err = s.out.Write(row)
	}
	if err != nil {
		return fmt.Errorf("writing the temporary file %s: %w", s.file.Name(), err)
	}
	return nil
}

// rowCursor reads the rows of a span. Cursors are independent of each other.
type rowCursor struct {
	of  *rowFile
	in  *bufio.Reader
	row []byte
}

// read returns a cursor for a span.
func (s *rowFile) read(of span) (*rowCursor, error) {
	c := &rowCursor{of: s}
	return c, c.reset(of)
}

// reset starts reading another span.
func (c *rowCursor) reset(of span) error {
	if err := c.of.out.Flush(); err != nil {
		return fmt.Errorf("writing the temporary file %s: %w", c.of.file.Name(), err)
	}
	in := io.NewSectionReader(c.of.file, of.From, of.To-of.From)
	if need := min(rowBuffer, int(of.To-of.From)); c.in == nil || c.in.Size() < need { // many spans are short
		c.in = bufio.NewReaderSize(in, need)
	}
	c.in.Reset(in)
	return nil
}

// next returns the next row, or io.EOF after the last.
func (c *rowCursor) next() (string, error) {
	row, err := c.nextBytes()
	return string(row), err
}

// nextBytes is next for a row that is valid until the next call only.
func (c *rowCursor) nextBytes() ([]byte, error) {
	size, err := binary.ReadUvarint(c.in)
	if errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	if err == nil {
		if uint64(cap(c.row)) < size {
			c.row = make([]byte, size)
		}
		c.row = c.row[:size]
		_, err = io.ReadFull(c.in, c.row)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the temporary file %s: %w", c.of.file.Name(), err)
	}
	return c.row, nil
}

// each visits the rows of a span.
func (s *rowFile) each(of span, visit func(row string) error) error {
	if of.From == of.To {
		return nil
	}
	c, err := s.read(of)
	if err != nil {
		return err
	}
	for {
		row, err := c.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = visit(row)
		}
		if err != nil {
			return err
		}
	}
}

// close removes the temporary file.
func (s *rowFile) close() error {
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
