package extsort

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/klauspost/compress/s2"
)

// run is a sorted part in a temporary file. It is compressed, because neighbouring keys are
// similar.
type run struct {
	file  *os.File
	out   *s2.Writer
	items []byte // not written yet: each write costs out two locks
}

const (
	blockSize = 128 << 10
	writeSize = 4 << 10
)

func newRun(dir string) (*run, error) {
	f, err := os.CreateTemp(dir, ".quire-sort-*")
	if err != nil {
		return nil, fmt.Errorf("making a temporary file: %w", err)
	}
	// If the system allows an open file without a name, a kill leaves no file; otherwise close
	// removes it.
	_ = os.Remove(f.Name())
	return &run{file: f, out: s2.NewWriter(f, s2.WriterConcurrency(1), s2.WriterBlockSize(blockSize))}, nil
}

func (r *run) add(key, value []byte) error {
	r.items = binary.AppendUvarint(r.items, uint64(len(key)))
	r.items = binary.AppendUvarint(r.items, uint64(len(value)))
	if r.items = append(append(r.items, key...), value...); len(r.items) < writeSize {
		return nil
	}
	return r.write()
}

func (r *run) write() error {
	_, err := r.out.Write(r.items)
	if r.items = r.items[:0]; err != nil {
		return fmt.Errorf("writing a temporary file: %w", err)
	}
	return nil
}

func (r *run) flush() error {
	if err := r.write(); err != nil {
		return err
	}
	if err := r.out.Close(); err != nil {
		return fmt.Errorf("writing a temporary file: %w", err)
	}
	r.out, r.items = nil, nil
	return nil
}

func (r *run) close() error {
	err := r.file.Close()
	if gone := os.Remove(r.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// cursor is the current position in a run.
type cursor struct {
	in         *bufio.Reader
	order      int
	head       uint64 // the first eight bytes of key
	key, value []byte
	done       bool
}

// cursor returns a cursor at the beginning of a run. Cursors are independent of each other.
func (r *run) cursor(order int) (*cursor, error) {
	file := io.NewSectionReader(r.file, 0, math.MaxInt64)
	c := &cursor{in: bufio.NewReader(s2.NewReader(file, s2.ReaderMaxBlockSize(blockSize))), order: order}
	return c, c.next()
}

// next moves to the next item.
func (c *cursor) next() error {
	keySize, err := binary.ReadUvarint(c.in)
	if errors.Is(err, io.EOF) {
		c.done = true
		return nil
	}
	var valueSize uint64
	if err == nil {
		valueSize, err = binary.ReadUvarint(c.in)
	}
	if err == nil {
		c.key, err = c.read(c.key, keySize)
	}
	if err == nil {
		c.value, err = c.read(c.value, valueSize)
	}
	if err != nil {
		return fmt.Errorf("reading a temporary file: %w", err)
	}
	c.head = head(c.key)
	return nil
}

func (c *cursor) read(into []byte, n uint64) ([]byte, error) {
	if uint64(cap(into)) < n {
		into = make([]byte, n)
	}
	into = into[:n]
	_, err := io.ReadFull(c.in, into)
	return into, err
}
