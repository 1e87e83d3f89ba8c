package dedup

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"quire/format/gzipmember"
	"quire/format/inflate"
)

// rewriter writes a container again with some records replaced. It copies the bytes between these
// unchanged, member by member. It does not recompress unchanged members, and keeps the file's
// peculiarities.
type rewriter struct {
	in      io.ReaderAt
	out     io.Writer
	at      int64 // end of the part of in that was written
	members bool  // in is not compressed, and each copied stretch becomes a member
	gzip    *gzipmember.Writer
	zstd    *zstd.Encoder
}

// newRewriter writes to out. Replacement records are compressed by kind.
func newRewriter(in io.ReaderAt, out io.Writer, kind inflate.Compression) (r *rewriter, err error) {
	r = &rewriter{in: in, out: out}
	switch kind {
	case inflate.Gzip:
		r.gzip, err = gzipmember.NewWriter(out, gzipmember.DefaultLevel)
	case inflate.Zstd:
		r.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	}
	return r, err
}

// reach copies the stored bytes up to an offset. If it makes members, these bytes become one: a
// record and the bytes after it.
func (r *rewriter) reach(end int64) error {
	if end == r.at || !r.members && end < r.at {
		return nil
	}
	if r.members {
		content := io.NewSectionReader(r.in, r.at, end-r.at)
		r.at = end
		return r.member(content)
	}
	return r.copyTo(end)
}

// copyTo copies the stored bytes up to an offset.
func (r *rewriter) copyTo(end int64) error {
	if end < r.at {
		return fmt.Errorf("records overlap at byte %d", end)
	}
	n, err := io.Copy(r.out, io.NewSectionReader(r.in, r.at, end-r.at))
	if err == nil && n < end-r.at {
		err = io.ErrUnexpectedEOF
	}
	r.at = end
	return err
}

// replace writes another record instead of the stored bytes at offset.
func (r *rewriter) replace(offset, length int64, header []byte, block io.Reader) error {
	if err := r.copyTo(offset); err != nil {
		return err
	}
	r.at = offset + length
	return r.member(io.MultiReader(bytes.NewReader(header), block, bytes.NewReader([]byte("\r\n\r\n"))))
}

// member writes inflated bytes as one member, or unchanged into a plain file.
func (r *rewriter) member(content io.Reader) error {
	switch {
	case r.gzip != nil:
		if err := r.gzip.Begin(); err != nil {
			return err
		}
		if _, err := io.Copy(r.gzip, content); err != nil {
			return err
		}
		_, _, err := r.gzip.End()
		return err
	case r.zstd != nil:
		r.zstd.Reset(r.out)
		_, err := io.Copy(struct{ io.Writer }{r.zstd}, content)
		return errors.Join(err, r.zstd.Close())
	}
	_, err := io.Copy(r.out, content)
	return err
}
