package httrack

import (
	"compress/flate"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"quire/internal/archivefs"
)

// ErrNoBody reports that the cache does not hold the body of an entry.
var ErrNoBody = errors.New("the cache does not hold the body")

// Content reads bodies and headers. It keeps their files open, because opening the cache of a
// mirror in a zip inflates it.
type Content struct {
	mirror *Mirror
	open   map[string]archivefs.Content
}

// Content returns access to bodies and headers. The caller must close it.
func (m *Mirror) Content() *Content { return &Content{m, map[string]archivefs.Content{}} }

func (c *Content) file(p string) (archivefs.Content, error) {
	if f := c.open[p]; f != nil {
		return f, nil
	}
	f, err := c.mirror.tree.Open(p)
	if err == nil {
		c.open[p] = f
	}
	return f, err
}

// Close closes all opened files.
func (c *Content) Close() error {
	var all error
	for _, f := range c.open {
		all = errors.Join(all, f.Close())
	}
	clear(c.open)
	return all
}

// Body reads the body of an entry, up to the length in the cache. Reading fails if bytes are
// missing or the checksum differs.
func (c *Content) Body(e *Entry) (io.Reader, error) {
	if !e.InCache {
		return nil, ErrNoBody
	}
	file, err := c.file(e.Cache)
	if err != nil {
		return nil, err
	}
	b := &body{left: e.body.size, place: e.body, sum: crc32.NewIEEE()}
	b.in = io.NewSectionReader(file, e.body.at, e.body.stored)
	if e.body.deflated {
		b.in = flate.NewReader(b.in)
	}
	return b, nil
}

// body reads and checks one body.
type body struct {
	in    io.Reader
	place place
	left  int64
	sum   hash.Hash32
}

func (b *body) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, b.check()
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	_, _ = b.sum.Write(p[:n]) // a hash never fails
	switch {
	case errors.Is(err, io.EOF) && b.left > 0:
		return n, fmt.Errorf("the body lacks %d bytes: %w", b.left, io.ErrUnexpectedEOF)
	case errors.Is(err, io.EOF):
		return n, nil // the next Read checks
	}
	return n, err
}

func (b *body) check() error {
	if b.place.summed && b.sum.Sum32() != b.place.crc {
		return fmt.Errorf("the body has the checksum %08x instead of %08x", b.sum.Sum32(), b.place.crc)
	}
	return io.EOF
}
