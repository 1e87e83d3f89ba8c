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

// rewriter writes a container again, with other records in the place of some. What is between those
// is copied as it is stored, member for member: nothing is inflated and deflated that does not
// change, and what a file has of oddities it keeps.
type rewriter struct {
	in      io.ReaderAt
	out     io.Writer
	at      int64 // up to here of in, everything was written
	members bool  // in is not compressed, and each stretch that is copied becomes a member
	gzip    *gzipmember.Writer
	zstd    *zstd.Encoder
}

// newRewriter writes to out; records in other places are compressed as is said.
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

// reach copies what is stored up to an offset: where members are made, the record before it, and
// what stands behind that.
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

// copyTo copies what is stored up to an offset.
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

// replace writes another record in the place of the stored bytes from offset on.
func (r *rewriter) replace(offset, length int64, header []byte, block io.Reader) error {
	if err := r.copyTo(offset); err != nil {
		return err
	}
	r.at = offset + length
	return r.member(io.MultiReader(bytes.NewReader(header), block, bytes.NewReader([]byte("\r\n\r\n"))))
}

// member writes inflated bytes as one member, or as they are into a plain file.
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
