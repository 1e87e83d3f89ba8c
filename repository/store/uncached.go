package store

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"unsafe"

	"quire/internal/archivefs"
)

// coldFile is a file read once from its disk, from front to back.
type coldFile struct {
	f      *os.File
	path   string
	size   int64 // when it was opened
	direct bool
	begun  bool
}

func openCold(path string) (*coldFile, error) {
	f, direct, err := openPastCache(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %s, not a file", path, archivefs.KindOf(info.Mode()))
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &coldFile{f: f, path: path, size: info.Size(), direct: direct}, nil
}

// fill reads a whole buffer; fewer bytes and no error mean the end of the file. With O_DIRECT, no
// read may follow a short one: its offset would be unaligned, and the disk cannot read there.
func (c *coldFile) fill(b []byte) (int, error) {
	if !c.direct {
		n, err := io.ReadFull(c.f, b)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		return n, err
	}
	n, err := c.f.Read(b)
	if errors.Is(err, syscall.EINVAL) && !c.begun {
		// The file system accepts O_DIRECT at open but not at read.
		f, openErr := openDropped(c.path)
		if openErr != nil {
			return 0, openErr
		}
		_ = c.f.Close()
		c.f, c.direct = f, false
		return c.fill(b)
	}
	c.begun = true
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (c *coldFile) close() { _ = c.f.Close() } // only read

// alignment is the alignment in bytes of buffers and offsets for O_DIRECT; no disk in use requires
// more.
const alignment = 4096

// buffers are reused: an audit opens millions of files. Most of them are small.
var (
	buffers      = sync.Pool{New: func() any { return aligned(blockSize) }}
	smallBuffers = sync.Pool{New: func() any { return aligned(smallSize) }}
)

// smallSize is the number of bytes in a small buffer.
const smallSize = 16 * alignment

// aligned returns a buffer for O_DIRECT.
func aligned(size int) *[]byte {
	b := make([]byte, size+alignment)
	skip := 0
	if rest := int(uintptr(unsafe.Pointer(&b[0])) % alignment); rest > 0 {
		skip = alignment - rest
	}
	b = b[skip : skip+size : skip+size]
	return &b
}

// blockReader reads a cold file ahead: it reads the next blocks while the caller processes one.
type blockReader struct {
	file *coldFile
	pool *sync.Pool // of the blocks
	full chan filled
	free chan *[]byte
	stop chan struct{}
	wait sync.WaitGroup
	held *[]byte
	own  []*[]byte
}

// filled is a block that was read; no data and no error mean the end of the file.
type filled struct {
	block *[]byte
	n     int
	err   error
}

// readAhead is the number of blocks for one file.
const readAhead = 2

func openBlocks(path string) (*blockReader, error) {
	f, err := openCold(path)
	if err != nil {
		return nil, err
	}
	return readBlocks(f), nil
}

func readBlocks(f *coldFile) *blockReader {
	r := &blockReader{file: f, pool: &buffers, stop: make(chan struct{}),
		full: make(chan filled, readAhead+1), free: make(chan *[]byte, readAhead)}
	if f.size < smallSize { // it may still grow: it is read to its end
		r.pool = &smallBuffers
	}
	for range readAhead {
		b := r.pool.Get().(*[]byte)
		r.own = append(r.own, b)
		r.free <- b
	}
	r.wait.Go(r.run)
	return r
}

// run never blocks on full: it has room for every block and the end.
func (r *blockReader) run() {
	for {
		var b *[]byte
		select {
		case b = <-r.free:
		case <-r.stop:
			return
		}
		n, err := r.file.fill(*b)
		if n > 0 {
			r.full <- filled{block: b, n: n}
		}
		if n < len(*b) || err != nil {
			r.full <- filled{err: err}
			return
		}
	}
}

// next returns the next block, valid until the following call. An empty block means the end; then
// no call may follow.
func (r *blockReader) next() ([]byte, error) {
	if r.held != nil {
		r.free <- r.held
		r.held = nil
	}
	b := <-r.full
	if b.block == nil {
		return nil, b.err
	}
	r.held = b.block
	return (*b.block)[:b.n], nil
}

func (r *blockReader) close() {
	close(r.stop)
	r.wait.Wait()
	for _, b := range r.own {
		r.pool.Put(b)
	}
	r.file.close()
}

// sumCold computes the digest of a file from its disk, and its size. It reports the bytes as it
// reads them.
func sumCold(ctx context.Context, path string, advance func(int64)) (sum string, size int64, err error) {
	f, err := openCold(path)
	if err != nil {
		return "", 0, err
	}
	if f.size < smallSize {
		buffer := smallBuffers.Get().(*[]byte)
		defer smallBuffers.Put(buffer)
		if n, err := f.fill(*buffer); err != nil || n < len(*buffer) {
			f.close()
			advance(int64(n))
			return sumOrNone((*buffer)[:n], err), int64(n), err
		}
		f.close() // it grew: it is read again, from its begin
		if f, err = openCold(path); err != nil {
			return "", 0, err
		}
	}
	r := readBlocks(f)
	defer r.close()
	h := sha512.New()
	for {
		if err := ctx.Err(); err != nil {
			return "", size, err
		}
		b, err := r.next()
		if err != nil {
			return "", size, err
		}
		if len(b) == 0 {
			return hex.EncodeToString(h.Sum(nil)), size, nil
		}
		_, _ = h.Write(b) // a hash never fails
		size += int64(len(b))
		advance(int64(len(b)))
	}
}

// sumOrNone returns the digest of a file that was read without an error.
func sumOrNone(text []byte, err error) string {
	if err != nil {
		return ""
	}
	return sumBytes(text)
}

// sumFile returns the digest of a file.
func sumFile(path string) (string, error) {
	sum, _, err := sumCold(context.Background(), path, func(int64) {})
	return sum, err
}
