package dedup

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"quire/format/inflate"
	"quire/format/warc"
)

// opener opens single records in their stored containers, tens of thousands one after the other. It
// reuses its buffers.
type opener struct {
	file   *bufio.Reader
	gzip   *gzip.Reader
	plain  *bufio.Reader
	header []byte
}

func newOpener() *opener {
	return &opener{file: bufio.NewReaderSize(nil, 16<<10), plain: bufio.NewReaderSize(nil, 16<<10)}
}

// storedRecord is an opened record. It is valid until the next is opened.
type storedRecord struct {
	*warc.Header
	size  int64 // Content-Length; -1 if invalid
	block io.Reader
	done  func() error
}

// errHeader reports that no header of a usual size was found.
var errHeader = errors.New("no header that ends within " + strconv.Itoa(maxHeader) + " bytes")

// open opens the record that occupies length bytes from offset, alone.
func (o *opener) open(in io.ReaderAt, offset, length int64) (*storedRecord, error) {
	content, done, err := o.inflated(in, offset, length)
	if err != nil {
		return nil, fmt.Errorf("the record at byte %d: %w", offset, err)
	}
	o.plain.Reset(content)
	rec := &storedRecord{block: o.plain, size: -1, done: done}
	if o.header, err = o.readHeader(o.header[:0]); err != nil {
		return nil, errors.Join(fmt.Errorf("the record at byte %d: %w", offset, err), done())
	}
	rec.Header = warc.ParseHeader(o.header)
	if size, err := strconv.ParseUint(rec.Get(warc.FieldContentLength), 10, 63); err == nil {
		rec.size = int64(size)
	}
	return rec, nil
}

// inflated returns the inflated content of part of a file.
func (o *opener) inflated(in io.ReaderAt, offset, length int64) (content io.Reader, done func() error, err error) {
	done = func() error { return nil }
	section := io.NewSectionReader(in, offset, length)
	o.file.Reset(section)
	magic, err := o.file.Peek(2)
	switch {
	case err != nil:
		return nil, done, err
	case magic[0] == 0x1f && magic[1] == 0x8b && o.gzip == nil:
		o.gzip, err = gzip.NewReader(o.file)
		return o.gzip, done, err
	case magic[0] == 0x1f && magic[1] == 0x8b:
		return o.gzip, done, o.gzip.Reset(o.file)
	case bytes.EqualFold(magic, []byte("WA")):
		return o.file, done, nil
	}
	part, _ := stretch(in, offset, length)
	r := inflate.NewReader(part, inflate.Options{})
	return r, r.Close, nil
}

// readHeader reads up to the blank line.
func (o *opener) readHeader(b []byte) ([]byte, error) {
	for {
		line, err := o.plain.ReadSlice('\n')
		if b = append(b, line...); len(b) > maxHeader || errors.Is(err, bufio.ErrBufferFull) {
			return b, errHeader
		}
		if err != nil {
			return b, err
		}
		if len(line) <= 2 && len(bytes.TrimRight(line, "\r\n")) == 0 {
			return b, nil
		}
	}
}

// head reads the beginning of the block.
func (r *storedRecord) head(length int64) ([]byte, error) {
	b := make([]byte, length)
	_, err := io.ReadFull(r.block, b)
	return b, err
}

func (r *storedRecord) close() error { return r.done() }
