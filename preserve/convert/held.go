package convert

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

// held keeps the bytes of one block until its digests and its length are known, for they stand before it in a WARC.
type held struct {
	dir  string
	mem  []byte
	file *os.File // what does not fit into mem
	over int64    // bytes in it
}

// Write adds bytes.
func (h *held) Write(p []byte) (int, error) {
	n := min(len(p), maxMemory-len(h.mem))
	h.mem = append(h.mem, p[:n]...)
	if n == len(p) {
		return n, nil
	}
	if h.file == nil {
		f, err := os.CreateTemp(h.dir, ".quire-convert-*")
		if err != nil {
			return n, fmt.Errorf("making a temporary file: %w", err)
		}
		_ = os.Remove(f.Name()) // where an open file may go on without its name, a kill leaves nothing; elsewhere Close does it
		h.file = f
	}
	m, err := h.file.WriteAt(p[n:], h.over)
	h.over += int64(m)
	return n + m, err
}

func (h *held) size() int64 { return int64(len(h.mem)) + h.over }

// cut forgets what is beyond n bytes.
func (h *held) cut(n int64) {
	h.over = max(0, min(h.over, n-int64(len(h.mem))))
	h.mem = h.mem[:min(int64(len(h.mem)), n)]
}

// reader reads what is held, from the beginning.
func (h *held) reader() io.Reader {
	if h.over == 0 {
		return bytes.NewReader(h.mem)
	}
	return io.MultiReader(bytes.NewReader(h.mem), io.NewSectionReader(h.file, 0, h.over))
}

// close gives the room on disk back.
func (h *held) close() error {
	if h.file == nil {
		return nil
	}
	err := h.file.Close()
	if gone := os.Remove(h.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
