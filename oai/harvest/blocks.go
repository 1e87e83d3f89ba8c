package harvest

import "quire/internal/warcbuild"

// blocks lends what bytes wait in, so that not each record needs memory of its own.
type blocks struct {
	dir  string
	free []*warcbuild.Held
}

// maxFree is how many are kept for the next record.
const maxFree = 4

// lean gives one that holds little in memory: for the many resources of one record, which wait all
// together.
func (b *blocks) lean() *warcbuild.Held { return &warcbuild.Held{Dir: b.dir, Memory: 64 << 10} }

func (b *blocks) get() *warcbuild.Held {
	if n := len(b.free); n > 0 {
		h := b.free[n-1]
		b.free = b.free[:n-1]
		return h
	}
	return &warcbuild.Held{Dir: b.dir}
}

// put takes one back. One that has grown beyond memory gives its file up.
func (b *blocks) put(h *warcbuild.Held) error {
	if h.Memory > 0 || int64(len(h.Bytes())) < h.Size() || len(b.free) == maxFree {
		return h.Close()
	}
	h.Cut(0)
	b.free = append(b.free, h)
	return nil
}
