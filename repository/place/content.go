package place

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// Content is the content of a file before it is written: its size and digests. Its SHA-256 comes in
// parts, because S3 has a checksum over the checksums of parts for large files only.
type Content struct {
	Size   int64
	SHA512 string // lower-case hex
	// Bulk says that the file is content that may lie in a cold storage class.
	Bulk bool

	partSize int64
	parts    [][]byte // SHA-256
}

// partSize is the size of the parts of a large file, in bytes. A file of at most this size has one
// part.
const partSize = 64 << 20

// maxParts is the largest number of parts of a file in S3.
const maxParts = 10_000

// Sum reads a file to its end, and returns its content.
func Sum(ctx context.Context, from io.Reader, size int64) (Content, error) {
	return SumParts(ctx, from, size, max(partSize, (size+maxParts-1)/maxParts))
}

// SumParts is [Sum] with a size of the parts in bytes. S3 has parts of at least 5 MiB.
func SumParts(ctx context.Context, from io.Reader, size, part int64) (Content, error) {
	c := Content{Size: size, partSize: part}
	whole := sha512.New()
	for left := size; left > 0 || len(c.parts) == 0; {
		n := min(left, part)
		h := sha256.New()
		if _, err := io.CopyN(io.MultiWriter(whole, h), &stoppable{ctx, from}, n); err != nil {
			return Content{}, fmt.Errorf("reading %d bytes: %w", size, err)
		}
		c.parts = append(c.parts, h.Sum(nil))
		left -= n
	}
	c.SHA512 = hex.EncodeToString(whole.Sum(nil))
	return c, nil
}

// stoppable is a reader that ends with its context.
type stoppable struct {
	ctx  context.Context
	from io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.from.Read(p)
}

// checksum returns the checksum that S3 has for the file: of its bytes, or of the checksums of its
// parts with their number.
func (c *Content) checksum() string {
	if len(c.parts) == 1 {
		return base64.StdEncoding.EncodeToString(c.parts[0])
	}
	h := sha256.New()
	for _, p := range c.parts {
		_, _ = h.Write(p) // a hash never fails
	}
	return fmt.Sprintf("%s-%d", base64.StdEncoding.EncodeToString(h.Sum(nil)), len(c.parts))
}

// Matches reports whether a file in a place has the size and the checksum of this content. It returns
// false if the place has no checksum.
func (c *Content) Matches(e Entry) bool {
	return e.Checksum != "" && e.Size == c.Size && e.Checksum == c.checksum()
}

// ReadBack reads a file in a place, and returns its SHA-512 and size. It calls advance with the bytes
// of each read.
func ReadBack(ctx context.Context, p Place, name string, advance func(int64)) (sha string, size int64, err error) {
	r, err := p.Open(ctx, name, 0)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = r.Close() }() // opened for reading only
	h := sha512.New()
	size, err = io.Copy(&counted{h, advance}, &stoppable{ctx, r})
	return hex.EncodeToString(h.Sum(nil)), size, err
}

type counted struct {
	hash.Hash
	advance func(int64)
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	c.advance(int64(len(p)))
	return c.Hash.Write(p)
}
