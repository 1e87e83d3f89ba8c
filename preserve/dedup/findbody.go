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

// mostCopies is how many records with a payload are tried in each holding.
const mostCopies = 16

// bodyOf finds the body of a record, and reads it once to see that it is the one. why says that it
// is nowhere.
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
			why = fmt.Sprintf("the record in %s at byte %d does not hold its payload any more", c.Container, c.Offset)
		}
	}
	return nil, why, nil
}

// body is the body of a record, as it is read from another. It ends with an error when it is not
// the one that is wanted.
type body struct {
	io.Reader
	content archivefs.Content
}

// Close lets go of the container.
func (b *body) Close() error { return b.content.Close() }

// openBody opens the body of a record that has it; nil when it has another.
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

// maxBody is how much of a body is held in memory when it is found, in bytes. A larger one is read
// twice.
const maxBody = 4 << 20

// findBody goes to the record with the body, reads it to see that it is the one, and gives it from
// its beginning.
func findBody(content archivefs.Content, c copyOf, f *former) (io.Reader, error) {
	in, err := recordsFrom(content, c)
	if err != nil {
		return nil, err
	}
	// one that shares its member is somewhere behind that begins
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
			continue // it is another, or damaged
		}
		if n <= maxBody {
			return &held.Buffer, nil
		}
		return again(content, c, f, number)
	}
	return nil, nil
}

// limited holds what has room in memory, and forgets the rest.
type limited struct {
	bytes.Buffer
	room int
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	_, _ = l.Buffer.Write(p[:min(len(p), max(l.room-l.Len(), 0))]) // memory takes everything
	return len(p), nil
}

// again opens the body of the record that follows so many others.
func again(content archivefs.Content, c copyOf, f *former, number int) (io.Reader, error) {
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

// recordsFrom reads the record at the original's offset, and of a member that is shared those
// behind it.
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

// bodyIn is what stands in the block of a record where the body should be.
func bodyIn(rec *records.Record, c copyOf, f *former) io.Reader {
	_, _ = io.CopyN(io.Discard, rec, c.head) // what is too short has not the right digest
	return io.LimitReader(rec, f.length)
}

// checked reads a body a second time, and fails when it is not what it was the first time.
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
