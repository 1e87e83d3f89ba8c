package dedup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"quire/internal/archivefs"
	"quire/source/records"
)

// mostCopies is how many records with the payload are tried in each holding.
const mostCopies = 16

// bodyOf finds the body of a record, and reads it once to verify it. If there is no body, why is
// the reason.
func (j *job) bodyOf(ctx context.Context, f *former) (_ *body, why string, err error) {
	why = "no record with its payload was found: name with --against where the originals are"
	for _, p := range f.payloads() {
		for c, err := range j.copies(ctx, p) {
			if err != nil {
				return nil, "", err
			}
			b, err := openBody(c, f)
			if err != nil {
				return nil, "", err
			}
			if b != nil {
				return b, "", nil
			}
			why = fmt.Sprintf("the record in %s at byte %d no longer holds its payload", c.Container, c.Offset)
		}
	}
	return nil, why, nil
}

// body is the body of a record, read from another record. Reading fails if it is not the wanted
// body.
type body struct {
	io.Reader
	content archivefs.Content
}

// Close closes the container.
func (b *body) Close() error { return b.content.Close() }

// openBody opens the body of a record; nil if the record has another body.
func openBody(c copyOf, f *former) (_ *body, err error) {
	content, err := c.open(c.shelf)
	if err != nil {
		return nil, err
	}
	r, err := findBody(content, c, f)
	if r == nil || err != nil {
		return nil, errors.Join(err, content.Close())
	}
	return &body{r, content}, nil
}

// maxBody is how many bytes of a body are held in memory. A larger body is read twice.
const maxBody = 4 << 20

// findBody seeks the record with the body, verifies it, and returns it from its beginning.
func findBody(content archivefs.Content, c copyOf, f *former) (io.Reader, error) {
	in, err := recordsFrom(content, c)
	if err != nil {
		return nil, err
	}
	// a record that shares its member is one of those after this offset
	for number := 0; number == 0 || c.stored <= 0; number++ {
		rec, err := in.Next()
		if errors.Is(err, io.EOF) || errors.Is(err, records.ErrNotContainer) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		sum := sha256.New()
		held := limited{room: maxBody}
		n, err := io.Copy(io.MultiWriter(sum, &held), bodyIn(rec, c, f))
		if err != nil || n != f.length || [32]byte(sum.Sum(nil)) != f.body {
			continue // another record, or a damaged one
		}
		if n <= maxBody {
			return &held.Buffer, nil
		}
		return reopenBody(content, c, f, number)
	}
	return nil, nil
}

// limited keeps the bytes that fit in memory, and drops the rest.
type limited struct {
	bytes.Buffer
	room int
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	_, _ = l.Buffer.Write(p[:min(len(p), max(l.room-l.Len(), 0))]) // memory never fails
	return len(p), nil
}

// reopenBody opens the body of the record after this number of others.
func reopenBody(content archivefs.Content, c copyOf, f *former, number int) (io.Reader, error) {
	in, err := recordsFrom(content, c)
	if err != nil {
		return nil, err
	}
	for {
		rec, err := in.Next()
		if err != nil {
			return nil, err
		}
		if number == 0 {
			return &checked{in: bodyIn(rec, c, f), sum: sha256.New(), want: f.body}, nil
		}
		number--
	}
}

// recordsFrom reads the record at the original's offset and, in a shared member, the records after
// it.
func recordsFrom(content archivefs.Content, c copyOf) (*records.Reader, error) {
	length := c.stored
	if length <= 0 {
		size, err := content.Seek(0, io.SeekEnd)
		if err != nil {
			return nil, err
		}
		length = max(size-c.Offset, 0)
	}
	part, _ := stretch(content, c.Offset, length)
	return records.NewReader(part, nil), nil
}

// bodyIn returns the part of a record's block where the body should be.
func bodyIn(rec *records.Record, c copyOf, f *former) io.Reader {
	_, _ = io.CopyN(io.Discard, rec, c.head) // if it is too short, the digest differs
	return io.LimitReader(rec, f.length)
}

// checked reads a body a second time, and fails if it differs from the first time.
type checked struct {
	in   io.Reader
	sum  hash.Hash
	want [32]byte
}

// Read implements io.Reader.
func (c *checked) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.sum.Write(p[:n]) // a hash never fails
	if errors.Is(err, io.EOF) && [32]byte(c.sum.Sum(nil)) != c.want {
		err = errChanged
	}
	return n, err
}
