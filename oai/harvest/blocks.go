package harvest

import "quire/internal/blockbuffer"

// blocks lends buffers for bytes, so that not every record needs new memory.
type blocks struct {
	dir  string
	free []*blockbuffer.Buffer
}

// maxFree is the number of buffers kept for the next record.
const maxFree = 4

// lean returns a buffer that holds little in memory, for the many resources of one record.
func (b *blocks) lean() *blockbuffer.Buffer {
	return &blockbuffer.Buffer{Dir: b.dir, Memory: 64 << 10}
}

func (b *blocks) get() *blockbuffer.Buffer {
	if n := len(b.free); n > 0 {
		h := b.free[n-1]
		b.free = b.free[:n-1]
		return h
	}
	return &blockbuffer.Buffer{Dir: b.dir}
}

// put returns a buffer. A buffer that has grown beyond memory deletes its file.
func (b *blocks) put(h *blockbuffer.Buffer) error {
	if h.Memory > 0 || int64(len(h.Bytes())) < h.Size() || len(b.free) == maxFree {
		return h.Close()
	}
	h.Cut(0)
	b.free = append(b.free, h)
	return nil
}
