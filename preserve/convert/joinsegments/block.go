package joinsegments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"quire/format/warc"
)

// open opens a segment in its file. The caller closes the file.
func (s *Set) open(ctx context.Context, g *segment) (*os.File, *warc.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	f, err := os.Open(s.files[g.file].path)
	if err != nil {
		return nil, nil, err
	}
	rec, err := warc.NewReader(io.NewSectionReader(f, g.offset, g.stored)).Next()
	if err == nil && rec.ContentLength != g.bytes {
		err = errors.New("it has another length than before")
	}
	if err != nil {
		err = fmt.Errorf("%s, record at byte %d: %w", s.files[g.file].name, g.offset, err)
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, rec, nil
}

// header returns the header of a segment, as in the file.
func (s *Set) header(ctx context.Context, g *segment) ([]byte, error) {
	f, rec, err := s.open(ctx, g)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(rec.Raw()), f.Close()
}

// joinedBlock reads the blocks of segments, one after the other.
type joinedBlock struct {
	set   *Set
	ctx   context.Context
	parts []segment
	file  *os.File
	now   io.Reader
	left  int64
	err   error
}

func (s *Set) block(ctx context.Context, parts []segment) *joinedBlock {
	return &joinedBlock{set: s, ctx: ctx, parts: parts}
}

// Read implements io.Reader.
func (b *joinedBlock) Read(p []byte) (int, error) {
	n, err := b.read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

func (b *joinedBlock) read(p []byte) (int, error) {
	for {
		if b.now != nil {
			n, err := b.now.Read(p)
			b.left -= int64(n)
			switch {
			case n > 0 || err == nil:
				return n, nil // an error is returned again
			case !errors.Is(err, io.EOF):
				return 0, err
			case b.left != 0:
				return 0, io.ErrUnexpectedEOF
			}
			if err := b.Close(); err != nil {
				return 0, err
			}
		}
		if len(b.parts) == 0 {
			return 0, io.EOF
		}
		f, rec, err := b.set.open(b.ctx, &b.parts[0])
		if err != nil {
			return 0, err
		}
		b.file, b.now, b.left, b.parts = f, &cancelled{b.ctx, rec}, b.parts[0].bytes, b.parts[1:]
	}
}

// Close implements io.Closer.
func (b *joinedBlock) Close() error {
	b.now = nil
	if b.file == nil {
		return nil
	}
	f := b.file
	b.file = nil
	return f.Close()
}

// cancelled reads until the context ends.
type cancelled struct {
	ctx context.Context
	io.Reader
}

// Read implements io.Reader.
func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}
