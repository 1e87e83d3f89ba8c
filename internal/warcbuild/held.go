package warcbuild

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxMemory is how much of a block is held in memory, in bytes; the rest is in a temporary file.
const maxMemory = 4 << 20

// Held holds the bytes of one block until its digests and its length are known, because they
// precede it in a WARC.
type Held struct {
	Dir    string // for blocks too large for memory; "" is the system's temporary folder
	Memory int    // bytes held in memory; default 4 MiB

	mem  []byte
	file *os.File // the part that does not fit into mem
	over int64    // bytes in it
}

// Write adds bytes.
func (h *Held) Write(p []byte) (int, error) {
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
		f, err := os.CreateTemp(h.Dir, ".quire-convert-*")
		if err != nil {
			return n, fmt.Errorf("making a temporary file: %w", err)
		}
		// If the system allows an open file without a name, a kill leaves no file; otherwise Close
		// removes it.
		_ = os.Remove(f.Name())
		h.file = f
	}
	m, err := h.file.WriteAt(p[n:], h.over)
	h.over += int64(m)
	return n + m, err
}

// Size returns the number of bytes held.
func (h *Held) Size() int64 { return int64(len(h.mem)) + h.over }

// Cut drops the bytes beyond n.
func (h *Held) Cut(n int64) {
	h.over = max(0, min(h.over, n-int64(len(h.mem))))
	h.mem = h.mem[:min(int64(len(h.mem)), n)]
}

// Reader returns a reader of the held bytes, from the beginning.
func (h *Held) Reader() io.Reader {
	if h.over == 0 {
		return bytes.NewReader(h.mem)
	}
	return io.MultiReader(bytes.NewReader(h.mem), io.NewSectionReader(h.file, 0, h.over))
}

// ReadAt implements io.ReaderAt for the held bytes.
func (h *Held) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	if at < int64(len(h.mem)) {
		n = copy(p, h.mem[at:])
	}
	rest := h.over - (at + int64(n) - int64(len(h.mem))) // unread bytes of the file
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

// Close frees the disk space. Then nothing is held.
func (h *Held) Close() error {
	if h.file == nil {
		return nil
	}
	err := h.file.Close()
	if gone := os.Remove(h.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Bytes returns the part in memory: all bytes, if they fit.
func (h *Held) Bytes() []byte { return h.mem }
