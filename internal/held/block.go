package held

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxMemory is how much of a block is held in memory before it goes to a temporary file, in bytes.
const maxMemory = 4 << 20

// Block keeps the bytes of one block until its digests and its length are known, for they stand
// before it in a WARC.
type Block struct {
	Dir    string // for blocks that are too large for memory; "" is where temporary files go
	Memory int    // bytes that are held in memory; 0 is 4 MiB

	mem  []byte
	file *os.File // the part that does not fit into mem
	over int64    // bytes in it
}

// Write adds bytes.
func (h *Block) Write(p []byte) (int, error) {
	most := h.Memory
	if most == 0 {
		most = maxMemory
	}
	n := min(len(p), most-len(h.mem))
	h.mem = append(h.mem, p[:n]...)
	if n == len(p) {
		return n, nil
	}
	if h.file == nil {
		f, err := os.CreateTemp(h.Dir, ".quire-block-*")
		if err != nil {
			return n, fmt.Errorf("making a temporary file: %w", err)
		}
		// where an open file may go on without its name, a kill leaves nothing; elsewhere Close
		// does it
		_ = os.Remove(f.Name())
		h.file = f
	}
	m, err := h.file.WriteAt(p[n:], h.over)
	h.over += int64(m)
	return n + m, err
}

// Size is how many bytes are held.
func (h *Block) Size() int64 { return int64(len(h.mem)) + h.over }

// Cut drops the bytes beyond n.
func (h *Block) Cut(n int64) {
	h.over = max(0, min(h.over, n-int64(len(h.mem))))
	h.mem = h.mem[:min(int64(len(h.mem)), n)]
}

// Reader reads the held bytes, from the beginning.
func (h *Block) Reader() io.Reader {
	if h.over == 0 {
		return bytes.NewReader(h.mem)
	}
	return io.MultiReader(bytes.NewReader(h.mem), io.NewSectionReader(h.file, 0, h.over))
}

// ReadAt implements io.ReaderAt over the held bytes.
func (h *Block) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	if at < int64(len(h.mem)) {
		n = copy(p, h.mem[at:])
	}
	rest := h.over - (at + int64(n) - int64(len(h.mem))) // bytes of the file that are left to be read
	switch {
	case n == len(p):
		return n, nil
	case rest <= 0:
		return n, io.EOF
	}
	m, err := h.file.ReadAt(p[n:min(int64(len(p)), int64(n)+rest)], h.over-rest)
	if n += m; err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Close frees the space on disk. The Block then holds no bytes.
func (h *Block) Close() error {
	if h.file == nil {
		return nil
	}
	err := h.file.Close()
	if gone := os.Remove(h.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Bytes returns the part in memory: all of it, when it is little.
func (h *Block) Bytes() []byte { return h.mem }
