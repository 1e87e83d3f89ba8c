package blockbuffer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxMemory is the default for Buffer.Memory, in bytes. The rest of a block is in a temporary file.
const maxMemory = 4 << 20

// Buffer keeps the bytes of one block until its digests and its length are known, because both
// precede the block in a WARC.
type Buffer struct {
	Dir    string // of the temporary file; "" is the system's folder
	Memory int    // maximum bytes in memory; default 4 MiB

	mem  []byte
	file *os.File // the part that does not fit into mem
	over int64    // bytes in it
}

// Write adds bytes.
func (h *Buffer) Write(p []byte) (int, error) {
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
		// Where an open file may lose its name, a killed process leaves nothing. Elsewhere, Close
		// removes the file.
		_ = os.Remove(f.Name())
		h.file = f
	}
	m, err := h.file.WriteAt(p[n:], h.over)
	h.over += int64(m)
	return n + m, err
}

// Size returns the number of bytes in the buffer.
func (h *Buffer) Size() int64 { return int64(len(h.mem)) + h.over }

// Cut drops the bytes beyond n.
func (h *Buffer) Cut(n int64) {
	h.over = max(0, min(h.over, n-int64(len(h.mem))))
	h.mem = h.mem[:min(int64(len(h.mem)), n)]
}

// Reader reads the held bytes, from the beginning.
func (h *Buffer) Reader() io.Reader {
	if h.over == 0 {
		return bytes.NewReader(h.mem)
	}
	return io.MultiReader(bytes.NewReader(h.mem), io.NewSectionReader(h.file, 0, h.over))
}

// ReadAt implements io.ReaderAt over the held bytes.
func (h *Buffer) ReadAt(p []byte, at int64) (int, error) {
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

// Close frees the space on disk. The Buffer then holds no bytes.
func (h *Buffer) Close() error {
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
func (h *Buffer) Bytes() []byte { return h.mem }
